// plot: draws charts (chart.ts) with uPlot, in the colours of the theme. Loaded with the first chart.

import uPlot from "uplot";
import type { Box, Chart, ChartAxis, Drawn, Rule, Series } from "./chart";
import { h, number, style } from "./dom";

const COLOURS = 8; // --s0 and so on
const TEXT = "12px system-ui, sans-serif";
const LOG_TICKS = 12; // of a logarithmic axis, at most
const LEAST_ROOM = 25; // at the right, what uPlot keeps by itself
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** The colour of a series. */
function colourOf(i: number): string {
  return style(`--s${i % COLOURS}`);
}

/** All places of all series, in order, and each series at them (undefined: it has nothing there). */
function align({ series, x, y }: Chart): uPlot.AlignedData {
  const seen = (value: number | null | undefined): number | null => (value === null || value === undefined || (y.log && value <= 0) ? null : value);
  const places = [...new Set(series.flatMap((one) => one.x))].filter((place) => !x.log || place > 0).sort((a, b) => a - b);
  const index = new Map(places.map((place, i) => [place, i]));
  const rows = series.map((one) => {
    const row: (number | null | undefined)[] = new Array<undefined>(places.length).fill(undefined);
    one.x.forEach((place, i) => {
      const at = index.get(place);
      if (at !== undefined) row[at] = seen(one.mark === "boxes" ? one.boxes?.[i]?.median : one.y[i]);
    });
    return row;
  });
  return [places, ...rows] as uPlot.AlignedData;
}

/** Lines across, behind everything else; their words stand above them, at the right end. */
function drawRules(plot: uPlot, rules: Rule[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = style("--ghost");
  ctx.fillStyle = style("--text");
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = "right";
  ctx.textBaseline = "bottom";
  ctx.setLineDash([6, 4]);
  for (const rule of rules) {
    if (rule.y === null) continue;
    const y = plot.valToPos(rule.y, "y", true);
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    const room = 3 * devicePixelRatio;
    if (rule.label) ctx.fillText(rule.label, bbox.left + bbox.width - room, y - room);
  }
  ctx.restore();
}

type Context = CanvasRenderingContext2D;
type Place = (x: number, y: number) => [number, number]; // from values to pixels

/** The part between two lines: along the lower and back along the upper. */
function drawBand(ctx: Context, at: Place, x: number[], low: (number | null)[], high: (number | null)[]): void {
  const edge = (values: (number | null)[], from: number, to: number, by: number): void => {
    for (let k = from; k !== to; k += by) {
      const value = values[k];
      if (value !== null && value !== undefined) ctx.lineTo(...at(x[k] as number, value));
    }
  };
  ctx.globalAlpha = 0.15;
  ctx.beginPath();
  edge(low, 0, x.length, 1);
  edge(high, x.length - 1, -1, -1);
  ctx.fill();
  ctx.globalAlpha = 1;
}

function drawErrorBars(ctx: Context, at: Place, x: number[], low: (number | null)[], high: (number | null)[]): void {
  x.forEach((place, k) => {
    const [from, to] = [low[k], high[k]];
    if (from === null || from === undefined || to === null || to === undefined) return;
    ctx.beginPath();
    ctx.moveTo(...at(place, from));
    ctx.lineTo(...at(place, to));
    ctx.stroke();
  });
}

function drawBox(ctx: Context, at: Place, place: number, box: Box): void {
  const wide = 9 * devicePixelRatio;
  const [x, median] = at(place, box.median);
  const [, lower] = at(place, box.lower);
  const [, upper] = at(place, box.upper);
  ctx.beginPath();
  ctx.moveTo(...at(place, box.low));
  ctx.lineTo(x, lower);
  ctx.moveTo(x, upper);
  ctx.lineTo(...at(place, box.high));
  ctx.rect(x - wide, upper, 2 * wide, lower - upper);
  ctx.moveTo(x - wide, median);
  ctx.lineTo(x + wide, median);
  ctx.stroke();
}

/** Bands, error bars and boxes, which uPlot does not have, on its canvas. */
function drawExtras(plot: uPlot, series: Series[]): void {
  const { ctx, bbox } = plot;
  const at: Place = (x, y) => [plot.valToPos(x, "x", true), plot.valToPos(y, "y", true)];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  series.forEach((one, i) => {
    if (plot.series[i + 1]?.show === false) return;
    ctx.strokeStyle = ctx.fillStyle = colourOf(i);
    ctx.lineWidth = devicePixelRatio;
    const draw = one.mark === "line" || one.mark === "steps" ? drawBand : drawErrorBars;
    if (one.low && one.high) draw(ctx, at, one.x, one.low, one.high);
    one.boxes?.forEach((box, k) => {
      if (box) drawBox(ctx, at, one.x[k] as number, box);
    });
  });
  ctx.restore();
}

/** Ticks of a logarithmic axis: 1, 2 and 5 times powers of ten; where those are too many, only powers.
 * Those of uPlot are for limits that are powers of ten: from 0.77, for example, they do not end. */
function logTicks(low: number, high: number): number[] {
  if (!(low > 0 && high < Infinity)) return [];
  const from = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - from + 1 }, (_, i) => from + i);
  const inside = (factors: number[], every: number): number[] =>
    powers.filter((power) => power % every === 0).flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`))).filter((tick) => tick >= low && tick <= high);
  const fine = inside([1, 2, 5], 1);
  return fine.length <= LOG_TICKS ? fine : inside([1], Math.ceil(powers.length / LOG_TICKS));
}

function axis(of: ChartAxis): uPlot.Axis {
  const words = of.words;
  return {
    label: of.title,
    stroke: style("--text"),
    grid: { stroke: style("--lines"), width: 1 },
    ticks: { stroke: style("--lines"), width: 1 },
    font: TEXT,
    labelFont: TEXT,
    ...(words
      ? {
          splits: () => words.map((_, i) => i),
          values: (_: uPlot, splits: number[]) => splits.map((place) => words[place] ?? ""),
        }
      : of.log
        ? {
            splits: (_: uPlot, _axis: number, low: number, high: number) => logTicks(low, high),
            filter: (_: uPlot, splits: number[]) => splits,
            values: (_: uPlot, splits: number[]) => splits.map((tick) => (tick >= 1e6 || tick < 1e-3 ? tick.toExponential() : number(tick))),
          }
        : {}),
  };
}

/** Room at the left for the longest number. */
function roomAtLeft(_: uPlot, values: string[] | null): number {
  return Math.max(60, 14 + 7 * Math.max(0, ...(values ?? []).map((text) => (text ?? "").length)));
}

/** Room at the right for the half of the last label that stands beyond the plot. */
function roomAtRight(plot: uPlot, chart: Chart): number {
  const most = chart.series.reduce((sum, one) => one.x.reduce((far, x) => Math.max(far, x), sum), 0);
  const label = chart.x.words ? (chart.x.words.at(-1) ?? "") : Math.ceil(most).toLocaleString(navigator.language);
  const { ctx } = plot;
  ctx.save();
  ctx.font = TEXT;
  const wide = ctx.measureText(label).width;
  ctx.restore();
  // A plot without width would be divided into infinitely many parts.
  return Math.max(LEAST_ROOM, Math.min(Math.ceil(wide / 2) + 2, plot.width / 4));
}

function seriesOf(one: Series, i: number, chart: Chart): uPlot.Series {
  const colour = colourOf(i);
  const bars = one.mark === "bars" ? uPlot.paths.bars?.({ size: [0.6, 60] }) : undefined;
  const steps = one.mark === "steps" ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  const none = (): null => null;
  const paths = one.mark === "points" || one.mark === "dots" || one.mark === "boxes" ? none : (bars ?? steps);
  return {
    label: one.name || chart.y.title,
    stroke: colour,
    width: 2,
    dash: dashes[Math.floor(i / COLOURS) % dashes.length],
    spanGaps: true,
    ...(one.mark === "bars" ? { fill: `${colour}66` } : {}),
    ...(paths ? { paths: paths as uPlot.Series.PathBuilder } : {}),
    points: { show: one.mark === "points" || one.mark === "dots" || (one.mark === "line" && one.x.length < 2), size: one.mark === "dots" ? 5 : 6, ...(one.mark === "dots" ? { fill: colour } : {}) },
  };
}

/** The part that everything fits in, error bars and boxes too. */
function range(chart: Chart): [number, number] {
  const log = chart.y.log;
  const rules = (chart.rules ?? []).map((rule) => rule.y).filter((y): y is number => y !== null && (!log || y > 0));
  if (chart.y.part && (!log || chart.y.part[0] > 0)) {
    const low = Math.min(chart.y.part[0], ...rules);
    const high = Math.max(chart.y.part[1], low + Math.max(1, Math.abs(low)) * 1e-6, ...rules);
    return [low, high + (rules.length > 0 ? (high - low) * 0.08 : 0)]; // words above a line need room
  }
  const values = chart.series
    .flatMap((one) => [...one.y, ...(one.low ?? []), ...(one.high ?? []), ...(one.boxes ?? []).flatMap((box) => (box ? [box.low, box.high] : []))])
    .filter((value): value is number => value !== null && value !== undefined && Number.isFinite(value) && (!log || value > 0));
  values.push(...rules);
  let low = values.reduce((least, value) => Math.min(least, value), Infinity);
  let high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  if (!Number.isFinite(low)) [low, high] = log ? [1, 10] : [0, 1];
  if (log) return [low / 1.3, high * 1.3];
  if (chart.series.some((one) => one.mark === "bars")) low = Math.min(0, low);
  // Values that differ by rounding alone would have ticks that no number can tell apart, without end.
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = (high - low > size * 1e-9 ? high - low : Math.max(1, size * 1e-6)) * 0.06;
  return [low - room, high + room];
}

/** A name in the legend hides its line when clicked; keys shall do that too. */
function reachLegend(place: HTMLElement): void {
  const rows = [...place.querySelectorAll<HTMLElement>(".u-legend .u-series")].slice(1); // without the places
  for (const row of rows) {
    const name = row.querySelector<HTMLElement>("th");
    if (!name) continue;
    const tell = (): void => name.setAttribute("aria-pressed", String(!row.classList.contains("u-off")));
    name.tabIndex = 0;
    name.setAttribute("role", "button");
    name.title = "Show or hide";
    name.addEventListener("click", () => setTimeout(tell));
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      name.click();
    });
    tell();
  }
}

/** Draws a chart into a place, as wide as that is at any time; gives functions that set new data or take it away. */
export function drawChart(place: HTMLElement, chart: Chart, height = 260, onPick?: (x: number) => void): Drawn {
  const above = h("p", { class: "above" });
  let plot: uPlot | undefined;
  let shown = chart;
  const width = (): number => Math.max(220, place.clientWidth);
  function make(): void {
    plot?.destroy();
    const words = shown.x.words;
    const crowded = words !== undefined && words.join("").length * 7 > width() - 80; // side by side they would overlap
    const long = shown.y.title.length > height / 9; // does not fit beside the axis: above it
    above.textContent = long ? shown.y.title : "";
    plot = new uPlot(
      {
        width: width(),
        height,
        padding: [null, (plot) => roomAtRight(plot, shown), null, null],
        title: shown.title,
        scales: {
          x: { time: false, ...(shown.x.log ? { distr: 3 } : {}), ...(words ? { range: () => [-0.6, words.length - 0.4] } : {}) },
          y: { range: () => range(shown), ...(shown.y.log ? { distr: 3 } : {}) },
        },
        axes: [{ ...axis(shown.x), size: crowded ? 96 : 34, labelSize: 18, space: 90, ...(crowded ? { rotate: -60 } : {}) }, { ...axis(shown.y), size: roomAtLeft, labelSize: 20, ...(long ? { label: undefined } : {}) }],
        series: [{ label: shown.x.title, value: (_, value) => (words ? (words[value] ?? "") : number(value)) }, ...shown.series.map((one, i) => seriesOf(one, i, shown))],
        hooks: { drawAxes: [(drawn) => drawRules(drawn, shown.rules ?? [])], draw: [(drawn) => drawExtras(drawn, shown.series)] },
      },
      align(shown),
      place,
    );
    plot.root.querySelector(".u-title")?.after(above);
    reachLegend(place);
    const { over, cursor } = plot;
    if (onPick) over.addEventListener("click", () => onPick(plot?.posToVal(cursor.left ?? 0, "x") ?? 0));
  }
  const again = (): void => make(); // in the colours of another theme
  make();
  window.addEventListener("resize", again);
  const observer = new ResizeObserver(() => {
    if (plot && plot.width !== width()) plot.setSize({ width: width(), height });
  });
  observer.observe(place);
  return {
    set(next) {
      shown = next;
      plot?.setData(align(next));
    },
    leave() {
      window.removeEventListener("resize", again);
      observer.disconnect();
      plot?.destroy();
      plot = undefined;
    },
  };
}
