#!/usr/bin/env node
// Compares the searches of the browser (web/dist/jobs.wasm) with the program on one thread: the same question, the
// same answer, evaluations per second of both and their ratio. usage: scripts/bench-wasm [TETROPT] [SECONDS]

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const program = process.argv[2] ?? "build/tetropt";
const seconds = Number(process.argv[3] ?? 2);
const PIECES = "TOZLIJSTOZLIJSTOZLIJS";
const ROUNDS = 3; // the best counts: the machine may do other things, too

async function load() {
  let calls;
  const view = () => new DataView(calls.memory.buffer);
  const zero = () => 0;
  const wasi_snapshot_preview1 = {
    environ_sizes_get: (count, bytes) => (view().setUint32(count, 0, true), view().setUint32(bytes, 0, true), 0),
    clock_time_get: (_clock, _precision, result) => (view().setBigUint64(result, process.hrtime.bigint(), true), 0),
    random_get: zero, environ_get: zero, fd_close: zero, fd_seek: zero, fd_write: zero, fd_fdstat_get: zero, proc_exit: zero,
  };
  const bytes = readFileSync(new URL("../web/dist/jobs.wasm", import.meta.url));
  const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1, page: { report: zero } });
  calls = instance.exports;
  calls._initialize();
  return calls;
}

/** A request of the HTTP API to the module; its JSON. */
function ask(calls, local, post, path, body = "") {
  const text = Buffer.from(`${path}\0${body}`);
  Buffer.from(calls.memory.buffer, calls.local_input(local, text.length + 2), text.length).set(text);
  calls.local_request(local, post ? 1 : 0, path.length, body.length);
  return JSON.parse(Buffer.from(calls.memory.buffer, calls.local_text(local), calls.local_length(local)).toString());
}

async function inBrowser(algorithm) {
  const calls = await load();
  const local = calls.local_new();
  const { error } = ask(calls, local, true, "/api/solve", JSON.stringify({ pieces: PIECES, placements: 20, algorithm, seed: 1, time: seconds }));
  if (error) throw new Error(error);
  calls.local_run(local);
  const { evaluations, seconds: taken } = ask(calls, local, false, "/api/solve/1");
  return evaluations / taken;
}

function native(algorithm) {
  const options = ["--pieces", PIECES, "--placements", "20", "--algorithm", algorithm, "--seed", "1", "--threads", "1", "--time", String(seconds)];
  const { evaluations, seconds: taken } = JSON.parse(execFileSync(program, ["solve", "--json", "--quiet", ...options], { maxBuffer: 1 << 26 }));
  return evaluations / taken;
}

for (const algorithm of ["ga", "sa", "abc", "hill", "hybrid", "beam"]) {
  let [ours, theirs] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    theirs = Math.max(theirs, native(algorithm));
    ours = Math.max(ours, await inBrowser(algorithm));
  }
  const rate = (value) => `${(value / 1e3).toFixed(0)} k/s`;
  console.log(`${algorithm.padEnd(8)} native ${rate(theirs)}, WebAssembly ${rate(ours)}, ratio ${(ours / theirs).toFixed(2)}`);
}
