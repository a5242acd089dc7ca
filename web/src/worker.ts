// worker: answers requests of the HTTP API inside the browser and computes the jobs (src/app/web/local.c); or plays a
// game (games.ts).

import { answerCalls, type ToGames } from "./games";
import { start } from "./wasi";

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
}

/** First the module and an address that is revoked to stop a job, then requests. */
export type ToWorker = { module: WebAssembly.Module; running: string } | { turn: number; post: boolean; path: string; body: string };

/** An answer, or the state of the job. */
export type FromWorker = { turn: number; status: number; type: string; text: string } | { state: string };

const STOP_MS = 100; // between two looks whether the job is to be stopped

class Local {
  private readonly local: number;

  constructor(private readonly calls: Exports) {
    this.local = calls.local_new();
    if (this.local === 0) throw new Error("no memory");
  }

  text(start: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.calls.memory.buffer, start, length));
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

  run(): void {
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

async function load(module: WebAssembly.Module, running: string): Promise<Local> {
  const isStopped = stopNoticer(running);
  let local: Local | undefined;
  const report = (state: number, length: number): number => {
    if (local) postMessage({ state: local.text(state, length) } satisfies FromWorker);
    return isStopped() ? 1 : 0;
  };
  local = new Local(await start<Exports>(module, { page: { report } }));
  return local;
}

const answerCall = answerCalls();

addEventListener("message", (event: MessageEvent<ToWorker | ToGames>) => {
  const message = event.data;
  if ("engine" in message || "call" in message) {
    answerCall(message);
    return;
  }
  if ("module" in message) {
    ready = load(message.module, message.running);
    return;
  }
  const { turn, post, path, body } = message;
  ready
    ?.then((local) => {
      const answer = local.request(post, path, body);
      postMessage({ turn, ...answer } satisfies FromWorker);
      if (post && answer.status === 200) local.run();
    })
    .catch((error: unknown) => {
      setTimeout(() => {
        throw error; // where the page hears of it
      });
    });
});
