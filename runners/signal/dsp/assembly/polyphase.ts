/** The four lanes added up. */
function lanes(sum: v128): f32 {
  return (
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}

/**
 * Polyphase filter: output i of `outputs` lies `(part + i * down) / up` samples after `samples`, which names the sample of the first tap.
 * Rows of `width` float32 taps, a multiple of 4, one a phase, at `taps`.
 *
 * Every `up`th output has the same taps: they go four at a time, so that taps are read once for four.
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
  const apart = (<usize>down) << 2;
  const beyond = (<usize>up) << 2;
  for (let first = 0; first < up && first < outputs; first++) {
    const reached = part + first * down;
    const row = taps + <usize>(reached % up) * bytes;
    let x = samples + ((<usize>(reached / up)) << 2);
    let to = out + ((<usize>first) << 2);
    let i = first;
    for (; i + 3 * up < outputs; i += 4 * up) {
      let a = f32x4.splat(0);
      let b = f32x4.splat(0);
      let c = f32x4.splat(0);
      let d = f32x4.splat(0);
      const x2 = x + 2 * apart;
      for (let at: usize = 0; at < bytes; at += 16) {
        const tap = v128.load(row + at);
        a = f32x4.add(a, f32x4.mul(tap, v128.load(x + at)));
        b = f32x4.add(b, f32x4.mul(tap, v128.load(x + apart + at)));
        c = f32x4.add(c, f32x4.mul(tap, v128.load(x2 + at)));
        d = f32x4.add(d, f32x4.mul(tap, v128.load(x2 + apart + at)));
      }
      store<f32>(to, lanes(a));
      store<f32>(to + beyond, lanes(b));
      store<f32>(to + 2 * beyond, lanes(c));
      store<f32>(to + 3 * beyond, lanes(d));
      x += 4 * apart;
      to += 4 * beyond;
    }
    for (; i < outputs; i += up) {
      let sum = f32x4.splat(0);
      for (let at: usize = 0; at < bytes; at += 16)
        sum = f32x4.add(sum, f32x4.mul(v128.load(row + at), v128.load(x + at)));
      store<f32>(to, lanes(sum));
      x += apart;
      to += beyond;
    }
  }
}
