/** Cases of `training/conformance`: what a public package made, and the same made by us. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Audio, Stem } from "../../../contract/mod.ts";
import type { Pool } from "../../../core/ports/mod.ts";
import { parseManifest } from "../../../runners/models/manifest.ts";
import type { NoteEvent } from "../../../runners/models/note_events.ts";
import {
  detect,
  generate,
  generateInside,
  options,
  SETTINGS,
  separate,
  sing,
  stemsWhole,
  transcribe,
} from "./fixtures.ts";

interface SungAtOnePitch {
  readonly start: number;
  readonly hertz: number;
  readonly sounds: readonly (readonly [name: string, seconds: number])[];
}

export interface Case {
  /** Package and version. */
  readonly original: string;
  readonly manifest: object;
  /** In place of one: models and the ensemble of them, of which these stems are compared. */
  readonly manifests?: readonly { readonly id: string }[];
  readonly stems?: readonly Stem[];
  readonly input:
    | { readonly seconds: number; readonly seed: number; readonly gain?: number }
    /**
     * `inside`: what a graph gives in each step, by the family's word, is in `inside.f32`. `melody`: the sound that
     * it is made anew of, whose chroma is in `chroma.f32`.
     */
    | { readonly seconds: number; readonly prompt: string; readonly inside?: string; readonly melody?: Plucks }
    | { readonly seconds: number; readonly passage: SungAtOnePitch };
  /** Of what the original gives, of which every `stride`-th sample is kept. */
  readonly rows: number;
  readonly length: number;
  readonly stride: number;
}

/** Room for cases of full width. */
const WIDE = { model_mb: 16_000, model_seconds: 600 };

export function readCase(folder: string, name: string): Case {
  return JSON.parse(readFileSync(join(folder, name, "case.json"), "utf8"));
}

/** What we make of a case: rows of samples. */
export async function runCase(
  pool: Pool,
  folder: string,
  { manifest, manifests, stems = [], input }: Case,
  more: object = {},
): Promise<readonly Float32Array[]> {
  const settings = { ...SETTINGS, ...WIDE, models: folder };
  if (manifests !== undefined && "seed" in input) {
    const models = folderOf(folder, manifests);
    const given = { settings: { ...settings, models }, audio: signal(input), stems };
    return pool.run(stemsWhole, given, options()).finally(() => rmSync(models, { recursive: true }));
  }
  const { manifest: parsed } = await parseManifest({ ...manifest, ...more });
  const given = { manifest: parsed, settings };
  if ("prompt" in input) return (await pool.run(generate, { ...given, request: requestOf(input) }, options())).channels;
  if ("passage" in input) {
    const { sounds, ...passage } = input.passage;
    const passages = [{ ...passage, sounds: sounds.map(([name, length]) => ({ name, seconds: length })) }];
    return [await pool.run(sing, { ...given, request: { passages, seconds: input.seconds } }, options())];
  }
  return (await pool.run(separate, { ...given, request: signal(input) }, options())).flat();
}

/**
 * As `runCase`, of one that says what is `inside`: also how far that is from the original's at most, and its agreement,
 * dB, the least of all steps.
 */
export async function runInside(
  pool: Pool,
  folder: string,
  { manifest, input }: Case,
  more: object = {},
): Promise<{ readonly made: readonly Float32Array[]; readonly inside: Inside } | undefined> {
  if (!("prompt" in input) || input.inside === undefined) return undefined;
  const { id, ...fields } = { ...manifest, ...more } as { readonly id: string };
  const { manifest: parsed } = await parseManifest({ id, ...fields });
  const given = { manifest: parsed, settings: { ...SETTINGS, ...WIDE, models: folder } };
  const request = { ...requestOf(input), inside: input.inside };
  const { audio, steps } = await pool.run(generateInside, { ...given, request }, options());
  const wanted = readFloats(folder, id, "inside.f32");
  const size = wanted.length / steps.length;
  let largest = 0;
  const each = steps.map((step, n) => {
    if (step.length !== size) throw new Error(`step ${n} gives ${step.length} values, not ${size}`);
    const own = wanted.subarray(n * size, (n + 1) * size);
    for (const [k, value] of own.entries()) largest = Math.max(largest, Math.abs(step[k]! - value));
    return agreementOf(step, 1, own);
  });
  return { made: audio.channels, inside: { steps: steps.length, largest, agreement: Math.min(...each) } };
}

function requestOf({ melody, ...input }: Extract<Case["input"], { prompt: string }>) {
  return { ...input, seed: 1, ...(melody === undefined ? {} : { reference: plucked(melody) }) };
}

export interface Inside {
  readonly steps: number;
  readonly largest: number;
  readonly agreement: number;
}

/** A new folder of manifests, beside the folders that their files lie in. */
export function folderOf(cases: string, manifests: readonly { readonly id: string }[]): string {
  const folder = mkdtempSync(join(tmpdir(), "tonwerk-case-"));
  for (const name of readdirSync(cases)) symlinkSync(join(cases, name), join(folder, name));
  for (const manifest of manifests) writeFileSync(join(folder, `${manifest.id}.json`), JSON.stringify(manifest));
  return folder;
}

export function readFloats(folder: string, name: string, file: string): Float32Array {
  const bytes = readFileSync(join(folder, name, file));
  return Float32Array.from({ length: bytes.length / 4 }, (_, n) => bytes.readFloatLE(4 * n));
}

/** How near each row comes to the original's, dB. */
export function agreements(
  folder: string,
  name: string,
  { rows, length, stride }: Case,
  made: readonly Float32Array[],
) {
  const wanted = readFloats(folder, name, "expected.f32");
  const each = Math.ceil(length / stride);
  if (made.length !== rows || made.some((row) => row.length !== length))
    throw new Error(`${made.length} rows of ${made.map((row) => row.length).join(", ")}, not ${rows} of ${length}`);
  return made.map((found, row) => agreementOf(found, stride, wanted.subarray(row * each, (row + 1) * each)));
}

function agreementOf(found: Float32Array, stride: number, wanted: Float32Array): number {
  let power = 0;
  let error = 0;
  for (const [k, value] of wanted.entries()) {
    power += value ** 2;
    error += (found[k * stride]! - value) ** 2;
  }
  return 10 * Math.log10(power / error);
}

/** Plucked strings. */
export interface Plucks {
  readonly rate: number;
  readonly seconds: number;
  readonly seed: number;
}

/** What a listener heard: notes (start, end, pitch, strength), or the probability of speech in each window. */
export interface Heard {
  readonly original: string;
  readonly manifest: object;
  readonly plucks: Plucks;
  readonly notes?: readonly (readonly number[])[];
  readonly speech?: readonly number[];
}

export function readHeard(folder: string, name: string): Heard {
  return JSON.parse(readFileSync(join(folder, name, "case.json"), "utf8"));
}

/** What our listener hears. */
export async function runHeard(
  pool: Pool,
  folder: string,
  { manifest, plucks, speech }: Heard,
  more: object = {},
): Promise<{ readonly speech?: Float32Array; readonly notes?: readonly NoteEvent[] }> {
  const settings = { ...SETTINGS, models: folder };
  const { manifest: parsed } = await parseManifest({ ...manifest, ...more });
  const given = { manifest: parsed, settings, request: plucked(plucks) };
  if (speech !== undefined) return { speech: (await pool.run(detect, given, options())).values };
  return { notes: await pool.run(transcribe, given, options()) };
}

/** As `signal` in training/conformance/common.py, bit for bit. */
function signal({
  seconds,
  seed,
  gain = 1,
}: {
  readonly seconds: number;
  readonly seed: number;
  readonly gain?: number;
}): Audio {
  const frames = Math.round(44_100 * seconds);
  let x = seed;
  const low = [0, 0];
  const high = [0, 0];
  const channels = [new Float32Array(frames), new Float32Array(frames)];
  for (let n = 0; n < frames; n++) {
    const level = 0.1 + 0.5 * ((n % 30_011) / 30_011);
    for (const c of [0, 1]) {
      x = (1_664_525 * x + 1_013_904_223) % 4_294_967_296;
      const noise = x / 2_147_483_648 - 1;
      low[c] = low[c]! + 0.02 * (noise - low[c]!);
      high[c] = high[c]! + 0.6 * (noise - high[c]!);
      channels[c]![n] = gain * level * (2 * low[0]! + low[c]! + 0.3 * high[c]!);
    }
  }
  return { sample_rate: 44_100, channels };
}

/** As `plucks` in training/conformance/common.py. */
export function plucked({ rate, seconds, seed }: Plucks): Audio {
  const pitches = [60, 67, 48, 76, 55, 64, 72, 43];
  const out = new Float32Array(Math.round(rate * seconds));
  let x = seed;
  for (let number = 0; number < Math.floor(2 * seconds) - 1; number++) {
    const at = Math.round((number * rate) / 2);
    const size = Math.round(rate / (440 * 2 ** ((pitches[number % 8]! - 69) / 12)));
    const line = Array.from({ length: size }, () => {
      x = (1_664_525 * x + 1_013_904_223) % 4_294_967_296;
      return 0.4 * (x / 2_147_483_648 - 1);
    });
    for (let n = 0; n < Math.round(0.4 * rate); n++) {
      const k = n % size;
      out[at + n] = line[k]!;
      line[k] = 0.5 * (line[k]! + line[(k + 1) % size]!);
    }
  }
  return { sample_rate: rate, channels: [out] };
}
