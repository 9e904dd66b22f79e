/**
 * Two state-variable filters in series (./filter_pair.ts) over two signals at once, in place: while one waits for its own last sample, the other
 * works. `count` pairs of float64 at `pairs`; at `settings` the six values of each filter, at `state` two pairs of each.
 */
export function filterPairs(pairs: usize, count: i32, settings: usize, state: usize): void {
  const a1 = load<f64>(settings);
  const a2 = load<f64>(settings, 8);
  const a3 = load<f64>(settings, 16);
  const direct = load<f64>(settings, 24);
  const band = load<f64>(settings, 32);
  const low = load<f64>(settings, 40);
  const m11 = f64x2.splat(2.0 * a1 - 1.0);
  const m21 = f64x2.splat(2.0 * a2);
  const m22 = f64x2.splat(1.0 - 2.0 * a3);
  const n2 = f64x2.splat(2.0 * a3);
  const o0 = f64x2.splat(direct + band * a2 + low * a3);
  const o1 = f64x2.splat(band * a1 + low * a2);
  const o2 = f64x2.splat(low * (1.0 - a3) - band * a2);
  const b1 = load<f64>(settings, 48);
  const b2 = load<f64>(settings, 56);
  const b3 = load<f64>(settings, 64);
  const straight = load<f64>(settings, 72);
  const middle = load<f64>(settings, 80);
  const deep = load<f64>(settings, 88);
  const k11 = f64x2.splat(2.0 * b1 - 1.0);
  const k21 = f64x2.splat(2.0 * b2);
  const k22 = f64x2.splat(1.0 - 2.0 * b3);
  const l2 = f64x2.splat(2.0 * b3);
  const p0 = f64x2.splat(straight + middle * b2 + deep * b3);
  const p1 = f64x2.splat(middle * b1 + deep * b2);
  const p2 = f64x2.splat(deep * (1.0 - b3) - middle * b2);
  let ic1 = v128.load(state);
  let ic2 = v128.load(state, 16);
  let jc1 = v128.load(state, 32);
  let jc2 = v128.load(state, 48);
  const end = pairs + ((<usize>count) << 4);
  for (; pairs < end; pairs += 16) {
    const v0 = v128.load(pairs);
    const w0 = f64x2.add(f64x2.mul(o0, v0), f64x2.add(f64x2.mul(o1, ic1), f64x2.mul(o2, ic2)));
    const next = f64x2.add(f64x2.sub(f64x2.mul(m11, ic1), f64x2.mul(m21, ic2)), f64x2.mul(m21, v0));
    ic2 = f64x2.add(f64x2.add(f64x2.mul(m21, ic1), f64x2.mul(m22, ic2)), f64x2.mul(n2, v0));
    ic1 = next;
    v128.store(pairs, f64x2.add(f64x2.mul(p0, w0), f64x2.add(f64x2.mul(p1, jc1), f64x2.mul(p2, jc2))));
    const then = f64x2.add(f64x2.sub(f64x2.mul(k11, jc1), f64x2.mul(k21, jc2)), f64x2.mul(k21, w0));
    jc2 = f64x2.add(f64x2.add(f64x2.mul(k21, jc1), f64x2.mul(k22, jc2)), f64x2.mul(l2, w0));
    jc1 = then;
  }
  v128.store(state, ic1);
  v128.store(state, ic2, 16);
  v128.store(state, jc1, 32);
  v128.store(state, jc2, 48);
}
