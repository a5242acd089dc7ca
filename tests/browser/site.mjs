// site: the web UI as a site of plain files (scripts/build-site), on a plain file server under a sub-path: no
// request leaves it, and it solves, trains, watches, plays and opens replays without the program.

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { continues, reviews } from "./boards.mjs";
import { dashboardFile } from "./dashboard.mjs";
import { check, fact, go, until } from "./harness.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const SUB_PATH = "/some/where/";

/** What a host sends so that workers may share memory. */
const THREADS = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** Serves a directory as any web host would, with these headers; every path that was asked for is noted. */
async function fileServer(directory, headers = {}) {
  const asked = [];
  const server = createServer((request, answer) => {
    const where = new URL(request.url, "http://localhost").pathname;
    asked.push(where);
    const name = where === SUB_PATH ? "index.html" : where.slice(SUB_PATH.length);
    try {
      const data = readFileSync(path.join(directory, path.basename(name)));
      for (const [header, value] of Object.entries(headers)) answer.setHeader(header, value);
      answer.setHeader("Content-Type", TYPES[path.extname(name)] ?? "application/octet-stream");
      answer.end(data);
    } catch {
      answer.statusCode = 404;
      answer.end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { address: `http://127.0.0.1:${server.address().port}${SUB_PATH}`, asked, close: () => server.close() };
}

async function solves(page, address) {
  await go(page, address, "solve");
  await page.waitForSelector('option[value="hybrid"]', { state: "attached" });
  await page.fill('label:has-text("Pieces") input', "TOZLIJSTOZLIJS");
  await page.selectOption('label:has-text("Algorithm") select', "ga");
  await page.fill('label:has-text("Seconds") input', "1");
  await page.click('button:text-is("Start")');
  await page.waitForSelector(".result h3", { timeout: 60000 });
  const words = await page.textContent(".result p");
  check("the site solves", words?.includes("14 pieces placed"), words);
  // A search that is stopped keeps its best.
  await page.fill('label:has-text("Seconds") input', "300");
  await page.click('button:text-is("Start")');
  check("it searches", await until(async () => /[1-9][\d,]* a second/.test((await page.textContent(".live .message")) ?? ""), 30000));
  await page.click('button:text-is("Stop")');
  await page.waitForSelector(".result h3", { timeout: 30000 });
  check("a stopped search keeps its best", (await page.textContent(".result p"))?.includes("14 pieces placed"));
  await page.fill('label:has-text("Pieces") input', "TOX");
  await page.click('button:text-is("Start")');
  check("bad input is rejected with the words of the program", await until(async () => (await page.textContent(".error"))?.includes("pieces: ")), await page.textContent(".error"));
}

/** A well-known opener: how many queues clear it, and how. */
export async function findsClears(page, address) {
  await go(page, address, "clears");
  await page.click('button:text-is("Example")');
  check("a fumen fills the field", await until(async () => /, [1-9]\d* cells filled/.test((await page.getAttribute(".editor canvas", "aria-label")) ?? ""), 30000));
  await page.click('button:text-is("Success rate")');
  check("the success rate", await until(async () => ((await page.textContent(".result")) ?? "").includes("514 of 840"), 60000), await page.textContent(".error"));
  check("by the first pieces", (await page.$$(".tree > li")).length >= 7);
  await page.click('button:text-is("Solutions")');
  await page.waitForSelector(".gallery .card", { timeout: 60000 });
  await page.click(".gallery .card");
  await page.waitForSelector(".stepper");
  check("a solution step by step, with its keys", await until(async () => /keys .*drop/.test((await page.textContent(".stepper .message")) ?? "")), await page.textContent(".stepper .message"));
  await page.fill('label:has-text("Queues") input', "*p9");
  await page.click('button:text-is("Success rate")');
  check("a bad pattern is rejected", await until(async () => (await page.textContent(".error"))?.includes("patterns: ")), await page.textContent(".error"));
}

/** A search that ends after so many evaluations: what the page says of its answer, and the threads that worked. */
async function limitedSearch(page, address) {
  await go(page, address, "solve");
  await page.waitForSelector('option[value="hybrid"]', { state: "attached" });
  await page.fill('label:has-text("Pieces") input', "TOZLIJSTOZLIJSTOZLIJS");
  await page.selectOption('label:has-text("Algorithm") select', "ga");
  await page.fill('label:has-text("Seconds") input', "600");
  await page.fill('label:has-text("Seed") input', "7");
  await page.click('summary:text-is("Settings of the search")');
  await page.fill('label:has-text("Evaluations") input', "200000");
  await page.click('button:text-is("Start")');
  await page.waitForSelector(".result h3", { timeout: 120000 });
  await page.evaluate(() => (navigator.clipboard.writeText = async (text) => void (window.copied = text)));
  await page.click('.result button:text-is("Copy as fumen")');
  const fumen = await until(() => page.evaluate(() => window.copied));
  const threads = /on (\d+) threads/.exec((await page.textContent(".live .message")) ?? "")?.[1];
  return { isolated: await page.evaluate(() => self.crossOriginIsolated), words: await page.textContent(".result p"), threads: Number(threads ?? 1), fumen };
}

/** With the headers a search has threads, without them one; the answer is that of the program. */
async function threads(browser, directory, program) {
  const options = ["--pieces", "TOZLIJSTOZLIJSTOZLIJS", "--algorithm", "ga", "--encoding", "swap-double", "--seed", "7", "--evaluations", "200000"];
  const { fitness, fumen } = JSON.parse(execFileSync(program, ["solve", "--json", "--quiet", ...options], { maxBuffer: 1 << 26 }));
  const shown = fitness.toLocaleString("en", { maximumSignificantDigits: 4 });
  for (const headers of [THREADS, {}]) {
    const server = await fileServer(directory, headers);
    const page = await browser.newPage();
    await page.goto(server.address);
    const found = await limitedSearch(page, server.address);
    const allowed = headers === THREADS;
    const name = allowed ? "with the headers" : "without the headers";
    check(`${name}: memory can be shared`, found.isolated === allowed, found);
    const processors = await page.evaluate(() => navigator.hardwareConcurrency);
    check(`${name}: threads`, allowed && processors > 1 ? found.threads > 1 : found.threads === 1, { ...found, processors });
    check(`${name}: the answer of the program`, found.words?.startsWith(`Fitness ${shown},`) && found.fumen === fumen, { ...found, fitness, fumen });
    check(`${name}: its module`, server.asked.some((where) => where.endsWith(allowed ? "threads.wasm" : "jobs.wasm")) && !server.asked.some((where) => where.endsWith(allowed ? "jobs.wasm" : "threads.wasm")), server.asked);
    // Stopping while threads work; training uses them for games.
    if (allowed) {
      await page.fill('label:has-text("Evaluations") input', "");
      await page.click('button:text-is("Start")');
      check("threads: it searches", await until(async () => /[1-9][\d,]* a second/.test((await page.textContent(".live .message")) ?? ""), 60000));
      await page.click('button:text-is("Stop")');
      await page.waitForSelector(".result h3", { timeout: 60000 });
      await trains(page, server.address);
    }
    await page.close();
    server.close();
  }
}

async function trains(page, address) {
  await go(page, address, "train");
  await page.waitForSelector('button:text-is("Start"):not([aria-disabled])', { timeout: 30000 });
  await page.click('button:text-is("Start")');
  const running = await until(async () => ((await page.textContent("main")) ?? "").includes("eneration"), 30000);
  check("the site trains", running, await page.textContent(".error"));
}

export async function checkSite(browser, folder, exported, program) {
  const script = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../scripts/build-site");
  const directory = path.join(folder, "site");
  execFileSync(script, [directory]);
  await threads(browser, directory, program);
  const server = await fileServer(directory);
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(server.address);
  const solved = await until(async () => ((await page.textContent("main .message")) ?? "").startsWith("A perfect clear"), 60000);
  check("the first page ends in a perfect clear", solved, await page.textContent("main"));
  await solves(page, server.address);
  await findsClears(page, server.address);
  await trains(page, server.address);
  await go(page, server.address, "watch");
  check("agents play", await until(async () => (await page.isVisible(".facts")) && (await fact(page, "Pieces")) > 2, 30000));
  await continues(page, server.address);
  await reviews(page, server.address);
  await go(page, server.address, "experiments");
  check("without a store it says how to see one", await until(async () => (await page.textContent(".error"))?.includes("open an exported file")));
  await dashboardFile(page, server.address, exported);
  check("nothing was asked for outside of the sub-path", server.asked.every((where) => where.startsWith(SUB_PATH)), server.asked.filter((where) => !where.startsWith(SUB_PATH)));
  check("no errors on the site", errors.length === 0, errors);
  await page.close();
  server.close();
}
