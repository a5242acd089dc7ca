// access: every page by keys alone, and by the rules of axe (names, roles, contrast) in both themes.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { check, fact, countedDown, go, newGame, sourceOf, until } from "./harness.mjs";

const names = ["home", "solve", "clears", "watch", "play", "train", "experiments", "replays"];

/** What can be reached must be: everything that takes the focus and can be seen. */
const markAll = () => {
  const controls = [...document.querySelectorAll("a[href]:not([tabindex='-1']), button, input, select, textarea, summary, [tabindex='0']")];
  const seen = controls.filter((one) => !one.disabled && one.checkVisibility() && !one.classList.contains("skip"));
  seen.forEach((one, i) => (one.dataset.mark = String(i)));
  return seen.length;
};

/** Where the focus is, and whether that can be seen. */
const focused = () => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  return { mark: one.dataset.mark, visible: outlineStyle !== "none" && parseFloat(outlineWidth) >= 1, what: one.outerHTML.slice(0, 100) };
};

/** Tabs once through the page. */
async function tabThrough(page, name) {
  const count = await page.evaluate(markAll);
  const reached = new Set();
  const hidden = [];
  for (let i = 0; i < count + 20 && reached.size < count; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(focused);
    if (!at) continue;
    if (at.mark !== undefined) reached.add(at.mark);
    if (!at.visible) hidden.push(at.what);
  }
  const missed = await page.evaluate((marks) => [...document.querySelectorAll("[data-mark]")].filter((one) => !marks.includes(one.dataset.mark)).map((one) => one.outerHTML.slice(0, 100)), [...reached]);
  check(`${name}: every control is reached by Tab`, missed.length === 0 && count > 5, { count, missed });
  check(`${name}: the focus can be seen`, hidden.length === 0, hidden);
}

const MOST_STOPS = 3;

/** From the load of a page, few presses of Tab lead to what the page is for. */
async function fewStops(page, address) {
  for (const name of names) {
    const wanted = ["experiments", "replays"].includes(name) ? 'main input[type="file"]' : "main button.primary";
    await page.goto("about:blank");
    await page.goto(`${address}#${name}`);
    await page.waitForSelector(wanted);
    let stops = 0;
    do {
      await page.keyboard.press("Tab");
      stops++;
    } while (stops < 40 && !(await page.evaluate((what) => document.activeElement === document.querySelector(what), wanted)));
    check(`${name}: few stops to the main control`, stops <= MOST_STOPS, stops);
  }
  await page.focus("nav a[aria-current]");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  check("arrows lead through the menu", (await page.evaluate(() => document.activeElement?.textContent)) === "Solve");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  check("and around", (await page.evaluate(() => document.activeElement?.textContent)) === "Replays");
  await page.keyboard.press("Enter");
  check("and open a page", await until(async () => (await page.textContent("h2")) === "Replays"));
}

/** Presses Tab until the control with that text has the focus. */
async function tabTo(page, text) {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(() => (document.activeElement?.closest("label") ?? document.activeElement)?.textContent?.trim() ?? "");
    if (here.startsWith(text)) return true;
  }
  return false;
}

const news = (page) => page.textContent("#news");

/** A search, its answer and its steps without a mouse, and what is said meanwhile. */
async function solveByKeys(page, address) {
  await go(page, address, "solve");
  await page.waitForSelector('option[value="sa"]', { state: "attached" });
  await page.reload();
  await page.waitForSelector('option[value="sa"]', { state: "attached" });
  await page.keyboard.press("Tab");
  check("the first stop skips the menu", (await page.evaluate(() => document.activeElement?.textContent)) === "Skip to content");
  await page.keyboard.press("Enter");
  check("it leads to the page", (await page.evaluate(() => document.activeElement?.id)) === "main");
  check("a field", await tabTo(page, "Seconds"));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("1");
  check("a button", await tabTo(page, "Start"));
  await page.keyboard.press("Enter");
  check("the beginning is said", await until(async () => (await news(page))?.includes("begun")));
  await page.waitForSelector(".result h3", { timeout: 15000 });
  check("the end is said", await until(async () => (await news(page))?.startsWith("Done: fitness")), await news(page));
  await page.focus(".stepper input");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const value = await page.getAttribute(".stepper input", "aria-valuetext");
  check("a step in words", /^1 of \d+: [IOTSZJL]/.test(value ?? ""), value);
}

async function playByKeys(page, address) {
  await go(page, address, "play");
  await page.waitForSelector('option[value="weighted"]', { state: "attached" });
  check("a new game", await tabTo(page, "New game"));
  await page.keyboard.press("Enter");
  check("the keys go to the field", await page.evaluate(() => document.activeElement?.tagName === "CANVAS"));
  await countedDown(page);
  await page.keyboard.press("Space");
  check("a piece by keys", await until(async () => (await fact(page, "Pieces")) === 1));
  await page.keyboard.press("h");
  check("a hint is said", await until(async () => /(Place|Hold)/.test((await news(page)) ?? "")), await news(page));
  const label = await page.getAttribute("canvas[tabindex]", "aria-label");
  check("the field in words", /: [IOTSZJL] falls, next [IOTSZJL]{5}/.test(label ?? ""), label);
  await page.keyboard.press("Escape");
  check("a pause is said", (await news(page)) === "Paused.");
}

async function replayByKeys(page, address, { fumen }) {
  await go(page, address, "replays");
  check("a place to paste", await tabTo(page, "Or paste"));
  await page.keyboard.insertText(fumen);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  check("what was loaded is said", await until(async () => (await news(page))?.startsWith("Loaded")));
  await page.fill("textarea", "x");
  check("back", await tabTo(page, "Show"));
  await page.keyboard.press("Enter");
  check("a refusal is an alert", await until(async () => (await page.textContent('[role="alert"]')) !== ""));
}

/** Sets options of the Train page by their names and starts. */
async function startTraining(page, options) {
  await page.waitForSelector('button:text-is("Start"):enabled');
  for (const [name, value] of Object.entries(options)) {
    const control = page.locator(`.parameter:has(label > span:text-is("${name}")) :is(input, select)`);
    if (await control.evaluate((one) => one.tagName === "SELECT")) await control.selectOption(value);
    else await control.fill(value);
  }
  await page.click('button:text-is("Start")');
}

/** Puts content on the page for the checks. */
const fill = {
  clears: async (page) => {
    await page.click('button:text-is("Example")');
    await page.waitForSelector('.editor canvas[aria-label*="28 cells filled"]');
    await page.click('button:text-is("Solutions")');
    await page.waitForSelector(".gallery .card", { timeout: 60000 });
  },
  home: async (page) => {
    await page.waitForSelector('.message:has-text("A perfect clear")', { timeout: 60000 });
  },
  solve: async (page) => {
    await page.waitForSelector('option[value="ga"]', { state: "attached" });
    for (const summary of await page.$$("summary")) await summary.click();
    await page.fill('label:has-text("Seconds") input', "0.3");
    await page.click('button:text-is("Start")');
    await page.waitForSelector(".result h3");
  },
  watch: async (page) => {
    await page.waitForSelector(".thoughts tbody tr");
    await page.click('button:text-is("Pause")');
    for (const summary of await page.$$("summary:visible")) await summary.click();
  },
  play: async (page) => {
    await page.waitForSelector('option[value="weighted"]', { state: "attached" });
    await newGame(page);
    await page.keyboard.press("Space");
    await until(async () => (await fact(page, "Pieces")) === 1);
    await page.keyboard.press("p");
  },
  train: async (page) => {
    await startTraining(page, { generations: "3", games: "1", "max-pieces": "50", seed: "1" });
    await page.waitForSelector(".result table");
    for (const summary of await page.$$("summary:visible")) await summary.click();
  },
  experiments: async (page) => {
    await page.waitForSelector(".runs tbody tr");
    await page.click('button:text-is("Compare")');
    await page.waitForSelector('div[role="status"] table');
    await page.click('button:text-is("Draw the plots of the report")');
    await page.waitForSelector(".plots .uplot");
    await page.click(".runs tbody td button");
    await page.waitForSelector(".opened .stepper");
  },
  replays: async (page, { fumen }) => {
    await page.fill("textarea", fumen);
    await page.click('button:text-is("Show")');
    await page.waitForSelector(".stepper");
    await page.selectOption('label:has-text("Best placements") select', "on");
    await page.click('button:text-is("Review the game")');
    await page.waitForSelector(".costs", { timeout: 30000 });
  },
};

const tuning = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../tuning/hill.json");

/** Parts that are not there when a page opens. */
const parts = {
  tuning: async (page, address) => {
    await go(page, address, "experiments");
    await page.waitForSelector('input[type="file"]');
    await page.setInputFiles('input[type="file"]', tuning);
    await page.waitForSelector(".tuning .uplot");
  },
  position: async (page, address) => {
    await page.goto(`${address}#play?Position=10x20;GGGG.GGGGG;TIOSZ;L`);
    await page.waitForSelector(".start-position", { state: "visible" });
  },
};

/** The first field of a page, and Enter. */
async function enterStarts(browser, address) {
  const page = await browser.newPage();
  await go(page, address, "solve");
  await page.waitForSelector('button.primary:not([aria-disabled])');
  await page.fill('label:has-text("Seconds") input', "1");
  await page.press('label:has-text("Pieces") input', "Enter");
  check("Enter starts a search", await until(() => page.isVisible(".live, .result h3")));
  await go(page, address, "play");
  await page.waitForSelector('option[value="weighted"]', { state: "attached" });
  await page.focus('label:has-text("Game") select');
  await page.keyboard.press("Enter");
  check("Enter starts a game", await until(() => page.evaluate(() => document.activeElement?.tagName === "CANVAS")));
  await go(page, address, "watch");
  await page.waitForSelector(".pane h3");
  await page.fill('label:has-text("Seed") input', "1234");
  await page.press('label:has-text("Seed") input', "Enter");
  check("Enter lets an agent play", await until(async () => (await page.textContent(".message"))?.includes("Seed 1234")));
  await page.close();
}

/** Nothing sticks out at the width of a phone, which is also 200 % zoom of a small window. */
async function narrow(browser, address, found) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme: "dark", deviceScaleFactor: 2 });
  const page = await context.newPage();
  const fits = async (name) => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(`${name} in use fits a phone`, wide <= 360, wide);
  };
  for (const name of ["solve", "watch", "experiments", "replays"]) {
    await go(page, address, name);
    await fill[name](page, found);
    await fits(name);
  }
  for (const [name, open] of Object.entries(parts)) {
    await open(page, address);
    await fits(name);
  }
  await context.close();
}

/** A name in the legend of a chart hides its line by keys too. */
async function legendByKeys(page) {
  const name = page.locator('.plots .u-legend th[role="button"]').nth(1);
  await name.focus();
  await page.keyboard.press("Enter");
  check("the legend by keys", await until(async () => (await name.getAttribute("aria-pressed")) === "false"));
}

async function byAxe(page, name) {
  const found = await page.evaluate(async () => {
    // While a colour fades into another, the contrast is that of neither.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    const { violations } = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).slice(0, 4).join(" | ")}`);
  });
  check(`${name}: nothing for axe to say`, found.length === 0, found);
}

export async function accessPages(browser, address, found) {
  const axe = sourceOf("axe-core");
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, colorScheme });
    const page = await context.newPage();
    for (const name of names) {
      await go(page, address, name);
      await page.reload();
      await fill[name](page, found);
      await page.evaluate(axe);
      await byAxe(page, `${name}, ${colorScheme}`);
      if (colorScheme === "dark") continue;
      if (name === "experiments") await legendByKeys(page);
      await page.evaluate(() => document.activeElement?.blur());
      await tabThrough(page, name);
    }
    for (const [name, open] of Object.entries(parts)) {
      await open(page, address);
      await page.evaluate(axe);
      await byAxe(page, `${name}, ${colorScheme}`);
    }
    await context.close();
  }
  await narrow(browser, address, found);
  await enterStarts(browser, address);
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
  const page = await context.newPage();
  await solveByKeys(page, address);
  await playByKeys(page, address);
  await replayByKeys(page, address, found);
  await fewStops(page, address);
  await context.close();
}

export { fill, names, parts, startTraining };
