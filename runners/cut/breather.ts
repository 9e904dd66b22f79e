/** Lets the thread's messages in, at most every few milliseconds of work, and stops where the signal says so. */
export function breather(signal: AbortSignal): () => Promise<void> {
  let last = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - last < 20) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    last = performance.now();
    signal.throwIfAborted();
  };
}
