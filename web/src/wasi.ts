// wasi: what a WebAssembly module of the program needs from its host.

/** The C library asks for an environment (there is none) and would write messages (there are none). */
function systemCalls(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  return {
    environ_sizes_get(count: number, bytes: number): number {
      const view = new DataView(memory().buffer);
      view.setUint32(count, 0, true);
      view.setUint32(bytes, 0, true);
      return 0;
    },
    environ_get: () => 0,
    clock_time_get(_clock: number, _precision: bigint, result: number): number {
      const milliseconds = performance.timeOrigin + performance.now(); // threads compare their clocks
      new DataView(memory().buffer).setBigUint64(result, BigInt(Math.round(milliseconds * 1e6)), true);
      return 0;
    },
    random_get(start: number, length: number): number {
      new Uint8Array(memory().buffer, start, length).set(crypto.getRandomValues(new Uint8Array(length))); // it may be shared
      return 0;
    },
    fd_close: () => 8,
    fd_seek: () => 8,
    fd_write: () => 8,
    fd_fdstat_get: () => 8,
    proc_exit(): never {
      throw new Error("the engine stopped");
    },
  };
}

const PAGES = { initial: 256, maximum: 16384 }; // of a shared memory, as scripts/build-wasm says

/** Memory that several workers can use at once, where the host of the page sends the headers that allow it. */
export function sharedMemory(): WebAssembly.Memory | undefined {
  if (!self.crossOriginIsolated) return undefined;
  try {
    return new WebAssembly.Memory({ ...PAGES, shared: true });
  } catch {
    return undefined; // the device has no place for it
  }
}

/** An instance of a module; `more` are imports of its own. A module for threads is given its memory. */
export async function instantiate<Exports>(module: WebAssembly.Module, more: WebAssembly.Imports = {}, shared?: WebAssembly.Memory): Promise<Exports & { memory: WebAssembly.Memory }> {
  let known = shared;
  const memory = (): WebAssembly.Memory => {
    if (!known) throw new Error("the engine is not loaded");
    return known;
  };
  const imports = { wasi_snapshot_preview1: systemCalls(memory), ...(shared ? { env: { memory: shared } } : {}), ...more };
  const { exports } = await WebAssembly.instantiate(module, imports);
  known ??= (exports as unknown as { memory: WebAssembly.Memory }).memory;
  return { ...(exports as unknown as Exports), memory: known };
}

/** Starts a module. */
export async function start<Exports extends { _initialize(): void }>(
  module: WebAssembly.Module,
  more: WebAssembly.Imports = {},
  shared?: WebAssembly.Memory,
): Promise<Exports & { memory: WebAssembly.Memory }> {
  const calls = await instantiate<Exports>(module, more, shared);
  calls._initialize();
  return calls;
}
