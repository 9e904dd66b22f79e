/** Parts of graphs: what some outputs need, loaded alone; and graphs that are loaded whole because a part cannot be. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Layout } from "../../../runners/models/layout.ts";
import { parseManifest } from "../../../runners/models/manifest.ts";
import { sessions } from "../../../runners/models/mod.ts";
import { specFor } from "../../../runners/models/open.ts";
import { rewriteGraph } from "../../../runners/models/rewritten.ts";
import { loadRuntime } from "../../../runners/models/runtime.ts";
import type { ModelSpec } from "../../../runners/models/types.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { readCase } from "./cases.ts";
import { options, SETTINGS } from "./fixtures.ts";

const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

const CASES = fileURLToPath(new URL("conformance", import.meta.url));
const FOLDER = join(CASES, "musicgen");
const KEYS = [0, 1].flatMap((layer) => ["key", "value"].map((kind) => `present.${layer}.encoder.${kind}`));

test("the part of a decoder that makes the text's keys is equal to the whole, and takes neither codes nor what the rest weighs", async () => {
  const ort = await loadRuntime();
  const path = join(FOLDER, "decoder_model.onnx");
  const { bytes } = rewriteGraph(path, { part: { outputs: KEYS, rows_of: "encoder_hidden_states" } });
  const extra = { session: { model_external_initializers_file_folder_path: FOLDER } };
  const part = await ort.InferenceSession.create(bytes, { extra });
  assert.deepEqual(part.inputNames.toSorted(), ["encoder_attention_mask", "encoder_hidden_states"]);
  assert.deepEqual(part.outputNames.toSorted(), KEYS.toSorted());
  // The projection of the text and two for each layer: each named where it is and where it is used.
  assert.equal(Buffer.from(bytes).toString("latin1").split("onnx::MatMul_").length - 1, 2 * (1 + 2 * 2));
  const whole = await ort.InferenceSession.create(path);
  const [rows, length, width] = [3, 5, 16];
  const states = Float32Array.from({ length: rows * length * width }, (_, n) => Math.sin(n));
  const text = {
    encoder_hidden_states: new ort.Tensor("float32", states, [rows, length, width]),
    encoder_attention_mask: new ort.Tensor(
      "int64",
      BigInt64Array.from({ length: rows * length }, (_, n) => BigInt(n % 7 > 0)),
      [rows, length],
    ),
  };
  const codes = new ort.Tensor("int64", new BigInt64Array(4 * rows).fill(7n), [4 * rows, 1]);
  const [found, wanted] = [await part.run(text), await whole.run({ ...text, input_ids: codes })];
  for (const name of KEYS) {
    assert.deepEqual(found[name]!.dims, wanted[name]!.dims);
    assert.deepEqual(found[name]!.data, wanted[name]!.data);
  }
  for (const session of [part, whole]) await session.release();
  assert.throws(
    () => rewriteGraph(path, { part: { outputs: ["nothing"], rows_of: "encoder_hidden_states" } }),
    /makes no "nothing"/,
  );
  const merged = join(CASES, "musicgen_stereo", "merged.onnx");
  assert.throws(
    () => rewriteGraph(merged, { part: { outputs: [KEYS[0]!], rows_of: "encoder_hidden_states" } }),
    /comes out of a branch/,
  );
});

async function openWith(change: (layouts: Readonly<Record<string, Layout>>) => Readonly<Record<string, Layout>>) {
  const { manifest } = await parseManifest(readCase(CASES, "musicgen").manifest);
  const place = { resident: "musicgen", device: undefined, providers: ["cpu"] };
  const spec = await specFor(manifest, { ...SETTINGS, models: CASES }, place);
  const changed: ModelSpec = { ...spec, layouts: change(spec.layouts) };
  const answer = await pool.run({ ...sessions, resident: "musicgen" }, { type: "open", spec: changed }, options());
  assert.equal(answer.type, "opened");
  return answer.type === "opened" ? Object.keys(answer.opened.matched.decoder!.outputs) : [];
}

test("of two decoders the first is loaded for the text alone; where the second refuses empty caches, or the part is none, as a whole", async () => {
  assert.deepEqual((await openWith((layouts) => layouts)).toSorted(), KEYS.toSorted());
  const refusing = await openWith(({ decoder_with_past, ...rest }) => ({
    ...rest,
    // It takes one code of each codebook a step, and no two.
    decoder_with_past: {
      ...decoder_with_past!,
      leaner: { ...decoder_with_past!.leaner!, sizes: { batch: 2, rows: 7 } },
    },
  }));
  assert.ok(refusing.includes("logits"));
  const none = await openWith(({ decoder, ...rest }) => ({
    ...rest,
    decoder: { ...decoder!, leaner: { ...decoder!.leaner!, part_by: "codes" } },
  }));
  assert.ok(none.includes("logits"));
});
