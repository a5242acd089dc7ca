// regressions: bugs that users found in the web UI, each with the check that failed before it was fixed.

import path from "node:path";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { check, go, serve, until } from "./harness.mjs";

const input = (label) => `label:has-text("${label}") input`;
const start = 'button:text-is("Start")';
const errorOf = (page) => page.textContent("main .error");

/** A page in a context of its own, and the errors that its scripts throw. */
async function open(browser, address, name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 980 }, ...options });
  const page = await context.newPage();
  const thrown = [];
  page.on("pageerror", (error) => thrown.push(String(error)));
  await go(page, address, name);
  return { page, thrown, close: () => context.close() };
}

async function openSolve(browser, address) {
  const opened = await open(browser, address, "solve");
  await opened.page.waitForSelector('option[value="hill"]', { state: "attached" });
  return opened;
}

async function search(page, seconds) {
  await page.fill(input("Seconds"), seconds);
  await page.click(start);
  await until(async () => /evaluations in/.test((await page.textContent(".live .message")) ?? ""));
}

/** A logarithmic axis from below 1, whose ticks did not end. */
async function logarithmicAxis(browser, address) {
  const axis = (title, log) => ({ title, log });
  const series = [{ name: "a", mark: "line", x: [0.3, 1, 900], y: [0.6, 5, 40] }];
  const panels = [false, true].map((log) => ({ title: String(log), x: axis("x", log), y: axis("y", true), series }));
  panels.push({ title: "zero", x: axis("x", true), y: axis("y", true), series: [{ name: "b", mark: "bars", x: [0, 1], y: [0, 1e-9] }], rules: [{ y: 0 }] });
  const { page, thrown, close } = await open(browser, address, "experiments");
  await page.route("**/api/stores/*/plots", (route) => route.fulfill({ json: [{ name: "n", title: "t", caption: "c", panels }] }));
  const begun = Date.now();
  await page.click('button:text-is("Draw the plots of the report")');
  check("log axis: drawn", await until(async () => (await page.$$(".plots .uplot canvas")).length === 3));
  await page.click("#theme");
  check("log axis: also in the other theme", await until(async () => (await page.$$(".plots .uplot canvas")).length === 3));
  check("log axis: at once", Date.now() - begun < 8000, Date.now() - begun);
  check("log axis: no error", thrown.length === 0, thrown);
  await close();
}

/** Every chart has the width of its own figure. */
async function neighbours(browser, address) {
  const { page, close } = await open(browser, address, "experiments");
  await page.click('button:text-is("Draw the plots of the report")');
  await until(async () => (await page.$$(".plots .uplot canvas")).length >= 6);
  const outside = () => page.$$eval(".plots figure:has(.uplot)", (figures) => figures.filter((one) => one.querySelector(".u-wrap").getBoundingClientRect().right > one.getBoundingClientRect().right).length);
  check("charts stay inside their figures", await until(async () => (await outside()) === 0, 2000), await outside());
  await close();
}

async function stateOf(address, number) {
  return (await (await fetch(`${address}api/solve/${number}`)).json()).state;
}

/** Reloading or leaving ends the search, sooner than the server ends what nobody watches. */
async function leaving(browser, program, folder) {
  const server = await serve(program, folder);
  const { page, close } = await openSolve(browser, server.address);
  await search(page, "60");
  await page.reload();
  check("reloading ends the search", await until(async () => (await stateOf(server.address, 1)) === "done", 9000));
  await page.waitForSelector('option[value="hill"]', { state: "attached" });
  await search(page, "60");
  await page.goto("about:blank");
  check("leaving ends the search", await until(async () => (await stateOf(server.address, 2)) === "done", 9000));
  await close();
  await server.end();
}

/** Long numbers beside a board stay in front of it. */
async function longNumbers(browser, address) {
  for (const [size, viewport] of Object.entries({ wide: { width: 1100, height: 980 }, phone: { width: 360, height: 740 } })) {
    const { page, close } = await open(browser, address, "watch", { viewport });
    await page.waitForSelector(".pane h3");
    const over = await page.$eval(".pane .game", (game) => {
      const board = game.querySelector(":scope > canvas").getBoundingClientRect().left;
      return [...game.querySelectorAll("dd")].map((place) => {
        place.textContent = "1,234,567,890";
        const range = document.createRange();
        range.selectNodeContents(place);
        return range.getBoundingClientRect().right - board;
      });
    });
    check(`${size}: numbers beside the board`, over.length === 7 && over.every((right) => right <= 0), over);
    await close();
  }
}

async function rejectedNumbers(browser, address) {
  const { page, close } = await openSolve(browser, address);
  const before = await page.inputValue(input("Pieces"));
  await page.fill(input("Number to draw"), "5005");
  await page.click('button:text-is("Random pieces")');
  check("5005 pieces are rejected", await until(async () => (await errorOf(page)) === "placements: 5005 is not in 1..1000", 3000), await errorOf(page));
  check("and none are drawn", (await page.inputValue(input("Pieces"))) === before);
  await page.fill(input("Number to draw"), "20");
  await page.click('button:text-is("Random pieces")');
  check("20 are drawn", await until(async () => (await page.inputValue(input("Pieces"))).length === 21));
  await page.fill(input("Pieces"), "TOZ");
  await page.fill(input("Seconds"), "0.3");
  await page.click(start);
  check("then a typed list is searched", await until(async () => (await page.textContent(".result p").catch(() => ""))?.includes("3 pieces placed"), 5000), await errorOf(page));
  await page.fill(input("Number to place"), "2"); // one's own number stays
  await page.fill(input("Pieces"), "TOZL");
  check("a typed number to place is kept", (await page.inputValue(input("Number to place"))) === "2");
  for (const [name, button] of [["solve", "Start"], ["watch", "Start"], ["play", "New game"]]) {
    await go(page, address, name);
    await page.waitForSelector(`button:text-is("${button}")`);
    for (const [seed, why] of [["-4", "seed: -4 is not in 0..9007199254740991"], ["1.7", "seed: '1.7' is not an integer"], ["1e20", "seed: 1e20 is not in 0..9007199254740991"]]) {
      await page.fill(input("Seed"), seed);
      await page.click(`button:text-is("${button}")`);
      check(`${name}: seed ${seed} is rejected`, await until(async () => (await errorOf(page)) === why, 2000), await errorOf(page));
      check(`${name}: seed ${seed} is not shown as used`, !(await page.textContent("main")).includes(`Seed ${Number(seed)}`));
    }
    await page.fill(input("Seed"), "12");
    await page.click(`button:text-is("${button}")`);
    check(`${name}: a good seed after that`, await until(async () => (await errorOf(page)) === "", 3000), await errorOf(page));
  }
  await close();
}

/** The program is ended and started again at the same address: every page says what is lost and works again. */
async function restart(browser, program, folder) {
  let server = await serve(program, folder);
  const { address } = server;
  const again = async () => {
    server = await serve(program, folder, "--port", new URL(address).port);
  };
  const { page, close } = await openSolve(browser, address);
  await search(page, "1");
  await page.waitForSelector(".result h3", { timeout: 15000 });
  await server.kill();
  await again();
  await page.click(':is(a, button):text-is("Download replay")');
  check("restart: the answer is gone, and that is said", await until(async () => (await errorOf(page))?.startsWith("The program was restarted"), 3000), await errorOf(page));
  await search(page, "60");
  check("restart: a new search runs", (await errorOf(page)) === "");
  await server.kill();
  await again();
  check("restart: a lost search is called lost", await until(async () => (await errorOf(page))?.startsWith("The program was restarted"), 12000), await errorOf(page));
  await search(page, "1");
  check("restart: and another one runs", await until(() => page.isVisible(".result h3"), 15000), await errorOf(page));
  await server.kill();
  for (const [name, ready] of [["train", 'button:text-is("Start"):not([aria-disabled])'], ["solve", 'button:text-is("Start"):not([aria-disabled])']]) {
    await go(page, address, "replays").catch(() => {});
    await page.evaluate((hash) => (location.hash = hash), `#${name}`);
    check(`restart: ${name} without the program says so`, await until(async () => (await errorOf(page).catch(() => ""))?.includes("does not answer")), name);
    await again();
    check(`restart: ${name} works when it is back`, await until(() => page.isVisible(ready), 8000), name);
    check(`restart: ${name} without the old error`, await until(async () => ((await errorOf(page)) ?? "") === "", 3000), await errorOf(page));
    await server.kill();
  }
  await page.evaluate(() => (location.hash = "#play"));
  check("restart: Play needs the program only once", await until(() => page.isVisible('button:text-is("New game")'), 3000));
  await close();
}

/** Once the best board is hidden the chart has more space, and takes it. */
async function chartWidth(browser, address) {
  const { page, close } = await openSolve(browser, address);
  await search(page, "1");
  await page.waitForSelector(".result h3", { timeout: 15000 });
  const widths = () => page.$eval(".chart", (place) => [place.clientWidth, place.querySelector("canvas").getBoundingClientRect().width]);
  check("the chart is as wide as its place", await until(async () => { const [place, drawn] = await widths(); return Math.abs(place - drawn) < 2; }, 2000), await widths());
  await close();
}

async function editor(browser, address) {
  const { page, close } = await openSolve(browser, address);
  await page.click("summary:text-is('The board at the start')");
  const box = await page.locator(".editor canvas").boundingBox();
  const at = (x, y, rows) => [box.x + ((x + 0.5) * box.width) / 10, box.y + box.height - ((y + 0.5) * box.height) / rows];
  await page.mouse.move(...at(0, 0, 20));
  await page.mouse.down();
  await page.mouse.move(...at(8, 0, 20)); // in one go
  await page.mouse.move(...at(8, 4, 20));
  await page.mouse.up();
  const filled = async () => Number(/(\d+) cells filled/.exec((await page.getAttribute(".editor canvas", "aria-label")) ?? "")?.[1]);
  check("a fast drag fills every cell", (await filled()) === 13, await filled());
  for (const [label, value] of [["Height", "24"], ["Height", "4"], ["Height", "20"], ["Width", "12"]]) {
    await page.fill(input(label), value);
    await page.keyboard.press("Tab");
    const wanted = value === "4" ? 12 : 13;
    check(`the drawing stays with ${label} ${value}`, (await filled()) === wanted, await filled());
  }
  await page.fill(input("Pieces"), "OI");
  await page.fill(input("Seconds"), "0.3");
  await page.click(start);
  await page.waitForSelector(".result h3", { timeout: 15000 });
  await page.click('.result button[aria-label="First"]');
  check("and is searched on", (await page.textContent(".stepper pre"))?.trim().split("\n").at(-1) === "GGGGGGGGG...", await page.textContent(".stepper pre"));
  await close();
}

/** A replay of several megabytes, from first to last move, and nothing of it is sent. */
async function longReplay(browser, address, program, folder) {
  const file = path.join(folder, "long.json");
  execFileSync(program, ["simulate", "--agent", "dt20", "--games", "1", "--max-pieces", "120000", "--seed", "3", "--keep-best", file, "--quiet"], { stdio: "ignore" });
  const { moves } = JSON.parse(readFileSync(file, "utf8"));
  check("the replay is longer than the server takes", statSync(file).size > 4 << 20 && moves.length > 2000, statSync(file).size);
  const { page, thrown, close } = await open(browser, address, "replays");
  let posted = 0;
  page.on("request", (request) => (posted += request.method() === "POST" ? 1 : 0));
  await page.setInputFiles('input[type="file"]', file);
  check("a long replay is shown", await until(async () => (await page.textContent(".stepper .message").catch(() => ""))?.startsWith(`${moves.length} of ${moves.length}: `), 30000), await errorOf(page));
  await page.click('button[aria-label="Back"]');
  check("a move before the last", (await page.textContent(".stepper .message"))?.startsWith(`${moves.length - 1} of `));
  await page.click('button[aria-label="First"]');
  await page.click('button[aria-label="Forward"]');
  check("the first move", (await page.textContent(".stepper .message"))?.startsWith(`1 of ${moves.length}: `));
  check("without the server", posted === 0 && thrown.length === 0, { posted, thrown });
  await close();
}

/** The focus stays where it is when a button has nothing more to do. */
async function focusStays(browser, address) {
  const { page, close } = await openSolve(browser, address);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.fill(input("Seconds"), "60");
  await page.focus(start);
  await page.keyboard.press("Enter");
  await until(async () => /evaluations in/.test((await page.textContent(".live .message")) ?? ""));
  check("the focus stays on Start", (await focused()) === "Start", await focused());
  check("which does nothing meanwhile", await page.isDisabled(start));
  await page.keyboard.press("Tab");
  check("Stop is next", (await focused()) === "Stop", await focused());
  await page.keyboard.press("Enter");
  await page.waitForSelector(".result h3");
  check("the focus stays on Stop", (await focused()) === "Stop", await focused());
  await close();
}

/** Large means are rounded, and long numbers at an axis leave the place of its title free. */
async function largeNumbers(browser, address) {
  const state = (generation) => `data: ${JSON.stringify({ state: "running", generation, total: 9, best: 1155825.52083333, current: generation * 250000, seconds: 1 })}\n\n`;
  const { page, close } = await open(browser, address, "train");
  await page.route("**/api/train", (route) => route.fulfill({ json: { id: 999 } }));
  await page.route("**/api/train/*/events", (route) => route.fulfill({ contentType: "text/event-stream", body: [1, 2, 3].map(state).join("") }));
  await page.waitForSelector('.parameter label:has-text("generations") input');
  await page.click(start);
  check("a large mean is rounded", await until(async () => (await page.textContent(".live .message"))?.includes("best 1,155,826, mean 750,000,")), await page.textContent(".live .message"));
  await page.waitForSelector(".chart canvas");
  const axis = await page.$eval(".chart .u-axis:not(.u-off)~.u-axis", (place) => place.getBoundingClientRect().width).catch(() => 0);
  check("the axis has room for its numbers", axis >= 14 + 7 * "1,000,000".length, axis);
  await close();
}

/** What a visit loads: a little at first, next to nothing after that. */
async function transfers(browser, address) {
  const { page, close } = await open(browser, address, "watch");
  await page.waitForSelector(".pane h3");
  const loaded = () =>
    page.evaluate(() => {
      const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
      return entries.map(({ name, transferSize, responseStatus, encodedBodySize }) => ({ name: new URL(name).pathname, transferSize, responseStatus, encodedBodySize }));
    });
  const sum = (entries) => entries.reduce((all, { transferSize }) => all + transferSize, 0);
  const first = await loaded();
  check("a first visit is compressed", first.length >= 4 && sum(first) < 220000, first);
  await page.reload();
  await page.waitForSelector(".pane h3");
  const second = await loaded();
  check("a second one asks only what has changed", second.length >= 4 && sum(second) < 4000, second);
  await close();
}

export async function regressionPages(browser, address, program, folder) {
  await logarithmicAxis(browser, address);
  await neighbours(browser, address);
  await leaving(browser, program, folder);
  await longNumbers(browser, address);
  await rejectedNumbers(browser, address);
  await restart(browser, program, folder);
  await chartWidth(browser, address);
  await editor(browser, address);
  await longReplay(browser, address, program, folder);
  await focusStays(browser, address);
  await largeNumbers(browser, address);
  await transfers(browser, address);
  await remembered(browser, address);
}

/** What was entered is in the address, survives other pages and a reload, and a link shares it. */
async function remembered(browser, address) {
  const { page, close } = await open(browser, address, "solve");
  await page.waitForSelector('option[value="hybrid"]', { state: "attached" });
  await page.fill('label:has-text("Pieces") input', "ISZ");
  await page.selectOption('label:has-text("Algorithm") select', "ga");
  await page.click("summary:text-is('Settings of the search')");
  await page.fill('.parameter:has(span:text-is("population")) input', "123");
  await page.click("summary:text-is('The board at the start')");
  await page.focus(".editor canvas");
  await page.keyboard.press("Space");
  const link = await until(async () => (page.url().includes("123") && page.url().includes("Board") ? page.url() : undefined));
  check("the address has what was entered", link !== undefined, page.url());
  const entered = async (where) => [
    await where.inputValue('label:has-text("Pieces") input'),
    await where.inputValue('label:has-text("Algorithm") select'),
    await where.inputValue('.parameter:has(span:text-is("population")) input'),
    /, 1 cells? filled/.test((await where.getAttribute(".editor canvas", "aria-label")) ?? ""),
  ];
  const same = async (where, what) => {
    await where.waitForSelector('.parameter:has(span:text-is("population"))', { state: "attached", timeout: 10000 }).catch(() => {});
    const found = await until(async () => {
      const now = await entered(where);
      return now.join() === "ISZ,ga,123,true" ? now : undefined;
    }, 5000);
    check(what, found !== undefined, await entered(where));
  };
  await page.click('nav a[href="#play"]');
  await page.waitForSelector('nav a[href="#play"][aria-current="page"]');
  await page.click('nav a[href="#solve"]');
  await same(page, "inputs survive other pages");
  await page.reload();
  await same(page, "and a reload");
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link ?? address);
  await same(other, "a link shares them");
  await context.close();
  await close();
}
