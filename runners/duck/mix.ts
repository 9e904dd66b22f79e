import type { Audio } from "../../core/plugin.ts";
import { breathe } from "../breathe.ts";
import { fromDecibel } from "../dsp/decibel.ts";
import type { GainCurve } from "../dsp/limiter.ts";
import { type Corner, raisedCosine } from "./gain.ts";

/** A source and where it goes: its one channel to `sides` sides, or its two to theirs. */
export interface Placed {
  readonly channels: readonly Float32Array[];
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
export function placed(source: Audio, stereo: boolean, centred: boolean): Placed {
  const [left, right] = source.channels;
  if (right === undefined) return { channels: [left!], sides: stereo ? 2 : 1 };
  const powers = [power(left!, 0, left!.length), power(right, 0, right.length)] as const;
  if (centred && Math.min(...powers) < UNUSED * Math.max(...powers)) {
    return { channels: [powers[0] > powers[1] ? left! : right], sides: 2 };
  }
  return { channels: source.channels, sides: 1 };
}

/** Length of the fade for music that ends before the voice does, and in full sound; 0 where it ends by itself or goes on. */
export function fadeSeconds(music: Audio, voice: Audio): number {
  const frames = music.channels[0]!.length;
  const { sample_rate } = music;
  const hop = Math.round(0.05 * sample_rate);
  if (voice.channels[0]!.length <= frames + hop) return 0;
  const from = Math.max(0, frames - 3 * sample_rate);
  let last = 0;
  let before = 0;
  for (const channel of music.channels) {
    last += power(channel, Math.max(0, frames - hop), frames) / Math.min(hop, frames);
    before += power(channel, from, frames) / (frames - from);
  }
  // 30 dB below what came before is an ending.
  return last > 1e-3 * before ? Math.min(FADE_SECONDS, frames / sample_rate / 2) : 0;
}

/**
 * gain · music on `sides` sides, as long as the mix will be: what the voice is added to.
 *
 * @throws the signal's reason
 */
export async function bedOf(
  music: Placed,
  corners: readonly Corner[],
  sides: number,
  frames: number,
  sample_rate: number,
  fade_seconds: number,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const music_frames = music.channels[0]!.length;
  const out = Array.from({ length: sides }, () => new Float32Array(frames));
  const gains = new Float32Array(BLOCK);
  const fade = Math.round(fade_seconds * sample_rate);
  for (let from = 0; from < music_frames; from += BLOCK) {
    if ((from / BLOCK) % 32 === 0) await breathe(signal);
    const to = Math.min(music_frames, from + BLOCK);
    fillGains(corners, sample_rate, from, to, gains);
    if (fade > 0) {
      for (let n = Math.max(from, music_frames - fade); n < to; n++) {
        gains[n - from]! *= raisedCosine((music_frames - n) / fade);
      }
    }
    for (const [side, target] of out.entries()) {
      const bed = music.channels[side] ?? music.channels[0]!;
      for (let n = from; n < to; n++) target[n] = gains[n - from]! * bed[n]!;
    }
  }
  return out;
}

/**
 * Adds gain · voice to `bed`.
 *
 * @param curve undefined: the voice as it is
 * @throws the signal's reason
 */
export async function addVoice(
  bed: readonly Float32Array[],
  voice: Placed,
  curve: GainCurve | undefined,
  signal: AbortSignal,
): Promise<void> {
  const frames = voice.channels[0]!.length;
  const gains = new Float64Array(BLOCK).fill(1);
  for (let from = 0; from < frames; from += BLOCK) {
    if ((from / BLOCK) % 32 === 0) await breathe(signal);
    const to = Math.min(frames, from + BLOCK);
    curve?.fill(from, to, gains);
    for (const [side, target] of bed.entries()) {
      const speech = voice.channels[side] ?? voice.channels[0]!;
      for (let n = from; n < to; n++) target[n]! += gains[n - from]! * speech[n]!;
    }
  }
}

/** Gain of the frames `from` to `to` as a factor. */
export function fillGains(
  corners: readonly Corner[],
  sample_rate: number,
  from: number,
  to: number,
  out: Float32Array,
): void {
  let next = corners.findIndex(({ time }) => time * sample_rate > from);
  if (next < 0) next = corners.length;
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

function power(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let n = from; n < to; n++) sum += samples[n]! * samples[n]!;
  return sum;
}
