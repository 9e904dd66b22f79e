/** Taps of each phase; ../interpolation.ts makes them. */
const TAPS: usize = 48;

/**
 * The three points between each of `count` float32 samples and the next, `count` a multiple of 8: all first ones to `out`, then all
 * second, then all third. `samples` is where the first interval's first tap falls; `taps` are three rows of 48 float32 values.
 */
export function coarseGrid(samples: usize, count: i32, taps: usize, out: usize): void {
  const row = (<usize>count) << 2;
  const end = samples + row;
  for (let x = samples; x < end; x += 32, out += 32) {
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let c = f32x4.splat(0);
    let d = f32x4.splat(0);
    let e = f32x4.splat(0);
    let f = f32x4.splat(0);
    for (let k: usize = 0; k < 4 * TAPS; k += 4) {
      const low = v128.load(x + k);
      const high = v128.load(x + k, 16);
      const first = v128.load32_splat(taps + k);
      const second = v128.load32_splat(taps + k, 4 * TAPS);
      const third = v128.load32_splat(taps + k, 8 * TAPS);
      a = f32x4.add(a, f32x4.mul(first, low));
      b = f32x4.add(b, f32x4.mul(first, high));
      c = f32x4.add(c, f32x4.mul(second, low));
      d = f32x4.add(d, f32x4.mul(second, high));
      e = f32x4.add(e, f32x4.mul(third, low));
      f = f32x4.add(f, f32x4.mul(third, high));
    }
    v128.store(out, a);
    v128.store(out, b, 16);
    v128.store(out + row, c);
    v128.store(out + row, d, 16);
    v128.store(out + 2 * row, e);
    v128.store(out + 2 * row, f, 16);
  }
}
