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
    for (; n < end; n++) {
      const at = (<usize>n) << 2;
      // Not by a shuffle, which costs several instructions on Bun.
      const x = f64x2.promote_low_f32x4(v128.load32_lane(right + at, v128.load32_zero(left + at), 1));
      // What does not wait for the last output is summed first: a product and a difference are all that the recursion waits for.
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
