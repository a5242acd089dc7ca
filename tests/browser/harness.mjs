// harness: the program that serves, a browser that looks, and checks that count.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.join(here, "../../web/package.json"));

/** Starts `tetropt serve` in a folder and gives its address and a way to end it. */
export async function serve(program, cwd, ...options) {
  const port = options.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(program, ["serve", ...port, "--json", "--quiet", ...options], { cwd });
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
      if (text.includes("\n")) found(JSON.parse(text).url);
    });
    child.on("exit", (code) => failed(new Error(`serve ended with ${code}`)));
  });
  return {
    address,
    /** As a crash would: at once, without a word to anybody. */
    kill: () =>
      new Promise((done) => {
        child.removeAllListeners("exit");
        child.on("exit", done);
        child.kill("SIGKILL");
      }),
    end: () =>
      new Promise((done) => {
        child.removeAllListeners("exit");
        child.on("exit", (code) => done(code));
        child.kill("SIGINT");
      }),
  };
}

/** Debian's browser; it never downloads one. */
export async function openBrowser() {
  const { chromium } = require("playwright-core");
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((file) => existsSync(file));
  return chromium.launch({
    executablePath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  });
}

let failures = 0;
let checks = 0;

export function check(name, ok, detail = "") {
  checks++;
  if (ok) return;
  failures++;
  console.error(`FAILED: ${name} ${typeof detail === "string" ? detail : JSON.stringify(detail)}`);
}

export function finish() {
  console.log(`${checks} checks, ${failures} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
}

/** Waits until a function gives something true; gives that, or undefined after the time. */
export async function until(ask, milliseconds = 10000, pause = 50) {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((done) => setTimeout(done, pause));
  }
  return undefined;
}

/** A page as at a first visit: nothing that was entered before comes back. */
export async function go(page, address, name) {
  await page.evaluate(() => sessionStorage.clear()).catch(() => {}); // there may be no page yet
  await page.goto(`${address}#${name}`);
  await page.waitForSelector(`nav a[href="#${name}"][aria-current="page"]`);
}

/** Waits for the end of the countdown of a game that was just started. */
export async function countedDown(page) {
  const counting = async () => /^[123]$/.test((await page.textContent(".side .message")) ?? "");
  await until(counting, 2000, 20);
  await until(async () => !(await counting()), 10000, 20);
}

/** Starts a game on the page Play. */
export async function newGame(page) {
  await page.click('button:text-is("New game")');
  await countedDown(page);
}

/** A number of the list beside a game. */
export async function fact(page, name) {
  const text = await page.textContent(`.facts dt:text-is("${name}") + dd`);
  return Number((text ?? "").replaceAll(",", ""));
}

/** The source of a package of `web`, to be run in a page. */
export function sourceOf(name) {
  return readFileSync(require.resolve(name), "utf8");
}
