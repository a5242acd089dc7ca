// api: requests to the server, and the types of its answers (docs/WEB.md). A site of plain files has no server:
// there, workers of the browser answer.

import { askLocally, localAnswer, localEnd, localStream, type Stream } from "./local";

export type Cell = [number, number];

export interface Frame {
  piece: string | null;
  hold?: boolean;
  place?: [number, number, number]; // rotation, x and y of its centre
  cells: Cell[];
  rows?: number[];
  lines?: number;
  garbage?: number; // rows that came up after it
  keys?: string[];
  comment?: string;
  board: string[];
  at?: number; // pieces of the queue that came before the next one
  held?: string | null; // after it
}

/** A replay or a fumen, without its frames. */
export interface SavedGame {
  title: string;
  width: number;
  height: number;
  start: string[];
  count: number; // frames
  rows: number; // that all of them fit in
  fumen: string | null;
  pieces?: string; // of a game, as they came
  held?: string | null; // at the start
  holds?: boolean; // it has hold
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
  threads?: number; // that have worked on it, in the browser
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
  pieces?: string;
  held?: string | null;
  holds?: boolean;
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

/** Whether the page is one of a site of plain files (scripts/build-site writes the attribute). */
export const isSite = document.documentElement.dataset["site"] !== undefined;

/** Where a file of the page is, whatever the path it is served under. */
export function fileAddress(name: string): string {
  return new URL(name, document.baseURI).href;
}

const GONE = "The program does not answer any more.";
const RETRY_MS = 2000; // between two attempts to load something

/** A request that failed: the HTTP status of the answer, 0 without one. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** `fetch` with our own message where no program answers: every browser has another one. */
export async function ask(path: string, how?: RequestInit): Promise<Response> {
  if (isSite && path.startsWith("/api/")) return localAnswer(path, how);
  try {
    return await fetch(path, how);
  } catch {
    throw new RequestError(0, GONE);
  }
}

/** The answer itself; an error where the program rejected the request. */
async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const document = (await response.json().catch(() => ({}))) as { error?: string };
  throw new RequestError(response.status, document.error ?? `the program answered ${response.status}`);
}

async function answer<T>(response: Response): Promise<T> {
  return (await accepted(response)).json().catch(() => {
    throw new RequestError(0, GONE); // in the middle of its answer
  }) as Promise<T>;
}

/** The content of a file that the program writes. */
export async function getText(path: string): Promise<string> {
  return (await accepted(await ask(path))).text();
}

/** Loads something, again and again until it succeeds or `load` is not wanted any more: a page that was
 * opened while the program was down works as soon as it is back. */
export async function untilLoaded<T>(load: () => Promise<T>, onError: (error: unknown) => void, wanted: () => boolean): Promise<T | undefined> {
  while (wanted()) {
    try {
      return await load();
    } catch (error) {
      onError(error);
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
  return undefined;
}

export async function get<T>(path: string, how?: RequestInit): Promise<T> {
  return answer<T>(await ask(path, how));
}

export async function post<T>(path: string, body: string | object): Promise<T> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return answer<T>(await ask(path, { method: "POST", body: text }));
}

/** The answer of the browser itself, also where there is a server: about something that only the browser has. */
export async function postLocally<T>(path: string, body: object): Promise<T> {
  return answer<T>(await askLocally(path, JSON.stringify(body)));
}

/** The states of a job as they come. */
export function openStream(path: string): Stream {
  return isSite ? localStream(path) : new EventSource(path);
}

/** Ends a job that nobody waits for; works also while the page is closed. */
export function dropJob(name: string, number: number): void {
  if (isSite) localEnd(number);
  else navigator.sendBeacon(`/api/${name}/${number}/stop`);
}
