// local: the HTTP API without a server: every job has a worker of its own, which computes it, with more of them as its
// threads where the host of the page sends the headers for that (docs/WEB.md).
//
// Used where the page was not sent by `tetropt serve`: a site of plain files (make site).

import { sharedMemory } from "./wasi";
import type { FromWorker, ToWorker } from "./worker";

/** What a job's stream of states offers, like an EventSource. */
export interface Stream {
  readonly readyState: number;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onerror: ((event: Event) => void) | null;
  close(): void;
}

const KEPT = 4; // jobs whose answers can still be asked for

const MOST_THREADS = 16; // of a job

const loading = new Map<string, Promise<WebAssembly.Module>>();

function loadModule(name: string): Promise<WebAssembly.Module> {
  const known = loading.get(name);
  if (known) return known;
  const module = WebAssembly.compileStreaming(fetch(new URL(name, document.baseURI))).catch((error: unknown) => {
    loading.delete(name);
    throw error;
  });
  loading.set(name, module);
  return module;
}

/** A worker: of a job, or of a game. */
export function newWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

class LocalJob {
  private readonly worker = newWorker();
  private readonly running = URL.createObjectURL(new Blob(["running"]));
  private readonly waiting = new Map<number, { done: (answer: Response) => void; failed: (error: Error) => void }>();
  private turns = 0;
  private last: string | undefined; // the newest state
  private helpers: Worker[] = [];
  stream: Stream | undefined;

  private constructor(
    private readonly module: WebAssembly.Module,
    private readonly memory?: WebAssembly.Memory,
  ) {
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.take(event.data);
    this.worker.onerror = (event) => this.fail(event);
    const threads = Math.min(navigator.hardwareConcurrency, MOST_THREADS);
    this.post(memory ? { module, running: this.running, threads, memory } : { module, running: this.running, threads: 1 });
  }

  /** A job on as many threads as the browser has processors, if they can share memory. */
  static async open(): Promise<LocalJob> {
    const memory = sharedMemory();
    return new LocalJob(await loadModule(memory ? "threads.wasm" : "jobs.wasm"), memory);
  }

  private fail(event: ErrorEvent): void {
    for (const { failed } of this.waiting.values()) failed(new Error(event.message || "the job could not be computed"));
    this.waiting.clear();
    this.stream?.onerror?.(event);
  }

  /** Starts a thread per stack, and then the job. */
  private help(stacks: number[]): void {
    const { memory, module } = this;
    if (!memory) return;
    let ready = 0;
    this.helpers = stacks.map((stack, i) => {
      const helper = newWorker();
      helper.onerror = (event) => this.fail(event);
      helper.onmessage = () => {
        if (++ready === stacks.length) this.post({ helpers: ready });
      };
      helper.postMessage({ help: { module, memory, worker: i + 1, stack } } satisfies ToWorker);
      return helper;
    });
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private take(message: FromWorker): void {
    if ("state" in message) {
      const state = JSON.parse(message.state) as { state: string };
      this.last = JSON.stringify({ ...state, threads: message.threads });
      if (state.state !== "running") this.dismiss();
      this.stream?.onmessage?.(new MessageEvent("message", { data: this.last }));
      return;
    }
    if ("stacks" in message) return this.help(message.stacks);
    if ("ready" in message) return;
    const { turn, status, type, text } = message;
    this.waiting.get(turn)?.done(new Response(text, { status, headers: { "Content-Type": type } }));
    this.waiting.delete(turn);
  }

  ask(post: boolean, path: string, body: string): Promise<Response> {
    return new Promise((done, failed) => {
      const turn = ++this.turns;
      this.waiting.set(turn, { done, failed });
      this.post({ turn, post, path, body });
    });
  }

  /** The states from now on; the newest one first, in case it was the last. */
  listen(): Stream {
    const stream: Stream = { readyState: 1, onmessage: null, onerror: null, close: () => (this.stream = undefined) };
    this.stream = stream;
    if (this.last !== undefined) {
      const data = this.last;
      queueMicrotask(() => stream.onmessage?.(new MessageEvent("message", { data })));
    }
    return stream;
  }

  stop(): void {
    URL.revokeObjectURL(this.running);
  }

  private dismiss(): void {
    for (const helper of this.helpers) helper.terminate();
    this.helpers = [];
  }

  end(): void {
    this.stop();
    this.worker.terminate();
    this.dismiss();
  }
}

const jobs = new Map<number, LocalJob>();
let started = 0;

const EMPTY = { headers: { "Content-Type": "application/json" } };

/** The answer that a server would give to a request of the API. */
export async function localAnswer(path: string, how: RequestInit = {}): Promise<Response> {
  const post = how.method === "POST";
  const body = typeof how.body === "string" ? how.body : "";
  const [, name, number, tail] = /^\/api\/(\w+)\/(\d+)(.*)$/.exec(path) ?? [];
  if (number === undefined) return startOrAsk(path, post, body);
  const job = jobs.get(Number(number));
  if (!job) return new Response('{"error":"unknown job, or dropped"}', { status: 404, ...EMPTY });
  if (tail === "/stop") {
    job.stop();
    return new Response("{}", EMPTY);
  }
  return job.ask(post, `/api/${name}/1${tail}`, body);
}

async function startOrAsk(path: string, post: boolean, body: string): Promise<Response> {
  const job = await LocalJob.open();
  const answer = await job.ask(post, path, body);
  if (!post || !answer.ok) {
    job.end();
    return answer;
  }
  jobs.set(++started, job);
  for (const old of jobs.keys()) if (old <= started - KEPT) localEnd(old);
  return new Response(JSON.stringify({ id: started }), EMPTY);
}

/** Asks for something that needs no job, in the browser also where there is a server. */
export async function askLocally(path: string, body: string): Promise<Response> {
  const job = await LocalJob.open();
  try {
    return await job.ask(true, path, body);
  } finally {
    job.end();
  }
}

/** The states of the job in a path. */
export function localStream(path: string): Stream {
  const job = jobs.get(Number(/(\d+)\/events$/.exec(path)?.[1]));
  if (!job) throw new Error("unknown job, or dropped");
  return job.listen();
}

/** Ends a job that nobody waits for. */
export function localEnd(number: number): void {
  jobs.get(number)?.end();
  jobs.delete(number);
}
