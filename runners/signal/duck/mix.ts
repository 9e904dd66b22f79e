import type { Audio, Streamed } from "../../../contract/mod.ts";
import { breathe } from "../../breathe.ts";
import { type Views, viewsOf } from "../../samples.ts";
import { fromDecibel } from "../dsp/decibel.ts";
import type { GainCurve } from "../dsp/limiter.ts";
import { type Corner, raisedCosine } from "./gain.ts";

/** A source and where it goes: its one channel to `sides` sides, or its two to theirs. */
export interface Placed {
  readonly sound: Views;
  readonly sides: 1 | 2;
}

/** A stereo side this far below the other, in power, is an unused input of the recorder. */
const UNUSED = 1e-4;

const BLOCK = 16_384;

const FADE_SECONDS = 0.5;

/**
 * Where a source goes: mono to both sides of a stereo mix, each at its own level, as a player does with it.
 *
 * @param centred a stereo source with one side unused is mono: a microphone on one input does not mean a voice in one ear
 */
export function placed(source: Audio | Streamed, stereo: boolean, centred: boolean): Placed {
  const sound = viewsOf(source);
  if (sound.channels === 1) return { sound, sides: stereo ? 2 : 1 };
  if (centred) {
    const powers = [0, 1].map((side) => power(sound, side, 0, sound.frames)) as [number, number];
    if (Math.min(...powers) < UNUSED * Math.max(...powers))
      return { sound: sideOf(sound, powers[0] > powers[1] ? 0 : 1), sides: 2 };
  }
  return { sound, sides: 1 };
}

function sideOf(sound: Views, side: number): Views {
  return {
    ...sound,
    channels: 1,
    view(from, to) {
      const { channels, at } = sound.view(from, to);
      return { channels: [channels[side]!], at };
    },
  };
}

/** Length of the fade for music that ends before the voice does, and in full sound; 0 where it ends by itself or goes on. */
export function fadeSeconds(music: Views, voice: Views): number {
  const { frames, sample_rate } = music;
  const hop = Math.round(0.05 * sample_rate);
  if (voice.frames <= frames + hop) return 0;
  const from = Math.max(0, frames - 3 * sample_rate);
  let last = 0;
  let before = 0;
  for (let side = 0; side < music.channels; side++) {
    last += power(music, side, Math.max(0, frames - hop), frames) / Math.min(hop, frames);
    before += power(music, side, from, frames) / (frames - from);
  }
  // 30 dB below what came before is an ending.
  return last > 1e-3 * before ? Math.min(FADE_SECONDS, frames / sample_rate / 2) : 0;
}

export interface Bed {
  readonly music: Placed;
  readonly corners: readonly Corner[];
  readonly sides: number;
  /** As long as the mix will be. */
  readonly frames: number;
  readonly fade_seconds: number;
}

/** gain · music on `sides` sides, made as it is read: what the voice is added to. */
export function bedOf({ music: { sound }, corners, sides, frames, fade_seconds }: Bed): Omit<Streamed, "peak"> {
  const { sample_rate } = sound;
  const gains = new Float32Array(BLOCK);
  const fade = Math.round(fade_seconds * sample_rate);
  const fill = (from: number, to: number, out: readonly Float32Array[], offset: number): void => {
    const end = Math.max(from, Math.min(to, sound.frames));
    for (const target of out) target.fill(0, offset + end - from, offset + to - from);
    if (end === from) return;
    fillGains(corners, sample_rate, from, end, gains);
    for (let n = Math.max(from, sound.frames - fade); fade > 0 && n < end; n++) {
      gains[n - from]! *= raisedCosine((sound.frames - n) / fade);
    }
    const { channels, at } = sound.view(from, end);
    for (const [side, target] of out.entries()) {
      const bed = channels[side] ?? channels[0]!;
      for (let n = 0; n < end - from; n++) target[offset + n] = gains[n]! * bed[at + n]!;
    }
  };
  return {
    ...{ sample_rate, channels: sides, frames },
    samples(from, to, out) {
      for (let at = from; at < to; at += BLOCK) fill(at, Math.min(to, at + BLOCK), out, at - from);
    },
  };
}

/**
 * gain · voice onto what is in `out`, the mix's samples `from` to `to`.
 *
 * @param curve undefined: the voice as it is
 */
export function addVoice(
  { sound }: Placed,
  curve: GainCurve | undefined,
  from: number,
  to: number,
  out: readonly Float32Array[],
): void {
  const end = Math.min(to, sound.frames);
  const gains = new Float64Array(Math.min(BLOCK, Math.max(0, end - from))).fill(1);
  for (let first = from; first < end; first += BLOCK) {
    const count = Math.min(BLOCK, end - first);
    curve?.fill(first, first + count, gains);
    const { channels, at } = sound.view(first, first + count);
    for (const [side, target] of out.entries()) {
      const speech = channels[side] ?? channels[0]!;
      for (let n = 0; n < count; n++) target[first - from + n]! += gains[n]! * speech[at + n]!;
    }
  }
}

/**
 * All of it in memory.
 *
 * @throws the signal's reason
 */
export async function held(sound: Omit<Streamed, "peak">, signal: AbortSignal): Promise<Audio> {
  const { frames, sample_rate } = sound;
  const channels = Array.from({ length: sound.channels }, () => new Float32Array(frames));
  for (let from = 0; from < frames; from += 32 * BLOCK) {
    await breathe(signal);
    const to = Math.min(frames, from + 32 * BLOCK);
    sound.samples(
      from,
      to,
      channels.map((channel) => channel.subarray(from, to)),
    );
  }
  return { sample_rate, channels };
}

/** Gain of the frames `from` to `to` as a factor. */
export function fillGains(
  corners: readonly Corner[],
  sample_rate: number,
  from: number,
  to: number,
  out: Float32Array,
): void {
  let next = firstAfter(corners, from, sample_rate);
  for (let n = from; n < to; ) {
    const before = corners[next - 1] ?? corners[0]!;
    const after = corners[next];
    const end = after === undefined ? to : Math.min(to, Math.ceil(after.time * sample_rate));
    if (after === undefined || after.db === before.db) {
      out.fill(fromDecibel(before.db), n - from, end - from);
    } else {
      const start = before.time * sample_rate;
      const length = after.time * sample_rate - start;
      const step = after.db - before.db;
      for (let k = n; k < end; k++) {
        const x = Math.max(0, (k - start) / length);
        out[k - from] = Math.exp((before.db + step * (0.5 - 0.5 * Math.cos(Math.PI * x))) * NEPERS_PER_DB);
      }
    }
    n = Math.max(n, end);
    next++;
    if (n < to && after === undefined) break;
  }
}

const NEPERS_PER_DB = Math.LN10 / 20;

/** Index of the first corner that lies after a frame; their number where none does. */
function firstAfter(corners: readonly Corner[], frame: number, sample_rate: number): number {
  let low = 0;
  let high = corners.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (corners[middle]!.time * sample_rate > frame) high = middle;
    else low = middle + 1;
  }
  return low;
}

function power(sound: Views, side: number, from: number, to: number): number {
  let sum = 0;
  for (let first = from; first < to; first += BLOCK) {
    const count = Math.min(BLOCK, to - first);
    const { channels, at } = sound.view(first, first + count);
    const samples = channels[side]!;
    for (let n = at; n < at + count; n++) sum += samples[n]! * samples[n]!;
  }
  return sum;
}
