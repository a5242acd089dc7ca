// api: requests to the server, and the types of its answers (docs/WEB.md).

export type Cell = [number, number];

export interface Frame {
  piece: string | null;
  hold?: boolean;
  cells: Cell[];
  rows?: number[];
  lines?: number;
  keys?: string[];
  comment?: string;
  board: string[];
}

export interface Game {
  title: string;
  width: number;
  height: number;
  start: string[];
  frames: Frame[];
  fumen: string | null;
  result: { score: number; lines: number; pieces: number; over: string } | null;
}

export interface SolveState {
  id: number;
  state: "running" | "done" | "failed";
  evaluations: number;
  best: number | null;
  current: number | null;
  seconds: number;
  rate: number;
  width: number;
  height: number;
  board: string[] | null;
  error?: string;
}

export interface SolveAnswer {
  fitness: number;
  lines: number;
  placed: number;
  bound: number | null;
  gap: number | null;
  optimal: boolean;
  perfect_clear: boolean;
  evaluations: number;
  seed: number;
  fumen: string | null;
  features: Record<string, number>;
  moves: { keys: string[] }[];
}

export interface SolveJob extends SolveState {
  curve: [number, number, number][];
  answer?: SolveAnswer;
  start?: string[];
  frames?: Frame[];
}

export interface TrainState {
  id: number;
  state: "running" | "done" | "failed";
  generation: number;
  total: number; // generations
  best: number | null;
  current: number | null; // the mean
  seconds: number;
  error?: string;
}

/** A file of weights, and how they were trained. */
export interface TrainAnswer {
  features: string;
  weights: number[];
  training: {
    settings: { agent: string; measure: string; rules: string };
    generations: number;
    games: number;
    held_out: { measure: string; mean: number; ci95: [number, number] | null; games: number } | null;
  };
}

export interface TrainJob extends TrainState {
  curve: [number, number, number][];
  answer?: TrainAnswer;
}

/** A row of a table of options or parameters, as the program has it. */
export interface Parameter {
  name: string;
  kind: "flag" | "integer" | "real" | "text" | "choice" | "list";
  default: string;
  min?: number;
  max?: number;
  choices?: string[];
  help: string;
}

export interface Algorithm {
  name: string;
  summary: string;
  placements: boolean; // takes that encoding
  parameters: Parameter[];
}

/** A training method. */
export interface Method {
  name: string;
  summary: string;
  games: number; // of a candidate, unless set
  parameters: Parameter[];
}

export interface About {
  version: string;
  algorithms: Algorithm[];
  jobs: { name: string; options: Parameter[] }[];
  methods: Method[];
  features: { name: string; weights: string[] }[];
  encodings: string[];
  profiles: string[];
  max_seconds: number;
}

export const GONE = "The program does not answer any more.";

/** `fetch` with words of ours where nobody is there: each browser has its own, none says what it means. */
export async function ask(path: string, how?: RequestInit): Promise<Response> {
  try {
    return await fetch(path, how);
  } catch {
    throw new Error(GONE);
  }
}

async function answer<T>(response: Response): Promise<T> {
  const document: unknown = await response.json().catch(() => {
    throw new Error(GONE); // in the middle of its answer
  });
  if (response.ok) return document as T;
  const error = (document as { error?: string }).error;
  throw new Error(error ?? `the program answered ${response.status}`);
}

export async function get<T>(path: string, how?: RequestInit): Promise<T> {
  return answer<T>(await ask(path, how));
}

export async function post<T>(path: string, body: string | object): Promise<T> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return answer<T>(await ask(path, { method: "POST", body: text }));
}
