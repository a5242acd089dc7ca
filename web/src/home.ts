// home: a board that is being solved in this browser, and then the perfect clear, piece by piece.

import type { Frame, SolveJob, SolveState } from "./api";
import { boardCanvas, drawBoard } from "./board";
import { announce, button, errorPlace, h, number, showError } from "./dom";
import { engine, newSeed } from "./engine";
import { localAnswer, localEnd, localStream } from "./local";
import type { Page } from "./page";

const PIECES = 10; // with hold, every bag sequence of this length has a perfect clear
const BAGS = 14; // letters of two bags: hold needs one piece more than are placed
const ROWS = 8; // of the board that are shown
const STEP_MS = 450; // from piece to piece
const FLASH_MS = 250; // rows that are full, before they go
const REST_MS = 4000; // with the empty board

/** Waits, unless the page is left. */
type Pause = (milliseconds: number) => Promise<void>;

class Home {
  private readonly canvas = boardCanvas("A board that is being solved", { class: "board large" });
  private readonly words = h("p", { class: "message" });
  private readonly error = errorPlace();
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");
  private left = false;
  private job = 0;
  private timer: number | undefined;
  private wake: (() => void) | undefined;

  constructor(
    place: HTMLElement,
    again: () => void,
  ) {
    place.append(
      h("p", {}, "tetropt solves, plays and optimises Tetris. The board is solved by this browser: ten pieces, known in advance, that leave nothing behind."),
      h(
        "div",
        { class: "split" },
        this.canvas,
        h(
          "div",
          { class: "wide" },
          this.words,
          this.error,
          h("div", { class: "controls" }, button("Another one", again, { class: "primary" })),
          h(
            "ul",
            {},
            h("li", {}, h("a", { href: "#solve" }, "Solve"), ": your own pieces on your own board, by any algorithm"),
            h("li", {}, h("a", { href: "#clears" }, "Perfect clears"), ": which queues clear a field, and how"),
            h("li", {}, h("a", { href: "#watch" }, "Watch"), ": agents play, with their evaluation"),
            h("li", {}, h("a", { href: "#play" }, "Play"), ": your turn"),
          ),
        ),
      ),
    );
    this.draw([]);
    void this.play();
  }

  private readonly pause: Pause = (milliseconds) =>
    new Promise((done) => {
      this.wake = done;
      this.timer = setTimeout(done, milliseconds);
    });

  private draw(board: string[], frame?: Frame, rows?: number[]): void {
    drawBoard(this.canvas, { width: 10, height: ROWS, board, piece: frame?.piece, cells: frame?.cells, rows });
  }

  private async play(): Promise<void> {
    try {
      while (!this.left) {
        const answer = await this.solve();
        if (!answer || this.left) return;
        await this.animate(answer);
        if (this.still.matches) return; // one is enough
      }
    } catch (error) {
      if (!this.left) showError(this.error, error);
    }
  }

  /** The job with its answer; undefined when the page was left. */
  private async solve(): Promise<SolveJob | undefined> {
    const pieces = (await engine()).pieces(newSeed(), BAGS);
    this.words.textContent = `Solving ${pieces.slice(0, PIECES + 1)} …`;
    const request = { pieces, placements: PIECES, encoding: "placements", algorithm: "auto", time: 20, target: 10, seed: 1 };
    const started = await localAnswer("/api/solve", { method: "POST", body: JSON.stringify(request) });
    const { id, error } = (await started.json()) as { id: number; error?: string };
    if (error) throw new Error(error);
    if (this.left) {
      localEnd(id);
      return undefined;
    }
    this.job = id;
    const stream = localStream(`/api/solve/${id}/events`);
    const failed = await new Promise<string | undefined>((done) => {
      stream.onerror = () => done("the search could not be computed");
      stream.onmessage = (event) => {
        const state = JSON.parse(event.data) as SolveState;
        if (state.board && state.state === "running") this.draw(state.board);
        if (state.state !== "running") done(state.error);
      };
      this.wake = () => done("left");
    });
    stream.close();
    if (this.left) return undefined;
    if (failed) throw new Error(failed);
    const job = (await (await localAnswer(`/api/solve/${id}`)).json()) as SolveJob;
    localEnd(id);
    return job;
  }

  private async animate({ answer, frames = [], start = [], seconds }: SolveJob): Promise<void> {
    const solved = answer?.perfect_clear ? "A perfect clear" : `Fitness ${number(answer?.fitness)}`;
    const words = `${solved}: ${frames.map(({ piece }) => piece).join("")}, found in ${Math.max(1, Math.round(seconds * 1000))} ms in this browser.`;
    this.words.textContent = words;
    this.canvas.setAttribute("aria-label", words);
    announce(words);
    let board = start;
    for (const frame of frames) {
      if (this.left) return;
      this.draw(board, frame, frame.rows);
      await this.pause(this.still.matches ? 0 : STEP_MS);
      if (frame.rows && frame.rows.length > 0) {
        this.draw(board, frame);
        await this.pause(this.still.matches ? 0 : FLASH_MS);
      }
      board = frame.board;
    }
    if (this.left) return;
    this.draw(board);
    await this.pause(REST_MS);
  }

  leave(): void {
    this.left = true;
    clearTimeout(this.timer);
    localEnd(this.job);
    this.wake?.();
    this.wake = undefined;
  }
}

export const home: Page = {
  name: "home",
  title: "Home",
  show(place) {
    const title = [...place.childNodes];
    let page: Home | undefined;
    const again = (): void => {
      const focused = page !== undefined;
      page?.leave();
      place.replaceChildren(...title);
      page = new Home(place, again);
      if (focused) place.querySelector<HTMLElement>("button.primary")?.focus();
    };
    again();
    return () => page?.leave();
  },
};
