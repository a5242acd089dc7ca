#!/usr/bin/env node
// Compares the searches of the browser (web/dist/jobs.wasm, threads.wasm) with the program: the same question, the
// same answer, evaluations per second of both and their ratio; on one thread, and on two.
// usage: scripts/bench-wasm.mjs [TETROPT] [SECONDS] [THREADS...]

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const [program = "build/tetropt", seconds = "2", ...asked] = process.argv.slice(2);
const PIECES = "TOZLIJSTOZLIJSTOZLIJS";
const ROUNDS = 3; // the best counts: the machine may do other things, too
const PAGES = [256, 16384]; // of the memory of threads.wasm (scripts/build-wasm)

const read = (name) => readFileSync(new URL(`../web/dist/${name}`, import.meta.url));

/** An instance; with `memory`, one of those that share it. */
async function load(module, memory) {
  let shown = memory;
  const view = () => new DataView(shown.buffer);
  const zero = () => 0;
  const wasi_snapshot_preview1 = {
    environ_sizes_get: (count, bytes) => (view().setUint32(count, 0, true), view().setUint32(bytes, 0, true), 0),
    clock_time_get: (_clock, _precision, result) => (view().setBigUint64(result, process.hrtime.bigint(), true), 0),
    random_get: zero, environ_get: zero, fd_close: zero, fd_seek: zero, fd_write: zero, fd_fdstat_get: zero, proc_exit: zero,
  };
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1, page: { report: zero }, env: { memory } });
  shown ??= exports.memory;
  return { ...exports, memory: shown };
}

/** The module with its helpers, which are to be ended. */
async function start(threads) {
  if (threads === 1) {
    const calls = await load(await WebAssembly.compile(read("jobs.wasm")));
    calls._initialize();
    return { calls, helpers: [] };
  }
  const memory = new WebAssembly.Memory({ initial: PAGES[0], maximum: PAGES[1], shared: true });
  const module = await WebAssembly.compile(read("threads.wasm"));
  const calls = await load(module, memory);
  calls._initialize();
  const helpers = [];
  for (let worker = 1; worker < threads; worker++)
    helpers.push(new Worker(new URL(import.meta.url), { workerData: { module, memory, worker, stack: calls.pool_stack() } }));
  await Promise.all(helpers.map((helper) => new Promise((done) => helper.once("message", done))));
  calls.pool_helpers(helpers.length);
  return { calls, helpers };
}

/** A request of the HTTP API to the module; its JSON. */
function ask(calls, local, post, path, body = "") {
  const text = Buffer.from(`${path}\0${body}`);
  Buffer.from(calls.memory.buffer, calls.local_input(local, text.length + 2), text.length).set(text);
  calls.local_request(local, post ? 1 : 0, path.length, body.length);
  return JSON.parse(Buffer.from(calls.memory.buffer, calls.local_text(local), calls.local_length(local)).toString());
}

async function inBrowser(algorithm, threads) {
  const { calls, helpers } = await start(threads);
  const local = calls.local_new();
  const { error } = ask(calls, local, true, "/api/solve", JSON.stringify({ pieces: PIECES, placements: 20, algorithm, seed: 1, time: Number(seconds) }));
  if (error) throw new Error(error);
  calls.local_run(local);
  const { evaluations, seconds: taken } = ask(calls, local, false, "/api/solve/1");
  await Promise.all(helpers.map((helper) => helper.terminate()));
  return evaluations / taken;
}

function native(algorithm, threads) {
  const options = ["--pieces", PIECES, "--placements", "20", "--algorithm", algorithm, "--seed", "1", "--threads", String(threads), "--time", seconds];
  const { evaluations, seconds: taken } = JSON.parse(execFileSync(program, ["solve", "--json", "--quiet", ...options], { maxBuffer: 1 << 26 }));
  return evaluations / taken;
}

async function compare(algorithm, threads) {
  let [ours, theirs] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    theirs = Math.max(theirs, native(algorithm, threads));
    ours = Math.max(ours, await inBrowser(algorithm, threads));
  }
  const rate = (value) => `${(value / 1e3).toFixed(0)} k/s`;
  console.log(`${algorithm.padEnd(8)} ${threads} thread${threads > 1 ? "s" : ""}: native ${rate(theirs)}, WebAssembly ${rate(ours)}, ratio ${(ours / theirs).toFixed(2)}`);
}

if (isMainThread) {
  for (const algorithm of ["ga", "sa", "abc", "hill", "hybrid", "beam"])
    for (const threads of asked.length > 0 ? asked.map(Number) : [1, 2]) await compare(algorithm, threads);
} else {
  const { module, memory, worker, stack } = workerData;
  const calls = await load(module, memory);
  calls.__stack_pointer.value = stack;
  parentPort.postMessage("ready");
  calls.pool_help(worker);
}
