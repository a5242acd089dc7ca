// tunings: what `tune` found: the winner, the races, which parameters matter, and every configuration as a line through
// its values (parallel coordinates).

import { drawChart, type Chart, type Drawn } from "./chart";
import { h, number, style } from "./dom";
import type { Tuning } from "./runs";

const FAINT = 120; // configurations that are drawn besides the named ones

function text(value: string | number | undefined): string {
  return value === undefined ? "–" : typeof value === "number" ? number(value) : value;
}

function raceChart({ steps, measure }: Tuning, what: "alive" | "best_mean"): Chart {
  const races = [...new Set(steps.map(({ race }) => race))];
  return {
    title: what === "alive" ? "The races" : "",
    x: { title: "runs" },
    y: { title: what === "alive" ? "configurations left" : `mean ${measure} of the best` },
    series: races.map((race) => {
      const own = steps.filter((step) => step.race === race);
      const before = steps.filter((step) => step.race < race).at(-1)?.runs ?? 0;
      const start = what === "alive" ? [{ runs: before, alive: own[0]?.started ?? 0, best_mean: 0 }] : [];
      const all = [...start, ...own];
      return { name: `race ${race}`, mark: what === "alive" ? "steps" : "line", x: all.map(({ runs }) => runs), y: all.map((step) => step[what]) };
    }),
  };
}

function importanceChart({ parameters, importance = [] }: Tuning): Chart {
  const order = parameters.map((_, i) => i).sort((a, b) => (importance[b] ?? 0) - (importance[a] ?? 0));
  return {
    title: "Which parameters matter",
    x: { title: "parameter", words: order.map((i) => parameters[i]?.name ?? "") },
    y: { title: "share of the variance, %" },
    series: [{ name: "importance", mark: "bars", x: order.map((_, k) => k), y: order.map((i) => 100 * (importance[i] ?? 0)) }],
  };
}

/** The value at a place of a parameter's axis. */
function valueAt(parameter: Tuning["parameters"][number], unit: number): string {
  const { low = 0, high = 1, log, words } = parameter;
  if (words) return words[Math.round(unit * (words.length - 1))] ?? "";
  return number(log ? low * (high / low) ** unit : low + (high - low) * unit);
}

/** A line per configuration through the places of its parameters; the last axis is the measure. */
class Coordinates {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "coordinates", role: "img" });
  private readonly words = h("p", { class: "help" }, "Blue: the winner. Orange: the defaults. Light blue: other elites. Move the mouse over a line for its values.");
  private readonly again = (): void => this.draw();
  private readonly observer = new ResizeObserver(() => {
    if (this.drawn !== this.size().wide) this.draw();
  });
  private drawn = 0; // pixels, its width
  private readonly range: [number, number];

  constructor(private readonly tuning: Tuning) {
    const means = tuning.configurations.map(({ mean }) => mean).filter((mean): mean is number => mean !== null).sort((a, b) => a - b);
    this.range = [means[Math.floor(means.length * 0.1)] ?? 0, means.at(-1) ?? 1];
    this.canvas.setAttribute("aria-label", `Parallel coordinates of ${tuning.configurations.length} configurations`);
    this.element = h(
      "figure",
      {},
      h("h4", {}, "All configurations"),
      h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Parallel coordinates" }, this.canvas),
      this.words,
      h("figcaption", {}, "A line per configuration; faint ones were dropped. A gap is a parameter that another one makes inactive. The last axis is the mean of the measure (the lowest tenth is at its foot); elites, the defaults and the winner are in colour."),
    );
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    window.addEventListener("resize", this.again);
    this.observer.observe(this.element);
  }

  private unit(mean: number | null): number | null {
    const [low, high] = this.range;
    return mean === null ? null : Math.max(0, Math.min(1, (mean - low) / (high - low || 1)));
  }

  private axes(): number {
    return this.tuning.parameters.length + 1;
  }

  private size(): { wide: number; high: number; left: (axis: number) => number; top: (unit: number) => number } {
    const wide = Math.max(this.element.clientWidth, 70 * this.axes());
    const high = 300;
    return { wide, high, left: (axis) => 40 + ((wide - 80) * axis) / (this.axes() - 1), top: (unit) => high - 64 - (high - 96) * unit };
  }

  draw(): void {
    const { wide, high, left, top } = this.size();
    const ratio = window.devicePixelRatio || 1;
    this.drawn = wide;
    this.canvas.style.width = `${wide}px`;
    [this.canvas.width, this.canvas.height] = [wide * ratio, high * ratio];
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.scale(ratio, ratio);
    const { configurations, winner, parameters, measure } = this.tuning;
    const named = (id: number, elite: boolean): boolean => elite || id === 0 || id === winner.id;
    const every = Math.ceil(configurations.length / FAINT);
    const line = (units: (number | null)[], colour: string, width: number, alpha: number): void => {
      context.beginPath();
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.globalAlpha = alpha;
      let open = false;
      units.forEach((unit, axis) => {
        if (unit === null) open = false;
        else if (open) context.lineTo(left(axis), top(unit));
        else context.moveTo(left(axis), top(unit));
        open = unit !== null;
      });
      context.stroke();
      context.globalAlpha = 1;
    };
    configurations.forEach(({ id, elite, units, mean }, i) => {
      if (!named(id, elite) && i % every === 0) line([...units, this.unit(mean)], style("--ghost"), 1, 0.35);
    });
    configurations.forEach(({ id, elite, units, mean }) => {
      if (named(id, elite) && id !== 0 && id !== winner.id) line([...units, this.unit(mean)], style("--s5"), 1.5, 0.9);
    });
    for (const { id, units, mean } of configurations) if (id === 0 || id === winner.id) line([...units, this.unit(mean)], style(id === 0 && winner.id !== 0 ? "--s1" : "--s0"), 3, 1);
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.strokeStyle = style("--soft");
    context.lineWidth = 1;
    for (let axis = 0; axis < this.axes(); axis++) {
      const parameter = parameters[axis];
      context.beginPath();
      context.moveTo(left(axis), top(0));
      context.lineTo(left(axis), top(1));
      context.stroke();
      context.fillStyle = style("--soft");
      context.fillText(parameter ? valueAt(parameter, 1) : number(this.range[1]), left(axis), top(1) - 8);
      context.fillText(parameter ? valueAt(parameter, 0) : number(this.range[0]), left(axis), top(0) + 16);
      context.fillStyle = style("--text");
      context.fillText((parameter?.name ?? measure).slice(0, 13), left(axis), top(0) + (axis % 2 ? 48 : 33));
    }
  }

  /** The configuration whose line is nearest to the pointer. */
  private point(event: PointerEvent): void {
    const { left, top } = this.size();
    const place = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - place.left, event.clientY - place.top];
    const axis = Math.max(0, Math.min(this.axes() - 2, Math.floor(((x - left(0)) * (this.axes() - 1)) / (left(this.axes() - 1) - left(0)))));
    const share = (x - left(axis)) / (left(axis + 1) - left(axis));
    let [best, nearest] = [12, undefined as Tuning["configurations"][number] | undefined];
    for (const one of this.tuning.configurations) {
      const units = [...one.units, this.unit(one.mean)];
      const [from, to] = [units[axis] ?? null, units[axis + 1] ?? null];
      if (from === null || to === null) continue;
      const far = Math.abs(top(from + (to - from) * share) - y);
      if (far < best) [best, nearest] = [far, one];
    }
    if (!nearest) return;
    const values = Object.entries(nearest.values).map(([name, value]) => `${name} ${text(value)}`);
    this.words.textContent = `Number ${nearest.id}, mean ${number(nearest.mean)}: ${values.join(", ")}`;
  }

  leave(): void {
    window.removeEventListener("resize", this.again);
    this.observer.disconnect();
  }
}

/** The section of a tuning; to be left when it is not needed any more. */
export function tuningView(tuning: Tuning): { element: HTMLElement; leave(): void } {
  const { winner, parameters, importance = [], ablation = [], measure } = tuning;
  const body = h("tbody");
  parameters.forEach(({ name, default: before }, i) => {
    const share = importance[i];
    const gain = ablation.find(({ parameter }) => parameter === name)?.gain;
    body.append(h("tr", {}, h("th", { scope: "row" }, name), ...[text(before), text(winner.values[name]), share === undefined ? "–" : `${(100 * share).toFixed(1)} %`, number(gain)].map((cell) => h("td", {}, cell))));
  });
  const head = h("tr", {}, ...["parameter", "default", "winner", "importance", "gain"].map((name) => h("th", { scope: "col" }, name)));
  const coordinates = new Coordinates(tuning);
  const charts: Drawn[] = [];
  const plots = h("div", { class: "plots" });
  const add = (chart: Chart): void => {
    const place = h("div", { role: "group", "aria-label": chart.title || chart.y.title });
    plots.append(h("figure", {}, place));
    charts.push(drawChart(place, chart, 260));
  };
  const element = h(
    "section",
    { class: "tuning", "aria-label": `The tuning ${tuning.tuning}` },
    h("h4", {}, `${tuning.tuning}: ${tuning.command}`),
    h(
      "p",
      {},
      `${tuning.races} races with ${number(tuning.runs)} runs over ${parameters.length} parameters, then ${number(tuning.held_out_runs)} runs on ${tuning.held_out_instances} held-out instances. The mean ${measure} of the winner there is ${number(winner.mean)}, that of the defaults ${number(winner.default_mean)}${winner.p === null ? "" : ` (Wilcoxon p = ${winner.p.toPrecision(2)})`}.`,
    ),
    h("div", { class: "wide" }, h("table", {}, h("caption", {}, "The winner"), h("thead", {}, head), body)),
    coordinates.element,
    plots,
  );
  if (importance.length === parameters.length) add(importanceChart(tuning));
  if (tuning.steps.length > 0) for (const what of ["alive", "best_mean"] as const) add(raceChart(tuning, what));
  return {
    element,
    leave() {
      coordinates.leave();
      for (const chart of charts) chart.leave();
    },
  };
}
