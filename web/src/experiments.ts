// experiments: the stores that were given, their runs, their plots, and two groups compared.

import { get, post } from "./api";
import { chartTable, drawChart, type Chart } from "./chart";
import { announce, button, choice, enable, errorPlace, field, h, number, showError } from "./dom";
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
  panels?: Chart[];
  svg?: string; // of one that is no plot
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

interface RunList {
  measure: string;
  total: number;
  found: number;
  first: number;
  keys: string[]; // in which they differ
  same: Record<string, string>;
  runs: Run[];
  grids: { name: string; keys: { name: string; values: string[] }[] }[];
}

const ROWS = 100; // of the table at a time
const LOOK_MS = 2000; // between two looks at the counts
const TYPE_MS = 250; // after the last key before the filter is asked for

function chance(p: number | null): string {
  if (p === null) return "not tested";
  return p < 0.001 ? "p < 0.001" : `p = ${p.toPrecision(2)}`;
}

class ExperimentsPage {
  private readonly store = choice([]);
  private readonly error = errorPlace();
  private readonly progress = h("progress", { "aria-label": "Runs that are done" });
  private readonly counts = h("p", { class: "message" });
  private readonly back = button("◀ Back", () => this.turn(-ROWS), { disabled: true });
  private readonly forward = button("Forward ▶", () => this.turn(ROWS), { disabled: true });
  private readonly filter = h("input", { type: "search", placeholder: "done algorithm=ga", size: 30 });
  private readonly count = h("p", { class: "help", role: "status" });
  private readonly same = h("p", { class: "help" });
  private readonly table = h("div", { class: "wide box", tabindex: 0, role: "region", "aria-label": "Runs" });
  private readonly grid = choice([]);
  private readonly by = choice([]);
  private readonly one = choice([]);
  private readonly other = choice([]);
  private readonly compareButton = button("Compare", () => void this.compare(), { disabled: true });
  private readonly verdict = h("div", { role: "status" });
  private readonly drawButton = button("Draw the plots of the report", () => void this.draw());
  private readonly plots = h("div", { class: "plots" });
  private readonly body = h("div", { hidden: true });
  private charts: ReturnType<typeof drawChart>[] = [];
  private stores: StoreInfo[] = [];
  private grids: RunList["grids"] = [];
  private first = 0; // row that is shown
  private seen = ""; // the counts when the runs were asked for
  private asked = 0; // questions, so that an old answer does not replace a new one
  private typed: number | undefined;
  private readonly timer: number;

  constructor(place: HTMLElement) {
    this.store.addEventListener("change", () => void this.change());
    this.filter.addEventListener("input", () => {
      clearTimeout(this.typed);
      this.typed = setTimeout(() => this.turn(-this.first), TYPE_MS);
    });
    this.grid.addEventListener("change", () => this.fillKeys());
    this.by.addEventListener("change", () => this.fillValues());
    this.body.append(
      h("div", { class: "controls" }, field("Store", this.store)),
      this.progress,
      this.counts,
      h("h3", {}, "Runs"),
      h("div", { class: "controls" }, field("Filter: words, or key=value", this.filter)),
      this.count,
      this.same,
      this.table,
      h("div", { class: "controls turn" }, this.back, this.forward),
      h("h3", {}, "Two groups compared"),
      h(
        "div",
        { class: "controls" },
        field("Grid", this.grid),
        field("By", this.by),
        field("First", this.one),
        field("Second", this.other),
        this.compareButton,
      ),
      this.verdict,
      h("h3", {}, "Plots"),
      h("div", { class: "controls" }, this.drawButton),
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
      this.body.hidden = this.stores.length === 0;
      if (this.stores.length === 0) {
        showError(this.error, "No store was given. Start the program with --store sqlite:FILE to see experiments here.");
        return;
      }
      const names = this.stores.map(({ name }) => name);
      // Others after a restart of the program.
      if (names.join("\n") !== [...this.store.options].map((option) => option.text).join("\n")) {
        this.store.replaceChildren(...this.stores.map(({ id, name }) => h("option", { value: id }, name)));
        this.seen = "";
      }
      const info = this.stores[this.index()];
      if (!info) return;
      const all = info.waiting + info.running + info.done + info.failed;
      this.progress.max = Math.max(1, all);
      this.progress.value = info.done + info.failed;
      this.counts.textContent = `${info.done} of ${all} runs done, ${info.running} running, ${info.waiting} waiting, ${info.failed} failed; ${number(info.seconds)} s of work`;
      const now = `${info.waiting} ${info.running} ${info.done} ${info.failed}`;
      if (now === this.seen) return;
      this.seen = now;
      await this.readRuns();
    } catch (error) {
      this.seen = ""; // asked again at the next look; until then the error stands
      showError(this.error, error);
    }
  }

  private async change(): Promise<void> {
    clearTimeout(this.typed);
    this.seen = "";
    this.first = 0;
    this.verdict.replaceChildren();
    this.forgetPlots();
    await this.look();
  }

  private turn(by: number): void {
    clearTimeout(this.typed); // the filter is asked for with this
    this.first = Math.max(0, this.first + by);
    this.readRuns().catch((error: unknown) => showError(this.error, error));
  }

  private async readRuns(): Promise<void> {
    const asked = ++this.asked;
    const list = await post<RunList>(`/api/stores/${this.index()}/runs`, { filter: this.filter.value, first: this.first, count: ROWS });
    if (asked !== this.asked) return;
    this.error.textContent = "";
    this.showRuns(list);
    this.grids = list.grids;
    this.fill(this.grid, this.grids.map((grid) => grid.name));
    this.fillKeys();
  }

  private showRuns(list: RunList): void {
    const last = list.first + list.runs.length;
    const part = list.runs.length < list.found ? `, ${list.first + 1} to ${last} are shown` : "";
    this.count.textContent = `${list.found.toLocaleString("en")} of ${list.total.toLocaleString("en")} runs${part}`;
    enable(this.back, list.first > 0);
    enable(this.forward, last < list.found);
    this.back.parentElement?.toggleAttribute("hidden", list.first === 0 && last >= list.found);
    const same = Object.entries(list.same).map(([name, value]) => `${name} ${value}`);
    this.same.textContent = same.length > 0 ? `All of them: ${same.join(", ")}` : "";
    const grids = list.grids.length > 1;
    const head = h("tr");
    for (const name of ["run", ...(grids ? ["grid"] : []), "state", list.measure.replaceAll("_", " "), ...list.keys, "repeat", "seconds"]) head.append(h("th", { scope: "col" }, name));
    const body = h("tbody");
    for (const run of list.runs) {
      const row = h("tr", {}, h("td", {}, String(run.number)), ...(grids ? [h("td", {}, run.grid)] : []), h("td", {}, run.error ? `${run.state}: ${run.error}` : run.state), h("td", {}, number(run.value)));
      for (const key of list.keys) row.append(h("td", {}, run.parameters[key] ?? ""));
      row.append(h("td", {}, String(run.repeat)), h("td", {}, run.state === "done" ? number(run.seconds) : ""));
      body.append(row);
    }
    this.table.replaceChildren(h("table", { class: "runs" }, h("thead", {}, head), body));
  }

  /** Fills a list anew and keeps what was chosen where it is still there. */
  private fill(select: HTMLSelectElement, values: string[], otherwise = 0): void {
    if (values.length === select.options.length && values.every((value, i) => select.options[i]?.value === value)) return;
    const before = select.value;
    select.replaceChildren(...values.map((value) => h("option", { value }, value)));
    select.value = values.includes(before) ? before : (values[otherwise] ?? "");
  }

  private keys(): RunList["grids"][number]["keys"] {
    return this.grids.find((grid) => grid.name === this.grid.value)?.keys ?? [];
  }

  private fillKeys(): void {
    const names = this.keys().map((key) => key.name);
    const usual = names.findIndex((name) => ["algorithm", "agent", "method"].includes(name));
    this.fill(this.by, names, Math.max(0, usual));
    this.fillValues();
  }

  private fillValues(): void {
    const values = this.keys().find((key) => key.name === this.by.value)?.values ?? [];
    this.fill(this.one, values);
    this.fill(this.other, values, 1);
    if (this.one.value === this.other.value) this.other.value = values.find((value) => value !== this.one.value) ?? "";
    enable(this.compareButton, values.length >= 2);
  }

  private async compare(): Promise<void> {
    this.verdict.replaceChildren();
    try {
      const found = await post<Comparison>(`/api/stores/${this.index()}/compare`, {
        grid: this.grid.value,
        by: this.by.value,
        first: this.one.value,
        second: this.other.value,
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
      for (const name of [this.by.value, "runs", "median", "25 %", "75 %", "mean"]) head.append(h("th", { scope: "col" }, name));
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
    enable(this.drawButton, false);
    this.drawButton.textContent = "Drawing …";
    this.error.textContent = "";
    try {
      const figures = await get<Figure[]>(`/api/stores/${this.index()}/plots`);
      this.forgetPlots();
      for (const figure of figures) this.drawFigure(figure);
      if (figures.length === 0) this.plots.append(h("p", {}, "No run is done yet."));
      announce(`${figures.length} figures.`);
    } catch (error) {
      showError(this.error, error);
    }
    enable(this.drawButton, true);
    this.drawButton.textContent = "Draw the plots of the report";
  }

  private drawFigure(figure: Figure): void {
    if (figure.svg) {
      const picture = h("img", { alt: figure.title, src: `data:image/svg+xml,${encodeURIComponent(figure.svg)}` });
      this.plots.append(h("figure", { class: "paper" }, picture, h("figcaption", {}, figure.caption)));
    }
    for (const panel of figure.panels ?? []) {
      const chart: Chart = { ...panel, title: panel.title ? `${figure.title}: ${panel.title}` : figure.title };
      const place = h("div", { role: "group", "aria-label": chart.title });
      const table = h("details", {}, h("summary", {}, "The numbers"));
      table.addEventListener("toggle", () => table.append(chartTable(chart)), { once: true });
      this.plots.append(h("figure", {}, place, h("figcaption", {}, figure.caption), table));
      this.charts.push(drawChart(place, chart, 280));
    }
  }

  leave(): void {
    clearInterval(this.timer);
    clearTimeout(this.typed);
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
