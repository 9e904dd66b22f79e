/** The throat of a singer who sings with recorded sounds: the speaker's envelopes with the singer's formants, brightness and breath. */
import { type Control, control, STEP } from "../../../signal/dsp/control.ts";
import { exp2, gainOf, log2 } from "../../../signal/dsp/exact.ts";
import { HOP, POINT_HERTZ, POINTS } from "../../../signal/dsp/vocoder.ts";
import { isVowel, type Phoneme } from "../phonemes.ts";
import { brightening } from "./brightness.ts";
import { change, drawn, type Lane, lane } from "./lane.ts";
import type { SungPhrase } from "./notes.ts";
import type { Pairs } from "./pairs.ts";
import { CONSONANT_TARGETS, VOWEL_TARGETS } from "./targets.ts";
import type { Segment } from "./timing.ts";
import type { Voice } from "./voices.ts";
import { warp } from "./warping.ts";

/** Formants of a man and of a woman against those of an average man: those of `targets.ts` and `Voice.scale`. */
const SCALES = { m: [1, 1, 1], f: [1.15, 1.16, 1.13] } as const;

export class RecordedThroat {
  /** A recorded frame, as `Recorded.read` gives it. */
  readonly values: Float64Array;
  readonly #pairs: Pairs;
  readonly #voice: Voice;
  readonly #plain = new Float64Array(POINTS);
  readonly #by: readonly [Control, Control, Control];
  readonly #hertz: readonly [Control, Control, Control];
  readonly #flat: Control;
  readonly #fall: Control;
  readonly #bright: Control;

  constructor(
    phrase: SungPhrase,
    segments: readonly Segment[],
    voice: Voice,
    pairs: Pairs,
    origin: number,
    frames: number,
    rate: number,
  ) {
    this.#pairs = pairs;
    this.#voice = voice;
    this.values = new Float64Array(pairs.voice.width);
    const own = SCALES[pairs.voice.header.sex];
    const by = own.map((scale, k) => lane(voice.scale[k]! / scale));
    const hertz = [500, 1500, 2500].map((f, k) => lane(f * voice.scale[k]!));
    const flat = lane(VOWEL_BEYOND[0]);
    const fall = lane(VOWEL_BEYOND[1]);
    const bright = lane(1);
    const width = 0.03 * rate;
    for (const { phoneme, from, note } of segments) {
      const at = from - origin;
      const vowel = isVowel(phoneme);
      const wanted = vowel ? VOWEL_TARGETS[phoneme].at : ([500, 1500, 2500] as const);
      const nearest = pairs.nearest(phoneme);
      const there = vowel && isVowel(nearest) ? VOWEL_TARGETS[nearest].at : wanted;
      for (let k = 0; k < 3; k++) {
        const scale = voice.scale[k]! / own[k]!;
        // Hisses depend on the mouth's front alone, which differs less between voices than the throat.
        const moved = vowel || !hisses(phoneme) ? scale : 1 + 0.5 * (scale - 1);
        change(by[k]!, at, (moved * wanted[k]!) / there[k]!, width);
        change(hertz[k]!, at, wanted[k]! * voice.scale[k]!, width);
      }
      const [beyond, slope] = vowel ? VOWEL_BEYOND : (BEYOND[phoneme] ?? VOWEL_BEYOND);
      change(flat, at, beyond, 0.01 * rate);
      change(fall, at, slope, 0.01 * rate);
      change(bright, at, 0.55 + 0.55 * Math.min(1, Math.max(0, phrase[note]!.velocity)), width);
    }
    const draw = (line: Lane): Control => drawn(line, control(frames), true);
    this.#by = [draw(by[0]!), draw(by[1]!), draw(by[2]!)];
    this.#hertz = [draw(hertz[0]!), draw(hertz[1]!), draw(hertz[2]!)];
    this.#flat = draw(flat);
    this.#fall = draw(fall);
    this.#bright = draw(bright);
  }

  /** The envelope of `values` as this singer has it, and the share of noise in it. */
  shape(frame: number, { phoneme }: Segment, pitch: number, envelope: Float64Array, share: Float64Array): void {
    const n = Math.min(this.#flat.length - 1, frame * (HOP / STEP));
    const { voice } = this.#pairs;
    const plain = this.#plain;
    voice.envelope(this.values, plain);
    extend(plain, voice.known, this.#flat[n]!, this.#fall[n]!);
    let by = this.#by[0][n]!;
    let f1 = this.#hertz[0][n]!;
    if (isVowel(phoneme)) {
      // High voices open the mouth so that the first formant stays above the pitch (J. Sundberg 1975).
      const floor = 1.04 * pitch;
      const over = f1 - floor;
      const raised = floor + 0.5 * (over + Math.sqrt(over * over + 3600));
      by *= raised / f1;
      f1 = raised;
    }
    const f2 = Math.max(f1 + 150, this.#hertz[1][n]!);
    const f3 = Math.max(f2 + 250, this.#hertz[2][n]!);
    warp(plain, { hertz: [f1, f2, f3], by: [by, this.#by[1][n]!, this.#by[2][n]!] }, envelope);
    if (!hisses(phoneme)) sharpen(envelope);
    this.#spectralTilt(envelope, this.#bright[n]!, phoneme);
    this.#noise(share, phoneme);
  }

  #spectralTilt(envelope: Float64Array, firm: number, phoneme: Phoneme): void {
    if (hisses(phoneme)) {
      // Breath through the open mouth has little below the first formant; what was recorded there is a murmur, or the room.
      for (let k = 0; k < POINTS; k++) envelope[k] = envelope[k]! + HISS_LOW[k]!;
      return;
    }
    const nasal = !isVowel(phoneme) && CONSONANT_TARGETS[phoneme].manner === "nasal";
    // A firmer voice is flatter (J. Sundberg and M. Nordenberg, JASA 120 (2006): some 1 dB at 3 kHz for a dB at 500 Hz).
    const tilt = Math.min(4, Math.max(-4, 2 * log2((this.#voice.soft * firm) / 4500)));
    const bright = brightening(this.#pairs);
    for (let k = 0; k < POINTS; k++)
      envelope[k] = envelope[k]! + tilt * OCTAVES[k]! + (nasal ? 0.3 * bright[k]! + MURMUR[k]! : bright[k]! + RING[k]!);
  }

  #noise(share: Float64Array, phoneme: Phoneme): void {
    const { coefficients, ap_hz } = this.#pairs.voice.header;
    const held = isVowel(phoneme);
    const breathed = phoneme === "HH";
    const breath = gainOf(2 * this.#voice.breath_db);
    let band = 0;
    for (let k = 0; k < POINTS; k++) {
      const hertz = POINT_HERTZ[k]!;
      while (band < ap_hz.length - 2 && ap_hz[band + 1]! < hertz) band++;
      const a = ap_hz[band]!;
      const b = ap_hz[band + 1]!;
      const x = Math.min(1, Math.max(0, (hertz - a) / (b - a)));
      const low = this.values[coefficients + band]!;
      let db = low + x * (this.values[coefficients + band + 1]! - low);
      // Below the lowest band noise falls away towards 0 Hz, where WORLD takes a voice to have none; what has no voice keeps all of it.
      if (hertz < a) db *= 4 - (3 * hertz) / a;
      // Beyond what was recorded a voice goes over into breath.
      if (hertz > b) db += Math.min(1, (hertz - b) / 8000) * (-3 - db) * (db < -3 ? 1 : 0);
      if (breathed) db = Math.max(db, -3);
      if (held) db = Math.min(db, CLEAN[k]!);
      const grown = Math.min(1, hertz / 4000);
      share[k] = Math.min(0, decibelsOf(exp2(db * POWER_LOG2) + breath * grown * grown));
    }
  }
}

const sums = new Float64Array(POINTS + 1);

/** Formants stand out more by a fifth: statistics and smoothing have rounded them (T. Toda and K. Tokuda, IEICE E90-D (2007)). */
function sharpen(envelope: Float64Array): void {
  for (let k = 0; k < POINTS; k++) sums[k + 1] = sums[k]! + envelope[k]!;
  for (let k = 1; k < POINTS; k++) {
    const a = Math.max(0, k - WIDE);
    const b = Math.min(POINTS, k + WIDE + 1);
    envelope[k] = envelope[k]! + SHARPER * (envelope[k]! - (sums[b]! - sums[a]!) / (b - a));
  }
}

/** Points either side that formants are measured by. */
const WIDE = 7;
const SHARPER = 0.2;

export const decibelsOf = (power: number): number => 3.010299956639812 * log2(Math.max(1e-9, power));
/** From dB to log2 of power. */
export const POWER_LOG2 = 0.33219280948873625;

function hisses(phoneme: Phoneme): boolean {
  if (isVowel(phoneme)) return false;
  const { voiced, manner } = CONSONANT_TARGETS[phoneme];
  return !voiced || manner === "affricate";
}

/** dB of noise that a sung vowel has at most: speakers creak and whisper at the ends of words, singers do not. */
const CLEAN = POINT_HERTZ.map((hertz) => (hertz < 2000 ? -23 : hertz < 8000 ? -23 + (hertz - 2000) / 600 : -11));
/** A murmur through the nose is dark; models of speakers have smoothed it towards the vowels beside it. */
const MURMUR = POINT_HERTZ.map((hertz) => (hertz < 800 ? 0 : -Math.min(6, (hertz - 800) / 120)));
const HISS_LOW = POINT_HERTZ.map((hertz) => -10 * log2(1 + 250_000 / (hertz * hertz + 10_000)));
const OCTAVES = POINT_HERTZ.map((hertz) => log2(Math.max(250, Math.min(9000, hertz)) / 500));
/** The cluster of the third to fifth formant that a trained voice has (J. Sundberg, JASA 55 (1974)), faint. */
const RING = POINT_HERTZ.map((hertz) => 2.5 * exp2(-((hertz - 2900) / 600) * ((hertz - 2900) / 600)));

/**
 * To where a hiss goes on as it is, Hz, and by how many dB an octave it falls above (spectral peaks and slopes after A.
 * Jongman et al., JASA 108 (2000), and C. Shadle).
 */
const BEYOND: Readonly<Partial<Record<Phoneme, readonly [hertz: number, slope: number]>>> = {
  S: [10_000, -14],
  Z: [10_000, -14],
  T: [9500, -12],
  D: [9000, -12],
  CH: [8000, -10],
  JH: [8000, -10],
  SH: [7500, -12],
  ZH: [7500, -12],
  F: [12_000, -8],
  V: [10_000, -10],
  TH: [12_000, -8],
  DH: [10_000, -10],
  HH: [8000, -10],
};

/** The same of what is not hissed. */
export const VOWEL_BEYOND = [7000, -12] as const;

/**
 * What lies above the recording, in place of its last points: there a speaker's model rings, with a peak by its
 * filter's edge that every sound has, and that a high voice's warping moves to 7.5 kHz. The mean over two such ripples
 * tells the level to go on from.
 */
export function extend(envelope: Float64Array, known: number, flat: number, fall: number): void {
  let edge = 0;
  for (let k = known - 2 * RIPPLE; k < known; k++) edge += envelope[k]! / (2 * RIPPLE);
  const first = known - RIPPLE;
  const begins = Math.max(POINT_HERTZ[first]!, flat);
  for (let k = first; k < POINTS; k++) {
    const beyond = edge + fall * log2(Math.max(1, POINT_HERTZ[k]! / begins));
    const share = Math.min(1, (k - first + 1) / 4);
    envelope[k] = k < known ? envelope[k]! + share * (beyond - envelope[k]!) : beyond;
  }
}

/** Points of one ripple. */
const RIPPLE = 6;
