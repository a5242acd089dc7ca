// sites: a page of another site that sends every kind of request to the server. The browser says where
// they come from; none is answered, and the owner's budget stays whole.

import { createServer } from "node:http";
import { check } from "./harness.mjs";

/** What a page of somebody else can do without asking: pictures, scripts, frames, forms, streams. */
const hostile = (address) => `<!doctype html><title>elsewhere</title><body><script>
window.results = [];
const note = (kind) => (event) => window.results.push(kind + ":" + event.type);
(async () => {
  for (let i = 0; i < 100; i++) {
    const picture = new Image();
    picture.src = "${address}api/about?" + i;
    await fetch("${address}api/stores?" + i, { mode: "no-cors" }).catch(() => 0);
    await fetch("${address}api/about?" + i).then(() => window.results.push("read"), () => 0);
  }
  const script = document.createElement("script");
  script.onload = note("script");
  script.onerror = note("script");
  script.src = "${address}app.js";
  document.body.append(script);
  const stream = new EventSource("${address}api/solve/1/events");
  stream.onopen = note("stream");
  await fetch("${address}api/solve", { method: "POST", mode: "no-cors", body: '{"pieces":"TISZ","seconds":60}' }).catch(() => 0);
  window.done = true;
})();
</script>`;

export async function checkSites(browser, address) {
  const port = new URL(address).port;
  const server = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end(hostile(address));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const context = await browser.newContext();
  const page = await context.newPage();
  const statuses = [];
  let blocked = 0;
  page.on("response", (answer) => {
    if (new URL(answer.url()).port === port) statuses.push(answer.status());
  });
  page.on("requestfailed", (request) => {
    if (new URL(request.url()).port === port) blocked++;
  });
  // localhost is another site than 127.0.0.1.
  await page.goto(`http://localhost:${server.address().port}/`);
  await page.waitForFunction("window.done", undefined, { timeout: 60000 });
  await page.waitForTimeout(500);
  const results = await page.evaluate("window.results");
  check("nothing of the API can be read from elsewhere", !results.includes("read") && !results.includes("stream:open"), results);
  check("every request is rejected", statuses.length + blocked > 200 && statuses.every((status) => status === 403), [blocked, ...new Set(statuses)]);
  await context.close();
  const own = await browser.newContext();
  const mine = await own.newPage();
  await mine.goto(address);
  const answers = await mine.evaluate(async () => {
    const status = async (path, options) => (await fetch(path, options)).status;
    const job = await fetch("/api/solve", { method: "POST", body: JSON.stringify({ pieces: "TISZ", seconds: 1 }) });
    return [await status("/api/about"), await status("/api/stores"), job.status];
  });
  check("the owner is answered at once", answers.every((status) => status === 200), answers);
  // A link from elsewhere may lead here.
  await mine.goto(`http://localhost:${server.address().port}/`);
  const [followed] = await Promise.all([
    mine.waitForNavigation(),
    mine.evaluate((target) => {
      window.location.href = target;
    }, address),
  ]);
  check("a link leads here", followed?.status() === 200, followed?.status());
  await own.close();
  server.close();
}
