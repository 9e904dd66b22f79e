/**
 * The singer: phrases of notes to samples, by a glottis, a throat and noise. Same phrases, voice and seed: the same
 * samples on every runtime.
 */
import { type Control, control, STEP } from "../../../signal/dsp/control.ts";
import { exp, gainOf } from "../../../signal/dsp/exact.ts";
import { glottis } from "../../../signal/dsp/glottis.ts";
import { white } from "../../../signal/dsp/noise.ts";
import { pulseTrain } from "../../../signal/dsp/pulse_train.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import { release } from "../../../signal/dsp/release.ts";
import { addBand, antiresonate, resonate } from "../../../signal/dsp/resonator.ts";
import { vocode } from "../../../signal/dsp/vocoder.ts";
import type { SungPhrase } from "./notes.ts";
import { pairsOf } from "./pairs.ts";
import { pitchOf } from "./pitch.ts";
import { type Sung, spectraOf } from "./spectra.ts";
import { throatOf } from "./throat.ts";
import { type Segment, segmentsOf } from "./timing.ts";
import type { Voice } from "./voices.ts";

export interface Singing {
  readonly voice: Voice;
  /** Of everything random. */
  readonly seed: number;
  /** Whether breaths are heard; true unless said. */
  readonly breaths?: boolean;
  /**
   * Factor on the pitch of the folds alone, with the throat as the notes ask; for measuring: recognisers hear no words
   * above some 260 Hz.
   */
  readonly folds?: number;
}

/** Hz. */
export const RATE = 44_100;
/** Seconds kept before a phrase's first sound and after its last, for what fades. */
const MARGIN = 0.12;
/** Share of a period to the next that pitch and strength differ by. */
const JITTER = 0.003;
const SHIMMER = 0.03;
/**
 * Of recorded voices. Partials of a high voice lie further apart, so that the same share of a period makes it noisier:
 * above `JITTER_HERTZ` jitter falls as the pitch rises, and noise stays as far below the voice as in the speaker's own vowels.
 */
const RECORDED_JITTER = 0.014;
const JITTER_HERTZ = 130;
const RECORDED_SHIMMER = 0.02;

/** `frames` mono samples at 44.1 kHz; what would sound outside them is cut. Phrases in order; they may touch. */
export function sing(
  phrases: readonly SungPhrase[],
  frames: number,
  { voice, seed, breaths = true, folds = 1 }: Singing,
): Float32Array {
  const out = new Float32Array(frames);
  let last = Number.NEGATIVE_INFINITY;
  phrases.forEach((phrase, k) => {
    if (phrase.length === 0) return;
    const segments = segmentsOf(phrase, RATE);
    const first = segments[0]!.from;
    const end = segments[segments.length - 1]!.to;
    const of_phrase = hash32(seed, k);
    const samples = phraseOf(phrase, segments, voice, of_phrase, folds);
    addAt(out, samples, first - Math.round(MARGIN * RATE));
    release(samples);
    if (breaths) {
      const room = (first - Math.max(0, last)) / RATE - 0.1;
      if (room > 0.16) {
        const breath = breathOf(voice, Math.min(0.42, room), of_phrase);
        addAt(out, breath, first - breath.length - Math.round(0.05 * RATE));
      }
    }
    last = end;
  });
  return out;
}

/** A phrase with `MARGIN` before and after it. */
function phraseOf(
  phrase: SungPhrase,
  segments: readonly Segment[],
  voice: Voice,
  seed: number,
  folds: number,
): Float32Array {
  const margin = Math.round(MARGIN * RATE);
  const origin = segments[0]!.from - margin;
  const frames = segments[segments.length - 1]!.to + margin - origin;
  const pitch = pitchOf(phrase, voice, origin, frames, RATE, hash32(seed, 1));
  const swung = folds === 1 ? pitch : pitch.map((hertz) => hertz * folds);
  const pairs = voice.recorded === undefined ? null : pairsOf(voice.recorded);
  if (pairs === null) return resonated(frames, phrase, segments, voice, pitch, swung, origin, seed);
  const spectra = spectraOf(phrase, segments, voice, pairs, pitch, origin, frames, RATE, hash32(seed, 3));
  return vocoded(spectra, swung, voice, frames, seed);
}

/** What a speaker's recorded sounds make of the phrase. */
function vocoded(spectra: Sung, pitch: Control, voice: Voice, frames: number, seed: number): Float32Array {
  const out = new Float32Array(frames);
  const pulses = new Float32Array(frames);
  const hiss = new Float32Array(frames);
  const jitter = RECORDED_JITTER * Math.min(1, JITTER_HERTZ / pitch[pitch.length >> 1]!);
  const unsteady = { jitter, shimmer: RECORDED_SHIMMER, rough: voice.rough ?? 0 };
  pulseTrain(pulses, hiss, RATE, { pitch, puffs: spectra.puffs, ...unsteady, seed: hash32(seed, 2) });
  vocode(out, pulses, hiss, spectra);
  // A song has a hundred phrases, and no collector comes between them.
  release(pulses, hiss, spectra.level, spectra.air);
  return out;
}

/** What the voice's resonators make of the phrase. */
function resonated(
  frames: number,
  phrase: SungPhrase,
  segments: readonly Segment[],
  voice: Voice,
  pitch: Control,
  swung: Control,
  origin: number,
  seed: number,
): Float32Array {
  const out = new Float32Array(frames);
  const throat = throatOf(phrase, segments, voice, pitch, origin, frames, RATE);
  const gate = new Float32Array(frames);
  const source = { pitch: swung, voice: throat.voice, open: throat.open, soft: throat.soft, breath: throat.breath };
  glottis(out, gate, RATE, { ...source, jitter: JITTER, shimmer: SHIMMER, seed: hash32(seed, 2) });
  antiresonate(out, RATE, throat.zero, throat.zero_width);
  resonate(out, RATE, throat.pole, 100);
  for (let k = voice.upper.length - 1; k >= 0; k--) resonate(out, RATE, voice.upper[k]![0], voice.upper[k]![1]);
  for (let k = 2; k >= 0; k--) resonate(out, RATE, throat.hertz[k]!, throat.width[k]!);
  brighten(out);
  const hiss = white(new Float32Array(frames), hash32(seed, 3));
  for (let n = 0; n < frames; n++) hiss[n] = 1.7320508 * hiss[n]! * (0.4 + 0.6 * gate[n]!);
  for (const { hertz, width, level } of throat.bands) addBand(out, hiss, RATE, hertz, width, level);
  // Air above what the throat's modelled resonances carry.
  const air = gainOf(voice.breath_db + AIR_DB);
  const level = throat.voice.map((value) => value * air);
  addBand(out, hiss, RATE, control(frames).fill(9800), control(frames).fill(5000), level);
  release(gate, hiss);
  return out;
}

/** Of breath above 7 kHz against the breath below the voice, dB. */
const AIR_DB = -7;

/** A shelf above 4.5 kHz, +10 dB: a throat's resonances go on beyond those that are modelled. */
function brighten(samples: Float32Array): void {
  const k = 1 - exp((-6.283185307179586 * 4500) / RATE);
  let low = 0;
  for (let n = 0; n < samples.length; n++) {
    const x = samples[n]!;
    low += k * (x - low);
    samples[n] = x + SHELF * (x - low);
  }
}

const SHELF = 2.2;

/** Air drawn in through an open mouth. */
function breathOf(voice: Voice, seconds: number, seed: number): Float32Array {
  const frames = Math.round(seconds * RATE);
  const hiss = white(new Float32Array(frames), hash32(seed, 4));
  const out = new Float32Array(frames);
  const level: Control = control(frames);
  for (let n = 0; n < level.length; n++) {
    const at = Math.min(1, (n * STEP) / frames);
    // Slow in, quick out.
    level[n] = at < 0.7 ? (at / 0.7) * (at / 0.7) : (1 - at) / 0.3;
  }
  for (const [hertz, width, db] of [
    [1650, 500, -45],
    [2700, 700, -47],
    [5600, 3000, -49],
  ] as const) {
    const gain = gainOf(db);
    addBand(
      out,
      hiss,
      RATE,
      control(frames).fill(hertz * voice.scale[1]),
      control(frames).fill(width),
      level.map((value) => value * gain),
    );
  }
  return out;
}

function addAt(out: Float32Array, samples: Float32Array, at: number): void {
  const from = Math.max(0, -at);
  const to = Math.min(samples.length, out.length - at);
  for (let n = from; n < to; n++) out[at + n] = out[at + n]! + samples[n]!;
}
