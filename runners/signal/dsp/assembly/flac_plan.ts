// How samples of a subframe are made of its residuals, as it was read.

/** Where its facts lie, int32 each; then 32 coefficients, 0 beyond the order. */
export const ORDER: usize = 0;
export const SHIFT: usize = 4;
/** Bits of a sample without those that were wasted. */
export const WIDTH: usize = 8;
export const WASTED: usize = 12;
export const TAPS: usize = 16;
export const PLAN_BYTES: i32 = 144;

/** Of eight channels. */
const plans = memory.data(1152, 16);

/** That of a channel of the frame that is read. */
export function planAt(channel: i32): usize {
  return plans + <usize>(channel * PLAN_BYTES);
}

export function setTap(plan: usize, j: i32, value: i32): void {
  store<i32>(plan + ((<usize>j) << 2), value, TAPS);
}

export function tap(plan: usize, j: i32): i64 {
  return <i64>load<i32>(plan + ((<usize>j) << 2), TAPS);
}
