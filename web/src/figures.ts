// figures: the plots of exported runs, computed in the browser as the report does: final values, best value over
// evaluations, and attainment curves.

import type { Box, Chart, Series } from "./chart";
import type { Figure, RunDetail } from "./runs";

const PLACES = 120; // of a curve
const DECILES = 10; // targets of a size
const MOST_GROUPS = 8;

type Value = (run: RunDetail) => number | null;

function quantile(values: number[], share: number): number {
  const place = (values.length - 1) * share;
  const [low, high] = [values[Math.floor(place)] ?? NaN, values[Math.ceil(place)] ?? NaN];
  return low + (high - low) * (place - Math.floor(place));
}

function sort(values: number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function box(values: number[]): Box | null {
  if (values.length === 0) return null;
  const all = sort(values);
  const [lower, median, upper] = [quantile(all, 0.25), quantile(all, 0.5), quantile(all, 0.75)];
  const reach = 1.5 * (upper - lower);
  const within = all.filter((value) => value >= lower - reach && value <= upper + reach);
  return { low: within[0] ?? lower, lower, median, upper, high: within.at(-1) ?? upper };
}

/** Numbers apart from each other by the same factor. */
function logPlaces(first: number, last: number): number[] {
  return Array.from({ length: PLACES }, (_, i) => first * (Math.max(last, first * 2) / first) ** (i / (PLACES - 1)));
}

/** The best of a run after so many evaluations; undefined before its first point. */
function bestAt({ evolution }: RunDetail, place: number): number | undefined {
  let found: number | undefined;
  for (const [evaluation = 0, best] of evolution) {
    if (evaluation > place * (1 + 1e-12)) break;
    found = best;
  }
  return found;
}

function groups(runs: RunDetail[], key: string): [string, RunDetail[]][] {
  const found = new Map<string, RunDetail[]>();
  for (const run of runs) {
    const name = key === "" ? "all runs" : (run.parameters[key] ?? "–");
    found.set(name, [...(found.get(name) ?? []), run]);
  }
  return [...found].slice(0, MOST_GROUPS);
}

function boxes(all: [string, RunDetail[]][], value: Value, measure: string): Chart {
  const found = all.map(([, runs]) => box(runs.map(value).filter((one): one is number => one !== null)));
  return {
    title: "",
    x: { title: "", words: all.map(([name]) => name) },
    y: { title: measure },
    series: [{ name: measure, mark: "boxes", x: all.map((_, i) => i), y: found.map((one) => one?.median ?? null), boxes: found }],
  };
}

/** The evaluations at which curves begin and end. */
function extent(runs: RunDetail[]): [number, number] {
  const firsts = runs.map(({ evolution }) => evolution[0]?.[0] ?? Infinity);
  const lasts = runs.map(({ evolution }) => evolution.at(-1)?.[0] ?? 0);
  return [Math.max(1, Math.min(...firsts)), Math.max(2, ...lasts)];
}

function evolution(all: [string, RunDetail[]][], measure: string): Chart {
  const places = logPlaces(...extent(all.flatMap(([, runs]) => runs)));
  const series = all.map(([name, runs]): Series => {
    const at = places.map((place) => sort(runs.map((run) => bestAt(run, place)).filter((one): one is number => one !== undefined)));
    const line = (share: number): (number | null)[] => at.map((values) => (values.length > 0 ? quantile(values, share) : null));
    return { name, mark: "line", x: places, y: line(0.5), low: line(0.25), high: line(0.75) };
  });
  return { title: "", x: { title: "evaluations", log: true }, y: { title: `best ${measure}` }, series };
}

/** The share of (run, target) pairs that were reached. Targets are the deciles of the final values of all runs with as
 * many pieces. */
function attainment(all: [string, RunDetail[]][], runs: RunDetail[], value: Value): Chart {
  const places = logPlaces(...extent(runs));
  const sizes = new Map<string, number[]>();
  for (const [size, own] of groups(runs, "n")) {
    const finals = sort(own.map(value).filter((one): one is number => one !== null));
    sizes.set(size, Array.from({ length: DECILES }, (_, i) => quantile(finals, (i + 1) / DECILES)));
  }
  const series = all.map(([name, own]): Series => {
    const y = places.map((place) => {
      let [reached, total] = [0, 0];
      for (const run of own)
        for (const target of sizes.get(run.parameters["n"] ?? "–") ?? []) {
          total++;
          reached += (bestAt(run, place) ?? -Infinity) >= target ? 1 : 0;
        }
      return total > 0 ? (100 * reached) / total : null;
    });
    return { name, mark: "steps", x: places, y };
  });
  return { title: "", x: { title: "evaluations", log: true }, y: { title: "targets reached, %", part: [0, 100] }, series };
}

/** The figures of runs that are done, by the key that people ask for first. */
export function fileFigures(runs: RunDetail[], value: Value, measure: string, keys: string[]): Figure[] {
  if (runs.length === 0) return [];
  const key = keys.find((name) => ["algorithm", "agent", "method"].includes(name)) ?? keys[0] ?? "";
  const all = groups(runs, key);
  const by = key === "" ? "" : ` by ${key}`;
  const found: Figure[] = [{ name: "final", title: `Final ${measure}${by}`, caption: "One box per value, over all runs that have it.", panels: [boxes(all, value, measure)] }];
  const drawn = runs.filter((run) => run.evolution.length > 0);
  if (drawn.length === 0) return found;
  const curves = groups(drawn, key);
  found.push(
    { name: "evolution", title: `Best ${measure} over evaluations${by}`, caption: "Median of the runs with the middle half as a band; a run that has ended keeps its last value.", panels: [evolution(curves, measure)] },
    {
      name: "ecdf",
      title: `How soon targets are reached${by}`,
      caption: "Attainment curves. Targets are the deciles of the final values of all runs with as many pieces. Higher and further left is better.",
      panels: [attainment(curves, drawn, value)],
    },
  );
  return found;
}
