// experiments: the stores that were given, their runs, their plots, and two groups compared.

import { get, post } from "./api";
import { drawChart, type Chart, type ChartAxis, type Series } from "./chart";
import { announce, button, choice, errorPlace, field, h, number, showError } from "./dom";
import type { Page } from "./page";

interface StoreInfo {
  id: number;
  name: string;
  waiting: number;
  running: number;
  done: number;
  failed: number;
  seconds: number;
}

interface Run {
  number: number;
  grid: string;
  command: string;
  repeat: number;
  state: string;
  parameters: Record<string, string>;
  value: number | null;
  seconds: number;
  error: string | null;
}

interface Figure {
  name: string;
  title: string;
  caption: string;
  panels: { title: string; x: ChartAxis; y: ChartAxis; series: Series[] }[];
}

interface Comparison {
  measure: string;
  groups: { name: string; count: number; median: number; lower: number; upper: number; mean: number }[];
  p: number | null;
  a12: number | null;
  a12_word: string;
  wilcoxon_p: number | null;
  instances: number;
  left_out: number;
  better: string | null;
}

const ROWS = 200; // of the table
const LOOK_MS = 2000; // between two looks at the counts

function chance(p: number | null): string {
  if (p === null) return "not tested";
  return p < 0.001 ? "p < 0.001" : `p = ${p.toPrecision(2)}`;
}

/** All words of the filter are somewhere in the run: a state, a value, or key=value. */
function matches(run: Run, words: string[]): boolean {
  const facts = [String(run.number), run.grid, run.command, run.state, run.error ?? ""];
  for (const [key, value] of Object.entries(run.parameters)) facts.push(value, `${key}=${value}`);
  return words.every((word) => facts.some((fact) => (word.includes("=") ? fact === word : fact.toLowerCase().includes(word.toLowerCase()))));
}

class ExperimentsPage {
  private readonly store = choice([]);
  private readonly error = errorPlace();
  private readonly progress = h("progress", { "aria-label": "Runs that are done" });
  private readonly counts = h("p", { class: "message" });
  private readonly filter = h("input", { type: "search", placeholder: "done algorithm=ga", size: 30 });
  private readonly count = h("p", { class: "help", role: "status" });
  private readonly table = h("div", { class: "wide" });
  private readonly grid = choice([]);
  private readonly by = choice([]);
  private readonly first = choice([]);
  private readonly second = choice([]);
  private readonly verdict = h("div", { role: "status" });
  private readonly plots = h("div", { class: "plots" });
  private readonly body = h("div", { hidden: true });
  private charts: ReturnType<typeof drawChart>[] = [];
  private stores: StoreInfo[] = [];
  private runs: Run[] = [];
  private measure = "";
  private done = -1; // runs that were done when the runs were read
  private readonly timer: number;

  constructor(place: HTMLElement) {
    this.store.addEventListener("change", () => void this.change());
    this.filter.addEventListener("input", () => this.showRuns());
    this.grid.addEventListener("change", () => this.fillKeys());
    this.by.addEventListener("change", () => this.fillValues());
    this.body.append(
      h("div", { class: "controls" }, field("Store", this.store)),
      this.progress,
      this.counts,
      h("h3", {}, "Runs"),
      h("div", { class: "controls" }, field("Filter: words, or key=value", this.filter)),
      this.count,
      this.table,
      h("h3", {}, "Two groups compared"),
      h(
        "div",
        { class: "controls" },
        field("Grid", this.grid),
        field("By", this.by),
        field("First", this.first),
        field("Second", this.second),
        button("Compare", () => void this.compare()),
      ),
      this.verdict,
      h("h3", {}, "Plots"),
      button("Draw the plots of the report", () => void this.draw()),
      this.plots,
    );
    place.append(this.error, this.body);
    void this.look();
    this.timer = setInterval(() => void this.look(), LOOK_MS);
  }

  private index(): number {
    return Number(this.store.value || 0);
  }

  /** Counts, and the runs when more of them are done. */
  private async look(): Promise<void> {
    try {
      this.stores = await get<StoreInfo[]>("/api/stores");
      if (this.stores.length === 0) {
        showError(this.error, "No store was given. Start the program with --store sqlite:FILE to see experiments here.");
        return;
      }
      if (this.store.options.length === 0)
        for (const { id, name } of this.stores) this.store.append(h("option", { value: id }, name));
      this.body.hidden = false;
      const info = this.stores[this.index()];
      if (!info) return;
      const all = info.waiting + info.running + info.done + info.failed;
      this.progress.max = Math.max(1, all);
      this.progress.value = info.done + info.failed;
      this.counts.textContent = `${info.done} of ${all} runs done, ${info.running} running, ${info.waiting} waiting, ${info.failed} failed; ${number(info.seconds)} s of work`;
      if (info.done + info.failed !== this.done) await this.readRuns(info.done + info.failed);
      this.error.textContent = "";
    } catch (error) {
      showError(this.error, error);
    }
  }

  private async change(): Promise<void> {
    this.done = -1;
    this.verdict.replaceChildren();
    this.forgetPlots();
    await this.look();
  }

  private async readRuns(done: number): Promise<void> {
    this.done = done;
    const { measure, runs } = await get<{ measure: string; runs: Run[] }>(`/api/stores/${this.index()}/runs`);
    this.measure = measure;
    this.runs = runs;
    this.showRuns();
    this.fillGrids();
  }

  private showRuns(): void {
    const words = this.filter.value.split(/\s+/).filter((word) => word !== "");
    const found = this.runs.filter((run) => matches(run, words));
    const keys = [...new Set(found.flatMap((run) => Object.keys(run.parameters)))];
    this.count.textContent = `${found.length} of ${this.runs.length} runs${found.length > ROWS ? `, the first ${ROWS} are shown` : ""}`;
    const head = h("tr");
    for (const name of ["run", "grid", "state", ...keys, "repeat", this.measure, "seconds"]) head.append(h("th", { scope: "col" }, name));
    const body = h("tbody");
    for (const run of found.slice(0, ROWS)) {
      const row = h("tr", {}, h("td", {}, String(run.number)), h("td", {}, run.grid), h("td", {}, run.error ? `${run.state}: ${run.error}` : run.state));
      for (const key of keys) row.append(h("td", {}, run.parameters[key] ?? ""));
      row.append(h("td", {}, String(run.repeat)), h("td", {}, number(run.value)), h("td", {}, run.state === "done" ? number(run.seconds) : ""));
      body.append(row);
    }
    this.table.replaceChildren(h("table", {}, h("thead", {}, head), body));
  }

  /** Fills a list anew and keeps what was chosen where it is still there. */
  private fill(select: HTMLSelectElement, values: string[], otherwise = 0): void {
    const before = select.value;
    select.replaceChildren(...values.map((value) => h("option", { value }, value)));
    select.value = values.includes(before) ? before : (values[otherwise] ?? "");
  }

  private ofGrid(): Run[] {
    return this.runs.filter((run) => run.state === "done" && run.grid === this.grid.value);
  }

  private values(key: string): string[] {
    return [...new Set(this.ofGrid().map((run) => run.parameters[key]))].filter((value) => value !== undefined);
  }

  private fillGrids(): void {
    this.fill(this.grid, [...new Set(this.runs.map((run) => run.grid))]);
    this.fillKeys();
  }

  private fillKeys(): void {
    const keys = [...new Set(this.ofGrid().flatMap((run) => Object.keys(run.parameters)))];
    this.fill(this.by, keys.filter((key) => this.values(key).length > 1));
    this.fillValues();
  }

  private fillValues(): void {
    const values = this.values(this.by.value);
    this.fill(this.first, values);
    this.fill(this.second, values, 1);
    if (this.first.value === this.second.value) this.second.value = values.find((value) => value !== this.first.value) ?? "";
  }

  private async compare(): Promise<void> {
    this.verdict.replaceChildren();
    try {
      const found = await post<Comparison>(`/api/stores/${this.index()}/compare`, {
        grid: this.grid.value,
        by: this.by.value,
        first: this.first.value,
        second: this.second.value,
      });
      const body = h("tbody");
      for (const group of found.groups)
        body.append(
          h(
            "tr",
            {},
            h("th", { scope: "row" }, group.name),
            ...[group.count, group.median, group.lower, group.upper, group.mean].map((value) => h("td", {}, number(value))),
          ),
        );
      const head = h("tr");
      for (const name of [this.by.value, "runs", "median", "lower quartile", "upper quartile", "mean"]) head.append(h("th", { scope: "col" }, name));
      const sentence = `${found.better === null ? "The medians are equal" : `${found.better} has the better median`}. Mann-Whitney: ${chance(found.p)}, A12 = ${number(found.a12)} (${found.a12_word}). Wilcoxon over ${found.instances} instances: ${chance(found.wilcoxon_p)}.`;
      this.verdict.append(h("div", { class: "wide" }, h("table", {}, h("caption", {}, found.measure), h("thead", {}, head), body)), h("p", {}, sentence));
    } catch (error) {
      showError(this.verdict.appendChild(errorPlace()), error);
    }
  }

  private forgetPlots(): void {
    for (const chart of this.charts) chart.leave();
    this.charts = [];
    this.plots.replaceChildren();
  }

  private async draw(): Promise<void> {
    try {
      const figures = await get<Figure[]>(`/api/stores/${this.index()}/plots`);
      this.forgetPlots();
      for (const figure of figures)
        for (const panel of figure.panels) {
          const chart: Chart = { ...panel, title: panel.title ? `${figure.title}: ${panel.title}` : figure.title };
          const place = h("div", { role: "img", "aria-label": chart.title });
          this.plots.append(h("figure", {}, place, h("figcaption", {}, figure.caption)));
          this.charts.push(drawChart(place, chart, 280));
        }
      announce(`${this.charts.length} plots.`);
      if (figures.length === 0) this.plots.append(h("p", {}, "No run is done yet."));
    } catch (error) {
      showError(this.error, error);
    }
  }

  leave(): void {
    clearInterval(this.timer);
    this.forgetPlots();
  }
}

export const experiments: Page = {
  name: "experiments",
  title: "Experiments",
  show(place) {
    const page = new ExperimentsPage(place);
    return () => page.leave();
  },
};
