/**
 * The two filters of BS.1770-4 over `count` float32 samples of two channels, one in each lane. The sums of squares of what comes out are
 * added to the float64 values at `energies`: `room` samples to the first, `bin` to each that follows. `coefficients`: b0, b1, b2, a1, a2
 * of the shelf, a1, a2 of the high-pass. `state`: 12 float64 values, two lanes each of what either filter took and gave last.
 */
export function weighPair(
  left: usize,
  right: usize,
  count: i32,
  room: i32,
  bin: i32,
  energies: usize,
  coefficients: usize,
  state: usize,
): void {
  const b0 = f64x2.splat(load<f64>(coefficients));
  const b1 = f64x2.splat(load<f64>(coefficients, 8));
  const b2 = f64x2.splat(load<f64>(coefficients, 16));
  const a1 = f64x2.splat(load<f64>(coefficients, 24));
  const a2 = f64x2.splat(load<f64>(coefficients, 32));
  const c1 = f64x2.splat(load<f64>(coefficients, 40));
  const c2 = f64x2.splat(load<f64>(coefficients, 48));
  let x1 = v128.load(state);
  let x2 = v128.load(state, 16);
  let y1 = v128.load(state, 32);
  let y2 = v128.load(state, 48);
  let z1 = v128.load(state, 64);
  let z2 = v128.load(state, 80);
  let end = min(room, count);
  for (let n = 0; n < count; end = min(end + bin, count), energies += 8) {
    let sum = f64x2.splat(0);
    // Two frames a turn, so that states need not change places. Loads reach two samples further. Samples are paired by their lower
    // lanes, for a shuffle of two vectors is five instructions on Bun.
    for (; n + 2 <= end; n += 2) {
      const l = left + ((<usize>n) << 2);
      const r = right + ((<usize>n) << 2);
      const xa = paired(v128.load(l), v128.load(r));
      const xb = paired(v128.load(l, 4), v128.load(r, 4));
      // What does not wait for the last output is summed first: a product and a difference are all that the recursion waits for.
      const feda = f64x2.sub(
        f64x2.add(f64x2.add(f64x2.mul(b0, xa), f64x2.mul(b1, x1)), f64x2.mul(b2, x2)),
        f64x2.mul(a2, y2),
      );
      const ya = f64x2.sub(feda, f64x2.mul(a1, y1));
      const passeda = f64x2.sub(f64x2.add(f64x2.sub(ya, f64x2.add(y1, y1)), y2), f64x2.mul(c2, z2));
      z2 = f64x2.sub(passeda, f64x2.mul(c1, z1));
      sum = f64x2.add(sum, f64x2.mul(z2, z2));
      const fedb = f64x2.sub(
        f64x2.add(f64x2.add(f64x2.mul(b0, xb), f64x2.mul(b1, xa)), f64x2.mul(b2, x1)),
        f64x2.mul(a2, y1),
      );
      y2 = ya;
      const passed = f64x2.sub(fedb, f64x2.mul(a1, ya));
      const passedb = f64x2.sub(f64x2.add(f64x2.sub(passed, f64x2.add(ya, ya)), y1), f64x2.mul(c2, z1));
      y1 = passed;
      z1 = f64x2.sub(passedb, f64x2.mul(c1, z2));
      sum = f64x2.add(sum, f64x2.mul(z1, z1));
      x2 = xa;
      x1 = xb;
    }
    for (; n < end; n++) {
      const at = (<usize>n) << 2;
      const x = f64x2.promote_low_f32x4(v128.load32_lane(right + at, v128.load32_zero(left + at), 1));
      const fed = f64x2.sub(
        f64x2.add(f64x2.add(f64x2.mul(b0, x), f64x2.mul(b1, x1)), f64x2.mul(b2, x2)),
        f64x2.mul(a2, y2),
      );
      const y = f64x2.sub(fed, f64x2.mul(a1, y1));
      const passed = f64x2.sub(f64x2.add(f64x2.sub(y, f64x2.add(y1, y1)), y2), f64x2.mul(c2, z2));
      const z = f64x2.sub(passed, f64x2.mul(c1, z1));
      sum = f64x2.add(sum, f64x2.mul(z, z));
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      z2 = z1;
      z1 = z;
    }
    const both = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
    store<f64>(energies, load<f64>(energies) + both);
  }
  v128.store(state, x1);
  v128.store(state, x2, 16);
  v128.store(state, y1, 32);
  v128.store(state, y2, 48);
  v128.store(state, z1, 64);
  v128.store(state, z2, 80);
}

/** The first of each four float32 as float64. */
function paired(left: v128, right: v128): v128 {
  return f64x2.replace_lane(f64x2.promote_low_f32x4(left), 1, f64x2.extract_lane(f64x2.promote_low_f32x4(right), 0));
}
