import assert from "node:assert/strict";
import { test } from "node:test";
import { simd } from "../../runners/dsp/simd.ts";

test("set-up has compiled the kernels, and this engine runs them", () => {
  assert.ok(simd(), "runners/dsp/assembly/kernels.wasm is missing: run `npm run setup`");
});

test("memory that is set aside is aligned, apart from other memory, and grows", () => {
  const kernels = simd()!;
  const first = kernels.reserve(100_001);
  const second = kernels.reserve(3);
  assert.equal(first % 16, 0);
  assert.equal(second % 16, 0);
  assert.ok(second >= first + 100_001);
  assert.ok(kernels.memory.buffer.byteLength >= second + 3);
});
