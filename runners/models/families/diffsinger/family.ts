/**
 * DiffSinger (Liu et al., "DiffSinger: Singing Voice Synthesis via Shallow Diffusion Mechanism", AAAI 2022) as its community exports it: an acoustic
 * model from phonemes, their lengths and a pitch curve to a mel spectrogram, and a vocoder from that and the same curve to samples. Words, melody,
 * lengths and pitch are ours.
 */

import { readFile } from "node:fs/promises";
import { Type } from "@sinclair/typebox";
import { resample } from "../../../signal/dsp/resample.ts";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { closed, File, type ManifestOf } from "../../fields.ts";
import type { Layout } from "../../layout.ts";
import { readPhonemes, usualSymbols } from "../../phoneme_table.ts";
import { fileTaking, known, otherFile, sizeAt } from "../../ports.ts";
import type { SungPassage, Vocalist } from "../../tasks.ts";
import { filled, floats, floatsOf, integers, type Tensor } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";
import { VARIANCES, varianceOf } from "../../variances.ts";

/** `phonemes`: names in the order of their numbers, or numbers by name. `speaker`: single precision, little-endian, where the graph takes one. */
const files = closed({ acoustic: File, vocoder: File, phonemes: File, speaker: Type.Optional(File) });
const fields = {
  sample_rate: Type.Optional(Type.Integer({ minimum: 8000, maximum: 48_000 })),
  /** Samples from one frame to the next. */
  hop: Type.Optional(Type.Integer({ minimum: 32, maximum: 4096 })),
  mel_bins: Type.Optional(Type.Integer({ minimum: 8, maximum: 512 })),
  /** Of diffusion. */
  steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** Values in vowels, where the graph takes these curves: dB, `tension` a logarithm. */
  variances: Type.Optional(
    Type.Partial(
      closed({
        energy: Type.Number({ minimum: -96, maximum: 0 }),
        breathiness: Type.Number({ minimum: -96, maximum: 0 }),
        voicing: Type.Number({ minimum: -96, maximum: 0 }),
        tension: Type.Number({ minimum: -10, maximum: 10 }),
      }),
    ),
  ),
  /** Of shallow diffusion, 0 to 1. */
  depth: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** What the mel spectrogram is multiplied by on its way to the vocoder: 2.302585 from one in powers of 10 to one in powers of e. */
  mel_factor: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
  /** The phoneme of silence. */
  silence: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  /** Before every other phoneme's name: "en/", say. */
  prefix: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  /** Number of the language, where the graph takes one. */
  language: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  /** The model's names of a sound of ours, where they are not ARPAbet in small letters. */
  symbols: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 4 })),
  ),
  /** MIDI numbers that it sings with ease; melodies are moved by octaves. */
  range: Type.Optional(
    Type.Tuple([Type.Integer({ minimum: 24, maximum: 108 }), Type.Integer({ minimum: 24, maximum: 108 })]),
  ),
};
type Diffsinger = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "sing",
  files,
  fields,
  check: ({ range }) =>
    range !== undefined && range[1] < range[0] + 11
      ? `"range" is ${JSON.stringify(range)}, which is less than an octave`
      : undefined,
  exported:
    "as openvpi exports voices: acoustic.onnx, a vocoder (nsf_hifigan.onnx), phonemes.txt or .json, a speaker.emb where the graph takes one",
  recognise,
  layouts,
  create,
});

const OUTPUT_RATE = 44_100;
/** The published models' figures. */
const DEFAULTS = {
  sample_rate: 44_100,
  hop: 512,
  mel_bins: 128,
  steps: 20,
  depth: 1,
  mel_factor: 1,
  silence: "SP",
} as const;
/** Silence before and after a passage, in which a model begins and ends its sounds. Seconds. */
const REST = 0.12;
/** Longest passage of one run; a longer one is cut at a sound. Seconds. */
const PASSAGE_MAX = 24;
/** Cross-over where what was sung is set down, seconds. */
const EDGE = 0.008;

function recognise(given: readonly GivenFile[]): Recognised | undefined {
  const acoustic = fileTaking(given, "tokens", "durations", "f0");
  const vocoder = given.findIndex(
    ({ graph }, index) => index !== acoustic && graph?.inputs.some(({ name }) => name === "f0"),
  );
  const phonemes = otherFile(given, /phoneme|dict|symbols/i);
  if (acoustic === undefined || vocoder < 0 || phonemes === undefined) return undefined;
  const mel_bins = sizeAt(given[acoustic]!.graph!.outputs[0], 2);
  const speaker = otherFile(given, /\.emb$|speaker/i);
  return {
    roles: known({ acoustic, vocoder, phonemes, speaker }) as Record<string, number>,
    fields: known({ mel_bins: mel_bins === DEFAULTS.mel_bins ? undefined : mel_bins }),
  };
}

function layouts(manifest: Diffsinger): Record<string, Layout> {
  const { mel_bins } = { ...DEFAULTS, ...manifest };
  const curve = (name: string) =>
    ({ logical: name, names: [name], type: "float32", dims: [1, "frames"], optional: true }) as const;
  return {
    acoustic: {
      // Number 0 pads: a graph gives it no frames, and cannot run on none.
      inputs: [
        { logical: "tokens", names: ["tokens"], type: "int64", dims: [1, "length"], fill: 1 },
        { logical: "durations", names: ["durations"], type: "int64", dims: [1, "length"], fill: 8 },
        { logical: "f0", names: ["f0"], type: "float32", dims: [1, "frames"], fill: 220 },
        { logical: "languages", names: ["languages"], type: "int64", dims: [1, "length"], optional: true },
        { logical: "speaker", names: ["spk_embed"], type: "float32", dims: [1, "frames", "width"], optional: true },
        curve("gender"),
        { ...curve("velocity"), fill: 1 },
        ...VARIANCES.map(curve),
        { logical: "depth", names: ["depth"], type: "float32", dims: [], fill: 1, optional: true },
        { logical: "steps", names: ["steps"], type: "int64", dims: [], fill: 1, optional: true },
        { logical: "speedup", names: ["speedup"], type: "int64", dims: [], fill: 1000, optional: true },
      ],
      outputs: [{ logical: "mel", names: ["mel"], type: "float32", dims: [1, "frames", mel_bins] }],
      sizes: { length: 4, frames: 32, width: 256 },
    },
    vocoder: {
      inputs: [
        { logical: "vocoder_mel", names: ["mel", "c"], type: "float32", dims: [1, "frames", mel_bins] },
        { logical: "vocoder_f0", names: ["f0"], type: "float32", dims: [1, "frames"], fill: 220 },
      ],
      outputs: [{ logical: "waveform", names: ["waveform", "audio"], type: "float32", dims: [1, "samples"] }],
      sizes: { frames: 32 },
    },
  };
}

async function create(manifest: Diffsinger, model: LoadedModel): Promise<Vocalist> {
  const settings = { ...DEFAULTS, ...manifest };
  const { inputs } = model.opened.matched.acoustic!;
  const fault = (error: Error): never => {
    throw model.fault(error.message);
  };
  const phonemes = await readPhonemes(model.path("phonemes")).catch(fault);
  const width = model.size("acoustic", "width");
  const speaker = await speakerOf(manifest, model, inputs.speaker !== undefined, width).catch(fault);
  const number = (symbol: string): number =>
    phonemes.get(symbol) ?? fault(new Error(`its phonemes have no "${symbol}": name what it has in "symbols"`));
  const numbersOf = (name: string): readonly number[] =>
    name === "SP"
      ? [number(settings.silence)]
      : (manifest.symbols?.[name] ?? usualSymbols(name)).map((symbol) => number(`${settings.prefix ?? ""}${symbol}`));

  const one = async (passage: SungPassage, shift: number): Promise<Float32Array> => {
    const { tokens, lengths, sounds } = counted(passage, numbersOf, settings);
    const frames = lengths.reduce((sum, length) => sum + length, 0);
    const f0 = new Float32Array(frames);
    const factor = 2 ** (shift / 12);
    for (let n = 0; n < frames; n++)
      f0[n] = factor * passage.hertz(passage.start - REST + ((n + 0.5) * settings.hop) / settings.sample_rate);
    const of_curve = (value: number): Tensor => filled("float32", [1, frames], value);
    const optional: Record<string, Tensor> = {
      languages: filled("int64", [1, tokens.length], settings.language ?? 0),
      gender: of_curve(0),
      velocity: of_curve(1),
      ...Object.fromEntries(
        VARIANCES.map((name) => {
          const curve = varianceOf(name, sounds, lengths, manifest.variances?.[name]);
          return [name, floats(curve, [1, frames])];
        }),
      ),
      depth: floats(Float32Array.of(settings.depth), []),
      steps: integers([settings.steps], []),
      speedup: integers([Math.max(1, Math.round(1000 / settings.steps))], []),
      ...(speaker === undefined ? {} : { speaker: spread(speaker, frames) }),
    };
    const feeds = {
      tokens: integers(tokens, [1, tokens.length]),
      durations: integers(lengths, [1, lengths.length]),
      f0: floats(f0, [1, frames]),
      ...Object.fromEntries(Object.entries(optional).filter(([word]) => inputs[word] !== undefined)),
    };
    const made = await model.run({ role: "acoustic", feeds, outputs: ["mel"] });
    const mel = floatsOf(made, "mel");
    if (mel.length !== frames * settings.mel_bins)
      throw model.fault(`its acoustic model gives ${mel.length} values for ${frames} frames of ${settings.mel_bins}`);
    if (settings.mel_factor !== 1) for (let n = 0; n < mel.length; n++) mel[n] = mel[n]! * settings.mel_factor;
    const voiced = await model.run({
      role: "vocoder",
      feeds: { vocoder_mel: floats(mel, [1, frames, settings.mel_bins]), vocoder_f0: floats(f0, [1, frames]) },
      outputs: ["waveform"],
    });
    const samples = floatsOf(voiced, "waveform");
    if (Math.abs(samples.length - frames * settings.hop) > settings.hop)
      throw model.fault(`its vocoder gives ${samples.length} samples for ${frames} frames of ${settings.hop}`);
    for (const sample of samples)
      if (!(sample >= -64 && sample <= 64)) throw model.fault("its samples are not finite, or beyond all measure");
    return settings.sample_rate === OUTPUT_RATE ? samples : resample([samples], settings.sample_rate, OUTPUT_RATE)[0]!;
  };

  return {
    id: manifest.id,
    async sing(passages, seconds, job) {
      const out = new Float32Array(Math.round(seconds * OUTPUT_RATE));
      const shift = octaves(passages, settings.range);
      const all = passages.flatMap(divided);
      for (const [index, passage] of all.entries()) {
        job.signal.throwIfAborted();
        lay(out, await one(passage, shift), Math.round((passage.start - REST) * OUTPUT_RATE));
        job.progress((index + 1) / all.length, "singing");
      }
      return out;
    },
  };
}

/** Numbers, lengths in frames and names: each sound at least one frame, their sum as near to the seconds as frames are. */
function counted(
  { sounds }: SungPassage,
  numbersOf: (name: string) => readonly number[],
  { hop, sample_rate }: { readonly hop: number; readonly sample_rate: number },
): { tokens: number[]; lengths: number[]; sounds: string[] } {
  const tokens: number[] = [];
  const lengths: number[] = [];
  const names: string[] = [];
  let [second, done] = [0, 0];
  const push = (name: string, number: number, seconds: number): void => {
    second += seconds;
    const length = Math.max(1, Math.round((second * sample_rate) / hop) - done);
    tokens.push(number);
    names.push(name);
    lengths.push(length);
    done += length;
  };
  push("SP", numbersOf("SP")[0]!, REST);
  for (const { name, seconds } of sounds) {
    const numbers = numbersOf(name);
    // Of two symbols for one sound the last is a consonant, save where both are.
    const last = numbers.length > 1 ? Math.min(0.08, 0.4 * seconds) : seconds;
    for (const [n, number] of numbers.entries())
      push(name, number, n + 1 === numbers.length ? last : (seconds - last) / (numbers.length - 1));
  }
  push("SP", numbersOf("SP")[0]!, REST);
  return { tokens, lengths, sounds: names };
}

/** Semitones, whole octaves, that bring the middle pitch into the model's range. */
function octaves(passages: readonly SungPassage[], range: readonly [number, number] | undefined): number {
  if (range === undefined) return 0;
  const pitches = passages
    .flatMap(({ start, sounds, hertz }) => {
      let at = start;
      return sounds.map(({ seconds }) => {
        at += seconds;
        return 69 + 12 * Math.log2(hertz(at - seconds / 2) / 440);
      });
    })
    .sort((a, b) => a - b);
  const middle = pitches[pitches.length >> 1];
  if (middle === undefined) return 0;
  let shift = 0;
  while (middle + shift > range[1]) shift -= 12;
  while (middle + shift < range[0]) shift += 12;
  return shift;
}

/** Parts that a run can bear, cut before the sound that would be too much. */
function divided(passage: SungPassage): SungPassage[] {
  const parts: SungPassage[] = [];
  let sounds: { name: string; seconds: number }[] = [];
  let [start, length] = [passage.start, 0];
  for (const sound of passage.sounds) {
    if (length + sound.seconds > PASSAGE_MAX && sounds.length > 0) {
      parts.push({ start, sounds, hertz: passage.hertz });
      start += length;
      [sounds, length] = [[], 0];
    }
    sounds.push(sound);
    length += sound.seconds;
  }
  if (sounds.length > 0) parts.push({ start, sounds, hertz: passage.hertz });
  return parts;
}

function lay(out: Float32Array, samples: Float32Array, at: number): void {
  const edge = Math.round(EDGE * OUTPUT_RATE);
  for (let n = Math.max(0, -at); n < samples.length && at + n < out.length; n++) {
    const gain = Math.min(1, (n + 0.5) / edge, (samples.length - n - 0.5) / edge);
    out[at + n] = out[at + n]! + gain * samples[n]!;
  }
}

async function speakerOf(
  manifest: Diffsinger,
  model: LoadedModel,
  needed: boolean,
  width: number | undefined,
): Promise<Float32Array | undefined> {
  if (!needed) return undefined;
  if (manifest.files.speaker === undefined)
    throw new Error('its graph takes a speaker, but no file "speaker" is named');
  const bytes = await readFile(model.path("speaker"));
  if (bytes.length === 0 || bytes.length % 4 !== 0 || (width !== undefined && bytes.length !== 4 * width)) {
    throw new Error(
      `its speaker has ${bytes.length} bytes, not ${4 * (width ?? 256)}: single precision, one value after another`,
    );
  }
  const values = new Float32Array(bytes.length / 4);
  for (let n = 0; n < values.length; n++) values[n] = bytes.readFloatLE(4 * n);
  return values;
}

function spread(speaker: Float32Array, frames: number): Tensor {
  const data = new Float32Array(frames * speaker.length);
  for (let frame = 0; frame < frames; frame++) data.set(speaker, frame * speaker.length);
  return floats(data, [1, frames, speaker.length]);
}
