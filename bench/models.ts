/**
 * What models cost beside their own arithmetic: transforms, blocks, the way to the process and back, and of separation all that makes five
 * stems of what they give.
 *
 *     bun bench/models.ts              # miniatures of the tests, whose own arithmetic is next to nothing; 60 s and 600 s of stereo
 *     bun bench/models.ts <folder>     # an operator's models, 30 s of stereo; provider and threads as they are configured
 *
 * CPU is of this process and of the model's, with the making of the piece (0.013 s for each second of it). Memory is the peak of this process (source, thread, everything), then of the model's.
 */
import type { ModelSettings } from "../core/ports/mod.ts";
import { modelsIn, readEntries } from "../runners/models/entries.ts";
import { findFamily } from "../runners/models/families.ts";
import type { Manifest } from "../runners/models/fields.ts";
import { createPool } from "../runners/pool/pool.ts";
import { detect, file, generate, music, SETTINGS, stemsRead, transcribe } from "../test/runners/models/fixtures.ts";
import { cpuSeconds, inFreshProcess } from "./cpu.ts";
import { children, cpuOf, peakOf } from "./process.ts";

interface Figures {
  readonly id: string;
  readonly wall: number;
  readonly cpu: number;
  readonly peak_mb: number;
  readonly model_mb: number;
}

const common = { licence: "MIT", threads: 1 } as const;
const mdx = { n_fft: 7680, hop: 1024, dim_f: 3072, dim_t: 256 };
const stems: ("drums" | "bass" | "other" | "vocals")[] = ["drums", "bass", "other", "vocals"];
const umx = {
  vocals: file("umx_vocals.onnx"),
  drums: file("umx_drums.onnx"),
  bass: file("umx_bass.onnx"),
  other: file("umx_other.onnx"),
};
const MINIATURES: readonly Manifest[] = [
  { ...common, id: "mdx", family: "mdx", stem: "vocals", stft: mdx, files: { model: file("mdx_3072.onnx") } },
  { ...common, id: "htdemucs-core", family: "htdemucs-core", stems, files: { model: file("htdemucs_core.onnx") } },
  { ...common, id: "htdemucs-e2e", family: "htdemucs-e2e", stems, files: { model: file("htdemucs_e2e.onnx") } },
  { ...common, id: "umx, ratio masks", family: "umx", wiener: 0, files: umx },
  { ...common, id: "umx, one Wiener round", family: "umx", files: umx },
  { ...common, id: "vad", family: "vad", files: { model: file("vad_v5.onnx") } },
  { ...common, id: "notes", family: "notes", files: { model: file("notes.onnx") } },
];

async function measure(manifest: Manifest, settings: ModelSettings, seconds: number): Promise<Figures> {
  const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
  const run = async (length: number): Promise<void> => {
    const given = { manifest, settings };
    const options = { signal: new AbortController().signal, ms_max: 3_600_000 };
    const task = (await findFamily(manifest.family, [])).serves;
    if (task === "separate") await pool.run(stemsRead, { ...given, request: length }, options);
    else if (task === "voice_activity") await pool.run(detect, { ...given, request: music(length) }, options);
    else if (task === "transcribe") await pool.run(transcribe, { ...given, request: music(length) }, options);
    else await pool.run(generate, { ...given, request: { prompt: "calm piano", seconds: length, seed: 1 } }, options);
  };
  // Loads the model, compiles the code.
  await run(1);
  const [child] = children();
  const before = (await cpuSeconds()) + cpuOf(child);
  const began = performance.now();
  await run(seconds);
  const wall = (performance.now() - began) / 1000;
  const cpu = (await cpuSeconds()) + cpuOf(child) - before;
  const figures = { id: manifest.id, wall, cpu, peak_mb: peakOf("self"), model_mb: peakOf(child) };
  await pool.close();
  return figures;
}

function row(seconds: number, { id, wall, cpu, peak_mb, model_mb }: Figures): string {
  const cells = [
    id,
    `${seconds} s`,
    `${cpu.toFixed(2)} s`,
    `${(seconds / wall).toFixed(0)}x`,
    peak_mb.toFixed(0),
    model_mb.toFixed(0),
  ];
  return `| ${cells.join(" | ")} |`;
}

const [first, index, length] = process.argv.slice(2);
if (first === "one") {
  const seconds = Number(length);
  console.log(JSON.stringify(await measure(MINIATURES[Number(index)]!, SETTINGS, seconds)));
  process.exit(0);
}
console.log("| model | piece | CPU | of real time | peak MB | of the model's process |\n|---|---|---|---|---|---|");
if (first === undefined) {
  for (const seconds of [60, 600]) {
    for (const at of MINIATURES.keys()) {
      console.log(
        row(seconds, await inFreshProcess<Figures>(new URL(import.meta.url), ["one", String(at), String(seconds)])),
      );
    }
  }
} else {
  const settings = {
    ...SETTINGS,
    models: first,
    providers: (process.env.TONWERK_PROVIDERS ?? "cuda,directml,coreml,cpu").split(","),
  };
  const { entries, refused } = await readEntries(first, []);
  for (const { file: name, reason } of refused) console.log(`${name}: ${reason}`);
  for (const manifest of entries.flatMap(modelsIn)) {
    await measure(manifest, settings, 30).then(
      (figures) => console.log(row(30, figures)),
      (error: Error) => console.log(`${manifest.id}: ${error.message}`),
    );
  }
}
