/**
 * Shares of many columns at once that add up to 1 in each: x[k][column] to e^x[k] / Σ e^x, in place. Exponentials are right to 3 · 10^-7.
 *
 * @param columns a multiple of 4
 */
export function softmax(x: usize, columns: i32, outputs: i32): void {
  const stride = (<usize>columns) << 2;
  const end = <usize>outputs * stride;
  for (let column: usize = 0; column < stride; column += 16) {
    const at = x + column;
    let highest = v128.load(at);
    for (let row = stride; row < end; row += stride) highest = f32x4.max(highest, v128.load(at + row));
    let sum = f32x4.splat(0);
    for (let row: usize = 0; row < end; row += stride) {
      const value = exponential(f32x4.sub(v128.load(at + row), highest));
      v128.store(at + row, value);
      sum = f32x4.add(sum, value);
    }
    for (let row: usize = 0; row < end; row += stride) v128.store(at + row, f32x4.div(v128.load(at + row), sum));
  }
}

/**
 * e^x for x up to 0: 2 to a whole number, times 2 to what is left by its series (as `exponential` of
 * runners/signal/separate/network.ts).
 */
function exponential(x: v128): v128 {
  const power = f32x4.max(f32x4.mul(x, f32x4.splat(<f32>Math.LOG2E)), f32x4.splat(-126));
  const whole = f32x4.nearest(power);
  const part = f32x4.sub(power, whole);
  let sum = f32x4.add(f32x4.splat(0.009618129), f32x4.mul(part, f32x4.splat(0.0013333558)));
  sum = f32x4.add(f32x4.splat(0.05550411), f32x4.mul(part, sum));
  sum = f32x4.add(f32x4.splat(0.2402265), f32x4.mul(part, sum));
  sum = f32x4.add(f32x4.splat(<f32>Math.LN2), f32x4.mul(part, sum));
  sum = f32x4.add(f32x4.splat(1), f32x4.mul(part, sum));
  const exponent = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(whole), i32x4.splat(127)), 23);
  return f32x4.mul(sum, exponent);
}
