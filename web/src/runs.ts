// runs: the runs of an experiment, from a store that the program serves or from an exported file that this browser reads.

import { get, post, postLocally } from "./api";
import type { Chart } from "./chart";
import { isCsv, readCsv } from "./csv";
import { fileFigures } from "./figures";

export interface StoreInfo {
  id: number;
  name: string;
  waiting: number;
  running: number;
  done: number;
  failed: number;
  seconds: number;
}

export interface Run {
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

export interface RunList {
  measure: string;
  total: number;
  found: number;
  first: number;
  keys: string[]; // in which they differ
  same: Record<string, string>;
  runs: Run[];
  grids: { name: string; keys: { name: string; values: string[] }[] }[];
}

/** A line of `experiment export jsonl`. */
export interface RunDetail {
  run: number;
  grid: string;
  command: string;
  repeat: number;
  state: string;
  piece_seed?: number;
  error: string | null;
  parameters: Record<string, string>;
  result: Record<string, unknown> | null;
  evolution: number[][]; // evaluation, best, current, ...
  seconds?: number;
}

export interface Figure {
  name: string;
  title: string;
  caption: string;
  panels?: Chart[];
  svg?: string; // of one that is no plot
}

export interface Comparison {
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

/** A document of `tune --json`. */
export interface Tuning {
  tuning: string;
  command: string;
  measure: string;
  runs: number;
  races: number;
  held_out_runs: number;
  held_out_instances: number;
  winner: { id: number; values: Record<string, string | number>; mean: number | null; default_mean: number | null; p: number | null };
  ablation?: { parameter: string; gain: number }[];
  importance?: number[];
  parameters: { name: string; low?: number; high?: number; log?: boolean; words?: string[]; default: string | number }[];
  steps: { race: number; started: number; alive: number; runs: number; best_mean: number }[];
  configurations: { id: number; mean: number | null; elite: boolean; values: Record<string, string | number>; units: (number | null)[] }[];
}

export interface Question {
  filter: string;
  order: string; // a key, with a "-" in front for descending; "": by number
  first: number;
  count: number;
}

export interface Source {
  name: string;
  info(): Promise<StoreInfo>;
  runs(question: Question): Promise<RunList>;
  run(number: number): Promise<RunDetail>;
  figures(filter: string): Promise<Figure[]>;
  tunings(): Promise<Tuning[]>;
  compare(question: { grid: string; by: string; first: string; second: string }): Promise<Comparison>;
}

/** The store with that number of the program. */
export function serverSource(id: number, name: string): Source {
  const path = `/api/stores/${id}`;
  return {
    name,
    info: async () => {
      const found = (await get<StoreInfo[]>("/api/stores"))[id];
      if (!found) throw new Error("The store is gone.");
      return found;
    },
    runs: ({ order, ...rest }) => post<RunList>(`${path}/runs`, order === "" ? rest : { ...rest, order }),
    run: (number) => post<RunDetail>(`${path}/run`, { number }),
    figures: (filter) => post<Figure[]>(`${path}/plots`, { filter }),
    tunings: () => get<Tuning[]>(`${path}/tunings`),
    compare: (question) => post<Comparison>(`${path}/compare`, question),
  };
}

// ---- an exported file

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function member(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null ? (object as Record<string, unknown>)[name] : undefined;
}

/** By what the runs of a command are compared, as the program does. */
function measured({ command, result }: RunDetail): [string, number | null] {
  if (command === "train") return ["held_out", number(member(member(member(result, "training") ?? result, "held_out"), "mean"))];
  if (command === "solve") return ["fitness", number(member(result, "fitness"))];
  const summary = member(result, "summary");
  const name = member(summary, "score") === undefined ? "lines" : "score";
  return [name, number(member(member(summary, name), "mean") ?? member(summary, name))];
}

function inside(run: Run, word: string): boolean {
  const [key, ...rest] = word.split("=");
  if (rest.length > 0) return run.parameters[key ?? ""] === rest.join("=");
  const low = word.toLowerCase();
  return String(run.number) === word || [run.grid, run.command, run.state, run.error ?? "", ...Object.values(run.parameters)].some((text) => text.toLowerCase().includes(low));
}

function differing(runs: { parameters: Record<string, string> }[]): { keys: string[]; same: Record<string, string> } {
  const names = [...new Set(runs.flatMap(({ parameters }) => Object.keys(parameters)))];
  const differs = (name: string): boolean => runs.length <= 1 || new Set(runs.map(({ parameters }) => parameters[name])).size > 1;
  return { keys: names.filter(differs), same: Object.fromEntries(names.filter((name) => !differs(name)).map((name) => [name, runs[0]?.parameters[name] ?? ""])) };
}

function sortKey(run: Run, name: string): number | string | undefined {
  if (name === "value") return run.value ?? undefined;
  if (name === "number" || name === "repeat" || name === "seconds") return run[name];
  if (name === "grid" || name === "state") return run[name];
  const text = run.parameters[name];
  return text !== undefined && text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function sorted(runs: Run[], order: string): Run[] {
  if (order === "") return runs;
  const [name, sign] = order.startsWith("-") ? [order.slice(1), -1] : [order, 1];
  const kind = (key: unknown): number => (typeof key === "number" ? 0 : typeof key === "string" ? 1 : 2);
  return [...runs].sort((a, b) => {
    const [x, y] = [sortKey(a, name), sortKey(b, name)];
    if (kind(x) !== kind(y)) return kind(x) - kind(y);
    if (x === undefined || y === undefined || x === y) return a.number - b.number;
    return sign * (x < y ? -1 : 1);
  });
}

function lines(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, i) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        throw new Error(`line ${i + 1}: not JSON; a file of \`experiment export jsonl\` or \`tune --json\` is expected`);
      }
    });
}

const LONG = ["moves", "genes", "board", "per_game"]; // members of a result that no comparison uses

/** The grids with the parameters in which their finished runs differ. */
function gridsOf(runs: RunDetail[]): RunList["grids"] {
  return [...new Set(runs.map(({ grid }) => grid))].map((name) => {
    const own = runs.filter(({ grid }) => grid === name);
    const keys = own.length > 1 ? differing(own).keys : [];
    return { name, keys: keys.map((key) => ({ name: key, values: [...new Set(own.flatMap(({ parameters }) => parameters[key] ?? []))] })).filter(({ values }) => values.length > 1) };
  });
}

/** Reads a file of `experiment export jsonl` or `csv`, or documents of `tune --json`. */
export function fileSource(name: string, text: string): Source {
  const documents = isCsv(text) ? readCsv(text) : lines(text);
  const tunings = documents.filter((one): one is Tuning => Array.isArray(member(one, "configurations")) && Array.isArray(member(one, "parameters")));
  const details = documents.filter((one): one is RunDetail => typeof member(one, "run") === "number" && typeof member(one, "parameters") === "object");
  if (tunings.length + details.length < documents.length || documents.length === 0)
    throw new Error(`${name}: neither a file of \`experiment export\` nor one of \`tune --json\``);
  const done = details.filter(({ state }) => state === "done");
  const measure = [...new Set(done.map((one) => measured(one)[0]))];
  const runs = details.map((one): Run => ({ ...one, number: one.run, value: measured(one)[1], seconds: one.seconds ?? 0 }));
  const filtered = (filter: string): Run[] => {
    const words = filter.split(/\s+/).filter((word) => word !== "");
    return runs.filter((run) => words.every((word) => inside(run, word)));
  };
  const count = (state: string): number => runs.filter((run) => run.state === state).length;
  return {
    name,
    info: async () => ({ id: 0, name, waiting: 0, running: 0, done: count("done"), failed: count("failed"), seconds: runs.reduce((sum, run) => sum + run.seconds, 0) }),
    runs: async ({ filter, order, first, count: most }) => {
      const found = filtered(filter);
      return { measure: measure.length === 1 ? (measure[0] ?? "value") : "value", total: runs.length, found: found.length, first, ...differing(found), runs: sorted(found, order).slice(first, first + most), grids: gridsOf(done) };
    },
    run: async (wanted) => {
      const found = details.find(({ run }) => run === wanted);
      if (!found) throw new Error("number: no finished run");
      return found;
    },
    figures: async (filter) => {
      const numbers = new Set(filtered(filter).map((run) => run.number));
      const chosen = details.filter(({ run, state }) => numbers.has(run) && state === "done");
      return fileFigures(chosen, (one) => measured(one)[1], measure[0] ?? "value", differing(chosen).keys);
    },
    tunings: async () => tunings,
    // By the C code of the program.
    compare: (question) => {
      const chosen = done
        .filter(({ grid }) => grid === question.grid)
        .map((run) => ({ ...run, evolution: [], result: Object.fromEntries(Object.entries(run.result ?? {}).filter(([member]) => !LONG.includes(member))) }));
      return postLocally<Comparison>("/api/stores/0/compare", { ...question, runs: chosen });
    },
  };
}
