// pages: every page of `tetropt serve`, used as a person would. usage: pages.mjs TETROPT [SHOTS]
// With a folder as second word, pictures for the documentation are written there.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { accessPages, startTraining } from "./access.mjs";
import { boardPages } from "./boards.mjs";
import { dashboardPages } from "./dashboard.mjs";
import { gamePages } from "./game.mjs";
import { check, fact, finish, go, newGame, openBrowser, serve, until } from "./harness.mjs";
import { regressionPages } from "./regressions.mjs";
import { roughPages } from "./rough.mjs";
import { checkSite, findsClears } from "./site.mjs";
import { checkSites } from "./sites.mjs";
import { shootPages } from "./shots.mjs";

const [program, shots] = process.argv.slice(2).map((word) => path.resolve(word));
const folder = mkdtempSync(path.join(tmpdir(), "tetropt-browser-"));

/** Clicks what saves a file and gives where it is. */
async function saved(page, name, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const file = path.join(folder, name);
  await download.saveAs(file);
  return file;
}

/** What the program says of a replay or fumen; it exits with an error for one that breaks the rules. */
function replayed(file) {
  return JSON.parse(execFileSync(program, ["replay", file, "--to", "json"], { encoding: "utf8", maxBuffer: 64 << 20 }));
}

async function solvePage(page, address) {
  await go(page, address, "solve");
  await page.waitForSelector('option[value="hybrid"]', { state: "attached" });
  await page.fill('label:has-text("Pieces") input', "TOZLIJSTOZLIJ");
  await page.click('button[aria-label="Add S"]');
  check("a button adds a piece", (await page.inputValue('label:has-text("Pieces") input')) === "TOZLIJSTOZLIJS");
  await page.selectOption('label:has-text("Algorithm") select', "ga");
  await page.fill('label:has-text("Seconds") input', "2");
  await page.fill('label:has-text("Seed") input', "1");
  await page.click('button:text-is("Start")');
  const rate = await until(async () => /[1-9][\d,]* a second/.test((await page.textContent(".live .message")) ?? ""));
  check("the rate is shown while it runs", rate && (await page.isEnabled('button:text-is("Stop")')));
  check("the curve is drawn", await until(() => page.isVisible(".chart canvas")));
  await page.waitForSelector(".result h3", { timeout: 15000 });
  const words = await page.textContent(".result p");
  check("an answer", /Fitness -?\d/.test(words ?? "") && words?.includes("14 pieces placed"), words);

  await page.click('.result button[aria-label="First"]');
  check("stepping: the start", (await page.textContent(".stepper .message"))?.includes("14 to come"));
  await page.click('.result button[aria-label="Forward"]');
  const first = await page.textContent(".stepper .message");
  check("stepping: a move with its keys", /^1 of 14: [IOTSZJL].*keys .*drop/.test(first ?? ""), first);
  const file = await saved(page, "replay.json", () => page.click('button:text-is("Download replay")'));
  check("a replay that follows the rules", replayed(file).moves.length === 14);
  const picture = await saved(page, "answer.svg", () => page.click('button:text-is("Download SVG")'));
  check("an SVG", readFileSync(picture, "utf8").includes("<svg"));
  await page.click('button:text-is("Copy as fumen")');
  const fumen = await page.evaluate(() => navigator.clipboard.readText());
  check("a fumen", fumen.startsWith("v115@"), fumen);

  await page.fill('label:has-text("Pieces") input', "TOX");
  await page.click('button:text-is("Start")');
  check("bad pieces are refused in words", await until(async () => (await page.textContent(".error"))?.includes("pieces")));

  await page.fill('label:has-text("Pieces") input', "TOZLIJSTOZLIJS");
  await page.selectOption('label:has-text("Algorithm") select', "hill");
  await page.fill('label:has-text("Seconds") input', "60");
  await page.click('button:text-is("Start")');
  await until(async () => /evaluations in/.test((await page.textContent(".live .message")) ?? ""));
  await page.click('button:text-is("Stop")');
  check("stopping keeps the best", await until(() => page.isVisible(".result h3")));

  await page.click('button:text-is("Start")');
  await until(async () => /evaluations in/.test((await page.textContent(".live .message")) ?? ""));
  await go(page, address, "replays");
  const left = async () => (await (await page.request.get(`${address}api/solve/3`)).json()).state === "done";
  check("leaving ends the search", await until(left, 30000, 300));
  return { replay: file, fumen };
}

/** The settings are those of the program, and what is set there counts. */
async function settingsPart(page, address) {
  await go(page, address, "solve");
  await page.waitForSelector('option[value="ga"]', { state: "attached" });
  await page.selectOption('label:has-text("Algorithm") select', "ga");
  await page.click("summary:text-is('Settings of the search')");
  const names = await page.$$eval(".parameter label span", (spans) => spans.map((span) => span.textContent));
  const listed = execFileSync(program, ["solve", "--list"], { encoding: "utf8" }).split("\nga:")[1].split("\n\n")[0];
  check("every parameter of the program", names.length > 10 && names.every((name) => listed.includes(`\n  ${name} `)), names);
  const set = (name, value) => page.fill(`.parameter:has(span:text-is("${name}")) input`, value);
  await set("population", "20");
  await set("generations", "3");
  await page.selectOption('.parameter:has(span:text-is("selection")) select', "tournament");
  await page.fill('label:has-text("Seconds") input', "60");
  await page.click('button:text-is("Start")');
  check("parameters count", await until(() => page.isVisible(".result h3"))); // and not the minute
  const told = await page.textContent(".live .message");
  check("so few evaluations", /^[^]* (\d\d) evaluations/.test(told ?? ""), told);
  await set("population", "1000000000");
  await page.click('button:text-is("Start")');
  check("out of range", await until(async () => (await page.textContent(".error"))?.includes("population")));
  await set("population", "");
  await page.fill('label:has-text("End at fitness") input', "-100000");
  await page.click('button:text-is("Start")');
  check("a target ends it", await until(() => page.isVisible(".result h3")));
  await page.selectOption('label:has-text("Algorithm") select', "beam");
  check("other parameters for another algorithm", (await page.textContent(".parameter label span")) === "width");
  await page.selectOption('label:has-text("Encoding") select', "placements");
  check("hold where it counts", await page.isVisible('label:has-text("Hold") select'));
  await page.selectOption('label:has-text("Algorithm") select', "sa");
  check("what does not go together is not offered", (await page.inputValue('label:has-text("Encoding") select')) === "swap-double");
}

async function editorPart(page, address, { fumen }) {
  await go(page, address, "replays");
  await go(page, address, "solve");
  await page.waitForSelector('option[value="exact"]', { state: "attached" });
  await page.click("summary:text-is('The board at the start')");
  await page.focus(".editor canvas");
  for (const key of ["Space", "ArrowRight", "ArrowRight", "Space"]) await page.keyboard.press(key);
  const label = await page.getAttribute(".editor canvas", "aria-label");
  check("the board is drawn with keys", label?.includes("2 cells filled") && label.includes("column 3, row 1"), label);
  await page.fill('label:has-text("Pieces") input', "OI");
  await page.selectOption('label:has-text("Algorithm") select', "beam");
  await page.fill('label:has-text("Seconds") input', "1");
  await page.click('button:text-is("Start")');
  await page.waitForSelector(".result h3", { timeout: 15000 });
  await page.click('.result button[aria-label="First"]');
  check("the given board is the start", (await page.textContent(".stepper pre"))?.trim() === "G.G.......");
  await editorColours(page, fumen);
}

/** Colours, undo, and the pages of a fumen. */
async function editorColours(page, fumen) {
  const label = async () => (await page.getAttribute(".editor canvas", "aria-label")) ?? "";
  const rows = () => page.inputValue('.editor label:has-text("Board") input');
  await page.selectOption('label:has-text("Colour") select', "T");
  await page.focus(".editor canvas");
  await page.keyboard.press("Space");
  check("a colour replaces another", (await rows()) === "G.T.......", await rows());
  await page.keyboard.press("Control+z");
  check("undone", (await rows()) === "G.G.......", await rows());
  await page.keyboard.press("Control+y");
  check("and done again", (await rows()) === "G.T.......", await rows());
  await page.click('.editor button:text-is("Empty the board")');
  await page.click('.editor button:text-is("Undo")');
  check("an emptied board comes back", (await label()).includes("2 cells filled"), await label());
  const open = async (text) => {
    await page.fill('label:has-text("From a fumen") input', text);
    await page.press('label:has-text("From a fumen") input', "Enter");
  };
  await open("v115@RhF8AeC8hlxwR4AeRpwhA8IeAgWoAFmfIElXOSASom?2AwngHBFbcRAVFFIBDoo2Al/SSBzEEfEkJD+B");
  check("a fumen with colours", await until(async () => (await rows()) === "GGGGGG.GGG/LLTTSS.OOI"), await rows());
  check("and its comment", (await page.textContent(".editor"))?.includes("Page 1 of 1: Ünï 100% 譜 🎮"), await page.textContent(".editor"));
  await open(fumen);
  check("the pages of a fumen", await until(async () => (await page.textContent(".editor"))?.includes("Page 1 of 15")), await page.textContent(".editor"));
  for (let i = 0; i < 2; i++) await page.click('button[aria-label="Next page"]');
  check("the third one", (await page.textContent(".editor"))?.includes("Page 3 of 15") && (await label()).includes("8 cells filled"), await label());
  await open("nothing");
  check("another text is rejected", await until(async () => (await page.textContent(".editor .error"))?.includes("neither")));
}

async function playPage(page, address) {
  await go(page, address, "play");
  await page.waitForSelector('option[value="weighted"]', { state: "attached" });
  await page.fill('label:has-text("Seed") input', "7");
  await newGame(page);
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press("h");
    const hinted = await until(async () => /(Place|Hold)/.test((await page.textContent(".side .message")) ?? ""));
    check("a hint in words", hinted, await page.textContent(".side .message"));
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("w");
    await page.keyboard.press("Space");
    check("a piece was placed", await until(async () => (await fact(page, "Pieces")) === i + 1, 3000));
  }
  await page.keyboard.press("c");
  await page.keyboard.press("p");
  check("paused", (await page.textContent(".side .message")) === "Paused");
  const before = await fact(page, "Pieces");
  await page.keyboard.press("Space");
  check("nothing happens in a pause", (await fact(page, "Pieces")) === before);
  await page.keyboard.press("p");
  await checkSaved(page, "half", 4);
  await page.focus("canvas[tabindex]");
  for (let i = 0; i < 40; i++) await page.keyboard.press("Space");
  const end = await until(async () => ((await page.textContent(".side .message")) ?? "").includes("Game over"));
  check("the game ends", end, await page.textContent(".side .message"));
  await checkSaved(page, "whole", await fact(page, "Pieces"));
}

/** The field as it is drawn. */
const picture = (page) => page.$eval("canvas[tabindex]", (canvas) => canvas.toDataURL());

/** Keys that repeat, that can be assigned, and what players expect besides. */
async function playControls(page, address) {
  await go(page, address, "play");
  await page.waitForSelector('option[value="weighted"]', { state: "attached" });
  await page.click("summary:text-is('Keys')");
  await page.fill('label:has-text("ARR") input', "0");
  await page.fill('label:has-text("DAS") input', "60");
  await page.press('label:has-text("DAS") input', "Tab");
  await page.click('button[aria-label="change the key: move left"]');
  await page.keyboard.press("j");
  check("a key is assigned", (await page.textContent(".keys dt")) === "j");
  await page.reload();
  await page.waitForSelector('option[value="weighted"]', { state: "attached" });
  check("and kept", (await page.textContent(".keys dt")) === "j", await page.textContent(".keys dt"));
  await page.fill('label:has-text("Seed") input', "7");
  await newGame(page);
  const start = await picture(page);
  await page.keyboard.down("j");
  await page.waitForTimeout(400);
  const wall = await picture(page);
  await page.keyboard.up("j");
  await page.keyboard.press("j");
  await page.waitForTimeout(60);
  check("a held key moves to the wall", wall !== start);
  await page.keyboard.press("v");
  await page.keyboard.press("Space");
  check("it drops", await until(async () => (await fact(page, "Pieces")) === 1));
  check("PPS and points for the drop", (await fact(page, "PPS")) > 0 && (await fact(page, "Score")) > 0);
  const shown = await picture(page);
  await page.keyboard.press("p");
  check("a pause hides the board", await until(async () => (await picture(page)) !== shown && (await page.textContent(".side .message")) === "Paused"));
  await page.keyboard.press("p");
  await page.keyboard.press("r");
  check("a key for a new game", await until(async () => (await fact(page, "Pieces")) === 0));
  // A race on the same pieces; the opponent sends garbage.
  await page.selectOption('label:has-text("Game") select', "race");
  await page.selectOption('label:has-text("Speed") select', "3");
  await newGame(page);
  check("the opponent is shown", await page.isVisible('canvas[aria-label="The opponent\'s field"]'));
  check("it sends lines", await until(async () => /^[1-9]\d* lines sent/.test((await page.textContent(".rival .message")) ?? ""), 60000), await page.textContent(".rival .message"));
  await page.focus("canvas[tabindex]");
  for (let i = 0; i < 60; i++) await page.keyboard.press("Space");
  check("a race is lost", await until(async () => ((await page.textContent(".side .message")) ?? "").startsWith("You lost")), await page.textContent(".side .message"));
  await page.evaluate(() => localStorage.clear());
}

/** The game so far as a replay and as a fumen, both as the program takes them. */
async function checkSaved(page, name, pieces) {
  await page.evaluate(() => document.activeElement?.blur());
  const { result } = replayed(await saved(page, `${name}.json`, () => page.click('button:text-is("Save replay")')));
  const score = await fact(page, "Score");
  check(`${name}: the replay has the game's result`, result.pieces === pieces && result.score <= score, // a replay has no points for drops
    { result, pieces, score });
  await page.click('button:text-is("Copy as fumen")');
  const file = path.join(folder, `${name}.txt`);
  writeFileSync(file, await page.evaluate(() => navigator.clipboard.readText()));
  check(`${name}: so has the fumen`, replayed(file).result.pieces === pieces, name);
}

async function watchPage(page, address) {
  await go(page, address, "watch");
  await page.waitForSelector(".pane h3");
  await page.selectOption('label:has-text("Agent") select', "lookahead");
  await page.selectOption('label:has-text("Beside it") select', "weighted");
  await page.fill('label:has-text("Seed") input', "7");
  await page.selectOption('label:has-text("Speed") select', "16");
  await page.click('button:text-is("Start")');
  const moving = await until(async () => {
    const pieces = await page.$$eval(".pane", (panes) => panes.map((pane) => Number(pane.querySelectorAll(".facts dd")[3]?.textContent)));
    return pieces.length === 2 && pieces.every((count) => count >= 10);
  }, 15000);
  check("two agents play", moving);
  check("they think", (await page.$$(".thoughts tbody tr")).length >= 6);
  await page.click('button:text-is("Pause")');
  const before = await fact(page, "Time");
  await page.waitForTimeout(200);
  check("a pause is one", Object.is(before, await fact(page, "Time")) || Number.isNaN(before));
  await page.selectOption('label:has-text("Agent") select', "dt20");
  await page.selectOption('label:has-text("Beside it") select', "");
  await page.selectOption('label:has-text("Speed") select', "max");
  await page.click('button:text-is("Start")');
  check("as fast as it goes", await until(async () => (await fact(page, "Pieces")) > 60, 10000));
  check("by the rules it likes", (await page.textContent(".pane h3"))?.includes("drop"));

  await page.selectOption('label:has-text("Agent") select', "lookahead");
  await page.click("summary:text-is('Settings of lookahead')");
  await page.selectOption('label:has-text("Weights") select', "tetris-blind");
  await page.fill('.parameter:has(span:text-is("breadth")) input', "2");
  await page.fill('label:has-text("Seed") input', "8");
  await page.click('button:text-is("Start")');
  check("other weights", await until(async () => (await page.textContent(".thoughts caption"))?.endsWith("by tetris-blind")));
  await until(async () => (await fact(page, "Pieces")) > 20);
  await page.click('button:text-is("Pause")');
  await page.waitForTimeout(300); // what the worker was asked for before
  const pieces = await fact(page, "Pieces");
  const { result, seeds } = replayed(await saved(page, "watched.json", () => page.click('button:text-is("Save replay")')));
  check("what was watched can be kept", result.pieces === pieces && seeds.pieces === 8, { result, seeds, pieces });
  await page.fill('.parameter:has(span:text-is("breadth")) input', "0");
  await page.click('button:text-is("Start")');
  check("a bad parameter is refused", (await page.textContent(".error"))?.includes("breadth"));
}

/** A training from the form to the weights file, which the program takes, and to the Watch page. */
async function trainPage(page, address) {
  await go(page, address, "train");
  await startTraining(page, { method: "genetic", agent: "weighted", generations: "4", games: "1", "max-pieces": "60", seed: "3" });
  const told = await until(async () => /^Generation 4 of 4: best [\d,]+/.test((await page.textContent(".live .message")) ?? ""), 20000);
  check("training: the generations are shown", told, await page.textContent(".live .message"));
  check("training: a curve", await until(() => page.isVisible(".chart canvas")));
  await page.waitForSelector(".result h3", { timeout: 20000 });
  const words = await page.textContent(".result p");
  check("training: the held-out score with its interval", /^Held-out score: [\d,.]+ \(95 % interval [\d,.]+ to [\d,.]+\), mean of 30 games/.test(words ?? ""), words);
  check("training: the weights by name", (await page.textContent(".result tbody tr th")) === "support" && (await page.$$(".result tbody tr")).length === 8);
  const file = await saved(page, "weights.json", () => page.click('button:text-is("Save weights")'));
  const written = JSON.parse(readFileSync(file, "utf8"));
  check("training: the file says how", written.training.settings.method === "genetic" && written.training.settings.seed === "3" && written.training.generations === 4, written);
  // The same question to the command gives the same weights.
  const options = ["--method", "genetic", "--agent", "weighted", "--generations", "4", "--games", "1", "--max-pieces", "60", "--seed", "3"];
  const command = JSON.parse(execFileSync(program, ["train", ...options, "--json", "--quiet", "--out", path.join(folder, "command.json")], { encoding: "utf8" }));
  check("training: as the command does", JSON.stringify(JSON.parse(readFileSync(path.join(folder, "command.json"), "utf8")).weights) === JSON.stringify(written.weights), command);
  execFileSync(program, ["simulate", "--agent", "weighted", "--weights", file, "--games", "1", "--max-pieces", "20", "--quiet"], { stdio: "ignore" }); // or it throws

  await page.click('button:text-is("Watch this agent")');
  const watched = await until(async () => (await page.textContent(".thoughts caption").catch(() => ""))?.endsWith("by the given weights"));
  check("training: the agent can be watched", watched);
  check("training: with its weights chosen", (await page.$eval('label:has-text("Weights") select', (select) => select.selectedOptions[0]?.textContent)) === "trained");

  await go(page, address, "train");
  await startTraining(page, { generations: "100000", time: "600" });
  await until(async () => /^Generation/.test((await page.textContent(".live .message")) ?? ""), 20000);
  await page.click('button:text-is("Stop")');
  check("training: stopping keeps the weights", await until(async () => (await page.textContent(".result p").catch(() => ""))?.startsWith("Stopped before")));
  await startTraining(page, { agent: "random" });
  check("training: an invalid question", await until(async () => (await page.textContent(".error"))?.includes("random")));
}

/** The bot searches over the whole queue; a few nodes are enough here. */
async function watchBot(page, address) {
  await go(page, address, "watch");
  await page.waitForSelector(".pane h3");
  await page.selectOption('label:has-text("Agent") select', "bot");
  await page.click("summary:text-is('Settings of bot')");
  await page.fill('.parameter:has(span:text-is("nodes")) input', "300");
  await page.fill('label:has-text("Seed") input', "7");
  await page.selectOption('label:has-text("Speed") select', "max");
  await page.click('button:text-is("Start")');
  check("the bot plays", await until(async () => (await fact(page, "Pieces")) > 30 && (await fact(page, "Lines")) > 2, 30000));
  check("by its own search", (await page.textContent(".thoughts caption"))?.startsWith("It plays by its own search"));
}

/** The engine of the page and that of the program are the same: so are their games. */
async function sameGame(page, address) {
  for (const [agent, drop] of [["weighted", false], ["dt20", true]]) {
    const played = await page.evaluate(
      async ([name, rules]) => {
        const { instance } = await WebAssembly.instantiateStreaming(fetch("/tetropt.wasm"), {
          wasi_snapshot_preview1: new Proxy({}, { get: () => () => 0, has: () => true }),
        });
        const calls = instance.exports;
        calls._initialize();
        const browser = calls.browser_new();
        const memory = () => new Uint8Array(calls.memory.buffer);
        memory().set(new TextEncoder().encode(`${name}\n\n\0`), calls.browser_words(browser));
        const session = calls.browser_begin(browser, 0, rules ? 1 : 0, rules ? 1 : 0, 11, 0);
        const state = () => {
          calls.browser_tell(browser, session);
          const start = calls.browser_text(browser);
          return JSON.parse(new TextDecoder().decode(memory().slice(start, start + calls.browser_length(browser))));
        };
        let last = state();
        while (last.pieces < 200 && last.end === "running") {
          calls.browser_step(session);
          last = state();
        }
        return { score: last.score, lines: last.lines, pieces: last.pieces };
      },
      [agent, drop],
    );
    const words = ["simulate", "--agent", agent, "--seed", "11", "--games", "1", "--max-pieces", "200", "--json", "--quiet"];
    const game = JSON.parse(execFileSync(program, words)).per_game[0];
    check(`${agent} plays the same game in the browser`, game.lines === played.lines && game.pieces === played.pieces && game.score === played.score, { played, game });
  }
}

async function replaysPage(page, address, { replay, fumen }) {
  await go(page, address, "replays");
  await page.setInputFiles('input[type="file"]', replay);
  check("a replay is shown", await until(async () => (await page.textContent("main h3"))?.includes("tetropt solve")));
  check("with its result", (await page.textContent("main section p"))?.includes("14 pieces"));
  await page.fill("textarea", fumen);
  await page.click('button:text-is("Show")');
  check("a fumen is shown", await until(async () => (await page.textContent("main h3")) === "A game of 14 moves"));
  await page.fill("textarea", "v115@vhAAgH");
  await page.click('button:text-is("Show")');
  check("a board alone is shown", await until(async () => (await page.textContent("main h3")) === "A board"));
  await page.fill("textarea", "hello");
  await page.click('button:text-is("Show")');
  check("something else is refused", await until(async () => (await page.textContent(".error"))?.includes("neither")));
  writeFileSync(path.join(folder, "bad.json"), "{}");
  await page.setInputFiles('input[type="file"]', path.join(folder, "bad.json"));
  check("a bad replay too", await until(async () => !(await page.textContent(".error"))?.includes("neither")));
}

/** A store with a small grid in it, done. */
function makeStore() {
  const store = `sqlite:${path.join(folder, "runs.db")}`;
  const grid = path.join(folder, "small.ini");
  writeFileSync(grid, "[experiment]\ncommand = solve\nrepeat = 6\n[solve]\nn = 6, 8\nalgorithm = ga, sa, hill\nevaluations = 20000\nthreads = 1\n");
  execFileSync(program, ["experiment", "init", grid, "--store", store, "--seed", "1"], { stdio: "ignore" });
  execFileSync(program, ["experiment", "run", "--store", store, "--workers", "1", "--quiet"], { stdio: "ignore" });
  const large = `sqlite:${path.join(folder, "large.db")}`;
  const many = path.join(folder, "many.ini");
  writeFileSync(many, readFileSync(grid, "utf8").replace("repeat = 6", "repeat = 1000"));
  execFileSync(program, ["experiment", "init", many, "--store", large, "--seed", "1"], { stdio: "ignore" });
  return { store, grid, large };
}

/** Thousands of runs: a part is shown, the filter looks at all. */
async function largeStore(page) {
  await page.fill('input[type="search"]', "");
  await page.selectOption('label:has-text("Store") select', { index: 1 });
  check("a large store", await until(async () => (await page.textContent(".help"))?.startsWith("6,000 of 6,000 runs, 1 to 100")));
  await page.click('button:text-is("Forward ▶")');
  check("further on", await until(async () => (await page.textContent(".help"))?.includes("101 to 200")));
  check("the rows too", (await page.textContent("tbody tr td")) === "101");
  await page.fill('input[type="search"]', "algorithm=sa n=8 waiting");
  check("the filter finds all", await until(async () => (await page.textContent(".help"))?.startsWith("1,000 of 6,000 runs, 1 to 100")));
  await page.fill('input[type="search"]', "nothing of the kind");
  check("or nothing", await until(async () => (await page.textContent(".help"))?.startsWith("0 of 6,000")));
}

async function experimentsPage(page, address, { store, grid }) {
  await go(page, address, "experiments");
  check("counts", await until(async () => (await page.textContent(".message"))?.startsWith("36 of 36 runs done")));
  await page.fill('input[type="search"]', "algorithm=sa n=8");
  check("runs are filtered", await until(async () => (await page.$$("tbody tr")).length === 6));
  await page.selectOption('label:has-text("By") select', "algorithm");
  await page.selectOption('label:has-text("First") select', "ga");
  await page.selectOption('label:has-text("Second") select', "sa");
  await page.click('button:text-is("Compare")');
  const verdict = await until(() => page.textContent('div[role="status"] p:has-text("Mann-Whitney")').catch(() => null));
  check("two groups are compared", /Mann-Whitney: p [=<] .*A12 = /.test(verdict ?? ""), verdict);
  await page.fill('input[type="search"]', "");
  check("all runs again", await until(async () => (await page.$$("tbody tr")).length >= 36));
  await page.click('button:text-is("Draw the plots of the report")');
  check("plots are drawn", await until(async () => (await page.$$(".plots .uplot canvas")).length >= 6));
  await page.click(".plots summary");
  check("with their numbers", await until(async () => (await page.$$(".plots details tbody tr")).length >= 3));
  check("the diagram of ranks too", await page.$eval(".plots img", (picture) => picture.naturalWidth > 100).catch(() => false));
  const more = grid.replace("small", "more");
  writeFileSync(more, readFileSync(grid, "utf8").replace("repeat = 6", "repeat = 1"));
  execFileSync(program, ["experiment", "init", more, "--store", store, "--seed", "2"], { stdio: "ignore" });
  check("new runs appear by themselves", await until(async () => (await page.textContent(".message"))?.includes("6 waiting")));
  execFileSync(program, ["experiment", "run", "--store", store, "--workers", "1", "--quiet"], { stdio: "ignore" });
  check("and are counted when done", await until(async () => (await page.textContent(".message"))?.startsWith("42 of 42")));
  await page.fill('input[type="search"]', "done");
  check("the list too", await until(async () => (await page.textContent(".help"))?.startsWith("42 of 42 runs")));
  await largeStore(page);
}

/** What a search would tell that has come so far. */
function toldState(evaluations) {
  const state = { state: "running", best: 20, current: 10, evaluations, seconds: evaluations / 1e6, rate: 1e6, width: 10, height: 20, board: [] };
  return `data: ${JSON.stringify(state)}\n\n`;
}

/** The last label of an axis has its room: no ink in the last column of the canvas. */
async function lastLabel(page, address) {
  await page.route("**/api/solve/*/events", (route) => route.fulfill({ contentType: "text/event-stream", body: [100, 2e6, 4e6].map(toldState).join("") }));
  await go(page, address, "solve");
  await page.waitForSelector('option[value="ga"]', { state: "attached" });
  await page.fill('label:has-text("Pieces") input', "TOZLIJS");
  await page.click('button:text-is("Start")');
  await until(async () => (await page.textContent(".live .message"))?.includes("4,000,000"));
  await page.waitForSelector(".chart canvas");
  await page.waitForTimeout(200); // the chart follows with the next frame
  const cut = await page.$eval(".chart canvas", (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(canvas.width - 1, 0, 1, canvas.height);
    return data.some((value, i) => i % 4 === 3 && value > 0);
  });
  check("the last label of a chart is whole", !cut);
  await page.unroute("**/api/solve/*/events");
}

/** Nothing sticks out at the width of a phone; every control has a name. */
async function everywhere(browser, address) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme: "dark", deviceScaleFactor: 2 });
  const page = await context.newPage();
  const names = await (await page.goto(address), page.$$eval("nav a", (links) => links.map((link) => link.getAttribute("href").slice(1))));
  for (const name of names) {
    await go(page, address, name);
    await page.waitForTimeout(150);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(`${name} fits a phone`, wide <= 360, wide);
    const nameless = await page.$$eval("button, input, select, textarea, a, canvas", (controls) =>
      controls.filter((one) => !(one.getAttribute("aria-label") ?? one.closest("label")?.textContent ?? one.textContent)?.trim()).map((one) => one.outerHTML),
    );
    check(`${name}: every control has a name`, nameless.length === 0, nameless);
    const dark = await page.evaluate(() => document.documentElement.dataset.theme);
    check(`${name} is dark where that is wished`, dark === "dark");
  }
  await lastLabel(page, address);
  await go(page, address, "play");
  await newGame(page);
  await page.click('button[aria-label="hard drop"]');
  check("the keys for touch play", await until(async () => (await fact(page, "Pieces")) === 1));
  await context.close();
}

const stored = makeStore();
const server = await serve(program, folder, "--store", "sqlite:runs.db", "--store", "sqlite:large.db");
const browser = await openBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1100, height: 980 }, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.stack ?? String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("400")) problems.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.address) && !/^(data|blob):/.test(request.url())) problems.push(`asked ${request.url()}`);
  });
  const found = await solvePage(page, server.address);
  await settingsPart(page, server.address);
  await editorPart(page, server.address, found);
  await playPage(page, server.address);
  await playControls(page, server.address);
  await gamePages(browser, server.address);
  await findsClears(page, server.address);
  await watchPage(page, server.address);
  await trainPage(page, server.address);
  await watchBot(page, server.address);
  await sameGame(page, server.address);
  found.exported = await dashboardPages(page, server.address, program, stored.store, folder);
  await experimentsPage(page, server.address, stored);
  await replaysPage(page, server.address, found);
  await boardPages(page, server.address, program, folder);
  await everywhere(browser, server.address);
  await roughPages(browser, server.address, found, program, folder);
  await regressionPages(browser, server.address, program, folder);
  await accessPages(browser, server.address, found);
  await checkSite(browser, folder, found.exported, program);
  await checkSites(browser, server.address);
  if (shots) await shootPages(browser, server.address, found, shots);
  check("no errors, no requests to others", problems.length === 0, problems);
} finally {
  await browser.close();
  check("serve ends with 130", (await server.end()) === 130);
  rmSync(folder, { recursive: true });
}
finish();
