/** Graphs of half precision: their weights, constants, branches and borders in single precision, the file as it is. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeSingle } from "../../../runners/models/half.ts";
import { readOnnx } from "../../../runners/models/onnx_file.ts";
import { loadRuntime } from "../../../runners/models/runtime.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { file, MODELS, options, SETTINGS, separate, snr } from "./fixtures.ts";
import { MDX, MUSIC } from "./mdx.ts";

const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

for (const half of ["float16", "bfloat16"]) {
  test(`a graph of ${half}, its weights beside it, serves on the CPU in single precision`, async () => {
    const graph = `mdx_${half}.onnx`;
    assert.equal(readOnnx(join(MODELS, graph)).half, half);
    const manifest = { ...MDX, id: half, files: { model: file(graph) }, data: [file(`${graph}_data`)] };
    const [stem] = await pool.run(separate, { manifest, settings: SETTINGS, request: MUSIC }, options());
    // Rounded to half precision it would be 50 dB (bfloat16), or 68.
    const found = snr(stem![0]!, MUSIC.channels[0]!, 0.5);
    assert.ok(found > 80, `${found} dB`);
  });
}

test("weights beside a graph of half precision are refused where they are not named", async () => {
  const manifest = { ...MDX, id: "unnamed", files: { model: file("mdx_float16.onnx") } };
  await assert.rejects(pool.run(separate, { manifest, settings: SETTINGS, request: MUSIC }, options()), {
    message: /"mdx_float16.onnx" \(model\): it loads "mdx_float16.onnx_data" beside it/,
  });
});

test("where a provider computes in half precision, borders alone are cast", async () => {
  const ort = await loadRuntime();
  const { bytes, names } = makeSingle(join(MODELS, "mdx_float16.onnx"), "borders");
  assert.deepEqual(
    [...names],
    [
      ["input", "input:single"],
      ["output", "output:single"],
    ],
  );
  const extra = { session: { model_external_initializers_file_folder_path: MODELS } };
  const session = await ort.InferenceSession.create(bytes, { extra, logSeverityLevel: 3 });
  const ports = [...session.inputMetadata, ...session.outputMetadata];
  assert.deepEqual(
    ports.map(({ name, ...port }) => [name, port.isTensor && port.type]),
    [
      ["input:single", "float32"],
      ["output:single", "float32"],
    ],
  );
  // 1 + 2⁻¹² is no float16, but 1 is the nearest.
  const data = new Float32Array(4 * 2048 * 256).fill(1 + 2 ** -12);
  const made = await session.run({ "input:single": new ort.Tensor("float32", data, [1, 4, 2048, 256]) });
  assert.ok((made["output:single"]!.data as Float32Array).every((value) => value === 0.5));
  await session.release();
  // The CPU lacks operators of bfloat16: the runtime's message names one.
  const { bytes: narrow } = makeSingle(join(MODELS, "mdx_bfloat16.onnx"), "borders");
  await assert.rejects(ort.InferenceSession.create(narrow, { extra, logSeverityLevel: 4 }), /implementation for Mul/);
});
