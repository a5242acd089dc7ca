// rough: what people and machines do beside the straight way: a program that ends, files dropped here
// and there, seeds put back, windows left, texts copied without leave.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { check, fact, go, newGame, serve, until } from "./harness.mjs";

const example = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../examples/game.json");
const answerOf = (page) => page.textContent(".result p");
const news = (page) => page.textContent("#news");

async function freshSolve(page, address) {
  await go(page, address, "replays");
  await go(page, address, "solve");
  await page.waitForSelector('option[value="ga"]', { state: "attached" });
}

/** A search by evaluations, so that it is the same again; gives the words of the answer. */
async function search(page, seed) {
  await page.fill('label:has-text("Seed") input', seed);
  await page.click('button:text-is("Start")');
  await until(async () => (await page.isHidden(".result")) || (await page.textContent(".error")) !== "");
  await page.waitForSelector(".result h3", { timeout: 30000 });
  return answerOf(page);
}

/** The seed that is printed is one that is taken, and gives the same answer. */
async function seedAgain(page, address) {
  await freshSolve(page, address);
  await page.selectOption('label:has-text("Algorithm") select', "ga");
  await page.click("summary:text-is('Settings of the search')");
  await page.fill('label:has-text("Evaluations") input', "3000");
  await page.fill('label:has-text("Seconds") input', "60");
  let drawn = 0;
  let words = "";
  for (let i = 0; i < 12 && drawn <= 2147483647; i++) {
    words = (await search(page, "")) ?? "";
    drawn = Number(/seed (\d+)$/.exec(words)?.[1]);
  }
  check("a large seed is drawn", drawn > 2147483647, words); // one of 4096 times it is not
  check("a drawn seed put back gives the same answer", (await search(page, String(drawn))) === words, words);
  check("so does the largest", (await search(page, "9007199254740991"))?.endsWith("seed 9007199254740991"));
  await page.fill('label:has-text("Seed") input', "9007199254740992");
  await page.click('button:text-is("Start")');
  check("one more is refused", await until(async () => (await page.textContent(".error"))?.includes("seed")));
}

/** On narrow boards there is no fumen, and that is said; one row is one. */
async function smallAnswers(page, address) {
  await freshSolve(page, address);
  await page.click("summary:text-is('The board at the start')");
  await page.fill('label:has-text("Width") input', "4");
  await page.fill('label:has-text("Pieces") input', "I");
  await page.selectOption('label:has-text("Algorithm") select', "exact");
  const words = await search(page, "1");
  check("one row, one piece", words?.includes(" 1 line cleared, 1 piece placed"), words);
  check("no fumen, with the reason", await page.isDisabled('.result button:text-is("Copy as fumen")'));
  check("in words", (await page.textContent(".refused"))?.includes("10 columns, this board 4"));
}

/** Two clicks are one search, and a board that no page could draw is refused in words. */
async function haste(page, address) {
  await freshSolve(page, address);
  let begun = 0;
  const count = (request) => (begun += request.method() === "POST" && request.url().endsWith("/api/solve") ? 1 : 0);
  page.on("request", count);
  await page.fill('label:has-text("Seconds") input', "0.5");
  await page.$$eval("button.primary", ([start]) => {
    start.click();
    start.click();
  });
  await page.waitForSelector(".result h3", { timeout: 30000 });
  check("two clicks begin one search", begun === 1, String(begun));
  page.off("request", count);
  await page.click("summary:text-is('The board at the start')");
  await page.fill('label:has-text("Width") input', "1000000000");
  await page.click('button:text-is("Start")');
  check("a board that is too wide is refused", await until(async () => (await page.textContent(".error"))?.includes("width")), await page.textContent(".error"));
}

/** What could not be loaded is asked for again when somebody comes back. */
async function loadAgain(browser, address) {
  const page = await (await browser.newContext()).newPage();
  await page.route("**/tetropt.wasm", (route) => route.abort());
  await go(page, address, "play");
  check("without the engine it says so", await until(async () => ((await page.textContent(".error").catch(() => "")) ?? "") !== ""));
  await page.unroute("**/tetropt.wasm");
  await go(page, address, "replays");
  await go(page, address, "play");
  check("and tries again", await until(() => page.isVisible('button:text-is("New game")')));
  await page.context().close();
}

/** A browser that keeps nothing for pages shows them all the same. */
async function withoutStorage(browser, address) {
  const context = await browser.newContext();
  await context.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("no", "SecurityError");
      },
    }),
  );
  const page = await context.newPage();
  await page.goto(`${address}#replays`);
  check("a page without storage", await until(() => page.isVisible(".drop")));
  await page.click("#theme");
  check("its theme changes", (await page.textContent("#theme")) === "Theme: light", await page.textContent("#theme"));
  await context.close();
}

/** The reason why there are no runs stands there as long as it holds. */
async function refusedRuns(browser, address) {
  const page = await (await browser.newContext()).newPage();
  const refusal = { status: 409, contentType: "application/json", body: '{"error":"more runs than are shown"}' };
  await page.route("**/api/stores/*/runs", (route) => route.fulfill(refusal));
  await go(page, address, "experiments");
  const said = async () => (await page.textContent(".error")) === "more runs than are shown";
  check("a refusal is shown", await until(said));
  let stands = true;
  for (let i = 0; i < 10; i++) {
    await page.waitForTimeout(500); // over two looks at the counts
    stands &&= await said();
  }
  check("and stays", stands, await page.textContent(".error"));
  await page.unroute("**/api/stores/*/runs");
  check("until it is over", await until(async () => (await page.textContent(".error")) === ""));
  await page.context().close();
}

/** The button says what it did, also where it may not. */
async function copying(page, address) {
  await go(page, address, "replays");
  await page.fill("textarea", "v115@vhAAgH");
  await page.click('button:text-is("Show")');
  const sign = page.locator('main section button:has-text("opied"), main section button:text-is("Copy as fumen")').first();
  await sign.waitFor();
  await sign.click();
  check("the button says that it copied", await until(async () => (await sign.textContent()) === "Copied", 1500));
  check("for a while", await until(async () => (await sign.textContent()) === "Copy as fumen", 6000));
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
    document.execCommand = () => false;
  });
  await sign.click();
  check("or that it did not", await until(async () => (await sign.textContent()) === "Not copied", 1500));
  check("which is said too", (await news(page))?.includes("did not allow"), await news(page));
  await page.reload();
}

/** Drags a file over an element, and lets go of it if asked. Gives whether the page took the event. */
function drag(page, selector, type, name, text) {
  return page.evaluate(
    ([where, what, file, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content], file));
      const event = new DragEvent(what, { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector(where).dispatchEvent(event);
      return event.defaultPrevented;
    },
    [selector, type, name, text],
  );
}

async function dropping(page, address, { replay }) {
  await go(page, address, "replays");
  const marked = () => page.$eval(".drop", (place) => place.classList.contains("over"));
  await drag(page, ".drop label", "dragover", "a.json", "");
  check("the place lights up under a file", await marked());
  await drag(page, ".drop", "dragleave", "a.json", "");
  check("and goes dark", !(await marked()));
  await drag(page, ".drop", "dragover", "a.json", "");
  check("a drop is taken", await drag(page, ".drop", "drop", "replay.json", readFileSync(replay, "utf8")));
  check("a dropped replay is shown", await until(async () => (await page.textContent("main h3").catch(() => ""))?.includes("tetropt solve")));
  check("dark after that", !(await marked()));
  check("it is said", (await news(page))?.startsWith("Loaded"));
  await drag(page, ".drop", "drop", "game.json", readFileSync(example, "utf8"));
  check("a document of eval is called one", await until(async () => (await page.textContent(".error"))?.includes("a solution for `eval`, not a replay")));
  check("nothing is left of what was loaded", (await news(page)) === "" && (await page.textContent("main section")) === "", await news(page));
  let asked = 0;
  page.on("request", () => asked++);
  await drag(page, ".drop", "drop", "long.json", "x".repeat((64 << 20) + 1));
  check("a long file is not read", await until(async () => (await page.textContent(".error"))?.startsWith("long.json: 65,537 KiB")), await page.textContent(".error"));
  check("nor sent", asked === 0);
  for (const name of ["replays", "solve"]) {
    await go(page, address, name);
    check(`${name}: a file beside the place is not opened`, (await drag(page, "h1, h2", "drop", "a.json", "{}")) && (await drag(page, "main", "dragover", "a.json", "{}")));
  }
}

/** What is listed beside an agent that does not go by it is called what it is. */
async function captions(page, address) {
  await go(page, address, "watch");
  await page.waitForSelector(".pane h3");
  const begin = async (agent) => {
    await page.selectOption('label:has-text("Agent") select', agent);
    await page.selectOption('label:has-text("Speed") select', "4");
    await page.click('button:text-is("Start")');
  };
  const said = (words) => until(async () => (await page.textContent(".thoughts caption").catch(() => ""))?.includes(words), 60000);
  await begin("random");
  check("random: at random", await said("It plays at random. For comparison, the best of"));
  await begin("weighted");
  check("weighted: by its weights", await said("placements by competition-1"));
  await page.click("summary:text-is('The board as text')");
  const text = () => page.textContent(".beside pre");
  check("the board as text", await until(async () => /[IOTSZJL]/.test((await text()) ?? "")), await text());
  await page.fill('label:has-text("Seed") input', "7");
  await begin("bees");
  check("bees: by the plan", await said("It follows its plan. For comparison, the best of"));
  await page.selectOption('label:has-text("Speed") select', "max");
  check("and ends with it", await until(async () => (await page.textContent("main"))?.includes("rules guideline: game over"), 60000));
}

async function playing(page, address) {
  await go(page, address, "play");
  await page.waitForSelector('option[value="weighted"]', { state: "attached" });
  await newGame(page);
  await page.keyboard.press("Space");
  await until(async () => (await fact(page, "Pieces")) === 1);
  await page.focus("summary:text-is('The board as text')");
  await page.keyboard.press("Space");
  const text = await until(async () => ((await page.isVisible("main details pre")) ? page.textContent("main details pre") : ""));
  check("the field as text, by keys", /[IOTSZJL]/.test(text || ""), text);
  check("that key was not the game's", (await fact(page, "Pieces")) === 1);
  await page.evaluate(() => window.dispatchEvent(new Event("blur")));
  check("a window that is left pauses", (await page.textContent(".side .message")) === "Paused");
  await page.evaluate(() => window.dispatchEvent(new Event("blur")));
  check("and stays so", (await page.textContent(".side .message")) === "Paused");
}

/** The program is killed in the middle of a search: the page says so and can be used again. */
async function killed(browser, program, folder) {
  const server = await serve(program, folder);
  const page = await (await browser.newContext()).newPage();
  await go(page, server.address, "solve");
  await page.waitForSelector('option[value="hill"]', { state: "attached" });
  await page.fill('label:has-text("Seconds") input', "60");
  await page.click('button:text-is("Start")');
  await until(async () => /evaluations in/.test((await page.textContent(".live .message")) ?? ""));
  await server.kill();
  const gone = async () => (await page.textContent(".error")) === "The program does not answer any more.";
  check("a program that ends is missed", await until(gone, 20000), await page.textContent(".error"));
  check("a new search can be asked for", (await page.isEnabled('button:text-is("Start")')) && (await page.isDisabled('button:text-is("Stop")')));
  await page.click('button:text-is("Start")');
  check("in the same words", await until(gone), await page.textContent(".error"));
  await page.context().close();
}

export async function roughPages(browser, address, found, program, folder) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 980 }, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  await seedAgain(page, address);
  await smallAnswers(page, address);
  await haste(page, address);
  await copying(page, address);
  await dropping(page, address, found);
  await captions(page, address);
  await playing(page, address);
  await context.close();
  await loadAgain(browser, address);
  await withoutStorage(browser, address);
  await refusedRuns(browser, address);
  await killed(browser, program, folder);
}
