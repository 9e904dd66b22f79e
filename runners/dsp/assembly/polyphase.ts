/** The four lanes added up. */
// @ts-expect-error: decorator
@inline
function lanes(sum: v128): f32 {
  return (
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}

/**
 * Polyphase filter: output i of `outputs` lies `(part + i * down) / up` samples after `samples`, whose first tap's sample it names. Rows
 * of `width` float32 taps, a multiple of 4, one a phase, at `taps`.
 */
export function polyphase(
  samples: usize,
  taps: usize,
  width: i32,
  part: i32,
  up: i32,
  down: i32,
  outputs: i32,
  out: usize,
): void {
  const bytes = (<usize>width) << 2;
  const steps = down / up;
  const rest = down % up;
  let at = samples;
  for (let i = 0; i < outputs; i++) {
    let row = taps + <usize>part * bytes;
    let one = f32x4.splat(0);
    let two = f32x4.splat(0);
    let x = at;
    const half = row + (bytes & ~31);
    for (; row < half; row += 32, x += 32) {
      one = f32x4.add(one, f32x4.mul(v128.load(row), v128.load(x)));
      two = f32x4.add(two, f32x4.mul(v128.load(row, 16), v128.load(x, 16)));
    }
    if (bytes & 16) one = f32x4.add(one, f32x4.mul(v128.load(row), v128.load(x)));
    store<f32>(out + ((<usize>i) << 2), lanes(f32x4.add(one, two)));
    part += rest;
    at += (<usize>steps) << 2;
    if (part >= up) {
      part -= up;
      at += 4;
    }
  }
}
