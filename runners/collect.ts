/** What is done with shorter pieces leaves little behind. Seconds. */
const LONG_SECONDS = 90;
/** So does a job that took less: collecting after it would show. */
const LONG_MS = 1000;

/** Whether a piece of so many seconds is one that leaves much behind. */
export const isLong = (seconds: number): boolean => seconds > LONG_SECONDS;

/**
 * Has what nobody holds any more collected now, where the piece is long and the runtime was started so that it can be asked
 * (`--expose-gc`). Takes 20 to 70 ms: for what left much behind before minutes of samples are made. Collectors wait the
 * longer, the more samples there were when they last looked.
 */
export function collectGarbage(seconds: number): void {
  if (isLong(seconds)) collect();
}

/**
 * The same after a job that took `ms`: what it left, up to hundreds of megabytes of samples, would stand beside the next
 * one's. A process that waits holds 75 to 160 MB then.
 */
export function collectAfter(ms: number): void {
  if (ms > LONG_MS) collect();
}

function collect(): void {
  (globalThis as { readonly gc?: () => void }).gc?.();
}
