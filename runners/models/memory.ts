/** Ends this process when it holds more than it may. */
export function boundMemory(model_mb: number): void {
  watcher ??= new Worker(new URL("./memory_watch.ts", import.meta.url), { type: "module" });
  watcher.postMessage(model_mb * 1e6);
  // It must not keep the process alive; only some runtimes' workers have this.
  (watcher as { unref?: () => void }).unref?.();
}

let watcher: Worker | undefined;
