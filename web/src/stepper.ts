// stepper: a finished game, move by move: a board with a slider and a list of the moves.

import type { Frame } from "./api";
import { boardCanvas, drawBoard, textBoard, type Mark } from "./board";
import { button, counted, h } from "./dom";
import type { Position } from "./position";

export interface SteppedGame {
  width: number;
  height: number;
  start: string[];
  count: number; // frames
  rows: number; // that all of them fit in
  pieces?: string; // of a game, as they came
  held?: string | null; // at the start
  holds?: boolean; // it has hold
  frame(i: number): Frame;
}

/** A game that is shown. */
export interface Stepper {
  readonly element: HTMLElement;
  place(): number; // moves that are shown
  go(place: number): void;
  mark(marks: Mark[]): void; // on the board that is shown
  note(notes: Map<number, string>): void; // beside moves of the list, from 1 on
  leave(): void;
}

const LISTED = 500; // moves of the list at a time

/** The position after so many moves; of a page of a fumen, its board and piece. */
export function positionAfter(game: SteppedGame, place: number): Position {
  const frame = place > 0 ? game.frame(place - 1) : undefined;
  const size = { width: game.width, height: game.height, board: frame?.board ?? game.start };
  if (game.pieces === undefined) return { ...size, queue: frame?.piece ?? "", hold: null };
  return { ...size, queue: game.pieces.slice(frame ? frame.at : 0), hold: (frame ? frame.held : game.held) ?? null, used: game.holds === false };
}

/** The rows that all frames fit in. */
export function rowsOf(start: string[], frames: Frame[]): number {
  return frames.reduce((most, frame) => Math.max(most, frame.board.length, ...frame.cells.map(([, y]) => y + 1)), start.length);
}

/** Keys in words, runs of the same one as "down*17". */
function keyWords(keys: string[]): string {
  const runs: [string, number][] = [];
  for (const key of keys) {
    const last = runs.at(-1);
    if (last?.[0] === key) last[1]++;
    else runs.push([key, 1]);
  }
  return runs.map(([key, count]) => (count > 1 ? `${key}*${count}` : key)).join(" ");
}

function describe(frame: Frame, place: number, count: number): string {
  const words = [`${place} of ${count}: ${frame.piece ?? "a board"}`];
  if (frame.hold) words.push("after hold");
  if (frame.rows && frame.rows.length > 0) words.push(`${counted(frame.rows.length, "line")} cleared`);
  if (frame.garbage) words.push(`${counted(frame.garbage, "row")} of garbage`);
  if (frame.keys && frame.keys.length > 0) words.push(`keys ${keyWords(frame.keys)}`);
  if (frame.comment) words.push(frame.comment);
  return words.join(", ");
}

/** Shows a game; to be left when it is not needed any more. `onShow` hears of every move that is shown. */
export function stepper(game: SteppedGame, onShow: (place: number) => void = () => {}): Stepper {
  const count = game.count;
  const canvas = boardCanvas("The board");
  const slider = h("input", { type: "range", min: 0, max: count, value: count, "aria-label": "Move" });
  const words = h("p", { class: "message", "aria-live": "polite" });
  const text = textBoard();
  const list = h("select", { size: 8, class: "moves", "aria-label": "Moves" });
  let [marks, notes]: [Mark[], Map<number, string>] = [[], new Map()];
  let listed = -1; // the first move of the list
  let shown = -1;
  let timer: number | undefined;

  // Rows on top that are never used are left out, so that boards stay large on a small screen.
  const height = Math.max(Math.min(game.height, 12), Math.min(game.rows, game.height + 4));

  /** The part of the list that the move is in. */
  function showList(place: number): void {
    const first = Math.max(0, place - 1) - (Math.max(0, place - 1) % LISTED);
    if (first !== listed) {
      listed = first;
      list.replaceChildren();
      for (let i = first; i <= Math.min(count, first + LISTED); i++) list.append(h("option", { value: i }, i === 0 ? "Start" : listText(game.frame(i - 1), i)));
    }
    list.value = String(place);
  }

  function listText(frame: Frame, place: number): string {
    const lines = frame.rows && frame.rows.length > 0 ? `, ${counted(frame.rows.length, "line")}` : "";
    return `${place}. ${frame.hold ? "hold, " : ""}${frame.piece ?? "a board"}${lines}${notes.get(place) ?? ""}`;
  }

  /** Before the full rows go, the board is that of the move before with the piece in it. */
  function show(): void {
    const place = Number(slider.value);
    if (place !== shown) marks = [];
    const frame = place > 0 ? game.frame(place - 1) : undefined;
    const before = place > 1 ? game.frame(place - 2).board : game.start;
    const board = frame === undefined ? game.start : frame.rows ? before : frame.board;
    drawBoard(canvas, {
      width: game.width,
      height,
      board,
      piece: frame?.piece,
      cells: frame?.cells,
      goal: frame?.cells,
      rows: frame?.rows,
      marks,
    });
    words.textContent = frame ? describe(frame, place, count) : `The board at the start, ${count} to come`;
    text.set(frame?.board ?? game.start, game.width);
    canvas.setAttribute("aria-label", `Board, ${words.textContent}`);
    slider.setAttribute("aria-valuetext", words.textContent);
    showList(place);
    if (place === shown) return;
    shown = place;
    onShow(place);
  }

  function go(place: number): void {
    slider.value = String(Math.max(0, Math.min(count, place)));
    show();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    words.setAttribute("aria-live", "polite");
    playButton.textContent = "Play";
  }

  const playButton = button("Play", () => {
    if (timer !== undefined) {
      stop();
      return;
    }
    if (Number(slider.value) === count) go(0);
    playButton.textContent = "Pause";
    words.setAttribute("aria-live", "off"); // every half a second is too much to listen to
    timer = setInterval(() => {
      go(Number(slider.value) + 1);
      if (Number(slider.value) === count) stop();
    }, 500);
  });
  slider.addEventListener("input", show);
  list.addEventListener("change", () => go(Number(list.value)));
  window.addEventListener("resize", show);
  const element = h(
    "div",
    { class: "stepper" },
    canvas,
    h(
      "div",
      { class: "controls" },
      button("|◀", () => go(0), { "aria-label": "First" }),
      button("◀", () => go(Number(slider.value) - 1), { "aria-label": "Back" }),
      playButton,
      button("▶", () => go(Number(slider.value) + 1), { "aria-label": "Forward" }),
      button("▶|", () => go(count), { "aria-label": "Last" }),
    ),
    slider,
    words,
    list,
    text.element,
  );
  requestAnimationFrame(show); // its width is known when it is on the page
  return {
    element,
    go,
    place: () => Number(slider.value),
    mark(next) {
      marks = next;
      show();
    },
    note(next) {
      notes = next;
      listed = -1;
      showList(Number(slider.value));
    },
    leave() {
      stop();
      window.removeEventListener("resize", show);
    },
  };
}
