// engine: the engine of the page, loaded when it is first needed, and seeds.

import { ask, fileAddress } from "./api";
import { h } from "./dom";
import { checked } from "./form";
import { Engine } from "./session";

export * from "./session";

let compiling: Promise<WebAssembly.Module> | undefined;
let loading: Promise<Engine> | undefined;

/** The module of the engine, loaded once for the page and its workers. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiling ??= WebAssembly.compileStreaming(ask(fileAddress("tetropt.wasm"))).catch((error: unknown) => {
    compiling = undefined;
    throw error;
  });
  return compiling;
}

/** The engine, loaded once; where that failed, the next who asks tries again. */
export function engine(): Promise<Engine> {
  loading ??= engineModule()
    .then((module) => Engine.load(module))
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/** A field for a seed; integers are exact up to its maximum. */
export function seedInput(): HTMLInputElement {
  return h("input", { type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, placeholder: "any" });
}

/** The seed in a field, a new one where it is empty. Fails for a number that is not a seed. */
export function readSeed(input: HTMLInputElement): number {
  const value = checked("seed", input);
  return value === "" ? newSeed() : Number(value);
}

/** A seed short enough to be read out. */
export function newSeed(): number {
  return Math.floor(Math.random() * 1e6);
}
