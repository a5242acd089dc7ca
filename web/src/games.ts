// games: games in which agents play, in a worker, so that the page draws every frame however long an agent searches.
//
// A game has a worker of its own, which ends with it: also an agent in the middle of a search stops at once. The page
// asks for one thing at a time (`remote`), and draws the last state that it got.

import type { Frame } from "./api";
import { Engine, type GameSession, type GameSessionSetup, type GameState, type Hint, type Thoughts } from "./session";

/** A game as the page shows it. */
export interface View {
  state: GameState;
  thoughts?: Thoughts | null; // of another turn than the last answer
  sent: number; // lines to the opponent since the last answer
}

/** What an agent says of a position. */
export interface Advice {
  thoughts: Thoughts | null;
  hint: Hint | null;
  played?: number; // the value of the move that was asked about
}

const FRAME_MS = 12; // of work before an answer

/** The worker's side. */
export class Games {
  private session: GameSession | undefined;
  private turn = ""; // whose thoughts the page has

  constructor(private readonly engine: Engine) {}

  private game(): GameSession {
    if (!this.session) throw new Error("there is no game");
    return this.session;
  }

  private view(thinks: boolean): View {
    const state = this.game().state();
    const turn = `${state.pieces}${state.piece ?? ""}`;
    const known = !thinks || turn === this.turn;
    if (!known) this.turn = turn;
    return { state, sent: this.game().takeSent(), ...(known ? {} : { thoughts: this.game().thoughts() }) };
  }

  /** Starts the game; an agent for complete games plans it first. */
  begin(setup: GameSessionSetup): View {
    this.session = this.engine.begin(setup);
    if (this.session.needsPlan()) this.session.plan();
    return this.view(true);
  }

  /** Lets time pass, as fast as an agent that is slow allows. */
  run(ms: number, speed: string, received: number, thinks: boolean): View {
    const [game, start] = [this.game(), performance.now()];
    if (received > 0) game.receive(received);
    if (speed === "max") {
      for (let i = 0; performance.now() - start < FRAME_MS; i++) {
        if (i % 20 === 19 && game.state().end !== "running") break;
        game.step();
      }
      return this.view(thinks);
    }
    let left = ms * Number(speed);
    while (left > 0 && performance.now() - start < FRAME_MS) {
      const slice = Math.min(left, 60);
      game.advance(slice * 1000, true);
      left -= slice;
    }
    return this.view(thinks);
  }

  step(): View {
    this.game().step();
    return this.view(true);
  }

  replay(): string {
    return this.game().replay();
  }

  fumen(): string {
    return this.game().fumen();
  }

  /** What an agent would do in a position, and what it thinks of the move that was made. */
  advise(setup: GameSessionSetup, move?: Frame): Advice {
    const session = this.engine.begin(setup);
    try {
      return { thoughts: session.thoughts(), hint: session.hint(), played: move && session.value(move) };
    } finally {
      session.leave();
    }
  }
}

type Names = { [K in keyof Games]: Games[K] extends (...words: never[]) => unknown ? K : never }[keyof Games];

/** First the module, then calls. */
export type ToGames = { engine: WebAssembly.Module } | { turn: number; call: Names; words: unknown[] };
export type FromGames = { turn: number; value: unknown } | { turn: number; error: string };

/** Answers the calls of a page. */
export function answerCalls(): (message: ToGames) => void {
  let ready: Promise<Games> | undefined;
  return (message) => {
    if ("engine" in message) {
      ready = Engine.load(message.engine).then((engine) => new Games(engine));
      return;
    }
    const { turn, call, words } = message;
    ready
      ?.then((games) => {
        const value = (games[call] as (...words: unknown[]) => unknown).apply(games, words);
        postMessage({ turn, value } satisfies FromGames);
      })
      .catch((error: unknown) => postMessage({ turn, error: error instanceof Error ? error.message : String(error) } satisfies FromGames));
  };
}
