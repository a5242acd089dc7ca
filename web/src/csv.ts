// csv: the runs of a file of `experiment export csv`, in the shape of `experiment export jsonl`. A table has no curves and
// no boards, only numbers and words.

import type { RunDetail } from "./runs";

const HEAD = ["run", "grid", "command", "repeat", "state", "seed", "piece_seed", "error", "version"]; // before the parameters
const TAIL = ["seconds", "host", "started", "finished"]; // after the results, unless they were left out
const FIRST: Record<string, string> = { solve: "fitness", simulate: "agent", train: "features" }; // column of a result

/** The cells of a table, row by row: separated by commas, in quotes where they contain one, a quote or a line end. */
function* rowsOf(text: string): Generator<string[]> {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/gy;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) throw new Error("not a table: a quote is not closed");
    const [, value = "", end] = found;
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === ",") continue;
    yield row;
    row = [];
  }
}

/** Whether a text begins as the program begins such a file. */
export function isCsv(text: string): boolean {
  return text.startsWith(`${HEAD.join(",")},`);
}

function valueOf(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Sets a member of members: "summary.score.mean". */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  const words = name.split(".");
  let inner = object;
  for (const word of words.slice(0, -1)) inner = (inner[word] ??= {}) as Record<string, unknown>;
  inner[words.at(-1) ?? ""] = value;
}

/** Where the parameters end. A member of a result that is called like a column before it has `result.` in front. */
function firstResult(columns: string[], command: string): number {
  const name = FIRST[command] ?? "";
  const prefixed = columns.indexOf(`result.${name}`);
  const found = prefixed >= 0 ? prefixed : columns.indexOf(name, HEAD.length);
  return found >= 0 ? found : columns.length;
}

export function readCsv(text: string): RunDetail[] {
  const [columns = [], ...rows] = [...rowsOf(text)];
  const timed = columns.at(-1) === TAIL.at(-1);
  const end = columns.length - (timed ? TAIL.length : 0);
  const commands = rows.filter((row) => row[4] === "done").map((row) => row[2] ?? "");
  const split = Math.min(end, ...[...new Set(commands)].map((command) => firstResult(columns, command)));
  return rows.map((row, i): RunDetail => {
    if (row.length !== columns.length) throw new Error(`line ${i + 2}: ${row.length} cells instead of ${columns.length}`);
    const result: Record<string, unknown> = {};
    for (let k = split; k < end; k++) if (row[k] !== "") put(result, (columns[k] ?? "").replace(/^result\./, ""), valueOf(row[k] ?? ""));
    const given = columns.slice(HEAD.length, split).map((name, k): [string, string] => [name, row[HEAD.length + k] ?? ""]);
    const [run = "", grid = "", command = "", repeat = "", state = "", , pieceSeed = "", error = ""] = row;
    return {
      run: Number(run),
      grid,
      command,
      repeat: Number(repeat),
      state,
      piece_seed: Number(pieceSeed),
      error: error === "" ? null : error,
      parameters: Object.fromEntries(given.filter(([, value]) => value !== "")),
      result: state === "done" ? result : null,
      evolution: [],
      ...(timed ? { seconds: Number(row[end]) } : {}),
    };
  });
}
