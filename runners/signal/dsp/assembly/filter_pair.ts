/**
 * A state-variable filter (../svf.ts) over two signals at once, in place: `count` pairs of float64 at `pairs`. At `settings` lie a1, a2, a3 and
 * what of the input, of the band and of the low goes out, float64 each; at `state` two pairs.
 */
export function filterPair(pairs: usize, count: i32, settings: usize, state: usize): void {
  const a1 = load<f64>(settings);
  const a2 = load<f64>(settings, 8);
  const a3 = load<f64>(settings, 16);
  const direct = load<f64>(settings, 24);
  const band = load<f64>(settings, 32);
  const low = load<f64>(settings, 40);
  // Products taken ahead, so that a sample waits for three operations of the one before instead of six.
  const m11 = f64x2.splat(2.0 * a1 - 1.0);
  const m21 = f64x2.splat(2.0 * a2);
  const m22 = f64x2.splat(1.0 - 2.0 * a3);
  const n2 = f64x2.splat(2.0 * a3);
  const o0 = f64x2.splat(direct + band * a2 + low * a3);
  const o1 = f64x2.splat(band * a1 + low * a2);
  const o2 = f64x2.splat(low * (1.0 - a3) - band * a2);
  let ic1 = v128.load(state);
  let ic2 = v128.load(state, 16);
  const end = pairs + ((<usize>count) << 4);
  for (; pairs < end; pairs += 16) {
    const v0 = v128.load(pairs);
    v128.store(pairs, f64x2.add(f64x2.mul(o0, v0), f64x2.add(f64x2.mul(o1, ic1), f64x2.mul(o2, ic2))));
    const in1 = f64x2.mul(m21, v0);
    const in2 = f64x2.mul(n2, v0);
    const next = f64x2.add(f64x2.sub(f64x2.mul(m11, ic1), f64x2.mul(m21, ic2)), in1);
    ic2 = f64x2.add(f64x2.add(f64x2.mul(m21, ic1), f64x2.mul(m22, ic2)), in2);
    ic1 = next;
  }
  v128.store(state, ic1);
  v128.store(state, ic2, 16);
}
