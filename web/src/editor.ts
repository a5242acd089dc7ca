// editor: a board that is drawn with the mouse, a finger or the keyboard.
//
// Cells outside the present size are kept, so a board that is made smaller and larger again is the same.

import { boardCanvas, drawBoard } from "./board";
import { button, h } from "./dom";

export class Editor {
  readonly element: HTMLElement;
  private readonly cells = new Map<string, string>(); // "x,y" with y from the floor; empty ones are not in it
  private cursor: [number, number] = [0, 0];
  private paint: string | undefined; // what a drag paints
  private last: [number, number] = [0, 0]; // cell of a drag
  private focused = false;
  private readonly canvas = boardCanvas("", { tabindex: 0 });
  private readonly text = h("input", { type: "text" }); // the rows, as the page remembers them

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
    this.element = h(
      "div",
      { class: "editor" },
      this.canvas,
      h(
        "div",
        {},
        ...beside,
        button("Empty the board", () => {
          this.cells.clear();
          this.draw();
        }),
        h("label", { class: "field", hidden: true }, h("span", {}, "Board"), this.text),
        h("p", { class: "help" }, "Click or drag to fill cells. With keys: arrows move, space fills."),
      ),
    );
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

  /** Replaces the drawing by rows, top first. */
  load(rows: string[]): void {
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
    this.paint = this.at(...this.last) === "." ? "G" : ".";
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
    if (event.key === "ArrowLeft") this.moveTo([x - 1, y]);
    else if (event.key === "ArrowRight") this.moveTo([x + 1, y]);
    else if (event.key === "ArrowUp") this.moveTo([x, y + 1]);
    else if (event.key === "ArrowDown") this.moveTo([x, y - 1]);
    else if (event.key === " ") this.set(x, y, this.at(x, y) === "." ? "G" : ".");
    else return;
    event.preventDefault();
    this.draw();
  }
}
