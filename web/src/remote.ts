// remote: the page's side of a game in a worker (games.ts).

import { engineModule } from "./engine";
import type { FromGames, Games, ToGames } from "./games";
import { newWorker } from "./local";

type Waiting = { done: (value: never) => void; failed: (error: Error) => void };

/** A game in a worker. To be ended when it is not needed any more; answers that are then missing never come. */
export class RemoteGame {
  private readonly worker = newWorker();
  private readonly waiting = new Map<number, Waiting>();
  private turns = 0;

  private constructor(module: WebAssembly.Module) {
    this.worker.onmessage = ({ data }: MessageEvent<FromGames>) => {
      const asked = this.waiting.get(data.turn);
      this.waiting.delete(data.turn);
      if ("error" in data) asked?.failed(new Error(data.error));
      else asked?.done(data.value as never);
    };
    this.worker.onerror = (event) => {
      for (const { failed } of this.waiting.values()) failed(new Error(event.message || "the agent stopped"));
      this.waiting.clear();
    };
    this.worker.postMessage({ engine: module } satisfies ToGames);
  }

  static async open(): Promise<RemoteGame> {
    return new RemoteGame(await engineModule());
  }

  /** Asks the worker; answers come in the order of the questions. */
  ask<Name extends Exclude<keyof Games, "constructor">>(call: Name, ...words: Parameters<Games[Name]>): Promise<ReturnType<Games[Name]>> {
    return new Promise((done, failed) => {
      this.waiting.set(++this.turns, { done, failed });
      this.worker.postMessage({ turn: this.turns, call, words } satisfies ToGames);
    });
  }

  /** Nothing is on its way. */
  idle(): boolean {
    return this.waiting.size === 0;
  }

  end(): void {
    this.worker.terminate();
    this.waiting.clear();
  }
}
