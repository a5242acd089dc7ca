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
      new DataView(memory().buffer).setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    random_get(start: number, length: number): number {
      crypto.getRandomValues(new Uint8Array(memory().buffer, start, length));
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

/** Starts a module; `more` are imports of its own. */
export async function start<Exports extends { memory: WebAssembly.Memory; _initialize(): void }>(
  module: WebAssembly.Module,
  more: WebAssembly.Imports = {},
): Promise<Exports> {
  let calls: Exports | undefined;
  const memory = (): WebAssembly.Memory => {
    if (!calls) throw new Error("the engine is not loaded");
    return calls.memory;
  };
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: systemCalls(memory), ...more });
  calls = instance.exports as unknown as Exports;
  calls._initialize();
  return calls;
}
