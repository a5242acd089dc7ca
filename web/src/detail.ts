// detail: one run of an experiment: its curve, its board to step through, and the numbers of its result.

import type { Frame } from "./api";
import { boardCanvas, drawBoard } from "./board";
import { drawChart, type Drawn } from "./chart";
import { h, number } from "./dom";
import { engine } from "./engine";
import { Review } from "./review";
import type { RunDetail } from "./runs";

const NUMBERS = 24; // of a result that are listed

/** Numbers, words and truth values of a result; members of members with a dot. */
function* plain(object: object, before = ""): Generator<[string, string]> {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (typeof value === "number") yield [before + name, number(value)];
    else if (typeof value === "string" || typeof value === "boolean") yield [before + name, String(value)];
    else if (value !== null && typeof value === "object" && !Array.isArray(value) && before === "") yield* plain(value, `${name}.`);
  }
}

function curve({ evolution, command }: RunDetail): Parameters<typeof drawChart>[1] {
  const x = evolution.map(([evaluation = 0]) => evaluation);
  const word = command === "train" ? "score" : "fitness";
  return {
    title: "",
    x: { title: command === "train" ? "generations" : "evaluations" },
    y: { title: word },
    series: [
      { name: "best", mark: "steps", x, y: evolution.map((point) => point[1] ?? null) },
      { name: "current", mark: "dots", x, y: evolution.map((point) => point[2] ?? null) },
    ],
  };
}

/** A run that is shown; to be left when it is not needed any more. */
export class DetailView {
  readonly element = h("div", { class: "detail" });
  private chart: Drawn | undefined;
  private steps: Review | undefined;
  private left = false;

  constructor(private readonly run: RunDetail) {}

  /** Draws it; after it is on the page. */
  async show(): Promise<void> {
    const { result, evolution, error } = this.run;
    if (error) this.element.append(h("p", { class: "error" }, error));
    if (evolution.length > 0) {
      const place = h("div", { class: "chart", role: "group", "aria-label": "Evolution of the run" });
      this.element.append(place);
      this.chart = drawChart(place, curve(this.run), 200);
    }
    if (!result) return;
    const rows = [...plain(result)].slice(0, NUMBERS).map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name.replaceAll("_", " ")), h("td", {}, value)));
    const table = h("details", {}, h("summary", {}, "The result"), h("table", {}, h("tbody", {}, ...rows)));
    if (typeof result["fumen"] === "string") await this.showGame(result["fumen"], table);
    else this.showBoard(result["board"], table);
  }

  private async showGame(fumen: string, table: HTMLElement): Promise<void> {
    const loaded = await engine();
    if (this.left) return;
    const game = loaded.open(fumen);
    const frames = Array.from({ length: game.count }, (_, i): Frame => game.frame(i)); // the next one that is opened replaces them
    this.steps = new Review({ ...game, frame: (i) => frames[i] as Frame }, Promise.resolve(loaded.agents()), "", table);
    this.element.append(this.steps.element);
  }

  private showBoard(board: unknown, table: HTMLElement): void {
    if (Array.isArray(board) && board.length > 0) {
      const rows = board.map(String);
      const canvas = boardCanvas("The final board");
      this.element.append(h("div", { class: "split" }, canvas, table));
      drawBoard(canvas, { width: rows[0]?.length ?? 10, height: Math.max(8, rows.length + 2), board: rows });
    } else this.element.append(table);
  }

  leave(): void {
    this.left = true;
    this.chart?.leave();
    this.steps?.leave();
  }
}
