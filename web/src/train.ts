// train: finds the weights of an agent on the server, with live progress.

import { get, untilLoaded, type About, type Parameter, type TrainAnswer, type TrainJob, type TrainState } from "./api";
import { drawChart, type Chart } from "./chart";
import { announce, button, counted, enable, errorPlace, h, number, showError } from "./dom";
import { ParameterForm } from "./form";
import { RunningJob } from "./job";
import { jobPage } from "./page";
import { watchWeights } from "./watch";

/** The options that are always shown; the others are under "Further options". */
const first = ["method", "agent", "features", "generations", "games", "max-pieces", "time", "seed"];
/** Options that the form does not offer: files of the command line, and what other fields set. */
const left = ["resume"];
const TELL_MS = 5000; // between two announcements for screen readers

function curve(points: [number, number, number][]): Chart {
  const x = points.map((point) => point[0]);
  return {
    title: "",
    x: { title: "generations" },
    y: { title: "score" },
    series: [
      { name: "best", mark: "line", x, y: points.map((point) => point[1]) },
      { name: "mean", mark: "line", x, y: points.map((point) => point[2]) },
    ],
  };
}

/** The score on games that training never saw: those of the candidates are biased by the choice. */
function heldOut({ training: { held_out } }: TrainAnswer): string {
  if (!held_out) return "Stopped before the held-out games, so there is no unbiased score.";
  const interval = held_out.ci95 ? ` (95 % interval ${number(held_out.ci95[0])} to ${number(held_out.ci95[1])})` : "";
  return `Held-out ${held_out.measure}: ${number(held_out.mean)}${interval}, mean of ${counted(held_out.games, "game")} that training never saw.`;
}

class TrainPage {
  private readonly form = new ParameterForm();
  private readonly about = h("p", { class: "help" });
  private readonly method = new ParameterForm();
  private readonly further = new ParameterForm();
  private readonly error = errorPlace();
  private readonly startButton = button("Start", () => void this.start(), { class: "primary", disabled: true });
  private readonly stopButton = button("Stop", () => void this.stop(), { disabled: true });
  private readonly numbers = h("p", { class: "message" });
  private readonly chartPlace = h("div", { class: "chart", role: "group", "aria-label": "Score over generations" });
  private readonly live = h("section", { class: "live", hidden: true, "aria-label": "Training" }, h("h3", {}, "Progress"), this.numbers, this.chartPlace);
  private readonly result = h("section", { class: "result", hidden: true, "aria-label": "Result" });
  private readonly job = new RunningJob<TrainState>("train", (state) => this.onState(state), (why) => this.lose(why));
  private left = false;
  private known: About | undefined;
  private points: [number, number, number][] = [];
  private chart: ReturnType<typeof drawChart> | undefined;
  private told = 0; // when the progress was last announced

  constructor(place: HTMLElement) {
    place.append(
      h("div", { class: "controls" }, this.startButton, this.stopButton),
      this.form.element,
      h("details", { class: "settings" }, h("summary", {}, "Parameters of the method"), this.about, this.method.element),
      h("details", { class: "settings" }, h("summary", {}, "Further options"), this.further.element),
      this.error,
      this.live,
      this.result,
    );
    void this.fill();
  }

  private async fill(): Promise<void> {
    const known = await untilLoaded(() => get<About>("/api/about"), (error) => showError(this.error, error), () => !this.left);
    if (!known) return;
    this.error.textContent = "";
    this.known = known;
    const options = (known.jobs.find(({ name }) => name === "train")?.options ?? []).filter(({ name, kind }) => kind !== "list" && !left.includes(name));
    const features = known.features.map(({ name }) => name);
    const rows = options.map((row): Parameter => (row.name === "features" ? { ...row, choices: features } : row));
    this.form.set(first.flatMap((name) => rows.find((row) => row.name === name) ?? []));
    this.further.set(rows.filter(({ name }) => !first.includes(name)));
    this.form.control("method")?.addEventListener("change", () => this.fillMethod());
    this.fillMethod();
    enable(this.startButton, true);
  }

  private fillMethod(): void {
    const chosen = this.known?.methods.find(({ name }) => name === this.form.control("method")?.value);
    if (!chosen) return;
    this.about.textContent = `${chosen.name}: ${chosen.summary} (${counted(chosen.games, "game")} per candidate).`;
    this.method.set(chosen.parameters);
  }

  private async start(): Promise<void> {
    this.error.textContent = "";
    this.forget();
    enable(this.startButton, false); // at once: a second click would start a second training
    try {
      const request = { ...this.form.values(), ...this.further.values(), param: this.method.values() };
      if (!(await this.job.start(request))) return; // the page was left meanwhile
    } catch (error) {
      enable(this.startButton, true);
      showError(this.error, error);
      return;
    }
    this.live.hidden = false;
    enable(this.stopButton, true);
    this.numbers.textContent = "The first generation is playing …";
    this.told = performance.now();
    announce("The training has begun.");
  }

  private async stop(): Promise<void> {
    try {
      await this.job.stop();
    } catch (error) {
      showError(this.error, error);
    }
  }

  private onState(state: TrainState): void {
    const known = state.best !== null && state.generation > 0;
    if (known) this.numbers.textContent = `Generation ${state.generation} of ${state.total}: best ${number(state.best)}, mean ${number(state.current)}, ${state.seconds.toFixed(1)} s`;
    if (known && this.points.at(-1)?.[0] !== state.generation) this.points.push([state.generation, state.best ?? 0, state.current ?? 0]);
    // A long training does not make a long list.
    if (this.points.length > 2000) this.points = this.points.filter((_, i) => i % 2 === 0);
    this.draw();
    if (state.state === "running") {
      if (!known || performance.now() - this.told < TELL_MS) return;
      this.told = performance.now();
      announce(this.numbers.textContent ?? "");
      return;
    }
    enable(this.startButton, true);
    enable(this.stopButton, false);
    if (state.error) showError(this.error, state.error);
    else this.showAnswer().catch((error: unknown) => showError(this.error, error));
  }

  private draw(): void {
    if (this.chart) this.chart.set(curve(this.points));
    else if (this.points.length > 0) this.chart = drawChart(this.chartPlace, curve(this.points), 240);
  }

  private async showAnswer(): Promise<void> {
    const job = await this.job.answer<TrainJob>();
    if (!job?.answer) return;
    const answer = job.answer;
    this.points = job.curve;
    this.draw();
    if (this.points.length === 0) this.numbers.textContent = "Stopped during the first generation.";
    const names = this.known?.features.find(({ name }) => name === answer.features)?.weights ?? [];
    const rows = h("tbody");
    answer.weights.forEach((weight, i) => rows.append(h("tr", {}, h("th", { scope: "row" }, (names[i] ?? String(i)).replaceAll("_", " ")), h("td", {}, number(weight)))));
    const { agent, rules } = answer.training.settings;
    const watch = (): void => {
      watchWeights({ agent, rules, weights: JSON.stringify({ features: answer.features, weights: answer.weights }) });
      location.hash = "#watch";
    };
    const words = heldOut(answer);
    this.result.replaceChildren(
      h("h3", {}, "Result"),
      h("p", {}, words),
      h(
        "div",
        { class: "controls" },
        button("Save weights", () => void this.job.save("/answer", "tetropt.json", "application/json", this.error)),
        ...(agent ? [button("Watch this agent", watch)] : []), // there is none where a profile was trained
      ),
      h("div", { class: "wide" }, h("table", {}, h("caption", {}, `Weights of the features ${answer.features}`), rows)),
    );
    this.result.hidden = false;
    announce(`Done. ${words}`);
  }

  /** The program has gone, or has dropped the training. */
  private lose(why: unknown): void {
    enable(this.startButton, true);
    enable(this.stopButton, false);
    this.numbers.textContent = `${this.numbers.textContent ?? ""} (lost)`;
    showError(this.error, why);
  }

  private forget(): void {
    this.job.forget();
    this.chart?.leave();
    this.chart = undefined;
    this.points = [];
    this.result.hidden = true;
    this.result.replaceChildren();
  }

  abandon(): void {
    this.job.abandon();
  }

  leave(): void {
    this.left = true;
    this.forget();
  }
}

export const train = jobPage("train", "Train", (place) => new TrainPage(place));
