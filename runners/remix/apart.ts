/** A source taken apart, and what of it sounds when. */
import type { Audio, Job, Streamed } from "../../core/plugin.ts";
import { Pauses } from "../breathe.ts";
import { separate } from "../separate/mod.ts";
import type { BeatGrid } from "./grid.ts";

export type Returning = "drums" | "other";

export interface Apart {
  readonly vocals: Audio | Streamed;
  readonly drums: Audio | Streamed;
  readonly other: Audio | Streamed;
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

export async function takenApart(source: Audio, grid: BeatGrid, job: Job): Promise<Apart> {
  const engine = await separate.load();
  const stems = await engine.run({ audio: source }, job);
  const [vocals, drums, other] = [stems.vocals.audio, stems.drums.audio, stems.other.audio];
  const beats = grid.times.length - 1;
  const room = (): Float64Array => new Float64Array(beats);
  const powers = { vocals: room(), drums: room(), other: room(), mix: room() };
  const frames = source.channels[0]!.length;
  const out = source.channels.map(() => new Float32Array(BLOCK));
  const pauses = new Pauses(job.signal);
  for (let beat = 0; beat < beats; beat++) {
    const from = Math.max(0, Math.min(frames, Math.round(grid.times[beat]! * source.sample_rate)));
    const to = Math.max(from, Math.min(frames, Math.round(grid.times[beat + 1]! * source.sample_rate)));
    for (let at = from; at < to; at += BLOCK) {
      const end = Math.min(to, at + BLOCK);
      for (const [kind, stem] of [
        ["vocals", vocals],
        ["drums", drums],
        ["other", other],
        ["mix", source],
      ] as const) {
        readStem(stem, at, end, out);
        let sum = 0;
        for (const channel of out) for (let n = 0; n < end - at; n++) sum += channel[n]! * channel[n]!;
        powers[kind][beat] = powers[kind][beat]! + sum / Math.max(1, to - from);
      }
      const pause = pauses.due();
      if (pause !== undefined) await pause;
    }
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
    vocals,
    drums,
    other,
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
  const frames = "samples" in stem ? stem.frames : stem.channels[0]!.length;
  const [begin, end] = [Math.max(0, Math.min(frames, from)), Math.max(0, Math.min(frames, to))];
  for (const channel of out) channel.fill(0, 0, to - from);
  if (end <= begin) return;
  const rooms = out.map((channel) => channel.subarray(begin - from, end - from));
  if ("samples" in stem) stem.samples(begin, end, rooms);
  else for (const [c, room] of rooms.entries()) room.set(stem.channels[c]!.subarray(begin, end));
}

/** The vocals in one channel: what a tune is followed in where somebody sings it. */
export function vocalsOf({ vocals }: Apart): Audio {
  const frames = "samples" in vocals ? vocals.frames : vocals.channels[0]!.length;
  const count = "samples" in vocals ? vocals.channels : vocals.channels.length;
  const mono = new Float32Array(frames);
  const out = Array.from({ length: count }, () => new Float32Array(BLOCK));
  for (let at = 0; at < frames; at += BLOCK) {
    const end = Math.min(frames, at + BLOCK);
    readStem(vocals, at, end, out);
    for (const channel of out) for (let n = at; n < end; n++) mono[n] = mono[n]! + channel[n - at]! / count;
  }
  return { sample_rate: 44_100, channels: [mono] };
}
