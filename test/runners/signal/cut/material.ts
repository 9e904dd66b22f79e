/** Small pieces of drums, bass and chords whose bars are known, as cheap to make as they are dull. */
import type { Audio } from "../../../../contract/mod.ts";
import { seeded } from "../../../audio.ts";
import type { Known } from "./known.ts";

export interface Recipe {
  readonly seed?: number;
  readonly bpm?: number;
  readonly beats_per_bar?: number;
  readonly bars?: number;
  /** `ring`: a last chord that dies away; `cut`: the file stops in the middle of the music. */
  readonly ending?: "ring" | "cut";
  /** Silence before the first and after the last sound, seconds. */
  readonly lead?: number;
  readonly trail?: number;
  readonly channels?: 1 | 2;
  /** Each attack is early or late by up to this, seconds. */
  readonly loose?: number;
  /** By how much the tempo rises to the end, a share of it. */
  readonly drift?: number;
}

export interface Piece {
  readonly audio: Audio;
  readonly known: Known;
  /** Beginnings of the bars, seconds. */
  readonly downbeats: readonly number[];
}

const RATE = 44_100;
/** Degrees of a major scale, in semitones; each section has its own four chords. */
const PROGRESSIONS = [
  [0, 7, 9, 5],
  [5, 7, 0, 9],
  [9, 5, 0, 7],
];

export function piece({
  seed = 1,
  bpm = 120,
  beats_per_bar = 4,
  bars = 24,
  ending = "ring",
  lead = 0.2,
  trail = 0.3,
  channels = 2,
  loose = 0,
  drift = 0,
}: Recipe = {}): Piece {
  const next = seeded(seed);
  const count = bars * beats_per_bar;
  const beats: number[] = [];
  let time = lead;
  for (let n = 0; n < count; n++) {
    beats.push(time);
    time += (60 / bpm) * (1 - (drift * n) / count);
  }
  const music_end = time;
  const seconds = ending === "ring" ? music_end + 2.5 + trail : music_end - 0.4 * (60 / bpm);
  const out = Array.from({ length: channels }, () => new Float32Array(Math.round(seconds * RATE)));
  const tonic = 110 * 2 ** (Math.floor(next() * 12) / 12);
  const at = (beat: number): number => beats[beat]! + loose * (2 * next() - 1);
  const section = 8 * beats_per_bar;
  for (let beat = 0; beat < count; beat++) {
    const place = beat % beats_per_bar;
    const part = Math.floor(beat / section) % 3;
    const bar = Math.floor(beat / beats_per_bar);
    const step = 60 / bpm;
    if (place === 0) {
      const root = tonic * 2 ** (PROGRESSIONS[part]![bar % 4]! / 12);
      const length = step * beats_per_bar;
      for (const [voice, semitones] of [0, 4, 7].entries()) {
        note(
          out,
          at(beat),
          length,
          2 * root * 2 ** (semitones / 12),
          0.07 + 0.02 * part,
          voice % 2 === 0 ? 0.35 : 0.65,
        );
      }
      note(out, at(beat), 0.9 * length, root / 2, 0.18, 0.5);
    }
    if (part > 0 || place === 0)
      hit(out, at(beat), place === 0 ? "kick" : place === beats_per_bar - 1 ? "snare" : "hat", next);
    // A little tune, the same in every section of the kind.
    const degree = [0, 4, 7, 9, 7, 4, 2, 5][(beat * (part + 1)) % 8]!;
    if (part === 1) note(out, at(beat), 0.8 * step, 4 * tonic * 2 ** (degree / 12), 0.06, 0.6);
  }
  if (ending === "ring") {
    for (const semitones of [0, 4, 7, 12]) note(out, music_end, 2.5, 2 * tonic * 2 ** (semitones / 12), 0.1, 0.5, 1.6);
    note(out, music_end, 2.5, tonic / 2, 0.2, 0.5, 1.6);
    hit(out, music_end, "kick", next);
  }
  const heard = ending === "ring" ? [...beats, music_end] : beats.filter((beat) => beat < seconds - 0.05);
  return {
    audio: { sample_rate: RATE, channels: out },
    known: {
      beats: heard,
      positions: heard.map((_, n) => (n % beats_per_bar) + 1),
      beats_per_bar,
      sections: beats.filter((_, n) => n % section === 0),
    },
    downbeats: heard.filter((_, n) => n % beats_per_bar === 0),
  };
}

function note(
  out: readonly Float32Array[],
  from: number,
  seconds: number,
  hertz: number,
  amplitude: number,
  pan: number,
  decay = 2.5,
): void {
  const start = Math.round(from * RATE);
  const length = Math.round(seconds * RATE);
  const step = (hertz * TIMBRE.length) / RATE;
  // 4 ms to rise, 30 ms to fall, and a decay between.
  const fall = Math.exp(-decay / Math.max(1, seconds) / RATE);
  let gain = amplitude;
  for (let n = 0; n < length; n++) {
    const shape = Math.min(1, n / (0.004 * RATE), (length - n) / (0.03 * RATE));
    put(out, start + n, gain * shape * TIMBRE[Math.floor(step * n) % TIMBRE.length]!, pan);
    gain *= fall;
  }
}

/** One period of a tone and two overtones. */
const TIMBRE = Float64Array.from({ length: 8192 }, (_, n) => {
  const angle = (2 * Math.PI * n) / 8192;
  return Math.sin(angle) + 0.4 * Math.sin(2 * angle) + 0.15 * Math.sin(3 * angle);
});

function hit(out: readonly Float32Array[], from: number, kind: "kick" | "snare" | "hat", next: () => number): void {
  const start = Math.round(from * RATE);
  const seconds = kind === "hat" ? 0.06 : 0.2;
  let last = 0;
  for (let n = 0; n < seconds * RATE; n++) {
    const t = n / RATE;
    const hiss = 2 * next() - 1;
    const shape = Math.exp((-t * 6) / seconds);
    const sample =
      kind === "kick"
        ? 0.4 * Math.sin(2 * Math.PI * (55 * t - 4 * Math.exp(-t * 40))) * shape
        : (kind === "snare" ? 0.18 : 0.1) * (hiss - (kind === "hat" ? last : 0)) * shape;
    last = hiss;
    put(out, start + n, sample, kind === "hat" ? 0.7 : 0.5);
  }
}

function put(out: readonly Float32Array[], at: number, sample: number, pan: number): void {
  const [left, right] = out;
  if (at < 0 || at >= left!.length) return;
  left![at]! += (right === undefined ? 1 : 1 - pan) * sample;
  if (right !== undefined) right[at]! += pan * sample;
}
