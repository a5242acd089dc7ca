// api: what the program is asked.

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

/** A row of a table of parameters, as the program has it. */
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

export interface About {
  version: string;
  algorithms: Algorithm[];
  encodings: string[];
  profiles: string[];
  max_seconds: number;
}

async function answer<T>(response: Response): Promise<T> {
  const document: unknown = await response.json();
  if (response.ok) return document as T;
  const error = (document as { error?: string }).error;
  throw new Error(error ?? `the program answered ${response.status}`);
}

export async function get<T>(path: string): Promise<T> {
  return answer<T>(await fetch(path));
}

export async function post<T>(path: string, body: string | object): Promise<T> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return answer<T>(await fetch(path, { method: "POST", body: text }));
}
