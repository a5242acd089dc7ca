// experiments: a dashboard of stores and exported files: a table of runs that can be sorted and filtered and whose rows
// open, plots that follow the filter and the workers, two groups compared, and tunings.

import { get, isSite } from "./api";
import { chartTable, drawChart, type Chart, type Drawn } from "./chart";
import { DetailView } from "./detail";
import { announce, button, choice, enable, errorPlace, field, h, number, showError } from "./dom";
import type { Page } from "./page";
import { fileSource, serverSource, type Figure, type Run, type RunList, type Source, type StoreInfo } from "./runs";
import { tuningView } from "./tunings";

const ROWS = 100; // of the table at a time
const LOOK_MS = 2000; // between two looks at the counts
const TYPE_MS = 250; // after the last key before the filter is asked for
const DRAW_MS = 3000; // between two drawings of the same plots
const MOST_BYTES = 256 << 20; // of a file that is read
const OWN = ["race-progress", "parallel-coordinates", "importance"]; // figures of tunings, which have a section of their own

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
  private charts: Drawn[] = [];
  private sources: Source[] = [];
  private files: Source[] = [];
  private order = ""; // of the table
  private detail: { number: number; view: DetailView; row: HTMLTableRowElement } | undefined; // the run that is open
  private grids: RunList["grids"] = [];
  private first = 0; // row that is shown
  private drawn: { what: string; at: number } | undefined; // plots
  private redraw: number | undefined;
  private left = false;
  private drawing = false; // the program reads all results for one at a time
  private again = false; // what is being drawn is old already
  private readonly tunings = h("div");
  private tuned: { text: string; views: ReturnType<typeof tuningView>[] } = { text: "", views: [] };
  private readonly tuningPlace = h("div", { hidden: true }, h("h3", {}, "Tunings"), this.tunings);
  private readonly file = h("input", { type: "file", accept: ".jsonl,.json,.csv,application/json,text/csv" });
  private readonly comparing = h("div");
  private readonly runsPlace = h("div");
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
      this.runsPlace,
      this.tuningPlace,
    );
    this.runsPlace.append(
      this.progress,
      this.counts,
      h("h3", {}, "Runs"),
      h("div", { class: "controls" }, field("Filter: words, or key=value", this.filter)),
      this.count,
      this.same,
      this.table,
      h("div", { class: "controls turn" }, this.back, this.forward),
      this.comparing,
      h("h3", {}, "Plots"),
      h("div", { class: "controls" }, this.drawButton),
      this.plots,
    );
    this.comparing.append(
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
    );
    this.file.addEventListener("change", () => void this.open());
    place.append(
      h("label", { class: "file" }, "Open an exported file (", h("code", {}, "experiment export"), " or ", h("code", {}, "tune --json"), "): ", this.file),
      this.error,
      this.body,
    );
    void this.look();
    this.timer = setInterval(() => void this.look(), LOOK_MS);
  }

  private source(): Source | undefined {
    return this.sources[Number(this.store.value || 0)];
  }

  /** Reads a file; nothing leaves the browser. */
  private async open(): Promise<void> {
    const chosen = this.file.files?.[0];
    if (!chosen) return;
    this.error.textContent = "";
    try {
      if (chosen.size > MOST_BYTES) throw new Error(`${chosen.name}: at most ${number(MOST_BYTES >> 20)} MiB are read.`);
      this.files.push(fileSource(chosen.name, await chosen.text()));
      await this.look();
      this.store.value = String(this.sources.length - 1);
      await this.change();
      announce(`${chosen.name} is open.`);
    } catch (error) {
      showError(this.error, error);
    }
  }

  /** The stores of the program, and the files that were opened. */
  private async list(): Promise<void> {
    const stores = isSite ? [] : await get<StoreInfo[]>("/api/stores");
    const names = [...stores, ...this.files].map(({ name }) => name);
    // Others after a restart of the program.
    if (names.join("\n") === [...this.store.options].map((option) => option.text).join("\n")) return;
    this.sources = [...stores.map(({ id, name }) => serverSource(id, name)), ...this.files];
    const before = this.store.value;
    this.store.replaceChildren(...names.map((name, i) => h("option", { value: i }, name)));
    if (Number(before) < names.length && before !== "") this.store.value = before;
    this.seen = "";
  }

  /** Counts, and the runs when more of them are done. */
  private async look(): Promise<void> {
    try {
      await this.list();
      const source = this.source();
      this.body.hidden = source === undefined;
      if (!source) {
        showError(this.error, "No store was given. Start the program with --store sqlite:FILE to see experiments here, or open an exported file.");
        return;
      }
      const info = await source.info();
      if (source !== this.source()) return;
      const all = info.waiting + info.running + info.done + info.failed;
      this.runsPlace.hidden = all === 0 && this.files.includes(source); // a file of a tuning
      this.progress.max = Math.max(1, all);
      this.progress.value = info.done + info.failed;
      this.counts.textContent = `${info.done} of ${all} runs done, ${info.running} running, ${info.waiting} waiting, ${info.failed} failed; ${number(info.seconds)} s of work`;
      const now = `${info.waiting} ${info.running} ${info.done} ${info.failed}`;
      if (now === this.seen) return;
      this.seen = now;
      await this.readRuns();
      await this.readTunings(source);
    } catch (error) {
      this.seen = ""; // asked again at the next look; until then the error stands
      showError(this.error, error);
    }
  }

  private async readTunings(source: Source): Promise<void> {
    const found = await source.tunings();
    const text = JSON.stringify(found);
    if (source !== this.source() || text === this.tuned.text) return;
    for (const view of this.tuned.views) view.leave();
    this.tuned = { text, views: found.map((one) => tuningView(one)) };
    this.tunings.replaceChildren(...this.tuned.views.map(({ element }) => element));
    this.tuningPlace.hidden = found.length === 0;
  }

  private async change(): Promise<void> {
    clearTimeout(this.typed);
    this.seen = "";
    this.first = 0;
    this.order = "";
    this.verdict.replaceChildren();
    this.forgetPlots();
    this.close();
    await this.look();
  }

  private turn(by: number): void {
    clearTimeout(this.typed); // the filter is asked for with this
    this.first = Math.max(0, this.first + by);
    this.readRuns().catch((error: unknown) => showError(this.error, error));
  }

  private async readRuns(): Promise<void> {
    const asked = ++this.asked;
    const source = this.source();
    if (!source) return;
    const list = await source.runs({ filter: this.filter.value, order: this.order, first: this.first, count: ROWS });
    if (asked !== this.asked) return;
    this.error.textContent = "";
    this.showRuns(list);
    this.followPlots();
    this.comparing.hidden = list.grids.every(({ keys }) => keys.length === 0);
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
    const columns: [string, string, (run: Run) => string][] = [
      ["run", "number", (run) => String(run.number)],
      ...(list.grids.length > 1 ? [["grid", "grid", (run) => run.grid] as [string, string, (run: Run) => string]] : []),
      ["state", "state", (run) => (run.error ? `${run.state}: ${run.error}` : run.state)],
      [list.measure.replaceAll("_", " "), "value", (run) => number(run.value)],
      ...list.keys.map((key): [string, string, (run: Run) => string] => [key, key, (run) => run.parameters[key] ?? ""]),
      ["repeat", "repeat", (run) => String(run.repeat)],
      ["seconds", "seconds", (run) => (run.state === "done" ? number(run.seconds) : "")],
    ];
    const head = h("tr", {}, ...columns.map(([title, key]) => this.heading(title, key)));
    const body = h("tbody");
    for (const run of list.runs) {
      const row = h("tr", {}, ...columns.map(([, , text], i) => h("td", {}, i === 0 ? this.opener(run, text(run), columns.length) : text(run))));
      body.append(row);
      if (this.detail?.number === run.number) body.append(this.detail.row);
    }
    const active = document.activeElement;
    const focused = active?.getAttribute("data-key");
    this.table.replaceChildren(h("table", { class: "runs" }, h("thead", {}, head), body));
    if (active instanceof HTMLElement && this.detail?.row.contains(active)) active.focus(); // it was moved with its row
    if (focused) this.table.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  /** The name of a column, which sorts by it: ascending, descending, not. */
  private heading(title: string, key: string): HTMLElement {
    const now = this.order === key ? "ascending" : this.order === `-${key}` ? "descending" : "none";
    const next = { none: key, ascending: `-${key}`, descending: "" }[now];
    const sort = button(`${title}${{ none: "", ascending: " ▲", descending: " ▼" }[now]}`, () => {
      this.order = next;
      this.turn(-this.first);
    });
    sort.dataset["key"] = `sort ${key}`;
    return h("th", { scope: "col", "aria-sort": now }, sort);
  }

  /** The number of a run, which opens it. */
  private opener(run: Run, text: string, columns: number): HTMLElement | string {
    if (run.state !== "done" && run.state !== "failed") return text;
    const open = (): boolean => this.detail?.number === run.number;
    const made = button(text, () => void this.toggle(run.number, made, columns).catch((error: unknown) => showError(this.error, error)), { "aria-expanded": String(open()), title: "Curve, board and result" });
    made.dataset["key"] = `run ${run.number}`;
    return made;
  }

  private close(): void {
    this.detail?.view.leave();
    this.detail?.row.remove();
    this.detail = undefined;
    for (const one of this.table.querySelectorAll('[aria-expanded="true"]')) one.setAttribute("aria-expanded", "false");
  }

  private async toggle(wanted: number, opener: HTMLElement, columns: number): Promise<void> {
    const was = this.detail?.number;
    this.close();
    if (was === wanted) return;
    const found = await this.source()?.run(wanted);
    if (!found || !opener.isConnected || this.detail) return;
    const view = new DetailView(found);
    const row = h("tr", { class: "opened" }, h("td", { colspan: columns }, view.element));
    this.detail = { number: wanted, view, row };
    opener.closest("tr")?.after(row);
    opener.setAttribute("aria-expanded", "true");
    await view.show();
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
      const found = await this.source()?.compare({
        grid: this.grid.value,
        by: this.by.value,
        first: this.one.value,
        second: this.other.value,
      });
      if (!found) return;
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
    clearTimeout(this.redraw);
    for (const chart of this.charts) chart.leave();
    this.charts = [];
    this.drawn = undefined;
    this.plots.replaceChildren();
  }

  /** Plots that are drawn follow the filter at once, and workers after a while. */
  private followPlots(): void {
    if (!this.drawn) return;
    clearTimeout(this.redraw);
    const changed = this.drawn.what !== this.filter.value;
    const wait = changed ? 0 : Math.max(0, this.drawn.at + DRAW_MS - performance.now());
    this.redraw = setTimeout(() => void this.draw(), wait);
  }

  private async draw(): Promise<void> {
    const source = this.source();
    if (this.drawing) this.again = true;
    if (!source || this.drawing) return;
    this.drawing = true;
    enable(this.drawButton, false);
    this.drawButton.textContent = "Drawing …";
    const what = this.filter.value;
    try {
      const figures = (await source.figures(what)).filter(({ name }) => !OWN.includes(name));
      if (source === this.source() && !this.left) {
        this.forgetPlots();
        this.drawn = { what, at: performance.now() };
        for (const figure of figures) this.drawFigure(figure);
        if (figures.length === 0) this.plots.append(h("p", {}, "No run is done yet."));
        announce(`${figures.length} figures.`);
      }
    } catch (error) {
      showError(this.error, error);
    }
    enable(this.drawButton, true);
    this.drawButton.textContent = "Draw the plots of the report";
    this.drawing = false;
    if (this.again && this.drawn) void this.draw();
    this.again = false;
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
    this.left = true;
    clearInterval(this.timer);
    clearTimeout(this.typed);
    this.forgetPlots();
    this.close();
    for (const view of this.tuned.views) view.leave();
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
