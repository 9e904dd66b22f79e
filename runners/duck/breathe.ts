/** Lets other work of the thread run, so that an abort is seen; rejects with its reason. */
export async function breathe(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  signal.throwIfAborted();
}
