// boards: one board everywhere: a position goes from page to page, the moves of a game as a list, the best placements of
// an agent on the board, the review of a game, and agents that leave the page its frames.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { check, fact, go, newGame, until } from "./harness.mjs";

const label = (page, selector) => page.getAttribute(selector, "aria-label");

/** The parameters of the page's address. */
const query = (page) => new URLSearchParams(page.url().split("?")[1] ?? "");

/** A solution, continued in Play, from there in Watch, and from there in Solve. */
export async function continues(page, address) {
  await go(page, address, "solve");
  await page.waitForSelector('option[value="hybrid"]', { state: "attached" });
  await page.fill('label:has-text("Pieces") input', "TOZLIJSTOZLIJS");
  await page.fill('label:has-text("Seconds") input', "1");
  await page.fill('label:has-text("Seed") input', "1");
  await page.click('button:text-is("Start")');
  await page.waitForSelector(".result h3", { timeout: 30000 });
  await page.selectOption(".moves", "3");
  const words = await page.textContent(".stepper .message");
  check("a move of the list is shown", words?.startsWith("3 of 14"), words);
  const board = (await page.textContent(".stepper pre")) ?? "";
  await page.click('button[aria-label="Continue from here in Play"]');
  await page.waitForSelector(".start-position", { state: "visible" });
  const position = query(page).get("Position")?.split(";") ?? [];
  check("the address has the position", position[1] === board.replaceAll("\n", "/") && position[2]?.length >= 10, { position, board });
  await newGame(page);
  const field = `: ${position[2]?.[0]} falls, next ${position[2]?.slice(1, 6)}`;
  check("the game starts from there", await until(async () => (await label(page, 'canvas[role="application"]'))?.includes(field)), { field, position });
  await page.keyboard.press("Space");
  await until(async () => (await fact(page, "Pieces")) === 1);
  await page.keyboard.press("p");
  const cells = (text) => text.replace(/[.\n]/g, "").length;
  const now = cells((await page.textContent("main pre")) ?? "");
  check("with its board", (cells(board) + 4 - now) % 10 === 0, { now, board }); // lines may be cleared
  await page.click('button[aria-label="Continue from here in Watch"]');
  await page.waitForSelector(".pane h3");
  check("an agent continues", await until(async () => (await page.isVisible(".start-position")) && (await fact(page, "Pieces")) >= 3, 20000));
  await page.click('button:text-is("Pause")');
  await page.reload();
  await page.waitForSelector(".pane h3");
  check("a reload keeps the position", await until(() => page.isVisible(".start-position")));
  await page.click('button[aria-label="Continue from here in Solve"]');
  await page.waitForSelector('option[value="hybrid"]', { state: "attached" });
  const pieces = await page.inputValue('label:has-text("Pieces") input');
  check("Solve has the pieces", /^[IOTSZJL]{6,7}$/.test(pieces), pieces);
  await page.goto(`${address}#watch?Position=10x20;GG;;`);
  check("a position that is none is rejected", await until(async () => (await page.textContent(".error"))?.includes("position: board"), 20000));
}

/** A game that is played badly, reviewed at its end. */
export async function reviews(page, address) {
  await go(page, address, "play");
  await page.waitForSelector('option[value="weighted"]', { state: "attached" });
  await page.fill('label:has-text("Seed") input', "7");
  await newGame(page);
  for (let i = 0; i < 40; i++) await page.keyboard.press("Space");
  await page.waitForSelector(".review");
  await page.selectOption('label:has-text("Reviewer") select', "weighted");
  await page.click('button:text-is("Review the game")');
  const done = await until(async () => /weighted would have played [1-9]\d* moves? of \d+ differently; they cost [\d.,]+ by/.test((await page.textContent(".review")) ?? ""), 30000);
  check("a review of the game", done, await page.textContent(".review"));
  check("the curve of the values", await until(() => page.isVisible(".review .chart canvas")));
  const costs = await page.$$eval(".costs td:last-child", (cells) => cells.map((cell) => Number(cell.textContent.replaceAll(",", ""))));
  check("a greedy agent finds costs above 0, the largest first", costs.length > 0 && costs.every((one, i) => one >= 0 && (i === 0 || one <= costs[i - 1])), costs);
  const move = await page.textContent(".costs button");
  await page.click(".costs button");
  check("a click shows the move", (await page.textContent(".stepper .message"))?.startsWith(`${move} of `));
  check("the list names the costs", await page.$$eval(".moves option", (options) => options.some((option) => /cost \d/.test(option.textContent))));
  const picture = () => page.$eval(".stepper canvas", (canvas) => canvas.toDataURL());
  const before = await picture();
  await page.selectOption('.review label:has-text("Best placements") select', "on");
  check("the best placements by the agent", await until(async () => /Best of \d+ placements by [\w-]+: .*: -?[\d.]+; .*Played: -?[\d.]+/.test((await page.textContent(".review")) ?? ""), 10000), await page.textContent(".review"));
  check("drawn on the board", (await picture()) !== before);
}

/** While an agent searches for one move, the page draws frames. */
async function frames(page, address) {
  await go(page, address, "watch");
  await page.waitForSelector(".pane h3");
  await page.selectOption('label:has-text("Agent") select', "bot");
  await page.click("summary:text-is('Settings of bot')");
  await page.fill('.parameter:has(span:text-is("nodes")) input', "8000000");
  await page.selectOption('label:has-text("Speed") select', "max");
  await page.click('button:text-is("Start")');
  await until(async () => (await page.textContent(".pane h3"))?.startsWith("bot"));
  // The most frames during one move.
  const most = await page.evaluate(
    () =>
      new Promise((done) => {
        const pieces = () => document.querySelectorAll(".facts dd")[3]?.textContent;
        let [best, count, last] = [0, 0, pieces()];
        const end = performance.now() + 15000;
        requestAnimationFrame(function tick() {
          count = pieces() === last ? count + 1 : 0;
          last = pieces();
          best = Math.max(best, count);
          if (best >= 20 || performance.now() > end) done(best);
          else requestAnimationFrame(tick);
        });
      }),
  );
  check("the page draws while the bot searches", most >= 20, most);
  check("and the bot plays", await until(async () => (await fact(page, "Pieces")) >= 1, 60000));
}

const FRAME_MS = 1000 / 60;

/** At every speed the page's own thread has time for 60 frames per second: by CPU time, so that other work on the machine
 * does not count. */
async function sixtyFrames(page, address) {
  await go(page, address, "watch");
  await page.waitForSelector(".pane h3");
  await page.selectOption('label:has-text("Agent") select', "bot");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const threadTime = async () => (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "ThreadTime").value;
  const wait = (count) =>
    page.evaluate((wanted) => {
      let left = wanted;
      return new Promise((done) => requestAnimationFrame(function tick() {
        if (--left > 0) requestAnimationFrame(tick);
        else done();
      }));
    }, count);
  const frames = 40;
  for (const speed of await page.$$eval('label:has-text("Speed") option', (all) => all.map((one) => one.value))) {
    await page.selectOption('label:has-text("Speed") select', speed);
    await page.click('button:text-is("Start")');
    await wait(10);
    const before = await threadTime();
    await wait(frames);
    const each = ((await threadTime()) - before) * 1000 / frames;
    check(`60 frames per second at speed ${speed}`, each < FRAME_MS, `${each.toFixed(1)} ms of CPU per frame`);
  }
  await devtools.detach();
}

/** Both boards of a saved match game, and two agents that send each other garbage. */
async function matches(page, address, program, folder) {
  const games = path.join(folder, "match-games");
  execFileSync(program, ["match", "lookahead", "weighted", "--games", "2", "--seed", "1", "--max-pieces", "60", "--save-games", games, "--quiet"], { stdio: "ignore" });
  await go(page, address, "replays");
  await page.setInputFiles('input[type="file"]', ["0001-2.json", "0001-1.json"].map((name) => path.join(games, name)));
  await page.waitForSelector(".side-by-side");
  const titles = await page.$$eval(".side-by-side h4", (all) => all.map((one) => one.textContent));
  check("two boards of a match", titles.length === 2 && titles[0].startsWith("lookahead") && titles[1].startsWith("weighted"), titles);
  const words = await page.$$eval(".side-by-side > p", (all) => all.map((one) => one.textContent));
  check("with their garbage", words.every((text) => /60 pieces, \d+ lines, [1-9]\d* rows of garbage received/.test(text)), words);
  await page.click('.side-by-side button[aria-label="First"]');
  for (let i = 0; i < 2; i++) await page.click('.side-by-side button[aria-label="Forward"]');
  const shown = () => page.$$eval(".side-by-side .message", (all) => all.map((one) => one.textContent?.slice(0, 7)));
  check("they go together", await until(async () => (await shown()).every((text) => text === "2 of 60")), await shown());
  const listed = await page.$$eval(".side-by-side .moves option", (all) => all.map((one) => one.value));
  check("every move is listed", listed.length === 122, listed.length);
  await go(page, address, "watch");
  await page.waitForSelector(".pane h3");
  await page.selectOption('label:has-text("Agent") select', "lookahead");
  await page.selectOption('label:has-text("Beside it") select', "weighted");
  await page.selectOption('label:has-text("Garbage") select', "on");
  await page.selectOption('label:has-text("Speed") select', "16");
  let sent = false;
  for (let seed = 1; seed <= 4 && !sent; seed++) { // a slow game may end before both have sent something
    await page.fill('label:has-text("Seed") input', String(seed));
    await page.click('button:text-is("Start")');
    sent = await until(async () => /lookahead: [1-9]\d* sent.*weighted: [1-9]\d* sent/.test((await page.textContent("main")) ?? ""), 30000);
  }
  check("agents send each other garbage", sent, await page.textContent("main"));
  await page.selectOption('label:has-text("Beside it") select', "dt20");
  await page.click('button:text-is("Start")');
  check("an agent that cannot is rejected", await until(async () => (await page.textContent(".error"))?.includes("guideline")), await page.textContent(".error"));
}

export async function boardPages(page, address, program, folder) {
  await matches(page, address, program, folder);
  await continues(page, address);
  await reviews(page, address);
  await frames(page, address);
  await sixtyFrames(page, address);
}
