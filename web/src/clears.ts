// clears: which queues clear a field, by which solutions: the success rate by next piece, and a gallery to step through.

import type { Frame } from "./api";
import { boardCanvas, drawBoard } from "./board";
import { announce, button, choice, copyButton, counted, enable, errorPlace, field, h, number, showError } from "./dom";
import { Editor } from "./editor";
import { engine } from "./engine";
import { checked } from "./form";
import { RunningJob, type JobState } from "./job";
import { jobPage } from "./page";
import { stepper } from "./stepper";

interface Branch {
  solvable: number;
  queues: number;
  next?: Record<string, Branch>;
}

interface Solution {
  covered: number;
  pieces: string;
  minimal: boolean;
  field: string[];
  queue: string;
  fumen: string;
  moves: { piece: string; hold: boolean; keys: string[] }[];
}

interface ClearsAnswer {
  solvable: number;
  queues: number;
  lines: number;
  complete: boolean;
  tree?: Record<string, Branch>;
  failed?: string[];
  minimal?: { count: number; proved: boolean };
  solutions?: Solution[];
}

interface ClearsState extends JobState {
  evaluations: number; // done so far
  total: number;
  seconds: number;
}

const SHOWN = 60; // solutions of the gallery at a time
const EXAMPLE = "v115@9gE8DeG8CeH8BeG8CeA8JeAgH"; // a well-known opener

const percent = (one: Branch): string => `${((100 * one.solvable) / Math.max(1, one.queues)).toFixed(2)} %`;

/** The branches below a piece, closed until they are wanted. */
function treeView(tree: Record<string, Branch>, before = ""): HTMLElement {
  const list = h("ul", { class: "tree" });
  for (const [piece, branch] of Object.entries(tree)) {
    const words = `${before}${piece}: ${percent(branch)}, ${branch.solvable.toLocaleString("en")} of ${branch.queues.toLocaleString("en")}`;
    const meter = h("meter", { min: 0, max: 1, value: branch.solvable / Math.max(1, branch.queues), "aria-hidden": "true" });
    list.append(h("li", {}, branch.next ? h("details", {}, h("summary", {}, words, " ", meter), treeView(branch.next, before + piece)) : h("span", {}, words, " ", meter)));
  }
  return list;
}

class ClearsPage {
  private readonly patterns = h("input", { type: "text", spellcheck: false, autocomplete: "off", value: "*p4", size: 20, required: true });
  private readonly lines = h("input", { type: "number", min: 1, max: 6, value: 4, required: true });
  private readonly hold = choice([["on", "on"], ["off", "off"]]);
  private readonly error = errorPlace();
  private readonly editor: Editor = new Editor(10, 8, button("Example", () => void this.editor.open(EXAMPLE)));
  private readonly rateButton = button("Success rate", () => void this.start("percent"), { class: "primary" });
  private readonly pathButton = button("Solutions", () => void this.start("path"));
  private readonly stopButton = button("Stop", () => void this.job.stop().catch((error: unknown) => showError(this.error, error)), { disabled: true });
  private readonly message = h("p", { class: "message" });
  private readonly result = h("section", { class: "result", hidden: true, "aria-label": "The answer" });
  private readonly steps = h("div");
  private leaveSteps: (() => void) | undefined;
  private readonly job = new RunningJob<ClearsState>("clears", (state) => this.onState(state), (why) => this.finish(why));

  constructor(place: HTMLElement) {
    place.append(
      h("p", {}, "Draw a field or paste a fumen, give the queues as a pattern, and see how many of them clear it."),
      h("div", { class: "controls" }, this.rateButton, this.pathButton, this.stopButton, field("Queues", this.patterns), field("Lines", this.lines), field("Hold", this.hold)),
      h("p", { class: "help" }, "Queues: I is a piece, [SZ] one of them, * any, *p4 four different pieces in any order, *! all seven."),
      this.error,
      this.editor.element,
      this.message,
      this.result,
    );
  }

  private async start(find: "percent" | "path"): Promise<void> {
    this.error.textContent = "";
    this.forget();
    this.buttons(true);
    try {
      const request = { find, board: this.editor.rows(), patterns: checked("patterns", this.patterns), lines: Number(checked("lines", this.lines)), hold: this.hold.value };
      if (!(await this.job.start(request))) return;
      this.message.textContent = "Searching …";
    } catch (error) {
      this.finish(error);
    }
  }

  private buttons(running: boolean): void {
    for (const one of [this.rateButton, this.pathButton]) enable(one, !running);
    enable(this.stopButton, running);
  }

  private finish(why?: unknown): void {
    this.buttons(false);
    if (why !== undefined) showError(this.error, why);
  }

  private onState(state: ClearsState): void {
    if (state.state === "running") {
      const share = state.total > 0 ? `, ${Math.floor((100 * state.evaluations) / state.total)} %` : "";
      this.message.textContent = `Searching for ${state.seconds.toFixed(1)} s${share}`;
      return;
    }
    this.finish(state.error);
    this.message.textContent = "";
    if (!state.error) this.show().catch((error: unknown) => showError(this.error, error));
  }

  private async show(): Promise<void> {
    const job = await this.job.answer<{ answer?: ClearsAnswer }>();
    const answer = job?.answer;
    if (!answer) return;
    const words = `${answer.solvable.toLocaleString("en")} of ${answer.queues.toLocaleString("en")} queues clear ${counted(answer.lines, "line")} (${percent(answer)})${answer.complete ? "" : ", as far as the search got"}.`;
    this.result.replaceChildren(h("h3", {}, "The answer"), h("p", {}, words));
    if (answer.tree) this.result.append(h("h4", {}, "By the first pieces"), treeView(answer.tree));
    if (answer.failed && answer.failed.length > 0)
      this.result.append(h("details", {}, h("summary", {}, `${number(answer.failed.length)} queues that cannot clear it`), h("p", { class: "letters" }, answer.failed.join(" "))));
    if (answer.solutions) this.gallery(answer, answer.solutions);
    this.result.hidden = false;
    announce(words);
  }

  private gallery({ minimal }: ClearsAnswer, solutions: Solution[]): void {
    const set = minimal ? ` ${minimal.count} of them ${minimal.count === 1 ? "is" : "are"} enough for all queues${minimal.proved ? ", proved to be the fewest" : ""}.` : "";
    const grid = h("div", { class: "gallery" });
    const more = button("Show more", () => add());
    let shown = 0;
    const add = (): void => {
      for (const solution of solutions.slice(shown, shown + SHOWN)) grid.append(this.card(solution));
      shown += SHOWN;
      more.hidden = shown >= solutions.length;
    };
    this.result.append(h("p", {}, `${counted(solutions.length, "solution")}.${set}`), h("div", { class: "split" }, this.steps, h("div", { class: "wide" }, grid, more)));
    add();
  }

  private card(solution: Solution): HTMLElement {
    const canvas = boardCanvas(`Solution with ${solution.pieces}`);
    requestAnimationFrame(() => drawBoard(canvas, { width: 10, height: solution.field.length, board: solution.field }));
    const name = `${solution.pieces}, ${counted(solution.covered, "queue")}${solution.minimal ? ", in the smallest set" : ""}`;
    const card = h("button", { type: "button", class: "card" }, canvas, h("span", {}, name));
    card.addEventListener("click", () => void this.step(solution).catch((error: unknown) => showError(this.error, error)));
    return card;
  }

  /** Plays the keys of a solution, move by move. */
  private async step(solution: Solution): Promise<void> {
    const game = (await engine()).open(solution.fumen);
    const frame = (i: number): Frame => ({ ...game.frame(i), keys: solution.moves[i]?.keys, hold: solution.moves[i]?.hold });
    this.leaveSteps?.();
    const view = stepper({ ...game, height: 8, frame });
    this.leaveSteps = () => view.leave();
    this.steps.replaceChildren(h("h4", {}, `${solution.pieces} from the queue ${solution.queue}`), view.element, copyButton("Copy as fumen", () => solution.fumen));
    this.steps.scrollIntoView({ block: "nearest" });
  }

  private forget(): void {
    this.job.forget();
    this.leaveSteps?.();
    this.leaveSteps = undefined;
    this.steps.replaceChildren();
    this.result.hidden = true;
    this.result.replaceChildren();
  }

  abandon(): void {
    this.job.abandon();
  }

  leave(): void {
    this.forget();
  }
}

export const clears = jobPage("clears", "Perfect clears", (place) => new ClearsPage(place));
