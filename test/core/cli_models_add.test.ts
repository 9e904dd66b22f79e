/**
 * `tonwerk models add`, `bench` and `remove`: from an ONNX file to a manifest that serves, and out again; nothing is
 * left where it fails.
 */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { modelsCommand } from "../../cli/models.ts";
import { loadConfig } from "../../core/base/config.ts";
import { wav } from "../audio.ts";
import { file, MODELS, music } from "../runners/models/fixtures.ts";

const scratch = mkdtempSync(join(tmpdir(), "tonwerk-add-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

async function models(folder: string, rest: readonly string[], environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const asked: string[] = [];
  const here = { TONWERK_MODELS: folder, TONWERK_SHIPPED_MODELS: "off", TONWERK_PROVIDERS: "cpu", ...environment };
  const code = await modelsCommand(
    rest,
    loadConfig(here),
    (line) => lines.push(line),
    async (question) => {
      asked.push(question);
      return false;
    },
  );
  return { code, lines, text: lines.join("\n"), asked };
}

const place = (name: string): string => join(scratch, name);
const graph = (name: string): string => join(MODELS, name);
const THREAD = ["--set", "threads=1"];
const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));

test("a file becomes a model: recognised, measured, served, measured again, removed", async () => {
  const folder = place("mdx");
  const words = ["add", graph("mdx_2048.onnx"), "--set", "stem=vocals", "--licence", "MIT", ...THREAD];
  const { code, text } = await models(folder, words);
  assert.equal(code, 0, text);
  const told = [
    "checking the files' hashes",
    "loading mdx_2048.onnx (model, 1 MB) and running it once",
    "running it on 10 s",
    "separating",
  ];
  assert.ok(text.startsWith(told.map((line) => `… ${line}\n`).join("")), text);
  assert.match(text, /\nAdded "mdx_2048": mdx, serves separate; its manifest is mdx_2048.json\n/);
  assert.match(text, /stft.n_fft 6144 and hop 1024 are guessed from 2048 bins/);
  assert.match(text, /ok on cpu, loaded in \d+\.\d s; 10 s of audio in \d+\.\d\d s of processor time\n/);
  assert.match(text, /held \d+ MB at most; the longest run took \d+ ms/);
  assert.match(text, /licence MIT: weights have licences of their own/);
  assert.deepEqual(json(join(folder, "mdx_2048.json")), {
    id: "mdx_2048",
    family: "mdx",
    licence: "MIT",
    files: { model: { path: "mdx_2048/mdx_2048.onnx", sha256: file("mdx_2048.onnx").sha256 } },
    stft: { n_fft: 6144, hop: 1024, dim_f: 2048, dim_t: 256 },
    stem: "vocals",
    threads: 1,
  });
  assert.match((await models(folder, words)).text, /There is a model "mdx_2048" already/);
  const [checked] = JSON.parse((await models(folder, ["check", "--json"])).text);
  assert.deepEqual([checked.name, checked.device, checked.reason], ["mdx_2048", "cpu", null]);
  const [figures] = JSON.parse((await models(folder, ["bench", "mdx_2048", "--seconds", "2", "--json"])).text);
  assert.deepEqual([figures.name, figures.seconds, figures.agreement], ["mdx_2048", 2, null]);
  assert.ok(figures.cpu_seconds > 0 && figures.peak_mb > 10 && figures.slowest_run_ms > 0, JSON.stringify(figures));

  const asked = await models(folder, ["remove", "mdx_2048"]);
  assert.deepEqual([asked.code, asked.lines], [1, ["Nothing was removed"]]);
  assert.deepEqual(asked.asked, ["Remove mdx_2048.json, mdx_2048/mdx_2048.onnx?"]);
  const removed = await models(folder, ["remove", "mdx_2048", "--yes"]);
  assert.deepEqual([removed.code, readdirSync(folder)], [0, []]);
  assert.ok(existsSync(graph("mdx_2048.onnx")));
});

test("weights beside a graph come along, hashed; a graph in the folder stays where it is", async () => {
  const folder = place("outside");
  const outside = ["add", graph("mdx_outside.onnx"), "--id", "far", "--set", "stem=drums", ...THREAD];
  assert.equal((await models(folder, outside)).code, 0);
  assert.deepEqual(json(join(folder, "far.json")).data, [
    { path: "far/mdx_outside.onnx_data", sha256: file("mdx_outside.onnx_data").sha256 },
  ]);
  const near = ["add", join(folder, "far/mdx_outside.onnx"), "--id", "near", "--set", "stem=bass", ...THREAD];
  assert.equal((await models(folder, near)).code, 0);
  assert.equal(json(join(folder, "near.json")).files.model.path, "far/mdx_outside.onnx");
  // What the other one needs stays.
  const removed = JSON.parse((await models(folder, ["remove", "far", "--yes", "--json"])).text);
  assert.deepEqual(removed, { removed: ["far.json"] });
  assert.equal((await models(folder, ["check", "near"])).code, 0);
});

test("several files are one model, whose roles they show", async () => {
  const folder = place("umx");
  const files = ["vocals", "drums", "bass", "other"].map((stem) => graph(`umx_${stem}.onnx`));
  const added = await models(folder, ["add", ...files, "--id", "open", "--json", ...THREAD]);
  assert.equal(added.code, 0, added.text);
  const { manifest, task } = JSON.parse(added.text);
  assert.deepEqual(
    [manifest.family, task, Object.keys(manifest.files)],
    ["umx", "separate", ["vocals", "drums", "bass", "other"]],
  );
});

const original = (name: string): string => join(MODELS, "../conformance", name);
const musicgen = (...names: readonly string[]) => [
  ...names.map((name) => original(`${name}.onnx`)),
  original("musicgen/encodec_decode.onnx"),
  original("tokenizer/tokenizer.txt"),
  ...["codes=64", "frames_max=40"].flatMap((field) => ["--set", field]),
];
const RECOGNISED: readonly {
  readonly what: string;
  readonly words: readonly string[];
  readonly family: string;
  readonly task: string;
  readonly roles: readonly string[];
  readonly fields?: object;
  readonly notes?: readonly string[];
}[] = [
  {
    what: "HTDemucs without its transforms",
    words: [graph("htdemucs_core.onnx")],
    family: "htdemucs-core",
    task: "separate",
    roles: ["model"],
    fields: { stems: ["drums", "bass", "other", "vocals"] },
  },
  {
    what: "a Mel-Band RoFormer",
    words: [original("roformer_mel/model.onnx"), "--id", "mel", "--set", "stems=vocals", "--set", "overlap=0"],
    family: "roformer",
    task: "separate",
    roles: ["model"],
    fields: { stems: ["vocals"] },
  },
  {
    what: "MusicGen of two decoders",
    words: musicgen("musicgen/text_encoder", "musicgen/decoder_model", "musicgen/decoder_with_past_model"),
    family: "musicgen",
    task: "generate",
    roles: ["text_encoder", "decoder", "decoder_with_past", "codec", "tokenizer"],
  },
  {
    what: "stereo MusicGen of a merged decoder",
    words: [...musicgen("musicgen_stereo/text_encoder", "musicgen_stereo/merged"), "--set", "channels=2"],
    family: "musicgen",
    task: "generate",
    roles: ["text_encoder", "decoder", "codec", "tokenizer"],
    fields: { channels: 2 },
  },
  {
    what: "MusicGen with a melody",
    words: [
      ...["text_encoder", "encodec_decode"].map((name) => original(`musicgen/${name}.onnx`)),
      ...["decoder_model", "decoder_with_past_model"].map((name) => original(`musicgen_melody/${name}.onnx`)),
      original("tokenizer/tokenizer.txt"),
      ...["--set", "codes=64", "--set", "frames_max=20"],
    ],
    family: "musicgen-melody",
    task: "generate, remix",
    roles: ["text_encoder", "decoder", "decoder_with_past", "codec", "tokenizer"],
    fields: { chroma_frames: 57 },
  },
  {
    what: "Stable Audio",
    words: [
      ...["text_encoder", "conditioner", "transformer", "decoder"].map((name) => original(`stable_audio/${name}.onnx`)),
      original("tokenizer/tokenizer.txt"),
      ...["--set", "tokens_max=20"],
    ],
    family: "latent-diffusion",
    task: "generate, effect",
    roles: ["text_encoder", "conditioner", "transformer", "decoder", "tokenizer"],
    // The trial's two steps are not the model's.
    fields: { frames: 32, sampler: undefined, steps: undefined },
    notes: ['sampler "sde" is guessed, as of Stable Audio Open'],
  },
  {
    what: "Basic Pitch",
    words: [original("basic_pitch/nmp.onnx")],
    family: "notes",
    task: "transcribe",
    roles: ["model"],
  },
  {
    what: "Silero, version 5",
    words: [graph("vad_v5.onnx")],
    family: "vad",
    task: "voice_activity",
    roles: ["model"],
  },
  {
    what: "Silero, older",
    words: [graph("vad_legacy.onnx")],
    family: "vad",
    task: "voice_activity",
    roles: ["model"],
  },
  {
    what: "a voice of DiffSinger and its vocoder",
    words: [
      ...["acoustic.onnx", "vocoder.onnx", "phonemes.txt"].map((name) => original(`diffsinger/${name}`)),
      ...["--set", "steps=2"],
    ],
    family: "diffsinger",
    task: "sing",
    roles: ["acoustic", "vocoder", "phonemes"],
    fields: { mel_bins: 20 },
  },
];

for (const { what, words, family, task, roles, fields, notes: told } of RECOGNISED) {
  test(`${what} is told by its graphs, added and checked`, async () => {
    const folder = place(what.replaceAll(/\W+/g, "_"));
    const added = await models(folder, ["add", ...words, "--json", ...THREAD]);
    assert.equal(added.code, 0, added.text);
    const { manifest, task: serves, notes, figures } = JSON.parse(added.text);
    assert.deepEqual([manifest.family, serves, Object.keys(manifest.files)], [family, task, roles]);
    if (told !== undefined) assert.deepEqual(notes, told);
    // Models that make less than is asked for were measured on that.
    if (family === "latent-diffusion") {
      assert.equal(figures.seconds, (32 * 2048) / 44_100);
      assert.deepEqual(figures.instead, { steps: 2 });
      const { text } = await models(folder, ["bench", manifest.id, "--seconds", "1", "--short"]);
      assert.match(text, /^… checking the files' hashes\n[\s\S]*\n {2}figures are of steps 2, to be short$/);
    }
    for (const [field, value] of Object.entries(fields ?? {})) assert.deepEqual(manifest[field], value);
    const [checked] = JSON.parse((await models(folder, ["check", "--json"])).text);
    assert.deepEqual([checked.name, checked.device, checked.reason], [manifest.id, "cpu", null]);
  });
}

test("a reference of the original's is held against it, and one that does not fit leaves nothing behind", async () => {
  const folder = place("reference");
  const source = music(1);
  writeFileSync(place("in.wav"), wav(source.channels, { samples: "f32" }));
  const stem = source.channels.map((channel) => channel.map((value) => 0.3 * value));
  writeFileSync(place("bass.wav"), wav(stem, { samples: "f32" }));
  const words = ["add", "--reference", place("in.wav"), place("bass.wav"), graph("htdemucs_e2e.onnx"), ...THREAD];
  const { code, text } = await models(folder, words);
  assert.equal(code, 0, text);
  assert.match(
    text,
    /\nAdded "htdemucs_e2e": htdemucs-e2e, .*\n {2}stems drums, bass, other, vocals are Demucs's order/,
  );
  const [, db = ""] = /agrees with the reference by its bass, within (\d+\.\d) dB/.exec(text)!;
  assert.ok(Number(db) > 60, db);
  writeFileSync(place("strange.wav"), wav(source.channels.toReversed(), { samples: "f32" }));
  const before = readdirSync(folder);
  const strange = [...words.with(3, place("strange.wav")), "--id", "strange"];
  const refused = await models(folder, strange);
  assert.equal(refused.code, 1);
  assert.match(
    refused.lines.at(-2)!,
    /^It agrees with "strange.wav" within -?\d+\.\d dB at best, by its \w+, expected 20 at least/,
  );
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".json")),
    before.filter((name) => name.endsWith(".json")),
  );
  assert.ok(!existsSync(join(folder, "strange/htdemucs_e2e.onnx")));
});

test("a model that needs more than TONWERK_MODEL_MB gets its limit from what it was seen to hold", async () => {
  const folder = place("hoarder");
  const tight = { TONWERK_MODEL_MB: "500" };
  const { code, text } = await models(
    folder,
    ["add", graph("mdx_hoarder.onnx"), "--id", "big", "--set", "stem=vocals", ...THREAD],
    tight,
  );
  assert.equal(code, 0, text);
  const { memory_mb } = json(join(folder, "big.json"));
  assert.ok(memory_mb > 500 && memory_mb < 4000, `${memory_mb}`);
  assert.match(text, new RegExp(`may hold ${memory_mb} MB \\(memory_mb\\), more than TONWERK_MODEL_MB`));
  assert.equal((await models(folder, ["check"], tight)).code, 0);
  writeFileSync(join(folder, "big.json"), JSON.stringify({ ...json(join(folder, "big.json")), memory_mb: undefined }));
  assert.match((await models(folder, ["check"], tight)).text, /big: refused: .*(may hold 500 MB|[Aa]llocat)/);
});

test("what does not fit is told with what was found, and how its exporters write it", async () => {
  const folder = place("none");
  const told: readonly (readonly [readonly string[], RegExp])[] = [
    [["add", place("gone.onnx")], /^".*gone.onnx": there is no such file$/],
    [
      ["add", graph("musicgen_text.onnx")],
      /^No family takes these files:\n {2}"musicgen_text.onnx" takes "input_ids" \[.*\] of int64\n[\s\S]*Families take:\n[\s\S]* {2}umx: one graph a stem/,
    ],
    [
      ["add", graph("mdx_2048.onnx"), "--family", "umx"],
      /^The family "umx" does not take these files:\n {2}"mdx_2048.onnx" takes "input" \[batch,4,2048,256\] of float32\n/,
    ],
    [["add", graph("mdx_2048.onnx"), "--family", "magic"], /^"family" must be one of bands, .*, not "magic"$/],
    [
      ["add", graph("mdx_2048.onnx")],
      /^its fields do not fit family "mdx": "stem" is missing\nThe family "mdx" takes a spectrum \[batch, 4, dim_f, dim_t\]/,
    ],
    [
      ["add", graph("mdx_2048.onnx"), "--set", "stem=vocals", "--set", "stft.dim_t=512"],
      /mdx_2048.onnx" \(model\): input "input" is \[batch,4,2048,256\] of float32, not \[batch,4,2048,512\] of float32\nThe family/,
    ],
    [["add", graph("mdx_nan.onnx"), "--set", "stem=vocals"], /output "output" holds values that are not finite/],
    [["add", graph("mdx_2048.onnx"), "--set", "stem"], /^--set takes field=value, not "stem"$/],
    [["bench", "nobody"], /^There is no model "nobody"$/],
    [["remove", "nobody", "--yes"], /^There is no model "nobody"$/],
  ];
  for (const [words, message] of told) {
    const { code, text } = await models(folder, words);
    assert.deepEqual([code, message.test(text)], [1, true], text);
    const left = existsSync(folder)
      ? readdirSync(folder, { recursive: true }).filter((name) => /\./.test(`${name}`))
      : [];
    assert.deepEqual(left, [], words.join(" "));
  }
  for (const words of [["add"], ["bench"], ["remove", "a", "b"], ["add", "x.onnx", "--reference", "one"]])
    assert.equal((await models(folder, words)).code, 2, words.join(" "));
});

test("what an ensemble needs stays, and a link leads remove nowhere", async () => {
  const folder = place("kept");
  mkdirSync(join(scratch, "elsewhere"));
  mkdirSync(folder);
  writeFileSync(place("elsewhere/precious.onnx"), "precious");
  symlinkSync(place("elsewhere"), join(folder, "linked"));
  const mdx = {
    family: "mdx",
    licence: "MIT",
    stem: "vocals",
    stft: { n_fft: 6144, hop: 1024, dim_f: 2048, dim_t: 256 },
    files: { model: { path: "linked/precious.onnx", sha256: "0".repeat(64) } },
  };
  writeFileSync(join(folder, "one.json"), JSON.stringify({ id: "one", ...mdx }));
  writeFileSync(join(folder, "all.json"), JSON.stringify({ id: "all", family: "ensemble", models: [{ id: "one" }] }));
  assert.match(
    (await models(folder, ["remove", "one", "--yes"])).text,
    /"one" is part of the ensemble "all": remove that first/,
  );
  assert.deepEqual(await models(folder, ["remove", "all", "--yes"]), {
    code: 0,
    lines: ["Removed all.json"],
    text: "Removed all.json",
    asked: [],
  });
  const { code, text } = await models(folder, ["remove", "one", "--yes"]);
  assert.equal(code, 1);
  assert.match(
    text,
    /"linked\/precious.onnx" lies outside of the folder of models, behind a link: nothing was removed/,
  );
  assert.ok(existsSync(join(folder, "one.json")) && existsSync(place("elsewhere/precious.onnx")));
});
