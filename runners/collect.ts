/**
 * Has what nobody holds any more collected now, where the runtime was started so that it can be asked (`--expose-gc`). Takes
 * 30 to 70 ms: for what left much behind before minutes of samples are made. Collectors wait the longer, the more samples
 * there were when they last looked.
 */
export function collectGarbage(): void {
  (globalThis as { readonly gc?: () => void }).gc?.();
}
