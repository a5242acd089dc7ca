// game: what players expect of the page Play: the countdown, 180° rotation, spins, combos and back-to-back, sound that is
// off, personal bests, touch keys that repeat, and a race on the same pieces.

import { check, countedDown, fact, go, newGame, until } from "./harness.mjs";

const words = (page) => page.textContent(".side .message");

async function open(page, address, query = "") {
  await page.goto(address);
  await go(page, address, "play");
  if (query !== "") await page.goto(`${address}#play?${query}`);
  await page.reload();
  await page.waitForSelector('option[value="weighted"]', { state: "attached" });
}

/** Starts a game from a position of the address. */
async function from(page, address, rows, queue) {
  await open(page, address, `Position=${encodeURIComponent(`10x20;${rows.join("/")};${queue};`)}`);
  await newGame(page);
}

/** All at once, so that a piece cannot lock between two keys, however busy the machine is. */
async function press(page, ...keys) {
  await page.$eval(
    "canvas[tabindex]",
    (canvas, names) => {
      for (const key of names) for (const type of ["keydown", "keyup"]) canvas.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
    },
    keys,
  );
}

/** Two tetrises in a row, then a T-spin double. */
async function clears(page, address) {
  await from(page, address, Array(8).fill("GGGGGGGGG."), "IIO");
  await press(page, "w", ...Array(5).fill("d"), " ");
  check("a tetris", await until(async () => /tetris/i.test((await words(page)) ?? "")), await words(page));
  await press(page, "w", ...Array(5).fill("d"), " ");
  check("back-to-back, with its combo", await until(async () => /back-to-back/i.test((await words(page)) ?? "") && /combo/i.test((await words(page)) ?? "")), await words(page));
  check("lines sent per piece", (await fact(page, "APP")) > 0, await page.textContent(".facts"));
  await from(page, address, ["...G......", "GGG...GGGG", "GGGG.GGGGG"], "TO");
  await press(page, "w", ...Array(20).fill("s"), "w", " ");
  check("a T-spin", await until(async () => /T-spin double/i.test((await words(page)) ?? "")), await words(page));
}

/** Nothing moves before the game begins; then a piece turns by 180°. */
async function begins(page, address) {
  await open(page, address);
  await page.fill('label:has-text("Seed") input', "7");
  await page.click('button:text-is("New game")');
  check("a countdown", await until(async () => /^[321]$/.test((await words(page)) ?? ""), 3000, 20), await words(page));
  await page.keyboard.press("Space");
  await countedDown(page);
  check("no key counts before its end", (await fact(page, "Pieces")) === 0);
  await from(page, address, [], "TO");
  await press(page, "v", " ");
  const text = () => page.textContent("main pre");
  check("a rotation by 180°", await until(async () => ((await text()) ?? "").endsWith("...TTT....\n....T.....")), await text());
}

/** Sound is off; once it is on, a piece that locks makes a tone. */
async function sounds(page, address) {
  await page.addInitScript(() => {
    const Real = window.AudioContext;
    window.tones = 0;
    window.AudioContext = class extends Real {
      constructor(...words) {
        super(...words);
        window.tones++;
      }
    };
  });
  await open(page, address);
  check("sound is off", !(await page.isChecked('label:has-text("Sound") input')));
  await newGame(page);
  await press(page, " ");
  await until(async () => (await fact(page, "Pieces")) === 1);
  check("and silent", (await page.evaluate(() => window.tones)) === 0);
  await page.check('label:has-text("Sound") input');
  await page.focus("canvas[tabindex]");
  await press(page, " ");
  check("switched on it plays", await until(() => page.evaluate(() => window.tones > 0)));
}

/** A marathon that ends is the first personal best; it is still known after a reload. */
async function bests(page, address) {
  await page.evaluate(() => localStorage.clear());
  await open(page, address);
  await newGame(page);
  for (let i = 0; i < 40; i++) await page.keyboard.press("Space");
  check("a personal best", await until(async () => ((await words(page)) ?? "").includes("A personal best"), 10000), await words(page));
  await page.reload();
  check("which is kept", await until(async () => /Your best: [\d,]+/.test((await page.textContent(".about")) ?? "")), await page.textContent("main"));
}

/** A finger that stays on a key moves the piece as far as a held key does. */
async function touch(browser, address) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await from(page, address, [], "OT");
  const left = page.locator('.pad button[aria-label="move left"]');
  await left.scrollIntoViewIfNeeded();
  const box = await left.boundingBox();
  const finger = await context.newCDPSession(page);
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await page.waitForTimeout(1000);
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.tap('.pad button[aria-label="hard drop"]');
  check("a touch key repeats", await until(async () => ((await page.textContent("main pre")) ?? "").includes("OO........")), await page.textContent("main pre"));
  await context.close();
}

/** The visible pieces, once the board has been drawn. */
async function queue(page) {
  let pieces;
  await until(async () => {
    pieces = /next ([IOTSZJL]+)/.exec((await page.getAttribute("canvas[tabindex]", "aria-label")) ?? "")?.[1];
    return pieces !== undefined;
  });
  return pieces;
}

/** Both sides of a race get the pieces of the seed. */
async function race(page, address) {
  await open(page, address);
  await page.fill('label:has-text("Seed") input', "11");
  await page.selectOption('label:has-text("Game") select', "race");
  const rivals = await page.$$eval('label:has-text("Opponent") option', (all) => all.map((one) => one.value));
  check("a race against many agents", rivals.length >= 5 && rivals.includes("bot"), rivals);
  await newGame(page);
  const own = await queue(page);
  await open(page, address);
  await page.fill('label:has-text("Seed") input', "11");
  await newGame(page);
  const alone = await queue(page);
  check("the pieces of a race are those of the seed", own !== undefined && own === alone, [own, alone]);
}

export async function gamePages(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
  const page = await context.newPage();
  await clears(page, address);
  await begins(page, address);
  await sounds(page, address);
  await bests(page, address);
  await race(page, address);
  await touch(browser, address);
  await context.close();
}
