// editor: a board that is drawn with the mouse, a finger or the keyboard.

import { boardCanvas, drawBoard } from "./board";
import { button, h } from "./dom";

export class Editor {
  readonly element: HTMLElement;
  private cells: string[][] = [];
  private cursor: [number, number] = [0, 0];
  private paint: string | undefined; // what a drag paints
  private focused = false;
  private readonly canvas = boardCanvas("", { tabindex: 0 });

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
          this.clear();
          this.draw();
        }),
        h("p", { class: "help" }, "Click or drag to fill cells. With keys: arrows move, space fills."),
      ),
    );
    this.clear();
    this.draw();
  }

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.clear();
    this.draw();
  }

  /** Rows, top first; without the empty ones on top. */
  rows(): string[] {
    const rows = this.cells.map((row) => row.join(""));
    while (rows.length > 0 && /^\.*$/.test(rows[0] as string)) rows.shift();
    return rows;
  }

  draw(): void {
    const filled = this.cells.flat().filter((cell) => cell !== ".").length;
    const [x, y] = this.cursor;
    this.canvas.setAttribute(
      "aria-label",
      `Board to draw, ${filled} cells filled; column ${x + 1}, row ${y + 1} is ${this.at(x, y) === "." ? "empty" : "filled"}`,
    );
    drawBoard(this.canvas, { width: this.width, height: this.height, board: this.cells.map((row) => row.join("")), cursor: this.focused ? this.cursor : undefined });
  }

  private clear(): void {
    this.cells = Array.from({ length: this.height }, () => new Array<string>(this.width).fill("."));
    this.cursor = [0, 0];
  }

  private focus(focused: boolean): void {
    this.focused = focused;
    this.draw();
  }

  private at(x: number, y: number): string {
    return this.cells[this.height - 1 - y]?.[x] ?? ".";
  }

  private set(x: number, y: number, mark: string): void {
    const row = this.cells[this.height - 1 - y];
    if (row && x >= 0 && x < this.width) row[x] = mark;
  }

  private cellOf(event: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [
      Math.floor(((event.clientX - box.left) / box.width) * this.width),
      this.height - 1 - Math.floor(((event.clientY - box.top) / box.height) * this.height),
    ];
  }

  private start(event: PointerEvent): void {
    const [x, y] = this.cellOf(event);
    this.paint = this.at(x, y) === "." ? "G" : ".";
    this.canvas.setPointerCapture(event.pointerId);
    this.move(event);
  }

  private move(event: PointerEvent): void {
    if (this.paint === undefined) return;
    const [x, y] = this.cellOf(event);
    this.set(x, y, this.paint);
    this.cursor = [Math.max(0, Math.min(this.width - 1, x)), Math.max(0, Math.min(this.height - 1, y))];
    this.draw();
  }

  private onKey(event: KeyboardEvent): void {
    const [x, y] = this.cursor;
    if (event.key === "ArrowLeft") this.cursor = [Math.max(0, x - 1), y];
    else if (event.key === "ArrowRight") this.cursor = [Math.min(this.width - 1, x + 1), y];
    else if (event.key === "ArrowUp") this.cursor = [x, Math.min(this.height - 1, y + 1)];
    else if (event.key === "ArrowDown") this.cursor = [x, Math.max(0, y - 1)];
    else if (event.key === " ") this.set(x, y, this.at(x, y) === "." ? "G" : ".");
    else return;
    event.preventDefault();
    this.draw();
  }
}
