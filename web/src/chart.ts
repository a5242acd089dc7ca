// chart: lines, steps, points, bars and boxes, and their numbers as a table. What draws them is loaded when it is needed.

import { h, number } from "./dom";

/** Whiskers, quartiles and median. */
export interface Box {
  low: number;
  lower: number;
  median: number;
  upper: number;
  high: number;
}

export interface Series {
  name: string;
  mark: "line" | "steps" | "points" | "dots" | "bars" | "boxes"; // dots: small points, for many
  x: number[];
  y: (number | null)[];
  low?: (number | null)[]; // of a band or an error bar
  high?: (number | null)[];
  boxes?: (Box | null)[];
}

export interface ChartAxis {
  title: string;
  words?: string[]; // at 0, 1, ...
  log?: boolean;
  part?: [number, number]; // that is shown; all of it otherwise
}

/** A line across, perhaps with a few words. */
export interface Rule {
  y: number | null;
  label?: string | null;
}

export interface Chart {
  title: string;
  x: ChartAxis;
  y: ChartAxis;
  series: Series[];
  rules?: Rule[];
}

/** A chart that is drawn. */
export interface Drawn {
  set(chart: Chart): void;
  leave(): void;
}

const TABLE_ROWS = 12; // of a series

/** The numbers of a chart, for those who would rather read. */
export function chartTable(chart: Chart): HTMLElement {
  const head = h("tr", {}, ...["series", chart.x.title, chart.y.title, "from", "to"].map((name) => h("th", { scope: "col" }, name)));
  const body = h("tbody");
  for (const one of chart.series) {
    const every = Math.max(1, Math.ceil(one.x.length / TABLE_ROWS));
    one.x.forEach((x, i) => {
      if (i % every !== 0 && i !== one.x.length - 1) return;
      const box = one.boxes?.[i];
      const y = box ? box.median : one.y[i];
      const place = chart.x.words ? (chart.x.words[x] ?? "") : number(x);
      body.append(
        h("tr", {}, h("th", { scope: "row" }, one.name || chart.y.title), ...[place, number(y), number(box ? box.lower : one.low?.[i]), number(box ? box.upper : one.high?.[i])].map((text) => h("td", {}, text))),
      );
    });
  }
  return h("div", { class: "wide" }, h("table", {}, h("caption", {}, chart.title), h("thead", {}, head), body));
}

/** Draws a chart into a place, as wide as that is at any time; a click calls `onPick` with its place on the x axis. */
export function drawChart(place: HTMLElement, chart: Chart, height = 260, onPick?: (x: number) => void): Drawn {
  let [shown, left]: [Chart, boolean] = [chart, false];
  let drawn: Drawn | undefined;
  void import("./plot").then((plot) => {
    if (!left) drawn = plot.drawChart(place, shown, height, onPick);
  });
  return {
    set(next) {
      shown = next;
      drawn?.set(next);
    },
    leave() {
      left = true;
      drawn?.leave();
    },
  };
}
