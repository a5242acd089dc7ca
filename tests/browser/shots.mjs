// shots: pictures of every page for docs/web, light and dark, wide and on a phone.

import path from "node:path";
import { go, newGame } from "./harness.mjs";
import { fill, parts, startTraining } from "./access.mjs";

const MOST = 1700; // pixels of height

const sizes = {
  wide: { viewport: { width: 1200, height: 900 }, deviceScaleFactor: 1 },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true },
};

/** A search by the algorithm that is offered first. */
async function startSearch(page, pieces, seconds) {
  await page.waitForSelector('option[value="ga"]', { state: "attached" });
  await page.fill('label:has-text("Pieces") input', pieces);
  await page.fill('label:has-text("Seed") input', "1");
  await page.fill('label:has-text("Seconds") input', seconds);
  await page.click('button:text-is("Start")');
}

/** What a reader would see after a while, rather than what a test needs. */
const stage = {
  ...fill,
  solve: async (page) => {
    await startSearch(page, "TOZLIJSTOZLIJSTOZLIJS", "4");
    await page.waitForSelector(".result h3", { timeout: 30000 });
    for (let i = 0; i < 3; i++) await page.click('.result button[aria-label="Back"]');
  },
  watch: async (page) => {
    await page.waitForSelector(".pane h3");
    await page.selectOption('label:has-text("Agent") select', "lookahead");
    await page.selectOption('label:has-text("Beside it") select', "weighted");
    await page.fill('label:has-text("Seed") input', "7");
    await page.selectOption('label:has-text("Speed") select', "16");
    await page.click('button:text-is("Start")');
    await page.waitForTimeout(2500);
    await page.click('button:text-is("Pause")');
  },
  train: async (page) => {
    await startTraining(page, { generations: "30", games: "2", "max-pieces": "1000", seed: "1" });
    await page.waitForSelector(".result table", { timeout: 60000 });
  },
  play: async (page) => {
    await page.waitForSelector('option[value="weighted"]', { state: "attached" });
    await page.fill('label:has-text("Seed") input', "7");
    await newGame(page);
    for (const keys of ["aaa ", "ddd ", "waa ", " ", "c", "wddd ", "aaaa "])
      for (const key of keys) {
        await page.keyboard.press(key === " " ? "Space" : key);
        await page.waitForTimeout(20);
      }
    await page.keyboard.press("h");
    await page.waitForTimeout(100);
  },
};

/** The page from its top, as far as somebody would scroll. */
async function picture(page, file, size) {
  await page.evaluate(() => scrollTo(0, 0));
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const { width } = sizes[size].viewport;
  await page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(whole, MOST) } });
}

async function shoot(browser, address, found, { size, colorScheme }, folder) {
  const context = await browser.newContext({ ...sizes[size], colorScheme });
  const page = await context.newPage();
  for (const name of Object.keys(stage)) {
    await go(page, address, name);
    await page.reload();
    await stage[name](page, found);
    await page.waitForTimeout(300);
    await picture(page, path.join(folder, `${name}-${size}-${colorScheme}.png`), size);
  }
  await parts.tuning(page, address);
  await page.waitForTimeout(300);
  await picture(page, path.join(folder, `tuning-${size}-${colorScheme}.png`), size);
  await go(page, address, "solve");
  await page.reload();
  await startSearch(page, "TOZLIJS".repeat(9), "60");
  await page.waitForSelector(".chart canvas", { timeout: 30000 });
  await page.waitForTimeout(6000); // some of its curve
  await picture(page, path.join(folder, `live-${size}-${colorScheme}.png`), size);
  await page.reload();
  await page.waitForSelector('option[value="ga"]', { state: "attached" });
  for (const summary of await page.$$("summary")) await summary.click();
  await page.waitForTimeout(300);
  await picture(page, path.join(folder, `settings-${size}-${colorScheme}.png`), size);
  await context.close();
}

export async function shootPages(browser, address, found, folder) {
  for (const size of Object.keys(sizes))
    for (const colorScheme of ["light", "dark"]) await shoot(browser, address, found, { size, colorScheme }, folder);
}
