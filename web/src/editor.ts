// editor: a board that is drawn with the mouse, a finger or the keyboard, in colours, or taken from a fumen page by page.
//
// Cells outside the present size are kept, so a board that is made smaller and larger again is the same. Every change can
// be undone.

import type { Frame } from "./api";
import { boardCanvas, drawBoard } from "./board";
import { announce, button, choice, enable, errorPlace, field, h, showError } from "./dom";
import { engine } from "./engine";

const UNDONE = 200; // changes that can be

/** What a fumen shows on one page. */
interface Sheet {
  rows: string[];
  comment: string;
}

/** The field of a page with its piece. */
function sheetOf({ board, cells, piece, comment = "", rows }: Frame): Sheet {
  if (piece === null || rows !== undefined) return { rows: board, comment }; // of a game: after the piece
  const height = Math.max(board.length, ...cells.map(([, y]) => y + 1));
  const drawn = Array.from({ length: height }, (_, i) => [...(board[i - (height - board.length)] ?? "..........")]);
  for (const [x, y] of cells) (drawn[height - 1 - y] as string[])[x] = piece;
  return { rows: drawn.map((row) => row.join("")), comment };
}

export class Editor {
  readonly element: HTMLElement;
  private cells = new Map<string, string>(); // "x,y" with y from the floor; empty ones are not in it
  private cursor: [number, number] = [0, 0];
  private paint: string | undefined; // what a drag paints
  private last: [number, number] = [0, 0]; // cell of a drag
  private focused = false;
  private readonly canvas = boardCanvas("", { tabindex: 0 });
  private readonly text = h("input", { type: "text" }); // the rows, as the page remembers them
  private readonly colour = choice([["G", "grey"], ...[..."IOTSZJL"].map((letter): [string, string] => [letter, letter]), [".", "erase"]]);
  private readonly fumen = h("input", { type: "text", spellcheck: false, autocomplete: "off", placeholder: "v115@…", "data-own-enter": true });
  private readonly error = errorPlace();
  private sheets: Sheet[] = []; // of the fumen
  private sheet = 0;
  private readonly sheetWords = h("p", { class: "help", "aria-live": "polite" });
  private readonly sheetPlace: HTMLElement;
  private before: Map<string, string>[] = []; // to go back to
  private after: Map<string, string>[] = []; // and forward again
  private readonly undoButton = button("Undo", () => this.undo(), { disabled: true });
  private readonly redoButton = button("Redo", () => this.redo(), { disabled: true });

  constructor(
    private width: number,
    private height: number,
    ...beside: HTMLElement[] // controls that belong to it
  ) {
    this.canvas.setAttribute("role", "application");
    this.canvas.addEventListener("pointerdown", (event) => this.start(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", () => (this.paint = undefined));
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.canvas.addEventListener("focus", () => this.focus(true));
    this.canvas.addEventListener("blur", () => this.focus(false));
    const empty = (): void => {
      this.change();
      this.cells.clear();
      this.draw();
    };
    this.sheetPlace = h(
      "div",
      { hidden: true },
      h("div", { class: "controls" }, button("◀", () => this.turn(-1), { "aria-label": "Page before" }), button("▶", () => this.turn(1), { "aria-label": "Next page" })),
      this.sheetWords,
    );
    this.element = h(
      "div",
      { class: "editor" },
      this.canvas,
      h(
        "div",
        {},
        ...beside,
        h("div", { class: "controls" }, field("Colour", this.colour), this.undoButton, this.redoButton, button("Empty the board", empty)),
        h("div", { class: "controls" }, field("From a fumen", this.fumen)),
        this.error,
        this.sheetPlace,
        h("label", { class: "field", hidden: true }, h("span", {}, "Board"), this.text),
        h("p", { class: "help" }, "Click or drag to fill cells. With keys: arrows move, space fills, Ctrl+Z undoes."),
      ),
    );
    this.fumen.addEventListener("change", () => void this.open(this.fumen.value));
    this.text.addEventListener("change", () => this.load(this.text.value.split("/").filter((row) => /^[.A-Z]+$/.test(row))));
    this.draw();
  }

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.moveTo(this.cursor);
    this.draw();
  }

  /** Rows, top first; without the empty ones on top. */
  rows(): string[] {
    const rows = this.board();
    while (rows.length > 0 && /^\.*$/.test(rows[0] as string)) rows.shift();
    return rows;
  }

  /** Takes the pages of a fumen, or of a replay. The board is in the address, the fumen is not. */
  async open(text: string): Promise<void> {
    this.error.textContent = "";
    if (text.trim() === "") return;
    try {
      const game = (await engine()).open(text.trim());
      const frames = Array.from({ length: game.count }, (_, i) => game.frame(i));
      this.sheets = [...(game.result ? [{ rows: game.start, comment: game.title }] : []), ...frames.map(sheetOf)];
      this.fumen.value = "";
      this.show(0);
      this.text.dispatchEvent(new Event("input", { bubbles: true })); // for the address
    } catch (error) {
      showError(this.error, error);
    }
  }

  private show(place: number): void {
    const sheet = this.sheets[place];
    if (!sheet) return;
    this.sheet = place;
    this.load(sheet.rows);
    this.sheetPlace.hidden = this.sheets.length < 2 && sheet.comment === "";
    this.sheetWords.textContent = `Page ${place + 1} of ${this.sheets.length}${sheet.comment === "" ? "" : `: ${sheet.comment}`}`;
  }

  private turn(by: number): void {
    this.show(Math.max(0, Math.min(this.sheets.length - 1, this.sheet + by)));
  }

  /** Before every change: what there was can come back. */
  private change(): void {
    this.before.push(new Map(this.cells));
    if (this.before.length > UNDONE) this.before.shift();
    this.after = [];
  }

  private swap(from: Map<string, string>[], to: Map<string, string>[], word: string): void {
    const found = from.pop();
    if (!found) return;
    to.push(this.cells);
    this.cells = found;
    this.draw();
    announce(word);
  }

  private undo(): void {
    this.swap(this.before, this.after, "Undone.");
  }

  private redo(): void {
    this.swap(this.after, this.before, "Done again.");
  }

  /** Replaces the drawing by rows, top first. */
  load(rows: string[]): void {
    this.change();
    this.cells.clear();
    rows.forEach((row, i) => [...row].forEach((mark, x) => this.set(x, rows.length - 1 - i, mark)));
    this.draw();
  }

  draw(): void {
    const board = this.board();
    const filled = board.join("").replaceAll(".", "").length;
    const [x, y] = this.cursor;
    this.canvas.setAttribute(
      "aria-label",
      `Board to draw, ${filled} cells filled; column ${x + 1}, row ${y + 1} is ${this.at(x, y) === "." ? "empty" : "filled"}`,
    );
    this.text.value = this.rows().join("/");
    enable(this.undoButton, this.before.length > 0);
    enable(this.redoButton, this.after.length > 0);
    drawBoard(this.canvas, { width: this.width, height: this.height, board, cursor: this.focused ? this.cursor : undefined });
  }

  private board(): string[] {
    return Array.from({ length: this.height }, (_, i) => Array.from({ length: this.width }, (_, x) => this.at(x, this.height - 1 - i)).join(""));
  }

  private moveTo([x, y]: [number, number]): void {
    this.cursor = [Math.max(0, Math.min(this.width - 1, x)), Math.max(0, Math.min(this.height - 1, y))];
  }

  private focus(focused: boolean): void {
    this.focused = focused;
    this.draw();
  }

  private at(x: number, y: number): string {
    return this.cells.get(`${x},${y}`) ?? ".";
  }

  private set(x: number, y: number, mark: string): void {
    if (x < 0 || x >= this.width || y < 0 || y >= this.height) return;
    if (mark === ".") this.cells.delete(`${x},${y}`);
    else this.cells.set(`${x},${y}`, mark);
  }

  private cellOf(event: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [
      Math.floor(((event.clientX - box.left) / box.width) * this.width),
      this.height - 1 - Math.floor(((event.clientY - box.top) / box.height) * this.height),
    ];
  }

  private start(event: PointerEvent): void {
    this.last = this.cellOf(event);
    this.paint = this.at(...this.last) === this.colour.value ? "." : this.colour.value;
    this.change();
    this.canvas.setPointerCapture(event.pointerId);
    this.move(event);
  }

  /** Paints the line from the last cell: a fast pointer is reported only every few cells. */
  private move(event: PointerEvent): void {
    if (this.paint === undefined) return;
    const [fromX, fromY] = this.last;
    const [x, y] = this.cellOf(event);
    const steps = Math.max(1, Math.abs(x - fromX), Math.abs(y - fromY));
    for (let i = 0; i <= steps; i++) this.set(Math.round(fromX + ((x - fromX) * i) / steps), Math.round(fromY + ((y - fromY) * i) / steps), this.paint);
    this.last = [x, y];
    this.moveTo(this.last);
    this.draw();
  }

  private onKey(event: KeyboardEvent): void {
    const [x, y] = this.cursor;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "z" && event.key !== "y") return;
      event.preventDefault();
      if (event.key === "z" && !event.shiftKey) this.undo();
      else this.redo();
      return;
    }
    if (event.key === "ArrowLeft") this.moveTo([x - 1, y]);
    else if (event.key === "ArrowRight") this.moveTo([x + 1, y]);
    else if (event.key === "ArrowUp") this.moveTo([x, y + 1]);
    else if (event.key === "ArrowDown") this.moveTo([x, y - 1]);
    else if (event.key === " ") {
      this.change();
      this.set(x, y, this.at(x, y) === this.colour.value ? "." : this.colour.value);
    } else return;
    event.preventDefault();
    this.draw();
  }
}
