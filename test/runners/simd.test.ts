import assert from "node:assert/strict";
import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { simd } from "../../runners/signal/dsp/simd.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("set-up has compiled the kernels, and this engine runs them", () => {
  assert.ok(simd(), "runners/signal/dsp/assembly/kernels.wasm is missing or old: run `npm run setup`");
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

test("kernels of other sources are not used", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-kernels-"));
  try {
    const assembly = join(folder, "runners", "signal", "dsp", "assembly");
    await cp(join(root, "runners", "signal", "dsp", "assembly"), assembly, { recursive: true });
    await cp(join(root, "scripts", "kernels.mjs"), join(folder, "scripts", "kernels.mjs"));
    await cp(join(root, "runners", "signal", "dsp", "simd.ts"), join(folder, "runners", "signal", "dsp", "simd.ts"));
    const load = async (copy: string): Promise<unknown> =>
      (await import(pathToFileURL(join(folder, "runners", "signal", "dsp", copy)).href)).simd();
    assert.ok(await load("simd.ts"), "a copy is as good");
    await cp(join(root, "runners", "signal", "dsp", "simd.ts"), join(folder, "runners", "signal", "dsp", "again.ts"));
    await appendFile(join(assembly, "voice.ts"), "// changed\n");
    assert.equal(await load("again.ts"), undefined);
  } finally {
    await rm(folder, { recursive: true });
  }
});
