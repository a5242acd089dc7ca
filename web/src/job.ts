// job: a job on the server, or in a worker of the browser: starts it, follows its states, and notices when the program has gone.
//
// Invariant: `running` is true from the answer to the start until the program says that the job has ended or
// is unknown. A closed stream alone says nothing: browsers close it before they leave the page.

import { dropJob, get, getText, openStream, post, RequestError } from "./api";
import { saveText, showError } from "./dom";
import type { Stream } from "./local";

const SILENCE_MS = 3000; // without a connection until the program is asked whether it is there
const CLOSED_MS = 500; // the same where the browser does not try again
const RESTARTED = "The program was restarted, or has dropped this job. Press Start to run it again.";

/** An error of a request about a job; in a new program, the old one's jobs are unknown. */
function explained(error: unknown): unknown {
  return error instanceof RequestError && error.status === 404 ? new Error(RESTARTED) : error;
}

/** What every state of a job has. */
export interface JobState {
  state: "running" | "done" | "failed";
  error?: string;
}

/** One job after the other, of one kind. After `forget` the page hears nothing of the last one. */
export class RunningJob<State extends JobState> {
  private id = 0;
  private running = false;
  private source: Stream | undefined;
  private doubting: number | undefined; // a timer, while there is no connection
  private turn = 0; // jobs that were started or forgotten: an answer to an older one comes too late

  constructor(
    private readonly name: string,
    private readonly onState: (state: State) => void,
    private readonly onLost: (why: unknown) => void,
  ) {}

  private path(tail = ""): string {
    return `/api/${this.name}/${this.id}${tail}`;
  }

  /** Starts it; false when it was forgotten meanwhile. */
  async start(request: object): Promise<boolean> {
    const turn = this.turn;
    const { id } = await post<{ id: number }>(`/api/${this.name}`, request);
    this.id = id;
    this.running = true;
    if (turn !== this.turn) {
      this.abandon();
      return false;
    }
    this.listen();
    return true;
  }

  private listen(): void {
    const source = openStream(this.path("/events"));
    this.source = source;
    source.onerror = () => this.doubt();
    source.onmessage = (event: MessageEvent<string>) => {
      const state = JSON.parse(event.data) as State;
      if (state.state !== "running") this.end();
      this.onState(state);
    };
  }

  /** The job with its answer; undefined when it was forgotten meanwhile. */
  async answer<Job>(): Promise<Job | undefined> {
    const turn = this.turn;
    try {
      const job = await get<Job>(this.path());
      return turn === this.turn ? job : undefined;
    } catch (error) {
      throw explained(error);
    }
  }

  async stop(): Promise<void> {
    try {
      await post(this.path("/stop"), "");
    } catch (error) {
      throw explained(error);
    }
  }

  /** Saves a file that the program makes of the answer. */
  async save(tail: string, name: string, type: string, problem: HTMLElement): Promise<void> {
    try {
      saveText(name, type, await getText(this.path(tail)));
    } catch (error) {
      showError(problem, explained(error));
    }
  }

  /** A job that nobody watches any more only delays the next. Works also while the page is closed. */
  abandon(): void {
    if (this.running) dropJob(this.name, this.id);
    this.running = false;
  }

  forget(): void {
    this.turn++;
    this.abandon();
    this.hangUp();
  }

  /** The browser mostly tries again by itself, for ever if the program has gone. */
  private doubt(): void {
    this.doubting ??= setTimeout(() => void this.probe(), this.source?.readyState === EventSource.CLOSED ? CLOSED_MS : SILENCE_MS);
  }

  private async probe(): Promise<void> {
    const source = this.source;
    this.doubting = undefined;
    if (!source || source.readyState === EventSource.OPEN) return;
    try {
      await get(this.path(), { signal: AbortSignal.timeout(SILENCE_MS) });
      if (this.source !== source) return;
      if (source.readyState === EventSource.CLOSED) this.listen();
      else if (source.readyState === EventSource.CONNECTING) this.doubt();
    } catch (error) {
      if (this.source !== source) return;
      if (error instanceof RequestError && error.status === 429) this.doubt(); // it is only busy
      else this.lose(error);
    }
  }

  /** The program has gone, or does not know the job. */
  private lose(error: unknown): void {
    this.end();
    this.onLost(explained(error));
  }

  private end(): void {
    this.running = false;
    this.hangUp();
  }

  private hangUp(): void {
    clearTimeout(this.doubting);
    this.doubting = undefined;
    this.source?.close();
    this.source = undefined;
  }
}
