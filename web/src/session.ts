// session: the game and the agents, compiled to WebAssembly from the program's own sources
// (src/app/web/browser.c says what each function does). Nothing of the rules is written again here. Runs in the page
// and in workers.

import type { Cell, Frame, Parameter, SavedGame } from "./api";
import { start } from "./wasi";

export enum Key {
  Left,
  Right,
  Clockwise,
  Counter,
  Turn180,
  SoftDrop,
  HardDrop,
  Hold,
}

export interface AgentInfo {
  name: string;
  summary: string;
  drop: boolean;
  guideline: boolean;
  drop_first: boolean;
  plans: boolean;
  advises: boolean;
  weights: string | null; // the named set it takes; null: none
  sets: { name: string; kind: string }[]; // that it could take
  parameters: Parameter[];
}

export interface GameState {
  width: number;
  height: number;
  board: string[];
  piece: string | null;
  cells: Cell[];
  ghost: Cell[];
  hold: string | null;
  hold_used: boolean;
  next: string;
  score: number;
  lines: number;
  level: number;
  pieces: number;
  ms: number;
  end: "running" | "over" | "lines" | "pieces";
  paused: boolean;
  cleared: number;
  points: number;
  spin: "none" | "mini" | "full"; // of the last lock, as the four below
  combo: number;
  chained: boolean; // back-to-back
  empty: boolean; // the board
  attack: number; // lines sent so far, before cancelling
  waiting: number; // rows of garbage that are coming
  goal: Cell[] | null;
}

export interface Thought {
  piece: string;
  hold: boolean;
  value: number | null;
  cells: Cell[];
  features: Record<string, number | null>;
}

export interface Thoughts {
  by: "weights" | "plan" | "search" | "chance"; // what the agent goes by
  weights: string;
  placements: number;
  best: Thought[];
}

export interface Hint {
  piece: string | null;
  hold: boolean;
  value: number | null;
  cells: Cell[];
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  browser_new(): number;
  browser_words(browser: number): number;
  browser_room(browser: number): number;
  browser_text(browser: number): number;
  browser_length(browser: number): number;
  browser_agents(browser: number): void;
  browser_pieces(browser: number, seed: number, count: number): void;
  browser_begin(browser: number, person: number, drop: number, uniform: number, seed: number, lines: number): number;
  browser_take_sent(session: number): number;
  browser_receive(session: number, rows: number): void;
  browser_end(session: number): void;
  browser_press(session: number, key: number): number;
  browser_advance(session: number, microseconds: number, agent: number): void;
  browser_step(session: number): void;
  browser_pause(session: number, paused: number): void;
  browser_needs_plan(session: number): number;
  browser_plan(session: number): number;
  browser_tell(browser: number, session: number): void;
  browser_thoughts(browser: number, session: number): void;
  browser_hint(browser: number, session: number): void;
  browser_value(session: number, letter: number, hold: number, rotation: number, x: number, y: number): number;
  browser_replay(browser: number, session: number): number;
  browser_fumen(browser: number, session: number): number;
  browser_input(browser: number, length: number): number;
  browser_open(browser: number, length: number): number;
  browser_frames(browser: number, first: number, count: number): void;
}

export interface GameSessionSetup {
  agent?: string;
  weights?: string; // a named set; its own otherwise
  parameters?: Record<string, string>; // those that are not as they were
  position?: string; // where it starts; an empty board otherwise
  person?: boolean;
  drop?: boolean;
  uniform?: boolean;
  seed: number;
  lines?: number;
}

export class Engine {
  private readonly browser: number;

  private constructor(readonly calls: Exports) {
    this.browser = calls.browser_new();
  }

  static async load(module: WebAssembly.Module): Promise<Engine> {
    return new Engine(await start<Exports>(module));
  }

  private text(): string {
    const start = this.calls.browser_text(this.browser);
    const length = this.calls.browser_length(this.browser);
    return new TextDecoder().decode(new Uint8Array(this.calls.memory.buffer, start, length));
  }

  agents(): AgentInfo[] {
    this.calls.browser_agents(this.browser);
    return JSON.parse(this.text()) as AgentInfo[];
  }

  /** Letters of whole bags. */
  pieces(seed: number, count: number): string {
    this.calls.browser_pieces(this.browser, seed, count);
    return this.text();
  }

  /** Opens a replay or a fumen; the frames of the one before cannot be read any more. */
  open(text: string): SavedGame & { frame(i: number): Frame } {
    const bytes = new TextEncoder().encode(text);
    const input = this.calls.browser_input(this.browser, bytes.length);
    if (input === 0) throw new Error("no memory");
    new Uint8Array(this.calls.memory.buffer, input, bytes.length).set(bytes);
    const ok = this.calls.browser_open(this.browser, bytes.length) !== 0;
    if (!ok) throw new Error(this.text());
    const game = JSON.parse(this.text()) as SavedGame;
    let [first, frames]: [number, Frame[]] = [0, []];
    return {
      ...game,
      frame: (i) => {
        if (i < first || i >= first + frames.length) {
          first = i - (i % FRAMES);
          this.calls.browser_frames(this.browser, first, FRAMES);
          frames = JSON.parse(this.text()) as Frame[];
        }
        return frames[i - first] as Frame;
      },
    };
  }

  begin(setup: GameSessionSetup): GameSession {
    const pairs = Object.entries(setup.parameters ?? {}).map(([name, value]) => `${name}=${value.replaceAll("\n", " ")}`);
    const lines = new TextEncoder().encode([setup.agent ?? "", setup.weights ?? "", setup.position ?? "", ...pairs].join("\n"));
    const room = this.calls.browser_room(this.browser);
    if (lines.length >= room) throw new Error("the parameters are too long");
    const words = new Uint8Array(this.calls.memory.buffer, this.calls.browser_words(this.browser), room);
    words.fill(0);
    words.set(lines);
    const session = this.calls.browser_begin(
      this.browser,
      setup.person ? 1 : 0,
      setup.drop ? 1 : 0,
      setup.uniform ? 1 : 0,
      setup.seed,
      setup.lines ?? 0,
    );
    if (session === 0) throw new Error(this.text());
    return new GameSession(this.calls, session, (ask) => {
      const ok = ask(this.browser) !== 0;
      return { ok, text: this.text() };
    });
  }
}

const FRAMES = 500; // of a saved game that are read at a time

type Ask = (call: (browser: number) => number | void) => { ok: boolean; text: string };

/** One game. To be left when it is not needed any more. */
export class GameSession {
  constructor(
    private readonly calls: Exports,
    private readonly session: number,
    private readonly ask: Ask,
  ) {}

  leave(): void {
    this.calls.browser_end(this.session);
  }
  press(key: Key): boolean {
    return this.calls.browser_press(this.session, key) !== 0;
  }
  advance(microseconds: number, agent: boolean): void {
    this.calls.browser_advance(this.session, microseconds, agent ? 1 : 0);
  }
  step(): void {
    this.calls.browser_step(this.session);
  }
  pause(paused: boolean): void {
    this.calls.browser_pause(this.session, paused ? 1 : 0);
  }
  /** The lines that were sent to the opponent since the last call. */
  takeSent(): number {
    return this.calls.browser_take_sent(this.session);
  }
  receive(rows: number): void {
    this.calls.browser_receive(this.session, rows);
  }
  needsPlan(): boolean {
    return this.calls.browser_needs_plan(this.session) !== 0;
  }
  plan(): boolean {
    return this.calls.browser_plan(this.session) !== 0;
  }
  state(): GameState {
    return this.tell((browser) => this.calls.browser_tell(browser, this.session)) as GameState;
  }
  thoughts(): Thoughts | null {
    return this.tell((browser) => this.calls.browser_thoughts(browser, this.session)) as Thoughts | null;
  }
  hint(): Hint | null {
    return this.tell((browser) => this.calls.browser_hint(browser, this.session)) as Hint | null;
  }
  /** The value of a move by the weights of the thoughts; undefined where there is none. */
  value({ piece, hold, place }: Frame): number | undefined {
    if (!piece || !place) return undefined;
    const value = this.calls.browser_value(this.session, piece.charCodeAt(0), hold ? 1 : 0, ...place);
    return Number.isFinite(value) ? value : undefined;
  }
  /** The game so far, as `tetropt replay` takes it. */
  replay(): string {
    return this.save((browser) => this.calls.browser_replay(browser, this.session));
  }
  fumen(): string {
    return this.save((browser) => this.calls.browser_fumen(browser, this.session));
  }

  private tell(call: (browser: number) => void): unknown {
    return JSON.parse(this.ask(call).text) as unknown;
  }

  private save(call: (browser: number) => number): string {
    const { ok, text } = this.ask(call);
    if (!ok) throw new Error(text);
    return text;
  }
}
