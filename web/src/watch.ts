// watch: agents play, one or two side by side on the same pieces, with their evaluations.

import { untilLoaded } from "./api";
import { boardCanvas, drawBoard, drawPieces, textBoard } from "./board";
import { announce, button, choice, errorPlace, field, h, number, showError } from "./dom";
import { engine, readSeed, seedInput, type AgentInfo, type Engine, type GameSessionSetup, type GameState, type Thoughts } from "./engine";
import { ParameterForm } from "./form";
import type { View } from "./games";
import { everyFrame, type Page } from "./page";
import { facts } from "./play";
import { continueButtons, positionOf, StartPosition } from "./position";
import { forgetPage } from "./remember";
import { RemoteGame } from "./remote";
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

const DRAWN = 3; // best placements on the board
const CAUGHT_UP_MS = 250; // of a game that an agent held up

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

/** One agent at its game, which a worker plays. */
class Pane {
  readonly element: HTMLElement;
  private readonly error = errorPlace();
  private readonly saving = saveButtons(() => this.saves(), this.error);
  private game: RemoteGame | undefined;
  private view: View | undefined;
  private thoughts: Thoughts | null = null;
  private behind = 0; // milliseconds that the worker has not been asked for,
  private owed = 0; // and lines that the other agent sent
  opponent: Pane | undefined; // that gets the lines which this agent sends
  private over = false;
  private turns = 0; // games that were begun or left
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
      h("div", { class: "beside" }, this.list, this.saving.element, continueButtons(() => this.view && positionOf(this.view.state), "watch"), this.error, this.text.element),
    );
  }

  /** Starts a game; false when it was left meanwhile. */
  async begin(agent: AgentInfo, rules: string, setup: Omit<GameSessionSetup, "agent" | "drop">): Promise<boolean> {
    this.leave();
    const turn = this.turns;
    const drop = rules === "drop" || (rules === "" && agent.drop_first);
    this.list.replaceChildren();
    this.over = false;
    this.thoughts = null;
    this.behind = this.owed = 0;
    this.locked = -1;
    this.name.textContent = `${agent.name}, rules ${drop ? "drop" : "guideline"}`;
    this.canvas.setAttribute("aria-label", `The field of ${agent.name}`);
    this.error.textContent = "";
    const game = await RemoteGame.open();
    if (turn !== this.turns) {
      game.end();
      return false;
    }
    this.game = game;
    const view = await game.ask("begin", { ...setup, agent: agent.name, drop });
    if (this.game !== game) return false;
    this.take(view);
    this.saving.enable(true);
    return true;
  }

  private saves(): { replay(): Promise<string>; fumen(): Promise<string> } | undefined {
    const game = this.game;
    return game && { replay: () => game.ask("replay"), fumen: () => game.ask("fumen") };
  }

  private take(view: View): void {
    this.view = view;
    this.over = view.state.end !== "running";
    if (this.opponent) this.opponent.owed += view.sent;
    if (view.thoughts === undefined) return;
    this.thoughts = view.thoughts;
    this.showThoughts(view.thoughts);
  }

  leave(): void {
    this.turns++;
    this.game?.end();
    this.game = this.view = undefined;
    this.saving.enable(false);
  }

  private ask(question: (game: RemoteGame) => Promise<View>): void {
    const game = this.game;
    if (!game || this.over || !this.view) return;
    question(game).then(
      (view) => {
        if (this.game === game) this.take(view);
      },
      (error: unknown) => {
        if (this.game === game) showError(this.error, error);
      },
    );
  }

  step(): void {
    this.ask((game) => game.ask("step"));
  }

  /** An agent that is slow makes time go slower and not the page. */
  advance(ms: number, speed: string): void {
    this.behind = Math.min(CAUGHT_UP_MS, this.behind + ms);
    if (!this.game?.idle()) return;
    const [behind, owed] = [this.behind, this.owed];
    this.behind = this.owed = 0;
    this.ask((game) => game.ask("run", behind, speed, owed, true));
  }

  isOver(): boolean {
    return this.over;
  }

  /** Of a match: lines sent and garbage that is coming. */
  attack(): string {
    const state = this.view?.state;
    return state ? `${state.attack} sent, ${state.waiting} coming` : "";
  }

  show(marked: boolean): void {
    const state: GameState | undefined = this.view?.state;
    if (!state) return;
    if (this.over && !this.name.textContent?.includes("game over")) this.name.textContent += ": game over";
    const marks = marked && this.thoughts ? this.thoughts.best.slice(0, DRAWN).map(({ cells, value }) => ({ cells, text: number(value) })) : undefined;
    drawBoard(this.canvas, { ...state, height: state.height + 1, goal: state.goal ?? undefined, ...(marks ? { marks } : {}) });
    drawPieces(this.hold, state.hold ?? "", 1, state.hold_used);
    drawPieces(this.next, state.next, 5);
    this.numbers.set(state);
    if (state.pieces !== this.locked) this.text.set(state.board, state.width);
    this.locked = state.pieces;
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
  private readonly best = choice([["", "in the list"], ["on", "on the board, too"]]);
  private readonly garbage = choice([["", "none"], ["on", "sent to the other"]]);
  private readonly seed = seedInput();
  private readonly position = new StartPosition(() => void this.begin());
  private readonly status = h("p", { class: "message", role: "status" });
  private readonly numbers = h("p", { class: "help" }); // of a match
  private readonly error = errorPlace();
  private readonly pauseButton = button("Pause", () => this.pause());
  private paused = false;
  private started = 0; // games; an older one that begins late is none
  private playing = false;
  private match = false; // with garbage
  private words = "";

  constructor(engine: Engine, place: HTMLElement) {
    this.agents = engine.agents();
    this.choices = [new Choice(this.agents, false, trained?.agent ?? "weighted"), new Choice(this.agents, true, "")];
    this.rules.value = trained?.rules ?? "";
    const [first, second] = this.choices;
    place.append(
      h(
        "div",
        { class: "controls" },
        button("Start", () => void this.begin(), { class: "primary" }),
        this.pauseButton,
        button("Step", () => this.step()),
        field("Agent", first.agent),
        field("Beside it", second.agent),
        field("Garbage", this.garbage),
        field("Rules", this.rules),
        field("Pieces", this.randomizer),
        field("Seed", this.seed),
        field("Speed", this.speed),
        field("Best placements", this.best),
      ),
      this.position.element,
      h("div", { class: "two" }, first.settings, second.settings),
      this.error,
      this.status,
      this.numbers,
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
    this.playing = false;
    this.numbers.hidden = this.garbage.value === "";
    const turn = ++this.started;
    try {
      const setups = this.choices.map((chosen) => ({ agent: chosen.info(), setup: chosen.setup() }));
      if (setups.some(({ agent }) => agent?.plans)) this.status.textContent = "An agent plans its whole game; this takes a moment …";
      this.match = this.garbage.value !== "";
      if (this.match && (setups.some(({ agent }) => !agent?.guideline || agent.plans) || this.rules.value === "drop"))
        throw new Error("Garbage needs two agents that play by the rules guideline, move by move.");
      const rules = this.match ? "guideline" : this.rules.value;
      this.panes.forEach((pane, i) => (pane.opponent = this.match ? this.panes[1 - i] : undefined));
      const begun = this.panes.map((pane, i) => {
        const { agent, setup } = setups[i] as (typeof setups)[number];
        pane.element.hidden = agent === undefined;
        if (!agent) pane.leave();
        return agent ? pane.begin(agent, rules, { ...setup, seed, uniform: this.randomizer.value === "uniform", position: this.position.value() }) : true;
      });
      await Promise.all(begun);
    } catch (error) {
      if (turn !== this.started) return;
      this.panes.forEach((pane) => pane.leave());
      this.status.textContent = "";
      showError(this.error, error);
      return;
    }
    if (turn !== this.started) return;
    this.words = `Seed ${seed}`;
    this.status.textContent = this.words;
    this.setPaused(false);
    this.playing = true;
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
    if (!this.playing) return;
    for (const pane of this.panes) {
      if (!this.paused) pane.advance(elapsed, this.speed.value);
      pane.show(this.best.value !== "");
    }
    if (this.match) this.score();
  }

  /** A match ends when one tops out. */
  private score(): void {
    const lost = this.panes.findIndex((pane) => pane.isOver());
    this.numbers.textContent = this.panes.map((pane, i) => `${this.choices[i as 0 | 1].agent.value}: ${pane.attack()}`).join("; ");
    if (lost < 0) return;
    this.playing = false;
    this.status.textContent = `${this.words}: ${this.choices[lost === 0 ? 1 : 0].agent.value} wins`;
    announce(this.status.textContent);
  }

  leave(): void {
    this.started++;
    this.playing = false;
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
