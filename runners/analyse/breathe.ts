/** Lets timers and messages of the thread run, then throws the signal's reason where it was aborted. */
export async function breathe(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
