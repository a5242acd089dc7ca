// solve: searches for the best placements of a piece sequence, with live progress.

import { get, untilLoaded, type About, type Algorithm, type Frame, type Parameter, type SolveJob, type SolveState } from "./api";
import { boardCanvas, drawBoard } from "./board";
import { drawChart, type Chart } from "./chart";
import { announce, button, choice, counted, enable, errorPlace, field, h, number, showError } from "./dom";
import { Editor } from "./editor";
import { engine, newSeed, seedInput } from "./engine";
import { checked, ParameterForm } from "./form";
import { RunningJob } from "./job";
import { jobPage } from "./page";
import { Review } from "./review";
import { fumenButton } from "./save";
import { rowsOf } from "./stepper";

const letters = "IOTSZJL";
const TELL_MS = 5000; // between two announcements for screen readers

function curve(points: [number, number, number][]): Chart {
  return {
    title: "",
    x: { title: "evaluations" },
    y: { title: "fitness" },
    series: [
      { name: "best", mark: "steps", x: points.map((point) => point[0]), y: points.map((point) => point[1]) },
      { name: "current", mark: "dots", x: points.map((point) => point[0]), y: points.map((point) => point[2]) },
    ],
  };
}

class SolvePage {
  private readonly pieces = h("input", { type: "text", spellcheck: false, autocomplete: "off", value: "TOZLIJSTOZLIJS", size: 30 });
  private readonly count = h("input", { type: "number", min: 1, max: 1000, value: 20, required: true });
  private readonly placements = h("input", { type: "number", min: 1, max: 1000, placeholder: "all" });
  private drawn = ""; // the number to place that came with random pieces
  private readonly width = h("input", { type: "number", min: 4, max: 16, value: 10, required: true });
  private readonly height = h("input", { type: "number", min: 4, max: 40, value: 20, required: true });
  private readonly encoding = choice([]);
  private readonly algorithm = choice([]);
  private readonly seconds = h("input", { type: "number", min: 0.1, max: 3600, step: "any", value: 5 });
  private readonly seed = seedInput();
  private readonly evaluations = h("input", { type: "number", min: 0, step: 1, placeholder: "no limit" });
  private readonly target = h("input", { type: "number", step: "any", placeholder: "none" });
  private readonly profile = choice([]);
  private readonly hold = choice([["on", "on"], ["off", "off"]]);
  private readonly holdField = field("Hold", this.hold);
  private readonly about = h("p", { class: "help" });
  private readonly form = new ParameterForm();
  private algorithms: Algorithm[] = [];
  private told = 0; // when the best was last announced
  private readonly editor = new Editor(10, 20, h("div", { class: "controls" }, field("Width", this.width), field("Height", this.height)));
  private readonly error = errorPlace();
  private readonly startButton = button("Start", () => void this.start(), { class: "primary", disabled: true });
  private readonly stopButton = button("Stop", () => void this.stop(), { disabled: true });
  private readonly numbers = h("p", { class: "message" });
  private readonly heading = h("h3");
  private readonly best = boardCanvas("The best board so far");
  private readonly chartPlace = h("div", { class: "chart", role: "group", "aria-label": "Fitness over evaluations" });
  private readonly live = h("section", { class: "live", hidden: true, "aria-label": "The search" });
  private readonly result = h("section", { class: "result", hidden: true, "aria-label": "The answer" });
  private points: [number, number, number][] = [];
  private chart: ReturnType<typeof drawChart> | undefined;
  private steps: Review | undefined;
  private readonly job = new RunningJob<SolveState>("solve", (state) => this.onState(state), (why) => this.lose(why));
  private left = false;
  private state: SolveState | undefined;

  constructor(place: HTMLElement) {
    const palette = h("div", { class: "palette", role: "group", "aria-label": "Add a piece" });
    for (const letter of letters)
      palette.append(button(letter, () => this.typePieces(this.pieces.value + letter), { class: `piece-${letter}`, "aria-label": `Add ${letter}` }));
    palette.append(button("⌫", () => this.typePieces(this.pieces.value.slice(0, -1)), { "aria-label": "Take the last piece away" }));
    this.pieces.addEventListener("input", () => this.typePieces(this.pieces.value));
    const resize = (): void => {
      if (!this.width.checkValidity() || !this.height.checkValidity()) return; // the program says why at the start
      this.editor.resize(Number(this.width.value), Number(this.height.value));
    };
    this.width.addEventListener("change", resize);
    this.height.addEventListener("change", resize);
    this.live.append(this.heading, this.numbers, h("div", { class: "split" }, this.best, this.chartPlace));
    this.algorithm.addEventListener("change", () => this.fillParameters());
    this.encoding.addEventListener("change", () => this.fillParameters());
    this.pieces.classList.add("letters");
    place.append(
      h(
        "div",
        { class: "controls" },
        this.startButton,
        this.stopButton,
        field("Algorithm", this.algorithm),
        field("Encoding", this.encoding),
        field("Seconds", this.seconds),
        field("Seed", this.seed),
      ),
      h("div", { class: "controls" }, field("Pieces", this.pieces), palette),
      h(
        "div",
        { class: "controls" },
        field("Number to draw", this.count),
        button("Random pieces", () => void this.draw()),
        field("Number to place", this.placements),
      ),
      h(
        "details",
        { class: "settings" },
        h("summary", {}, "Settings of the search"),
        h(
          "div",
          { class: "controls" },
          field("Profile", this.profile),
          field("End at fitness", this.target),
          field("Evaluations", this.evaluations),
          this.holdField,
        ),
        this.about,
        this.form.element,
      ),
      this.error,
      h(
        "details",
        { class: "settings", toggle: () => this.editor.draw() },
        h("summary", {}, "The board at the start"),
        this.editor.element,
      ),
      this.live,
      this.result,
    );
    void this.fill();
  }

  private async fill(): Promise<void> {
    const about = await untilLoaded(() => get<About>("/api/about"), (error) => showError(this.error, error), () => !this.left);
    if (!about) return;
    this.error.textContent = "";
    for (const name of about.encodings) this.encoding.append(h("option", { value: name, selected: name === "swap-double" }, name));
    this.algorithms = about.algorithms;
    for (const { name, summary } of about.algorithms) this.algorithm.append(h("option", { value: name, title: summary }, name));
    for (const name of about.profiles) this.profile.append(h("option", { value: name }, name));
    const rows = about.jobs.find(({ name }) => name === "solve")?.options ?? [];
    const limit = (name: string, ...inputs: HTMLInputElement[]): void => {
      const row: Parameter | undefined = rows.find((one) => one.name === name);
      for (const input of row ? inputs : []) [input.min, input.max] = [String(row?.min ?? ""), String(row?.max ?? "")];
    };
    limit("placements", this.placements, this.count);
    limit("width", this.width);
    limit("height", this.height);
    limit("time", this.seconds);
    limit("seed", this.seed);
    limit("evaluations", this.evaluations);
    this.fillParameters();
    enable(this.startButton, true);
  }

  /** What goes with the algorithm and the encoding. */
  private fillParameters(): void {
    const chosen = this.algorithms.find((one) => one.name === this.algorithm.value);
    if (!chosen) return;
    for (const option of this.encoding.options) option.disabled = option.value === "placements" && !chosen.placements;
    if (this.encoding.selectedOptions[0]?.disabled) this.encoding.value = "swap-double";
    this.holdField.hidden = this.encoding.value !== "placements";
    const about = `${chosen.name}: ${chosen.summary}.`;
    if (this.about.textContent === about) return;
    this.about.textContent = about;
    this.form.set(chosen.parameters);
  }

  /** Whole bags, one piece more than is placed, so that hold has something to hold. */
  private async draw(): Promise<void> {
    this.error.textContent = "";
    try {
      const count = checked("placements", this.count);
      const loaded = await engine();
      this.pieces.value = loaded.pieces(newSeed(), Math.ceil((Number(count) + 1) / letters.length) * letters.length);
      this.placements.value = this.drawn = count;
    } catch (error) {
      showError(this.error, error);
    }
  }

  /** The number that came with random pieces is not meant for others. */
  private typePieces(text: string): void {
    this.pieces.value = text;
    if (this.placements.value === this.drawn) this.placements.value = "";
    this.drawn = "";
  }

  private request(): object {
    const optional = (name: string, input: HTMLInputElement): object => {
      const value = checked(name, input);
      return value === "" ? {} : { [name]: Number(value) };
    };
    return {
      pieces: this.pieces.value.toUpperCase(),
      width: Number(checked("width", this.width)),
      height: Number(checked("height", this.height)),
      board: this.editor.rows(),
      encoding: this.encoding.value,
      algorithm: this.algorithm.value,
      ...optional("time", this.seconds),
      profile: this.profile.value,
      parameters: this.form.values(),
      ...optional("placements", this.placements),
      ...optional("seed", this.seed),
      ...optional("evaluations", this.evaluations),
      ...optional("target", this.target),
      ...(this.encoding.value === "placements" ? { hold: this.hold.value === "on" } : {}),
    };
  }

  private async start(): Promise<void> {
    this.error.textContent = "";
    this.forget();
    enable(this.startButton, false); // at once: a second click would begin a second search
    try {
      if (!(await this.job.start(this.request()))) return; // the page was left meanwhile
    } catch (error) {
      enable(this.startButton, true);
      showError(this.error, error);
      return;
    }
    this.live.hidden = this.best.hidden = false;
    this.heading.textContent = "Best so far";
    enable(this.stopButton, true);
    this.numbers.textContent = "Searching …";
    this.told = performance.now();
    announce("The search has begun.");
  }

  private async stop(): Promise<void> {
    try {
      await this.job.stop();
    } catch (error) {
      showError(this.error, error);
    }
  }

  private onState(state: SolveState): void {
    this.state = state;
    if (state.best !== null && state.state === "running") this.points.push([state.evaluations, state.best, state.current ?? state.best]);
    // A long search does not make a long list.
    if (this.points.length > 2000) this.points = this.points.filter((_, i) => i % 2 === 0);
    this.drawLive();
    if (state.state === "running") {
      this.tell(state);
      return;
    }
    enable(this.startButton, true);
    enable(this.stopButton, false);
    if (state.error) showError(this.error, state.error);
    else this.showAnswer().catch((error: unknown) => showError(this.error, error));
  }

  /** Not every state: a screen reader would say nothing else. */
  private tell(state: SolveState): void {
    if (state.best === null || performance.now() - this.told < TELL_MS) return;
    this.told = performance.now();
    announce(`Best fitness ${number(state.best)} after ${number(state.evaluations)} evaluations.`);
  }

  /** The program has gone, or has dropped the search. */
  private lose(why: unknown): void {
    enable(this.startButton, true);
    enable(this.stopButton, false);
    this.numbers.textContent = `${this.numbers.textContent ?? ""} (lost)`;
    showError(this.error, why);
  }

  abandon(): void {
    this.job.abandon();
  }

  private drawLive(): void {
    const state = this.state;
    if (!state || this.live.hidden) return;
    this.numbers.textContent = `Fitness ${number(state.best)}, ${number(state.evaluations)} evaluations in ${state.seconds.toFixed(1)} s, ${number(Math.round(state.rate))} a second${(state.threads ?? 1) > 1 ? `, on ${state.threads} threads` : ""}`;
    const board = state.board ?? [];
    drawBoard(this.best, { width: state.width, height: Math.max(8, Math.min(state.height, board.length + 2)), board });
    if (this.chart) this.chart.set(curve(this.points));
    else if (this.points.length > 0) this.chart = drawChart(this.chartPlace, curve(this.points), 240);
  }

  private async showAnswer(): Promise<void> {
    const job = await this.job.answer<SolveJob>();
    if (!job?.answer || !job.frames) return;
    const answer = job.answer;
    const { frames, start = [], width, height, pieces, held, holds } = job;
    const agents = engine().then((loaded) => loaded.agents());
    frames.forEach((frame, i) => (frame.keys = answer.moves[i]?.keys ?? []));
    this.points = job.curve;
    this.heading.textContent = "The search";
    this.best.hidden = true; // the answer is that board
    this.drawLive();
    const rows = h("tbody");
    for (const [name, value] of Object.entries(answer.features))
      rows.append(h("tr", {}, h("th", { scope: "row" }, name.replaceAll("_", " ")), h("td", {}, number(value))));
    const features = h("table", {}, h("caption", {}, "The final board"), rows);
    this.steps = new Review({ width, height, start, pieces, held, holds, count: frames.length, rows: rowsOf(start, frames), frame: (i) => frames[i] as Frame }, agents, "solve", features);
    const verdict = answer.perfect_clear ? " (a perfect clear)" : answer.optimal ? " (proved to be the best)" : "";
    this.result.replaceChildren(
      h("h3", {}, "The answer"),
      h("p", {}, `Fitness ${number(answer.fitness)}${verdict}, ${counted(answer.lines, "line")} cleared, ${counted(answer.placed, "piece")} placed, seed ${answer.seed}`),
      h(
        "div",
        { class: "controls" },
        fumenButton(answer.fumen, job.width),
        button("Download SVG", () => void this.job.save("/svg", "tetropt.svg", "image/svg+xml", this.error)),
        button("Download replay", () => void this.job.save("/replay", "tetropt-replay.json", "application/json", this.error)),
      ),
      this.steps.element,
    );
    this.result.hidden = false;
    announce(`Done: fitness ${number(answer.fitness)}.`);
  }

  private forget(): void {
    this.job.forget();
    this.steps?.leave();
    this.steps = undefined;
    this.chart?.leave();
    this.chart = undefined;
    this.points = [];
    this.state = undefined;
    this.result.hidden = true;
    this.result.replaceChildren();
  }

  leave(): void {
    this.left = true;
    this.forget();
  }
}

export const solve = jobPage("solve", "Solve", (place) => new SolvePage(place));
