// job: a job on the server: starts it, follows its states, and notices when the program has gone.

import { get, post } from "./api";

const SILENCE_MS = 3000; // without a connection until the program is asked whether it is there

/** What every state of a job has. */
export interface JobState {
  state: "running" | "done" | "failed";
  error?: string;
}

/** One job after the other, of one kind. After `forget` the page hears nothing of the last one. */
export class RunningJob<State extends JobState> {
  id = 0;
  private source: EventSource | undefined;
  private doubting: number | undefined; // a timer, while there is no connection
  private turn = 0; // jobs that were started or forgotten: an answer to an older one comes too late

  constructor(
    private readonly name: string,
    private readonly onState: (state: State) => void,
    private readonly onLost: () => void,
  ) {}

  path(tail = ""): string {
    return `/api/${this.name}/${this.id}${tail}`;
  }

  /** Starts it; false when it was forgotten meanwhile. */
  async start(request: object): Promise<boolean> {
    const turn = this.turn;
    const { id } = await post<{ id: number }>(`/api/${this.name}`, request);
    this.id = id;
    if (turn !== this.turn) {
      this.endOnServer();
      return false;
    }
    const source = new EventSource(this.path("/events"));
    this.source = source;
    source.onerror = () => this.doubt();
    source.onmessage = (event: MessageEvent<string>) => {
      const state = JSON.parse(event.data) as State;
      if (state.state !== "running") this.hangUp();
      this.onState(state);
    };
    return true;
  }

  /** The job with its answer; undefined when it was forgotten meanwhile. */
  async answer<Job>(): Promise<Job | undefined> {
    const turn = this.turn;
    const job = await get<Job>(this.path());
    return turn === this.turn ? job : undefined;
  }

  async stop(): Promise<void> {
    await post(this.path("/stop"), "");
  }

  /** A job that nobody watches any more only delays the next. Works also while the page is closed. */
  abandon(): void {
    if (this.source) this.endOnServer();
  }

  forget(): void {
    this.turn++;
    this.abandon();
    this.hangUp();
  }

  private endOnServer(): void {
    navigator.sendBeacon(this.path("/stop"));
  }

  /** The browser tries again by itself, for ever if the program has gone. */
  private doubt(): void {
    if (this.source?.readyState === EventSource.CLOSED) this.lose();
    else this.doubting ??= setTimeout(() => void this.probe(), SILENCE_MS);
  }

  private async probe(): Promise<void> {
    const source = this.source;
    this.doubting = undefined;
    if (source?.readyState !== EventSource.CONNECTING) return;
    try {
      await get(this.path(), { signal: AbortSignal.timeout(SILENCE_MS) });
      if (this.source === source && source.readyState === EventSource.CONNECTING) this.doubt();
    } catch {
      if (this.source === source) this.lose();
    }
  }

  /** The program has gone, or has dropped the job. */
  private lose(): void {
    this.hangUp();
    this.onLost();
  }

  private hangUp(): void {
    clearTimeout(this.doubting);
    this.doubting = undefined;
    this.source?.close();
    this.source = undefined;
  }
}
