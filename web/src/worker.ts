// worker: answers requests of the HTTP API inside the browser and computes the jobs (src/app/web/local.c); or is a thread
// of such a job (src/core/base/pool_workers.c); or plays a game (games.ts).

import { answerCalls, type ToGames } from "./games";
import { instantiate, start } from "./wasi";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  local_new(): number;
  local_input(local: number, length: number): number;
  local_request(local: number, post: number, path: number, body: number): number;
  local_text(local: number): number;
  local_length(local: number): number;
  local_type(local: number): number;
  local_run(local: number): void;
  // Of the module for threads:
  pool_stack?(): number;
  pool_helpers?(count: number): void;
  pool_used?(): number;
}

/** What a thread of a job starts from. */
export interface Helper {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  worker: number;
  stack: number;
}

/** First the module and an address that is revoked to stop a job, then requests; where the job may use `threads`, they
 * have `memory` in common. `helpers` says that they are ready, `help` makes the worker one of them. */
export type ToWorker =
  | { module: WebAssembly.Module; running: string; memory?: WebAssembly.Memory; threads: number }
  | { turn: number; post: boolean; path: string; body: string }
  | { helpers: number }
  | { help: Helper };

/** An answer, or the state of the job and the threads that have worked on it; a job that is about to start asks for a
 * helper per stack, which then is ready. */
export type FromWorker =
  | { turn: number; status: number; type: string; text: string }
  | { state: string; threads: number }
  | { stacks: number[] }
  | { ready: true };

const STOP_MS = 100; // between two looks whether the job is to be stopped

class Local {
  private readonly local: number;

  constructor(
    private readonly calls: Exports,
    private readonly threads: number,
  ) {
    calls.pool_helpers?.(threads - 1); // a question looks for processors before its job is run
    this.local = calls.local_new();
    if (this.local === 0) throw new Error("no memory");
  }

  text(start: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.calls.memory.buffer, start, length).slice()); // not of shared memory
  }

  private untilNul(start: number): string {
    const bytes = new Uint8Array(this.calls.memory.buffer);
    return this.text(start, bytes.indexOf(0, start) - start);
  }

  request(post: boolean, path: string, body: string): { status: number; type: string; text: string } {
    const [pathBytes, bodyBytes] = [new TextEncoder().encode(path), new TextEncoder().encode(body)];
    const input = this.calls.local_input(this.local, pathBytes.length + bodyBytes.length + 2);
    if (input === 0) throw new Error("no memory");
    const place = new Uint8Array(this.calls.memory.buffer, input);
    place.set(pathBytes);
    place.set(bodyBytes, pathBytes.length + 1);
    const status = this.calls.local_request(this.local, post ? 1 : 0, pathBytes.length, bodyBytes.length);
    const { local_text: text, local_length: length, local_type: type } = this.calls;
    return { status, type: this.untilNul(type(this.local)), text: this.text(text(this.local), length(this.local)) };
  }

  /** Threads that have worked so far. */
  used(): number {
    return this.calls.pool_used?.() ?? 1;
  }

  /** Computes the job that was started, with helpers where there can be some. */
  async run(): Promise<void> {
    const stacks = Array.from({ length: this.threads - 1 }, () => this.calls.pool_stack?.() ?? 0).filter((stack) => stack !== 0);
    if (stacks.length > 0) {
      const ready = new Promise<number>((done) => (helpersReady = done));
      postMessage({ stacks } satisfies FromWorker);
      this.calls.pool_helpers?.(await ready);
    }
    this.calls.local_run(this.local);
  }
}

/** Messages do not arrive while a job runs. An address that the page has revoked cannot be read any more:
 * that is noticed at once and needs no memory that is shared with the page. */
function stopNoticer(address: string): () => boolean {
  let [looked, stopped] = [performance.now(), false];
  return () => {
    if (stopped || performance.now() - looked < STOP_MS) return stopped;
    looked = performance.now();
    try {
      const request = new XMLHttpRequest();
      request.open("GET", address, false);
      request.send();
      stopped = request.status !== 200;
    } catch {
      stopped = true;
    }
    return stopped;
  };
}

let ready: Promise<Local> | undefined;
let helpersReady: ((count: number) => void) | undefined;

async function load(module: WebAssembly.Module, running: string, threads: number, memory?: WebAssembly.Memory): Promise<Local> {
  const isStopped = stopNoticer(running);
  let local: Local | undefined;
  const report = (state: number, length: number): number => {
    if (local) postMessage({ state: local.text(state, length), threads: local.used() } satisfies FromWorker);
    return isStopped() ? 1 : 0;
  };
  local = new Local(await start<Exports>(module, { page: { report } }, memory), threads);
  return local;
}

/** Works for a job until the page ends it. Only the job itself reports. */
async function help({ module, memory, worker, stack }: Helper): Promise<void> {
  interface Thread {
    __stack_pointer: WebAssembly.Global;
    pool_help(worker: number): void;
  }
  const calls = await instantiate<Thread>(module, { page: { report: () => 0 } }, memory);
  calls.__stack_pointer.value = stack;
  postMessage({ ready: true } satisfies FromWorker);
  calls.pool_help(worker);
}

/** Lets the page hear of an error. */
function fail(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}

const answerCall = answerCalls();

addEventListener("message", (event: MessageEvent<ToWorker | ToGames>) => {
  const message = event.data;
  if ("engine" in message || "call" in message) {
    answerCall(message);
    return;
  }
  if ("module" in message) {
    ready = load(message.module, message.running, message.threads, message.memory);
    return;
  }
  if ("help" in message) {
    help(message.help).catch(fail);
    return;
  }
  if ("helpers" in message) {
    helpersReady?.(message.helpers);
    return;
  }
  const { turn, post, path, body } = message;
  ready
    ?.then(async (local) => {
      const answer = local.request(post, path, body);
      postMessage({ turn, ...answer } satisfies FromWorker);
      if (post && answer.status === 200 && /^\/api\/\w+$/.test(path)) await local.run(); // a job was started
    })
    .catch(fail);
});
