/**
 * Graphs changed in memory: of half precision in single (weights, constants, branches, borders), caches that grow,
 * norms that sum exactly.
 */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readOnnx } from "../../../runners/models/onnx_file.ts";
import { rewriteGraph } from "../../../runners/models/rewritten.ts";
import { loadRuntime, place } from "../../../runners/models/runtime.ts";
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
  const { bytes, names } = rewriteGraph(join(MODELS, "mdx_float16.onnx"), { half: "borders" });
  assert.deepEqual(
    [...names],
    [
      ["input", "input:outside"],
      ["output", "output:outside"],
    ],
  );
  const extra = { session: { model_external_initializers_file_folder_path: MODELS } };
  const session = await ort.InferenceSession.create(bytes, { extra, logSeverityLevel: 3 });
  const ports = [...session.inputMetadata, ...session.outputMetadata];
  assert.deepEqual(
    ports.map(({ name, ...port }) => [name, port.isTensor && port.type]),
    [
      ["input:outside", "float32"],
      ["output:outside", "float32"],
    ],
  );
  // 1 + 2⁻¹² is no float16, but 1 is the nearest.
  const data = new Float32Array(4 * 2048 * 256).fill(1 + 2 ** -12);
  const made = await session.run({ "input:outside": new ort.Tensor("float32", data, [1, 4, 2048, 256]) });
  assert.ok((made["output:outside"]!.data as Float32Array).every((value) => value === 0.5));
  await session.release();
  // The CPU lacks operators of bfloat16: the runtime's message names one.
  const { bytes: narrow } = rewriteGraph(join(MODELS, "mdx_bfloat16.onnx"), { half: "borders" });
  await assert.rejects(ort.InferenceSession.create(narrow, { extra, logSeverityLevel: 4 }), /implementation for Mul/);
});

test("a cache is taken with its positions first, and only the new one is given; weights stay in the file", async () => {
  const ort = await loadRuntime();
  const folder = fileURLToPath(new URL("conformance/musicgen", import.meta.url));
  const path = join(folder, "decoder_with_past_model.onnx");
  const [past, present] = ["past_key_values.0.decoder.key", "present.0.decoder.key"];
  const { bytes, names } = rewriteGraph(path, { growing: new Set([past, present]) });
  assert.ok(bytes.length < statSync(path).size - 50_000);
  const extra = { session: { model_external_initializers_file_folder_path: folder } };
  const [plain, changed] = [
    await ort.InferenceSession.create(path),
    await ort.InferenceSession.create(bytes, { extra }),
  ];
  const [heads, size, positions] = [3, 8, 5];
  const value = (b: number, h: number, t: number, n: number) => Math.sin(1 + 1000 * b + 100 * h + 10 * t + n);
  const all = (dims: readonly number[], at: (i: number, j: number, k: number, n: number) => number) => {
    const [I, J, K, N] = dims as [number, number, number, number];
    const data = Float32Array.from({ length: I * J * K * N }, (_, n) =>
      at(Math.floor(n / (J * K * N)), Math.floor(n / (K * N)) % J, Math.floor(n / N) % K, n % N),
    );
    return new ort.Tensor("float32", data, [...dims]);
  };
  const feeds: Record<string, InstanceType<typeof ort.Tensor>> = {};
  for (const port of plain.inputMetadata) {
    if (!port.isTensor) continue;
    const dims = port.shape.map((dim, axis) => (typeof dim === "number" ? dim : axis === 2 ? positions : 2));
    if (port.name === "input_ids") feeds[port.name] = new ort.Tensor("int64", new BigInt64Array(8).fill(7n), [8, 1]);
    else if (port.type === "int64") feeds[port.name] = new ort.Tensor("int64", new BigInt64Array(10).fill(1n), [2, 5]);
    else feeds[port.name] = all(dims, value);
  }
  const made = await plain.run(feeds);
  const { [past]: _, ...rest } = feeds;
  const moved = all([positions, 2, heads, size], (t, b, h, n) => value(b, h, t, n));
  const found = await changed.run({ ...rest, [names.get(past)!]: moved });
  assert.deepEqual(found.logits!.data, made.logits!.data);
  const [new_key, keys] = [found[names.get(present)!]!, made[present]!];
  assert.deepEqual(new_key.dims, [2, heads, size]);
  for (const [n, key] of (new_key.data as Float32Array).entries())
    assert.equal(
      key,
      (keys.data as Float32Array)[Math.floor(n / size) * (positions + 1) * size + positions * size + (n % size)],
    );
  for (const session of [plain, changed]) await session.release();
});

for (const [opset, epsilon] of [
  [12, 1e-5],
  [17, 1e-3],
  [18, 1e-5],
] as const) {
  test(`on the CPU, a norm over many values is exact: operators of version ${opset}`, async () => {
    const ort = await loadRuntime();
    const path = join(MODELS, `norm_${opset}.onnx`);
    const more = { device: undefined, threads: 1, session: {}, fold: true, growing: new Map() };
    const { session } = await place(ort, path, ["cpu"], { ...more, facts: readOnnx(path) });
    const [scale, bias] = [
      [2, -0.5],
      [0.25, 1],
    ] as const;
    const dims = [1, 2, 1001, 1511];
    const length = 1001 * 1511;
    const input = new Float32Array(2 * length);
    let seed = 7;
    for (let n = 0; n < input.length; n++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      input[n] = seed / 2 ** 32;
    }
    const found = (await session.run({ input: new ort.Tensor("float32", input, dims) })).output!;
    await session.release();
    assert.deepEqual(found.dims, dims);
    for (const channel of [0, 1]) {
      const [from, to] = [channel * length, (channel + 1) * length];
      let [sum, squares] = [0, 0];
      for (let n = from; n < to; n++) sum += input[n]!;
      const mean = sum / length;
      for (let n = from; n < to; n++) squares += (input[n]! - mean) ** 2;
      const gain = scale[channel]! / Math.sqrt(squares / length + epsilon);
      const wanted = Float32Array.from({ length }, (_, n) => (input[from + n]! - mean) * gain + bias[channel]!);
      // As the runtime sums, 97 dB.
      const near = snr((found.data as Float32Array).subarray(from, to), wanted);
      assert.ok(near > 130, `channel ${channel}: ${near} dB`);
    }
  });
}

for (const fold of [true, false]) {
  test(`a group norm of fixed sizes loads and is exact, constants ${fold ? "computed" : "left as they are"}`, async () => {
    const ort = await loadRuntime();
    const path = join(MODELS, "norm_group.onnx");
    const more = { device: undefined, threads: 1, session: {}, growing: new Map() };
    const { session } = await place(ort, path, ["cpu"], { ...more, fold, facts: readOnnx(path) });
    const input = Float32Array.from({ length: 4 * 8 * 16 }, (_, n) => Math.sin(n * n) + (n > 255 ? 3 : 0));
    const found = (await session.run({ input: new ort.Tensor("float32", input, [1, 4, 8, 16]) })).output!;
    await session.release();
    assert.deepEqual(found.dims, [1, 4, 8, 16]);
    const wanted = [input.subarray(0, 256), input.subarray(256)].flatMap((group) => {
      const mean = group.reduce((sum, value) => sum + value, 0) / 256;
      const power = group.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 256;
      return Array.from(group, (value) => (value - mean) / Math.sqrt(power + 1e-5));
    });
    const near = snr(found.data as Float32Array, Float32Array.from(wanted));
    assert.ok(near > 120, `${near} dB`);
  });
}
