/**
 * The soft clipper of ../pair_chain.ts over two signals at once, in place: `count` pairs of float64 at `pairs`; at `state` the last input and
 * its integral, two pairs.
 */
export function clipPair(pairs: usize, count: i32, drive: f64, bias: f64, state: usize): void {
  const gain = f64x2.splat(drive);
  const offset = f64x2.splat(bias);
  const rest = shaped(offset);
  const out = f64x2.splat(1.5);
  const near = f64x2.splat(1e-4);
  const half = f64x2.splat(0.5);
  let x0 = v128.load(state);
  let f0 = v128.load(state, 16);
  const end = pairs + ((<usize>count) << 4);
  for (; pairs < end; pairs += 16) {
    const x1 = f64x2.add(f64x2.mul(gain, v128.load(pairs)), offset);
    const f1 = integral(x1);
    const apart = f64x2.sub(x1, x0);
    const far = f64x2.gt(f64x2.abs(apart), near);
    const mean = f64x2.div(f64x2.sub(f1, f0), v128.bitselect(apart, f64x2.splat(1), far));
    const y = v128.bitselect(mean, shaped(f64x2.mul(half, f64x2.add(x0, x1))), far);
    v128.store(pairs, f64x2.mul(out, f64x2.sub(y, rest)));
    x0 = x1;
    f0 = f1;
  }
  v128.store(state, x0);
  v128.store(state, f0, 16);
}

function shaped(x: v128): v128 {
  const held = f64x2.pmax(f64x2.pmin(x, f64x2.splat(1)), f64x2.splat(-1));
  return f64x2.sub(held, f64x2.mul(f64x2.mul(f64x2.mul(held, held), held), f64x2.splat(1.0 / 3.0)));
}

function integral(x: v128): v128 {
  const square = f64x2.mul(x, x);
  const inside = f64x2.mul(square, f64x2.sub(f64x2.splat(0.5), f64x2.mul(square, f64x2.splat(1.0 / 12.0))));
  const outside = f64x2.sub(f64x2.mul(f64x2.abs(x), f64x2.splat(2.0 / 3.0)), f64x2.splat(0.25));
  return v128.bitselect(inside, outside, f64x2.lt(square, f64x2.splat(1)));
}
