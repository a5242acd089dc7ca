// position: a board with the pieces to come, as an address carries it from page to page (src/app/web/position.h).

import { boardCanvas, drawBoard } from "./board";
import { button, h } from "./dom";
import { forgetPage } from "./remember";
import type { GameState } from "./session";

export interface Position {
  width: number;
  height: number;
  board: string[]; // top row first
  queue: string; // the current piece first
  hold: string | null;
  used?: boolean; // hold, in this turn
}

const MOST = 100; // pieces that an address carries
const SOLVED = 21; // and those that Solve begins with

/** Without the empty rows on top. */
function filled(board: string[]): string[] {
  const first = board.findIndex((row) => /[^.]/.test(row));
  return first < 0 ? [] : board.slice(first);
}

export function positionText({ width, height, board, queue, hold, used }: Position): string {
  return `${width}x${height};${filled(board).join("/")};${queue.slice(0, MOST)};${used ? (hold?.toLowerCase() ?? "-") : (hold ?? "")}`;
}

/** The parts of a text that was written by positionText; the engine says what is wrong with another one. */
export function readPosition(text: string): Position | undefined {
  const [size = "", rows = "", queue = "", hold = ""] = text.split(";");
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined) return undefined;
  return { width: Number(width), height: Number(height), board: rows === "" ? [] : rows.split("/"), queue, hold: hold === "-" ? null : hold.toUpperCase() || null, used: /[a-z-]/.test(hold) };
}

/** The position of a game that runs. */
export function positionOf(state: GameState): Position {
  const { width, height, board, piece, next, hold, hold_used: used } = state;
  return { width, height, board, queue: `${piece ?? ""}${next}`, hold, used };
}

/** A held piece comes first: whoever solves may hold it at once. */
function address(page: string, position: Position): string {
  const query = new URLSearchParams();
  if (page !== "solve") query.set("Position", positionText(position));
  else {
    query.set("Pieces", `${position.hold ?? ""}${position.queue}`.slice(0, SOLVED));
    query.set("Width", String(position.width));
    query.set("Height", String(position.height));
    query.set("Board", filled(position.board).join("/"));
  }
  return `#${page}?${query.toString()}`;
}

const pages: [string, string][] = [
  ["solve", "Solve"],
  ["watch", "Watch"],
  ["play", "Play"],
];

/** Buttons that continue a position on other pages. */
export function continueButtons(position: () => Position | undefined, without = ""): HTMLElement {
  const go = (page: string): void => {
    const found = position();
    if (!found) return;
    forgetPage(page);
    location.hash = address(page, found);
  };
  const offered = pages.filter(([name]) => name !== without);
  return h("div", { class: "controls", role: "group", "aria-label": "Continue from here" }, h("span", { class: "help" }, "Continue from here:"), ...offered.map(([name, title]) => button(title, () => go(name), { "aria-label": `Continue from here in ${title}` })));
}

/** The position that a page starts from: a field of its address, and a picture with a button that empties it. */
export class StartPosition {
  private readonly text = h("input", { type: "text" });
  private readonly canvas = boardCanvas("The position at the start");
  private readonly words = h("p", {});
  readonly element: HTMLElement;

  constructor(onChange: () => void) {
    const empty = button("Start from an empty board", () => this.set("", onChange));
    const shown = h("div", { class: "start-position" }, this.canvas, h("div", {}, this.words, empty));
    this.element = h("div", { hidden: true }, h("label", { class: "field", hidden: true }, h("span", {}, "Position"), this.text), shown);
    this.text.addEventListener("change", () => this.show(onChange));
  }

  /** "": none. */
  value(): string {
    return this.text.value;
  }

  read(): Position | undefined {
    return readPosition(this.text.value);
  }

  private set(value: string, onChange: () => void): void {
    this.text.value = value;
    this.text.dispatchEvent(new Event("input", { bubbles: true }));
    this.show(onChange);
  }

  private show(onChange: () => void): void {
    const position = this.read();
    this.element.hidden = this.text.value === "";
    if (position) {
      this.words.textContent = `The game starts from this position${position.queue === "" ? "" : `, with ${position.queue.slice(0, 14)}${position.queue.length > 14 ? " …" : ""}`}${position.hold ? ` and ${position.hold} on hold` : ""}.`;
      drawBoard(this.canvas, { width: position.width, height: Math.max(6, Math.min(position.height, position.board.length + 2)), board: position.board });
    }
    onChange();
  }
}

