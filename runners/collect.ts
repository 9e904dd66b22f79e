/** What is done with shorter pieces leaves little behind. Seconds. */
const LONG_SECONDS = 90;

/**
 * Has what nobody holds any more collected now, where the piece is long and the runtime was started so that it can be asked
 * (`--expose-gc`). Takes 20 to 70 ms: for what left much behind before minutes of samples are made. Collectors wait the
 * longer, the more samples there were when they last looked.
 */
export function collectGarbage(seconds: number): void {
  if (seconds > LONG_SECONDS) (globalThis as { readonly gc?: () => void }).gc?.();
}
