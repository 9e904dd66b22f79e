/** A source taken apart, and what of it sounds when. */
import type { Audio, Job, Streamed } from "../../../contract/mod.ts";
import { Pauses } from "../../breathe.ts";
import { framesOf, stretchOf, viewsOf } from "../../samples.ts";
import { separate } from "../../signal/separate/mod.ts";
import type { BeatGrid } from "./grid.ts";
import { Stored } from "./stored.ts";

export type Returning = "drums" | "other";

export interface Apart {
  /** In one channel: what a tune is followed in where somebody sings it. */
  readonly vocals: Audio;
  readonly drums: Streamed;
  readonly other: Streamed;
  /** Who took it apart. */
  readonly engine: string;
  /** By beat of the grid: mean power. */
  readonly powers: Readonly<Record<"vocals" | "drums" | "other" | "mix", Float64Array>>;
  /** By beat of the grid: power of the vocals against the mix, the largest of the beat and those beside it. */
  readonly voiced: readonly number[];
  /** Share of the sounding beats in which somebody sings, as far as can be heard. */
  readonly sung: number;
  /** Share of the power that drums have. */
  readonly drummed: number;
}

/** Power of the vocals against the mix from which a beat counts as sung: -9 dB. */
const SINGER = 0.125;
/** Beats this far below the loudest do not count: 40 dB. */
const SILENT = 1e-4;
const BLOCK = 32_768;

export async function takenApart(source: Audio | Streamed, grid: BeatGrid, job: Job): Promise<Apart> {
  const engine = await separate.load();
  const stems = await engine.run({ audio: source }, job);
  const [vocals, drums, other] = [stems.vocals.audio, stems.drums.audio, stems.other.audio];
  const beats = grid.times.length - 1;
  const room = (): Float64Array => new Float64Array(beats);
  const powers = { vocals: room(), drums: room(), other: room(), mix: room() };
  const sound = viewsOf(source);
  const { frames, channels } = sound;
  const edges = grid.times.map((time) => Math.max(0, Math.min(frames, Math.round(time * source.sample_rate))));
  const out = Array.from({ length: channels }, () => new Float32Array(BLOCK));
  const sung_by = new Float32Array(frames);
  let peak = 0;
  for (let at = 0; at < frames; at += BLOCK)
    for (const channel of stretchOf(sound, at, at + BLOCK))
      for (let n = 0; n < channel.length; n++) peak = Math.max(peak, Math.abs(channel[n]!));
  // No stem is above the source's peak.
  const stored = (): Stored => new Stored(source.sample_rate, channels, frames, peak);
  const kept = { drums: stored(), other: stored() };
  const pauses = new Pauses(job.signal);
  // Once through the piece: a stem's samples are made when they are read, all stems' together, and each variation reads
  // those that come back again.
  for (let at = 0, first = 0; at < frames; at += BLOCK) {
    const end = Math.min(frames, at + BLOCK);
    while (first < beats && edges[first + 1]! <= at) first++;
    for (const [kind, stem] of [
      ["vocals", vocals],
      ["drums", drums],
      ["other", other],
      ["mix", source],
    ] as const) {
      readStem(stem, at, end, out);
      if (kind === "drums" || kind === "other") kept[kind].keep(at, end - at, out);
      if (kind === "vocals") for (const channel of out) addMono(channel, out.length, sung_by, at, end);
      for (let beat = first; beat < beats && edges[beat]! < end; beat++) {
        const [from, to] = [Math.max(at, edges[beat]!), Math.min(end, edges[beat + 1]!)];
        let sum = 0;
        for (const channel of out) for (let n = from - at; n < to - at; n++) sum += channel[n]! * channel[n]!;
        powers[kind][beat] = powers[kind][beat]! + sum / Math.max(1, edges[beat + 1]! - edges[beat]!);
      }
    }
    const pause = pauses.due();
    if (pause !== undefined) await pause;
  }
  let top = 0;
  for (const power of powers.mix) top = Math.max(top, power);
  const share = (beat: number): number =>
    beat < 0 || beat >= beats || powers.mix[beat]! <= SILENT * top ? 0 : powers.vocals[beat]! / powers.mix[beat]!;
  let [sung, sounding] = [0, 0];
  const voiced = Array.from({ length: beats }, (_, beat) => {
    if (powers.mix[beat]! > SILENT * top) {
      sounding++;
      if (share(beat) > SINGER) sung++;
    }
    return Math.max(share(beat - 1), share(beat), share(beat + 1));
  });
  return {
    vocals: { sample_rate: source.sample_rate, channels: [sung_by] },
    ...kept,
    engine: stems.other.engine,
    powers,
    voiced,
    sung: sounding === 0 ? 0 : sung / sounding,
    drummed: sumOf(powers.drums) / (sumOf(powers.mix) || 1),
  };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Samples `from` to `to` of a stem into `out`; what lies outside of it is silence. */
export function readStem(stem: Audio | Streamed, from: number, to: number, out: readonly Float32Array[]): void {
  const frames = framesOf(stem);
  const [begin, end] = [Math.max(0, Math.min(frames, from)), Math.max(0, Math.min(frames, to))];
  for (const channel of out) channel.fill(0, 0, to - from);
  if (end <= begin) return;
  const rooms = out.map((channel) => channel.subarray(begin - from, end - from));
  if ("samples" in stem) stem.samples(begin, end, rooms);
  else for (const [c, room] of rooms.entries()) room.set(stem.channels[c]!.subarray(begin, end));
}

function addMono(channel: Float32Array, count: number, mono: Float32Array, from: number, to: number): void {
  for (let n = from; n < to; n++) mono[n] = mono[n]! + channel[n - from]! / count;
}
