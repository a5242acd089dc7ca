// watch: agents play, one or two side by side on the same pieces, with their evaluations.

import { untilLoaded } from "./api";
import { boardCanvas, drawBoard, drawPieces, textBoard } from "./board";
import { announce, button, choice, errorPlace, field, h, number, showError } from "./dom";
import { engine, readSeed, seedInput, type AgentInfo, type Engine, type GameSession, type GameSessionSetup, type Thoughts } from "./engine";
import { ParameterForm } from "./form";
import { everyFrame, type Page } from "./page";
import { forgetPage } from "./remember";
import { facts } from "./play";
import { saveButtons } from "./save";

const speeds: [string, string][] = [
  ["0.25", "¼×"],
  ["0.5", "½×"],
  ["1", "1×"],
  ["2", "2×"],
  ["4", "4×"],
  ["16", "16×"],
  ["64", "64×"],
  ["max", "maximum"],
];

const FRAME_MS = 12; // of work of one agent in one frame of the screen

/** Not every agent decides by the listed values. */
function caption({ by, placements, weights }: Thoughts): string {
  if (by === "weights") return `Best of ${placements} placements by ${weights}`;
  const what = by === "plan" ? "It follows its plan" : by === "search" ? "It plays by its own search" : "It plays at random";
  return `${what}. For comparison, the best of ${placements} placements by ${weights}`;
}

/** Weights to watch, as the Train page hands them over. */
export interface TrainedWeights {
  agent: string;
  rules: string;
  weights: string; // the text of a file of weights
}

let trained: TrainedWeights | undefined; // until the page is reloaded

/** The Watch page begins with these weights when it is opened. */
export function watchWeights(given: TrainedWeights): void {
  trained = given;
  forgetPage("watch");
}

/** Who plays, with what. */
class Choice {
  readonly agent: HTMLSelectElement;
  readonly settings: HTMLElement;
  private readonly summary = h("summary");
  private readonly about = h("p", { class: "help" });
  private readonly weights = choice([]);
  private readonly weightsField = field("Weights", this.weights);
  private readonly form = new ParameterForm();

  constructor(
    private readonly agents: AgentInfo[],
    nobody: boolean,
    chosen: string,
  ) {
    const options = agents.map((agent): [string, string] => [agent.name, agent.name]);
    this.agent = choice(nobody ? [["", "nobody"], ...options] : options, chosen);
    this.agent.addEventListener("change", () => this.fill());
    this.settings = h("details", { class: "settings" }, this.summary, this.about, this.weightsField, this.form.element);
    this.fill();
  }

  info(): AgentInfo | undefined {
    return this.agents.find((candidate) => candidate.name === this.agent.value);
  }

  setup(): Pick<GameSessionSetup, "weights" | "parameters"> {
    const own = this.info()?.weights ?? "";
    return { parameters: this.form.values(), ...(this.weights.value !== "" && this.weights.value !== own ? { weights: this.weights.value } : {}) };
  }

  private fill(): void {
    const info = this.info();
    this.settings.hidden = info === undefined;
    if (!info) return;
    this.summary.textContent = `Settings of ${info.name}`;
    this.about.textContent = `${info.summary}.`;
    const own = trained?.agent === info.name ? [h("option", { value: trained.weights, selected: true }, "trained")] : [];
    this.weightsField.hidden = info.sets.length + own.length === 0;
    this.weights.replaceChildren(...info.sets.map(({ name, kind }) => h("option", { value: name, selected: name === info.weights }, `${name} (${kind})`)), ...own);
    this.form.set(info.parameters);
  }
}

/** One agent at its game. */
class Pane {
  readonly element: HTMLElement;
  private readonly error = errorPlace();
  private readonly saving = saveButtons(() => this.session, this.error);
  private session: GameSession | undefined;
  private thought = "";
  private over = false;
  private readonly name = h("h3");
  private readonly canvas: HTMLCanvasElement;
  private readonly hold = boardCanvas("Hold");
  private readonly next = boardCanvas("Next pieces");
  private readonly numbers = facts();
  private readonly text = textBoard();
  private locked = -1; // pieces, when the text was written
  private readonly list = h("div", { class: "thoughts" });

  constructor(label: string) {
    this.canvas = boardCanvas(`The field of the ${label} agent`);
    this.element = h(
      "section",
      { class: "pane", "aria-label": `The ${label} agent` },
      this.name,
      h(
        "div",
        { class: "game" },
        h("div", { class: "side" }, h("h4", {}, "Hold"), this.hold, this.numbers.list),
        this.canvas,
        h("div", { class: "side" }, h("h4", {}, "Next"), this.next),
      ),
      h("div", { class: "beside" }, this.list, this.saving.element, this.error, this.text.element),
    );
  }

  begin(engine: Engine, agent: AgentInfo, rules: string, setup: Omit<GameSessionSetup, "agent" | "drop">): void {
    this.leave();
    const drop = rules === "drop" || (rules === "" && agent.drop_first);
    this.session = engine.begin({ ...setup, agent: agent.name, drop });
    this.saving.enable(true);
    this.list.replaceChildren();
    this.over = false;
    this.thought = "";
    this.locked = -1;
    this.name.textContent = `${agent.name}, rules ${drop ? "drop" : "guideline"}`;
    this.canvas.setAttribute("aria-label", `The field of ${agent.name}`);
  }

  plan(): void {
    if (this.session?.needsPlan()) this.session.plan();
  }

  needsPlan(): boolean {
    return this.session?.needsPlan() ?? false;
  }

  leave(): void {
    this.session?.leave();
    this.session = undefined;
    this.saving.enable(false);
  }

  step(): void {
    this.session?.step();
  }

  advance(ms: number, speed: string): void {
    if (!this.session || this.over) return;
    const start = performance.now();
    if (speed === "max") {
      while (performance.now() - start < FRAME_MS && !this.over) {
        for (let i = 0; i < 20; i++) this.session.step();
        this.over = this.session.state().end !== "running";
      }
      return;
    }
    // In slices, so that an agent that is slow makes time go slower and not the page.
    let left = ms * Number(speed);
    while (left > 0 && performance.now() - start < FRAME_MS) {
      const slice = Math.min(left, 60);
      this.session.advance(slice * 1000, true);
      left -= slice;
    }
  }

  show(): void {
    if (!this.session) return;
    const state = this.session.state();
    if (state.end !== "running") {
      this.over = true;
      if (!this.name.textContent?.includes("game over")) this.name.textContent += ": game over";
    }
    drawBoard(this.canvas, { ...state, height: state.height + 1, goal: state.goal ?? undefined });
    drawPieces(this.hold, state.hold ?? "", 1, state.hold_used);
    drawPieces(this.next, state.next, 5);
    this.numbers.set(state);
    if (state.pieces !== this.locked) this.text.set(state.board, state.width);
    this.locked = state.pieces;
    const turn = `${state.pieces}${state.piece ?? ""}`;
    if (turn === this.thought) return;
    this.thought = turn;
    this.showThoughts(this.session.thoughts());
  }

  private showThoughts(thoughts: Thoughts | null): void {
    if (!thoughts) return;
    const names = Object.keys(thoughts.best[0]?.features ?? {}).slice(0, this.list.clientWidth < 420 ? 2 : 5);
    const head = h("tr", {}, h("th", { scope: "col" }, "Piece"), h("th", { scope: "col" }, "Columns"), h("th", { scope: "col" }, "Value"));
    for (const name of names) head.append(h("th", { scope: "col" }, name.replaceAll("_", " ")));
    const body = h("tbody");
    for (const thought of thoughts.best) {
      const places = thought.cells.map(([x]) => x + 1);
      const [from, to] = [Math.min(...places), Math.max(...places)];
      const row = h(
        "tr",
        {},
        h("td", {}, `${thought.hold ? "hold, " : ""}${thought.piece}`),
        h("td", {}, from === to ? String(from) : `${from}–${to}`),
        h("td", {}, number(thought.value)),
      );
      for (const name of names) row.append(h("td", {}, number(thought.features[name] ?? 0)));
      body.append(row);
    }
    this.list.replaceChildren(
      h(
        "table",
        {},
        h("caption", {}, caption(thoughts)),
        h("thead", {}, head),
        body,
      ),
    );
  }
}

class WatchPage {
  private readonly agents: AgentInfo[];
  private readonly panes = [new Pane("first"), new Pane("second")];
  private readonly choices: [Choice, Choice];
  private readonly randomizer = choice([["bag", "bags of seven"], ["uniform", "any at random"]]);
  private readonly rules = choice([["", "as the agent likes"], ["guideline", "guideline"], ["drop", "drop"]]);
  private readonly speed = choice(speeds, "4");
  private readonly seed = seedInput();
  private readonly status = h("p", { class: "message", role: "status" });
  private readonly error = errorPlace();
  private readonly pauseButton = button("Pause", () => this.pause());
  private paused = false;
  private started = false;

  constructor(private readonly engine: Engine, place: HTMLElement) {
    this.agents = engine.agents();
    this.choices = [new Choice(this.agents, false, trained?.agent ?? "weighted"), new Choice(this.agents, true, "")];
    this.rules.value = trained?.rules ?? "";
    const [first, second] = this.choices;
    place.append(
      h(
        "div",
        { class: "controls" },
        field("Agent", first.agent),
        field("Beside it", second.agent),
        field("Rules", this.rules),
        field("Pieces", this.randomizer),
        field("Seed", this.seed),
        field("Speed", this.speed),
        button("Start", () => void this.begin(), { class: "primary" }),
        this.pauseButton,
        button("Step", () => this.step()),
      ),
      h("div", { class: "two" }, first.settings, second.settings),
      this.error,
      this.status,
      h("div", { class: "panes" }, ...this.panes.map((pane) => pane.element)),
    );
    void this.begin();
  }

  async begin(): Promise<void> {
    this.error.textContent = "";
    let seed: number;
    try {
      seed = readSeed(this.seed);
    } catch (error) {
      showError(this.error, error);
      return;
    }
    this.started = false;
    try {
      this.panes.forEach((pane, i) => {
        const chosen = this.choices[i as 0 | 1];
        const agent = chosen.info();
        pane.leave();
        pane.element.hidden = agent === undefined;
        if (agent) pane.begin(this.engine, agent, this.rules.value, { ...chosen.setup(), seed, uniform: this.randomizer.value === "uniform" });
      });
    } catch (error) {
      this.panes.forEach((pane) => pane.leave());
      showError(this.error, error);
      return;
    }
    if (this.panes.some((pane) => pane.needsPlan())) {
      this.status.textContent = "An agent plans its whole game; this takes a moment …";
      await new Promise((done) => setTimeout(done, 50)); // the words are shown first
      this.panes.forEach((pane) => pane.plan());
    }
    this.status.textContent = `Seed ${seed}`;
    this.setPaused(false);
    this.started = true;
  }

  private setPaused(paused: boolean): void {
    this.paused = paused;
    this.pauseButton.textContent = paused ? "Resume" : "Pause";
  }

  pause(): void {
    this.setPaused(!this.paused);
    announce(this.paused ? "Paused." : "Resumed.");
  }

  step(): void {
    this.setPaused(true);
    this.panes.forEach((pane) => pane.step());
  }

  frame(elapsed: number): void {
    if (!this.started) return;
    for (const pane of this.panes) {
      if (!this.paused) pane.advance(elapsed, this.speed.value);
      pane.show();
    }
  }

  leave(): void {
    this.started = false;
    this.panes.forEach((pane) => pane.leave());
  }
}

export const watch: Page = {
  name: "watch",
  title: "Watch",
  show(place) {
    let page: WatchPage | undefined;
    let left = false;
    const stop = everyFrame((elapsed) => page?.frame(elapsed));
    const problem = place.appendChild(errorPlace());
    void untilLoaded(engine, (error) => showError(problem, error), () => !left).then((loaded) => {
      if (!loaded || left) return;
      problem.remove();
      page = new WatchPage(loaded, place);
    });
    return () => {
      left = true;
      stop();
      page?.leave();
    };
  },
};
