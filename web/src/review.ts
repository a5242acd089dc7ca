// review: what an agent says of a finished game: the best placements of every position, drawn on the board, and where
// it would have played differently and what that cost.
//
// The cost of a move is the value of the agent's move less that of the move that was made, both by the agent's weights
// right after the placement. An agent that searches can have a reason for a move of less value; its cost is then below 0.

import type { Frame } from "./api";
import { drawChart, type Chart } from "./chart";
import { announce, button, choice, counted, errorPlace, field, h, number, showError } from "./dom";
import type { AgentInfo, Hint } from "./engine";
import type { Advice } from "./games";
import { continueButtons, positionText } from "./position";
import { RemoteGame } from "./remote";
import { positionAfter, stepper, type SteppedGame, type Stepper } from "./stepper";

const DRAWN = 3; // best placements on the board
const LISTED = 20; // moves with the largest cost
const LOOK_MS = 300; // between two drawings of the curve
const MOST = 5000; // moves that are reviewed

interface Verdict {
  place: number; // the move, from 1 on
  played: number | undefined;
  hint: Hint;
  differs: boolean;
}

function sameCells(frame: Frame, hint: Hint): boolean {
  const key = (cells: number[][]): string => cells.map(String).sort().join(" ");
  return frame.piece === hint.piece && key(frame.cells) === key(hint.cells);
}

function cost({ hint, played, differs }: Verdict): number {
  return differs && hint.value !== null && played !== undefined ? hint.value - played : 0;
}

function words(hint: Hint): string {
  const columns = hint.cells.map(([x]) => x + 1);
  const [from, to] = [Math.min(...columns), Math.max(...columns)];
  return `${hint.hold ? "hold, " : ""}${hint.piece ?? "hold"}${columns.length === 0 ? "" : from === to ? `, column ${from}` : `, columns ${from}–${to}`}`;
}

function curve(found: Verdict[]): Chart {
  const known = found.filter(({ played, hint }) => played !== undefined && hint.value !== null);
  const x = known.map(({ place }) => place);
  return {
    title: "",
    x: { title: "move" },
    y: { title: "value" },
    series: [
      { name: "played", mark: "line", x, y: known.map(({ played }) => played ?? null) },
      { name: "agent", mark: "dots", x, y: known.map(({ hint }) => hint.value) },
    ],
  };
}

/** A game to step through, with everything that an agent says of it. */
export class Review {
  readonly element: HTMLElement;
  private readonly steps: Stepper;
  private readonly agent = choice([]);
  private readonly best = choice([["", "not shown"], ["on", "on the board"]]);
  private readonly error = errorPlace();
  private readonly go = button("Review the game", () => void this.review().catch((error: unknown) => this.fail(error)));
  private readonly words = h("p", { class: "message", role: "status" });
  private readonly chartPlace = h("div", { class: "chart", role: "group", "aria-label": "Value over moves" });
  private readonly table = h("div", { class: "wide" });
  private readonly thoughts = h("p", { class: "help" });
  private chart: ReturnType<typeof drawChart> | undefined;
  private adviser: Promise<RemoteGame> | undefined; // for the move that is shown
  private reviewer: RemoteGame | undefined; // while a review runs
  private found: Verdict[] = [];
  private asked = 0;
  private left = false;

  /** `beside` stands next to the board. */
  constructor(
    private readonly game: SteppedGame,
    agents: Promise<AgentInfo[]>,
    without = "",
    ...beside: HTMLElement[]
  ) {
    agents.then(
      (all) => {
        for (const { name, advises } of all) if (advises) this.agent.append(h("option", { value: name, selected: name === "lookahead" }, name));
      },
      (error: unknown) => this.fail(error),
    );
    this.steps = stepper(game, (place) => void this.show(place).catch((error: unknown) => this.fail(error)));
    const again = (): void => void this.show(this.steps.place()).catch((error: unknown) => this.fail(error));
    this.best.addEventListener("change", again);
    this.agent.addEventListener("change", () => {
      this.forget();
      again();
    });
    const moves = game.count > 0 && game.pieces !== undefined;
    this.element = h(
      "div",
      { class: "split review" },
      this.steps.element,
      h(
        "div",
        { class: "wide" },
        continueButtons(() => positionAfter(game, this.steps.place()), without),
        ...(moves ? [h("div", { class: "controls" }, field("Reviewer", this.agent), field("Best placements", this.best), this.go)] : []),
        this.error,
        this.thoughts,
        this.words,
        this.chartPlace,
        this.table,
        ...beside,
      ),
    );
  }

  private fail(error: unknown): void {
    if (!this.left) showError(this.error, error);
  }

  private setup(place: number): { agent: string; person: true; seed: number; position: string } {
    return { agent: this.agent.value, person: true, seed: 1, position: positionText(positionAfter(this.game, place - 1)) };
  }

  /** The best placements of the move that is shown, or the agent's where it differs. */
  private async show(place: number): Promise<void> {
    const asked = ++this.asked;
    const verdict = this.found[place - 1];
    this.thoughts.textContent = "";
    if (place === 0 || this.best.value === "") {
      this.steps.mark(verdict?.differs ? [{ cells: verdict.hint.cells, text: number(verdict.hint.value) }] : []);
      return;
    }
    this.adviser ??= RemoteGame.open();
    const advice: Advice = await (await this.adviser).ask("advise", this.setup(place), this.game.frame(place - 1));
    if (asked !== this.asked || this.left || !advice.thoughts) return;
    const { weights, placements, best } = advice.thoughts;
    this.steps.mark(best.slice(0, DRAWN).map(({ cells, value }) => ({ cells, text: number(value) })));
    this.thoughts.textContent = `Best of ${placements} placements by ${weights}: ${best
      .slice(0, DRAWN)
      .map((one) => `${words(one)}: ${number(one.value)}`)
      .join("; ")}. Played: ${number(advice.played)}.`;
  }

  private async review(): Promise<void> {
    if (this.reviewer) {
      this.forget();
      return;
    }
    this.forget();
    const mine = await RemoteGame.open();
    if (this.left) return mine.end();
    this.reviewer = mine;
    this.go.textContent = "Stop";
    let drawn = 0;
    const count = Math.min(this.game.count, MOST);
    for (let place = 1; place <= count; place++) {
      const frame = this.game.frame(place - 1);
      const { hint, played } = await mine.ask("advise", this.setup(place), frame);
      if (this.reviewer !== mine) return;
      const own = hint ?? { piece: frame.piece, hold: false, value: null, cells: frame.cells };
      this.found.push({ place, played, hint: own, differs: own.piece !== null && !sameCells(frame, own) });
      if (performance.now() - drawn < LOOK_MS && place < count) continue;
      drawn = performance.now();
      this.words.textContent = `Reviewing move ${place} of ${count} …`;
      this.draw();
    }
    this.stop();
    this.conclude();
  }

  private draw(): void {
    if (this.chart) this.chart.set(curve(this.found));
    else this.chart = drawChart(this.chartPlace, curve(this.found), 200, (x) => this.steps.go(Math.round(x)));
  }

  private conclude(): void {
    const differ = this.found.filter(({ differs }) => differs);
    const total = differ.reduce((sum, one) => sum + cost(one), 0);
    const text = `${this.agent.value} would have played ${counted(differ.length, "move")} of ${this.found.length} differently; they cost ${number(total)} by its weights.`;
    this.words.textContent = text;
    this.steps.note(new Map(differ.map((one) => [one.place, `, cost ${number(cost(one))}`])));
    const worst = [...differ].sort((a, b) => cost(b) - cost(a)).slice(0, LISTED);
    const body = h("tbody", { class: "costs" });
    for (const one of worst) {
      const frame = this.game.frame(one.place - 1);
      const played: Hint = { piece: frame.piece, hold: frame.hold ?? false, cells: frame.cells, value: one.played ?? null };
      body.append(
        h("tr", {}, h("td", {}, button(String(one.place), () => this.steps.go(one.place), { "aria-label": `Show move ${one.place}` })), h("td", {}, words(played)), h("td", {}, words(one.hint)), h("td", {}, number(cost(one)))),
      );
    }
    const head = h("tr", {}, ...["Move", "Played", this.agent.value, "Cost"].map((name) => h("th", { scope: "col" }, name)));
    if (worst.length > 0) this.table.replaceChildren(h("table", {}, h("caption", {}, "The moves that cost most"), h("thead", {}, head), body));
    announce(text);
    void this.show(this.steps.place()).catch((error: unknown) => this.fail(error));
  }

  private stop(): void {
    this.reviewer?.end();
    this.reviewer = undefined;
    this.go.textContent = "Review the game";
  }

  private forget(): void {
    this.stop();
    this.chart?.leave();
    this.chart = undefined;
    this.found = [];
    this.words.textContent = this.error.textContent = "";
    this.table.replaceChildren();
    this.steps.note(new Map());
  }

  leave(): void {
    this.left = true;
    this.stop();
    void this.adviser?.then((one) => one.end());
    this.chart?.leave();
    this.steps.leave();
  }
}
