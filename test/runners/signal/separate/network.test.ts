import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { simd } from "../../../../runners/signal/dsp/simd.ts";
import { type Network, weightsOf } from "../../../../runners/signal/separate/layers.ts";
import { Judge } from "../../../../runners/signal/separate/network.ts";

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

const STEP = 1 / 2048;
const FIXED = 2;

test("Judge says what the formula says, and the same with kernels and without, bit for bit", () => {
  const network = made([SHARED + 6 + FIXED, 12, 6, 4]);
  const next = random(11);
  const shared = Float32Array.from({ length: SHARED }, () => 4 * next() - 2);
  const own = Int16Array.from({ length: 6 * COLUMNS }, () => Math.round((4 * next() - 2) / STEP));
  const planes = Float32Array.from({ length: FIXED * COLUMNS }, () => next());
  const words = Array.from({ length: 6 }, () => ({ step: STEP, most: 4096 }));
  const [fast, plain] = [simd(), undefined].map((kernels) => {
    const inputs = { shared: SHARED, words, fixed: { behind: 4, planes } };
    const judge = new Judge(network, COLUMNS, inputs, kernels ?? null);
    judge.words.set(own);
    const out = new Float32Array(4 * COLUMNS);
    judge.judge(shared, out);
    return out;
  }) as [Float32Array, Float32Array];
  assert.deepEqual(fast, plain);
  for (let column = 0; column < COLUMNS; column++) {
    const values = Array.from({ length: 6 }, (_, k) => STEP * own[2 * ((k >> 1) * COLUMNS + column) + (k & 1)]!);
    const fixed = Array.from({ length: FIXED }, (_, k) => planes[k * COLUMNS + column]!);
    const inputs = [...shared, ...values.slice(0, 4), ...fixed, ...values.slice(4)];
    for (const [k, value] of reference(network, inputs).entries())
      assert.ok(Math.abs(plain[k * COLUMNS + column]! - value) < 0.005, `${k} of column ${column}`);
  }
});

test("Judge does not overflow where words, weights and what is shared are as large as they can be", () => {
  const sizes = [SHARED + 6, 4, 4, 4];
  const weights = new Float32Array(weightsOf(sizes)).fill(90);
  const words = Array.from({ length: 6 }, () => ({ step: STEP, most: 32_767 }));
  const judge = new Judge({ sizes, weights }, COLUMNS, { shared: SHARED, words }, null);
  judge.words.fill(32_767);
  const out = new Float32Array(4 * COLUMNS);
  judge.judge(new Float32Array(SHARED).fill(1e9), out);
  // All outputs are equally sure.
  for (const share of out) assert.equal(share, 0.25);
});
