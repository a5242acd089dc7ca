// dashboard: the page Experiments as a dashboard: a table that sorts and opens, plots that follow the filter, tunings, and
// exported files, which the browser reads itself.

import path from "node:path";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check, go, until } from "./harness.mjs";

const tuning = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../tuning/ga.json");

/** The column of that number of the table, as numbers. */
const column = (page, number) => page.$$eval("table.runs > tbody > tr:not(.opened)", (rows, i) => rows.map((row) => Number(row.cells[i]?.textContent)), number);

const rising = (values) => values.length > 3 && values.every((value, i) => i === 0 || value >= values[i - 1]);

async function sortsAndOpens(page) {
  await page.waitForSelector("table.runs tbody tr");
  await page.click('th button:has-text("fitness")');
  check("a column sorts", await until(async () => rising(await column(page, 2))), await column(page, 2));
  check("and says so", (await page.getAttribute('th:has(button:has-text("fitness"))', "aria-sort")) === "ascending");
  await page.click('th button:has-text("fitness")');
  check("the other way", await until(async () => rising((await column(page, 2)).reverse())), await column(page, 2));
  await page.click("table.runs tbody td button");
  await page.waitForSelector(".opened .stepper", { timeout: 15000 });
  check("a run opens to its curve", await until(() => page.isVisible(".opened .chart canvas")));
  check("and its board", /\d+ of \d+: [IOTSZJL]/.test((await page.textContent(".opened .stepper .message")) ?? ""), await page.textContent(".opened .stepper .message"));
  await page.click('table.runs td button[aria-expanded="true"]');
  check("and closes", (await page.$$(".opened")).length === 0);
}

const legends = (page) => page.$$eval(".plots .u-legend th", (names) => names.map((name) => name.textContent));

async function plotsFollow(page) {
  await page.fill('input[type="search"]', "");
  await page.click('button:text-is("Draw the plots of the report")');
  const has = async (name) => (await legends(page)).some((text) => text.includes(name));
  check("plots of all", await until(async () => (await has("sa")) && (await has("ga")), 20000), await legends(page));
  await page.fill('input[type="search"]', "algorithm=ga");
  check("plots follow the filter", await until(async () => (await legends(page)).length > 0 && !(await has("sa")), 20000), await legends(page));
  await page.fill('input[type="search"]', "");
}

async function showsTuning(page) {
  await page.setInputFiles('input[type="file"]', tuning);
  await page.waitForSelector(".tuning");
  const words = await page.textContent(".tuning");
  const log = JSON.parse(readFileSync(tuning, "utf8"));
  const number = (value) => value.toLocaleString("en-US");
  check("a tuning: its races", words?.includes(`${log.races} races with ${number(log.runs)} runs over ${log.parameters.length} parameters`), words?.slice(0, 400));
  check("a tuning: the winner beside the defaults", words?.includes(`population${number(log.parameters[0].default)}${number(log.winner.values.population)}`), words?.slice(0, 400));
  check("a tuning: importance and races", await until(async () => (await page.$$(".tuning .uplot canvas")).length === 3));
  await page.hover("canvas.coordinates", { position: { x: 60, y: 120 } });
  check("a tuning: a line of the parallel coordinates", await until(async () => /Number \d+, mean -?[\d.]+: population/.test((await page.textContent(".tuning figure .help")) ?? "")), await page.textContent(".tuning figure .help"));
}

/** What is said of the first two algorithms. */
async function compared(page) {
  await page.fill('input[type="search"]', "");
  await page.selectOption('label:has-text("By") select', "algorithm");
  await page.click('button:text-is("Compare")');
  return until(async () => {
    const words = await page.textContent("[role=status]:has(table)").catch(() => null);
    return words?.includes("Mann-Whitney") && words;
  }, 30000);
}

let byServer; // the same question, asked the program

/** The same on a site without the program: from a file. */
export async function dashboardFile(page, address, file) {
  await go(page, address, "experiments");
  await page.waitForSelector('input[type="file"]');
  await page.setInputFiles('input[type="file"]', file);
  check("an exported file: its counts", await until(async () => (await page.textContent(".message").catch(() => ""))?.startsWith("36 of 36 runs done"), 10000), await page.textContent("main"));
  await sortsAndOpens(page);
  await plotsFollow(page);
  const words = await compared(page);
  check("an exported file: two groups compared as the program does", words === byServer && /A12 = [\d.]+ \(/.test(words ?? ""), [words, byServer]);
  check("an exported file: attainment curves", await until(async () => ((await page.textContent(".plots")) ?? "").includes("Attainment curves")));
  await page.setInputFiles('input[type="file"]', `${file}.csv`);
  await page.waitForSelector('select option:text-is("runs.jsonl.csv")', { state: "attached" });
  check("a table: its counts", await until(async () => (await page.textContent(".message"))?.startsWith("36 of 36 runs done"), 10000), await page.textContent("main"));
  await page.click('th button:has-text("fitness")');
  check("a table: it sorts", await until(async () => rising(await column(page, 2))), await column(page, 2));
  await page.click("table.runs tbody td button");
  await page.waitForSelector(".opened .stepper", { timeout: 15000 });
  await page.click('table.runs td button[aria-expanded="true"]');
  const again = await compared(page);
  check("a table: the same comparison", again === byServer, [again, byServer]);
  writeFileSync(`${file}.bad`, '{"a": 1}\n');
  await page.setInputFiles('input[type="file"]', `${file}.bad`);
  check("another file is rejected", await until(async () => (await page.textContent(".error"))?.includes("neither")), await page.textContent(".error"));
  await showsTuning(page);
}

export async function dashboardPages(page, address, program, store, folder) {
  await go(page, address, "experiments");
  await sortsAndOpens(page);
  await plotsFollow(page);
  byServer = await compared(page);
  await showsTuning(page);
  const file = path.join(folder, "runs.jsonl");
  writeFileSync(file, execFileSync(program, ["experiment", "export", "jsonl", "--store", store]));
  writeFileSync(`${file}.csv`, execFileSync(program, ["experiment", "export", "csv", "--store", store]));
  return file;
}
