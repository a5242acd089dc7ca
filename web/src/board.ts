// board: boards and pieces on canvases, sharp on any screen and readable in both themes.

import type { Cell } from "./api";
import { h, style } from "./dom";

export interface BoardView {
  width: number;
  height: number; // rows that are always shown
  board: string[]; // top row first; rows on top may be missing
  piece?: string | null;
  cells?: Cell[]; // of the piece
  ghost?: Cell[];
  goal?: Cell[]; // outlined: a hint, an intention
  rows?: number[]; // that are about to go
  cursor?: Cell; // of an editor
  marks?: Mark[]; // the best first
}

/** A placement that is drawn as an outline with a few characters in it. */
export interface Mark {
  cells: Cell[];
  text: string;
}

export function boardCanvas(label: string, attributes: Record<string, string | number> = {}): HTMLCanvasElement {
  return h("canvas", { class: "board", role: "img", "aria-label": label, ...attributes });
}

/** Prepares a canvas for columns x rows cells as large as its CSS width allows; the size of a cell. */
function fit(canvas: HTMLCanvasElement, columns: number, rows: number): number {
  const ratio = window.devicePixelRatio || 1;
  const wide = canvas.clientWidth || 200;
  const cell = Math.max(2, Math.floor((wide * ratio) / columns));
  canvas.style.aspectRatio = `${columns} / ${rows}`;
  if (canvas.width !== cell * columns || canvas.height !== cell * rows) {
    canvas.width = cell * columns;
    canvas.height = cell * rows;
  }
  return cell;
}

/** Rows that are drawn: what is filled above the usual ones, and a piece there up to four. */
function boardRows(view: BoardView): number {
  const high = (view.cells ?? []).reduce((most, [, y]) => Math.max(most, y + 1), 0);
  return Math.max(view.height, view.board.length, Math.min(high, view.height + 4));
}

/** What a board is drawn with: a cell is so many pixels, and the lowest of the rows is row 0. */
interface Brush {
  context: CanvasRenderingContext2D;
  cell: number;
  rows: number;
}

/** The upper left corner of a cell. */
function corner({ cell, rows }: Brush, [x, y]: Cell): [number, number] {
  return [x * cell, (rows - 1 - y) * cell];
}

function drawField({ context, cell, rows }: Brush, columns: number): void {
  const [width, height] = [columns * cell, rows * cell];
  context.fillStyle = style("--field");
  context.fillRect(0, 0, width, height);
  context.strokeStyle = style("--lines");
  context.lineWidth = 1;
  context.beginPath();
  for (let x = 1; x < columns; x++) {
    context.moveTo(x * cell + 0.5, 0);
    context.lineTo(x * cell + 0.5, height);
  }
  for (let y = 1; y < rows; y++) {
    context.moveTo(0, y * cell + 0.5);
    context.lineTo(width, y * cell + 0.5);
  }
  context.stroke();
}

/** A cell of a piece, with an edge that stands out from the field in either theme. */
function fillCell({ context, cell }: Omit<Brush, "rows">, left: number, top: number, letter: string): void {
  const name = "IOTSZJL".includes(letter) ? letter : "G";
  const edge = Math.max(1, Math.round(cell / 16));
  context.fillStyle = style(`--${name}-edge`);
  context.fillRect(left + 1, top + 1, cell - 2, cell - 2);
  context.fillStyle = style(`--${name}`);
  context.fillRect(left + 1 + edge, top + 1 + edge, cell - 2 - 2 * edge, cell - 2 - 2 * edge);
}

/** The outer edges of cells, not those between two of them. */
function outline(brush: Brush, cells: Cell[], colour: string, dashed: boolean): void {
  const { context, cell } = brush;
  const own = new Set(cells.map(([x, y]) => `${x},${y}`));
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1.5, cell / 10);
  context.setLineDash(dashed ? [cell / 4, cell / 6] : []);
  context.beginPath();
  for (const [x, y] of cells) {
    const [left, top] = corner(brush, [x, y]);
    const edge = (dx: number, dy: number, line: [number, number, number, number]): void => {
      if (own.has(`${x + dx},${y + dy}`)) return;
      context.moveTo(left + line[0], top + line[1]);
      context.lineTo(left + line[2], top + line[3]);
    };
    edge(0, 1, [0, 1, cell, 1]);
    edge(0, -1, [0, cell - 1, cell, cell - 1]);
    edge(-1, 0, [1, 0, 1, cell]);
    edge(1, 0, [cell - 1, 0, cell - 1, cell]);
  }
  context.stroke();
  context.setLineDash([]);
}

/** Outlines with their texts; of texts in the same place, the later one is above the other. */
function drawMarks(brush: Brush, marks: Mark[]): void {
  const { context, cell } = brush;
  const size = Math.max(9, Math.min(cell * 0.62, 26));
  const taken: [number, number][] = [];
  marks.forEach(({ cells }, i) => outline(brush, cells, style(`--s${i}`), i > 0));
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  marks.forEach(({ cells, text }, i) => {
    const corners = cells.map((place) => corner(brush, place));
    const wide = context.measureText(text).width + size * 0.6;
    const middle = corners.reduce((sum, [left]) => sum + left / corners.length, cell / 2);
    const x = Math.max(wide / 2, Math.min(context.canvas.width - wide / 2, middle));
    let y = corners.reduce((sum, [, top]) => sum + top / corners.length, cell / 2);
    while (taken.some(([atX, atY]) => Math.abs(atX - x) < wide && Math.abs(atY - y) < size * 1.3)) y -= size * 1.35;
    taken.push([x, y]);
    context.fillStyle = style("--card");
    context.fillRect(x - wide / 2, y - size * 0.65, wide, size * 1.3);
    context.strokeStyle = style(`--s${i}`);
    context.lineWidth = 1;
    context.strokeRect(x - wide / 2, y - size * 0.65, wide, size * 1.3);
    context.fillStyle = style("--text");
    context.fillText(text, x, y);
  });
}

export function drawBoard(canvas: HTMLCanvasElement, view: BoardView): void {
  const rows = boardRows(view);
  const cell = fit(canvas, view.width, rows);
  const context = canvas.getContext("2d");
  if (!context) return;
  const brush: Brush = { context, cell, rows };
  drawField(brush, view.width);
  view.board.forEach((row, i) => {
    [...row].forEach((letter, x) => {
      if (letter !== ".") fillCell(brush, ...corner(brush, [x, view.board.length - 1 - i]), letter);
    });
  });
  for (const y of view.rows ?? []) {
    context.fillStyle = style("--flash");
    context.fillRect(...corner(brush, [0, y]), canvas.width, cell);
  }
  if (view.ghost) outline(brush, view.ghost, style("--ghost"), false);
  for (const place of view.cells ?? []) fillCell(brush, ...corner(brush, place), view.piece ?? "G");
  if (view.goal) outline(brush, view.goal, style("--accent"), true);
  if (view.marks) drawMarks(brush, view.marks);
  if (view.cursor) outline(brush, [view.cursor], style("--accent"), false);
}

/** Every piece as it spawns, for previews; drawn, never played with. */
const shapes: Record<string, Cell[]> = {
  I: [[0, 0], [1, 0], [2, 0], [3, 0]],
  O: [[0, 0], [1, 0], [0, 1], [1, 1]],
  T: [[0, 0], [1, 0], [2, 0], [1, 1]],
  S: [[0, 0], [1, 0], [1, 1], [2, 1]],
  Z: [[1, 0], [2, 0], [0, 1], [1, 1]],
  J: [[0, 0], [1, 0], [2, 0], [0, 1]],
  L: [[0, 0], [1, 0], [2, 0], [2, 1]],
};

/** Draws pieces one under the other. */
export function drawPieces(canvas: HTMLCanvasElement, letters: string, slots: number, faded = false): void {
  const cell = fit(canvas, 5, slots * 3);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.globalAlpha = faded ? 0.35 : 1;
  [...letters].slice(0, slots).forEach((letter, slot) => {
    const shape = shapes[letter] ?? [];
    const wide = Math.max(...shape.map(([x]) => x)) + 1;
    for (const [x, y] of shape) {
      fillCell({ context, cell }, (x + (5 - wide) / 2) * cell, (slot * 3 + 1.5 - y) * cell, letter);
    }
  });
  context.globalAlpha = 1;
}

/** A board as text for those who listen, closed until it is wanted. */
export function textBoard(): { element: HTMLElement; set(board: string[], width: number): void } {
  const text = h("pre");
  return {
    element: h("details", {}, h("summary", {}, "The board as text"), text),
    set(board, width) {
      text.textContent = boardText(board, width);
    },
  };
}

/** Rows of letters; an empty board is one empty row. */
function boardText(board: string[], width: number): string {
  return board.length > 0 ? board.join("\n") : ".".repeat(width);
}
