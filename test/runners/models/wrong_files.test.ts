/**
 * What an operator reads where a file is wrong: one row for each mistake, with what the message must name. The file
 * that the message names, the tensor or field, what was expected and what was found stand in it, and never a path of
 * the machine.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { modelsIn, readEntries } from "../../../runners/models/entries.ts";
import type { Manifest } from "../../../runners/models/fields.ts";
import { parseManifest } from "../../../runners/models/manifest.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { file, MODELS, options, SETTINGS, separate, snr } from "./fixtures.ts";
import { MDX, MUSIC } from "./mdx.ts";

const scratch = mkdtempSync(join(tmpdir(), "tonwerk-wrong-"));
// All in one process, that of the model "good": what one leaves behind in it would show in the next.
const pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
after(async () => {
  await pool.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** A manifest's text, or its object; the file of the model, where it is not one of the miniatures. */
interface Wrong {
  readonly what: string;
  readonly manifest: string | object;
  readonly bytes?: string | Uint8Array;
  /** Other manifests in the folder. */
  readonly beside?: Readonly<Record<string, object>>;
  /** All that the message says. */
  readonly says: RegExp;
}

const whole = readFileSync(join(MODELS, "mdx_2048.onnx"));
const of = (name: string, fields: object = {}) => ({ ...MDX, files: { model: file(name) }, ...fields });
const NO_ONNX = '"model.onnx" \\(model\\): it is no ONNX file but ';

const table: readonly Wrong[] = [
  // The manifest.
  { what: "text that is no JSON", manifest: "family: mdx", says: /^it is not JSON: .+$/ },
  {
    what: "a family that there is not",
    manifest: { ...MDX, family: "mdx-net" },
    says: /^"family" must be one of bands, .*, mdx, .*, ensemble, not "mdx-net"$/,
  },
  {
    what: "a stem that there is not",
    manifest: { ...MDX, stem: "vocal" },
    says: /^its fields do not fit family "mdx": "stem": expected one of vocals, drums, .*, found "vocal"$/,
  },
  {
    what: "a field of another family",
    manifest: { ...MDX, wiener: 1 },
    says: /^its fields do not fit family "mdx": "wiener" is no field of it \(its fields: .*stem.*\)$/,
  },
  {
    what: "a file without its hash",
    manifest: { ...MDX, files: { model: { path: "mdx_2048.onnx" } } },
    says: /^its fields do not fit family "mdx": "files.model.sha256" is missing$/,
  },
  {
    what: "a rate that no model has",
    manifest: {
      id: "good",
      family: "diffsinger",
      licence: "MIT",
      sample_rate: 96_000,
      files: { acoustic: MDX.files.model, vocoder: MDX.files.model, phonemes: MDX.files.model },
    },
    says: /"sample_rate": expected integer to be less or equal to 48000, found 96000$/,
  },
  {
    what: "a file outside of the folder",
    manifest: { ...MDX, files: { model: { ...MDX.files.model, path: "../mdx_2048.onnx" } } },
    says: /^the file "\.\.\/mdx_2048.onnx" lies outside the folder of models$/,
  },
  {
    what: "a name that is taken",
    manifest: MDX,
    beside: { "a.json": MDX },
    says: /^the id "good" is that of "a.json"$/,
  },
  {
    what: "an ensemble of what is not there",
    manifest: { id: "e", family: "ensemble", models: [{ id: "gone" }] },
    beside: { "a.json": MDX },
    says: /^"models.0.id": there is no model "gone" to separate with, but good$/,
  },
  {
    what: "an ensemble that takes a stem which the model does not give",
    manifest: { id: "e", family: "ensemble", models: [{ id: "good", stems: { drums: 1 } }] },
    beside: { "a.json": MDX },
    says: /^"models.0.stems": "good" gives no drums, but vocals, instrumental$/,
  },
  // The file.
  {
    what: "a file that is not there",
    manifest: { ...MDX, files: { model: { path: "nowhere.onnx", sha256: "0".repeat(64) } } },
    says: /^"nowhere.onnx": there is no such file in the folder of models$/,
  },
  {
    what: "another file than the manifest's",
    manifest: { ...MDX, files: { model: { path: "mdx_2048.onnx", sha256: "0".repeat(64) } } },
    says: /^"mdx_2048.onnx": its SHA-256 is [0-9a-f]{64}, the manifest says 0{64}$/,
  },
  {
    what: "a download that broke off",
    manifest: MDX,
    bytes: whole.subarray(0, -30),
    says: /^"model.onnx" \(model\): it is cut short, or no ONNX file: it has \d+ bytes, and what begins at \d+ ends at \d+$/,
  },
  { what: "an empty file", manifest: MDX, bytes: "", says: /^"model.onnx" \(model\): it is empty$/ },
  {
    what: "a pointer of Git LFS",
    manifest: MDX,
    bytes: "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
    says: new RegExp(`^${NO_ONNX}a pointer of Git LFS, not the file itself \\("git lfs pull" fetches it\\)$`),
  },
  {
    what: "a page that asks to sign in",
    manifest: MDX,
    bytes: "<!DOCTYPE html><title>Sign in</title>",
    says: new RegExp(`^${NO_ONNX}a web page, which came in place of a download$`),
  },
  {
    what: "a checkpoint of PyTorch",
    manifest: MDX,
    bytes: "PK\u0003\u0004archive/data.pkl",
    says: new RegExp(`^${NO_ONNX}a ZIP archive, as PyTorch writes its checkpoints \\(.*\\): export it to ONNX$`),
  },
  {
    what: "a file of safetensors",
    manifest: MDX,
    bytes: '\u0040\u0000\u0000\u0000\u0000\u0000\u0000\u0000{"__metadata__":{}}',
    says: new RegExp(`^${NO_ONNX}a file of safetensors: export it to ONNX$`),
  },
  {
    what: "a file of TensorFlow Lite",
    manifest: MDX,
    bytes: "\u0020\u0000\u0000\u0000TFL3",
    says: new RegExp(`^${NO_ONNX}a TensorFlow Lite model: convert it to ONNX$`),
  },
  {
    what: "JSON",
    manifest: of("musicgen_tokenizer.txt"),
    says: /"musicgen_tokenizer.txt" \(model\): it is no ONNX file but JSON$/,
  },
  {
    what: "an ONNX file without a graph",
    manifest: MDX,
    bytes: Uint8Array.of(8, 7),
    says: /^"model.onnx" \(model\): it is no ONNX file: it holds no graph$/,
  },
  {
    what: "weights beside it that nobody has named",
    manifest: of("mdx_outside.onnx"),
    says: /^"mdx_outside.onnx" \(model\): it loads "mdx_outside.onnx_data" beside it, so "data" must hold \{ "path": "mdx_outside.onnx_data", "sha256": … \}$/,
  },
  {
    what: "weights beside it that are not there",
    manifest: of("mdx_outside.onnx", { data: [{ path: "gone.onnx_data", sha256: "0".repeat(64) }] }),
    says: /^"gone.onnx_data": there is no such file in the folder of models$/,
  },
  {
    what: "weights beside it that are other ones",
    manifest: of("mdx_outside.onnx", { data: [{ path: "mdx_outside.onnx_data", sha256: "0".repeat(64) }] }),
    says: /^"mdx_outside.onnx_data": its SHA-256 is [0-9a-f]{64}, the manifest says 0{64}$/,
  },
  // The graph.
  {
    what: "a misspelt tensor",
    manifest: of("mdx_2048.onnx", { tensors: { inptu: "input" } }),
    says: /^"tensors" names "inptu", which the family does not have, but input, output$/,
  },
  {
    what: "a tensor that the graph does not have",
    manifest: of("mdx_2048.onnx", { tensors: { input: "sound" } }),
    says: /^"mdx_2048.onnx" \(model\): the graph has no input "sound" \(input\), but "input" \[batch,4,2048,256\]$/,
  },
  {
    what: "another shape",
    manifest: of("mdx_3072.onnx"),
    says: /^"mdx_3072.onnx" \(model\): input "input" is \[batch,4,3072,256\] of float32, not \[batch,4,2048,256\] of float32$/,
  },
  {
    what: "another family's graph",
    manifest: of("umx_bass.onnx"),
    says: /^"umx_bass.onnx" \(model\): input "magnitude" is \[batch,2,2049,frames\] of float32, not \[batch,4,2048,256\] of float32$/,
  },
  {
    what: "inputs that nobody feeds",
    manifest: of("musicgen_text.onnx"),
    says: /^"musicgen_text.onnx" \(model\): the graph has no input "input" \(input\), but "input_ids" \[.*\], "attention_mask" \[.*\]$/,
  },
  {
    what: "an output that is not what the graph promises",
    manifest: of("mdx_liar.onnx"),
    says: /^"mdx_liar.onnx" \(model\): output "output" came as \[1,4,1024,256\] of float32, not \[1,4,2048,256\] of float32$/,
  },
  {
    what: "values that are not finite",
    manifest: of("mdx_nan.onnx"),
    says: /^"mdx_nan.onnx" \(model\): output "output" holds values that are not finite, from inputs that are$/,
  },
  {
    what: "a transform that its frames do not fit",
    manifest: { ...MDX, stft: { ...MDX.stft, n_fft: 4000 } },
    says: /^its stft of 4000 cannot have 2048 bins and 256 frames of 1024$/,
  },
];

/** What it says, or undefined where it serves. */
async function said({ manifest, bytes, beside = {} }: Wrong, index: number): Promise<string | undefined> {
  const folder = join(scratch, String(index));
  mkdirSync(folder);
  let given = manifest;
  if (bytes !== undefined && typeof given === "object") {
    writeFileSync(join(folder, "model.onnx"), bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    given = { ...given, files: { model: { path: "model.onnx", sha256 } } };
  } else for (const { path } of namedBy(given)) copyFileSync(join(MODELS, path), join(folder, path));
  for (const [name, other] of Object.entries(beside)) writeFileSync(join(folder, name), JSON.stringify(other));
  writeFileSync(join(folder, "model.json"), typeof given === "string" ? given : JSON.stringify(given));
  const { entries, refused } = await readEntries(folder, []);
  const reason = refused.find(({ file: name }) => name === "model.json")?.reason;
  if (reason !== undefined) return reason;
  const read = modelsIn(entries[0]!)[0]!;
  const settings = { ...SETTINGS, models: folder };
  return pool.run(separate, { manifest: { ...read, id: "good" }, settings, request: MUSIC }, options()).then(
    () => undefined,
    (error: Error) => {
      assert.equal(error.name, "ModelError");
      assert.match(error.message, /^Model "good": /);
      return error.message.slice('Model "good": '.length);
    },
  );
}

/** Miniatures that a manifest names. */
function namedBy(manifest: string | object): readonly { readonly path: string }[] {
  const { files = {}, data = [] } = manifest as Partial<Pick<Manifest, "files" | "data">>;
  return [...Object.values(files), ...data].filter(({ path }) => /^(?:mdx|umx|musicgen)_\w+\.\w+$/.test(path));
}

for (const [index, wrong] of table.entries()) {
  test(`${wrong.what}: told by name, without a path of the machine`, async () => {
    const message = await said(wrong, index);
    assert.ok(message !== undefined, "It serves");
    assert.match(message, wrong.says);
    for (const path of [scratch, MODELS, process.cwd(), tmpdir()]) assert.ok(!message.includes(path), message);
  });
}

test("a graph above 2 GB may have as many files of weights as PyTorch writes: one for each", async () => {
  const data = Array.from({ length: 540 }, (_, n) => ({ path: `weights/${n}`, sha256: "0".repeat(64) }));
  assert.equal((await parseManifest({ ...MDX, data })).manifest.data?.length, 540);
});

test("after all of them the right model serves, in the same process", async () => {
  const [stem] = await pool.run(separate, { manifest: MDX, settings: SETTINGS, request: MUSIC }, options());
  assert.ok(snr(stem![0]!, MUSIC.channels[0]!, 0.5) > 60);
  assert.deepEqual([pool.stats().processes, pool.stats().replaced], [1, 0]);
});
