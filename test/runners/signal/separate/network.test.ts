import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { simd } from "../../../../runners/signal/dsp/simd.ts";
import { Judge, type Network, weightsOf } from "../../../../runners/signal/separate/network.ts";

const COLUMNS = 32;
const SHARED = 3;

function made(sizes: readonly number[]): Network {
  const next = random(3);
  return { sizes, weights: Float32Array.from({ length: weightsOf(sizes) }, () => 2 * next() - 1) };
}

/** The textbook's form, in doubles. */
function reference({ sizes, weights }: Network, inputs: readonly number[]): number[] {
  let values = [...inputs];
  let at = 0;
  for (let layer = 1; layer < sizes.length; layer++) {
    const [before, units] = [sizes[layer - 1]!, sizes[layer]!];
    values = Array.from({ length: units }, (_, unit) => {
      let sum = weights[at + units * before + unit]!;
      for (let k = 0; k < before; k++) sum += weights[at + unit * before + k]! * values[k]!;
      return layer + 1 < sizes.length ? Math.max(0, sum) : sum;
    });
    at += units * (before + 1);
  }
  const exponents = values.map((value) => Math.exp(value));
  const sum = exponents.reduce((a, b) => a + b, 0);
  return exponents.map((value) => value / sum);
}

test("Judge says what the formula says, and the same with kernels and without, bit for bit", () => {
  const network = made([SHARED + 7, 12, 6, 4]);
  const next = random(11);
  const shared = Float32Array.from({ length: SHARED }, () => 4 * next() - 2);
  const own = Float32Array.from({ length: 7 * COLUMNS }, () => 4 * next() - 2);
  const [fast, plain] = [simd(), undefined].map((kernels) => {
    const judge = new Judge(network, COLUMNS, SHARED, kernels ?? null);
    judge.evidence.set(own);
    const out = new Float32Array(4 * COLUMNS);
    judge.judge(shared, out);
    return out;
  }) as [Float32Array, Float32Array];
  assert.deepEqual(fast, plain);
  for (let column = 0; column < COLUMNS; column++) {
    const inputs = [...shared, ...Array.from({ length: 7 }, (_, k) => own[k * COLUMNS + column]!)];
    for (const [k, value] of reference(network, inputs).entries())
      assert.ok(Math.abs(plain[k * COLUMNS + column]! - value) < 1e-5, `${k} of column ${column}`);
  }
});
