/** What a recorded voice's throat does over a phrase: envelopes for the vocoder, frame by frame. */
import { type Control, control, STEP } from "../../../signal/dsp/control.ts";
import { exp2 } from "../../../signal/dsp/exact.ts";
import { random } from "../../../signal/dsp/random.ts";
import { HOP, POINTS, pointOf, SILENCE_DB, type Spectra } from "../../../signal/dsp/vocoder.ts";
import { isVowel } from "../phonemes.ts";
import type { SungPhrase } from "./notes.ts";
import type { Pairs } from "./pairs.ts";
import { gainsOf, loudness, referenceOf } from "./recorded_levels.ts";
import { POWER_LOG2, RecordedThroat } from "./recorded_throat.ts";
import { CONSONANT_TARGETS } from "./targets.ts";
import { type Piece, timelineOf } from "./timeline.ts";
import type { Segment } from "./timing.ts";
import type { Voice } from "./voices.ts";

export interface Sung extends Spectra {
  /** 0 to 1 at control steps: how much of the noise comes in puffs. */
  readonly puffs: Control;
}

export function spectraOf(
  phrase: SungPhrase,
  segments: readonly Segment[],
  voice: Voice,
  pairs: Pairs,
  pitch: Control,
  origin: number,
  frames: number,
  rate: number,
  seed: number,
): Sung {
  const count = Math.ceil(frames / HOP) + 1;
  const level = new Float32Array(count * POINTS).fill(-200);
  const air = new Float32Array(count * POINTS);
  const pieces = timelineOf(segments, pairs, rate);
  const throat = new RecordedThroat(phrase, segments, voice, pairs, origin, frames, rate);
  const envelope = new Float64Array(POINTS);
  const share = new Float64Array(POINTS);
  const living = new Living(pairs, seed);

  const make = (frame: number, at: number): Segment | null => {
    const sample = origin + frame * HOP;
    const piece = pieces[at];
    if (piece === undefined) return null;
    const segment = segments[piece.segment]!;
    frameAt(piece, Math.min(piece.to, Math.max(piece.from, sample)), pairs, throat.values);
    living.move(throat.values, frame, isVowel(segment.phoneme));
    throat.shape(frame, segment, pitch[Math.min(pitch.length - 1, frame * (HOP / STEP))]!, envelope, share);
    return segment;
  };

  // How loud each note's vowel would be, at 0.4 of it.
  const place = (sample: number): number => {
    let at = 0;
    while (at < pieces.length - 1 && pieces[at]!.to <= sample) at++;
    return at;
  };
  const reference = referenceOf(pairs);
  const middles = phrase.map((_, n) => {
    const nucleus = segments.find(({ note, part }) => note === n && part === "nucleus")!;
    return Math.max(0, Math.round((nucleus.from + 0.4 * (nucleus.to - nucleus.from) - origin) / HOP));
  });
  const vowels = middles.map((frame) => {
    if (make(frame, place(origin + frame * HOP)) === null) return reference;
    return loudness(envelope, pitch[Math.min(pitch.length - 1, frame * (HOP / STEP))]!, rate);
  });
  const noises = segments.map(({ phoneme, from, to, release }) => {
    if (isVowel(phoneme) || !OBSTRUENTS.has(CONSONANT_TARGETS[phoneme].manner)) return null;
    // A burst is loudest when it opens, a hiss in its middle.
    const looks =
      release < to
        ? BURST_S.map((seconds) => Math.min(to - 1, release + seconds * rate))
        : HISS_AT.map((share) => from + share * (to - from));
    let most = SILENCE_DB;
    for (const sample of looks) {
      const frame = Math.max(0, Math.round((sample - origin) / HOP));
      if (make(frame, place(origin + frame * HOP)) !== null)
        most = Math.max(most, loudness(envelope, 100, rate, 14_000));
    }
    return most > SILENCE_DB ? most : null;
  });
  const gain = gainsOf(phrase, segments, vowels, noises, reference, origin, frames, rate);
  const gainAt = (frame: number): number => gain[Math.min(gain.length - 1, Math.max(0, frame) * (HOP / STEP))]!;
  const ceilings = vowels.map((db, note) => db + gainAt(middles[note]!) + ROOM_DB);

  let at = 0;
  const puffs = control(frames);
  for (let frame = 0; frame < count; frame++) {
    const sample = origin + frame * HOP;
    while (at < pieces.length - 1 && pieces[at]!.to <= sample) at++;
    let db = gainAt(frame);
    const segment = db <= -79 ? null : make(frame, at);
    if (segment === null) continue;
    if (isVowel(segment.phoneme) || CONSONANT_TARGETS[segment.phoneme].voiced) {
      // Where a formant passes through the pitch of a high voice it would leap out.
      const hertz = pitch[Math.min(pitch.length - 1, frame * (HOP / STEP))]!;
      const over = loudness(envelope, hertz, rate) + db - ceilings[segment.note]!;
      if (over > 0) db -= 0.8 * over;
    }
    for (let k = 0; k < POINTS; k++) {
      level[frame * POINTS + k] = envelope[k]! + db;
      air[frame * POINTS + k] = share[k]!;
    }
    const toned = 1 - exp2(share[PUFF_POINT]! * POWER_LOG2);
    for (let k = 0; k < HOP / STEP; k++) {
      const n = frame * (HOP / STEP) + k;
      if (n < puffs.length) puffs[n] = toned;
    }
  }
  return { count, level, air, puffs };
}

const OBSTRUENTS: ReadonlySet<string> = new Set(["stop", "affricate", "fricative", "breath"]);
/** Where obstruents are looked at: seconds after the release, and shares of those without one. */
const BURST_S = [0.003, 0.008, 0.013] as const;
const HISS_AT = [0.3, 0.5, 0.7] as const;

/** What a sound may be louder than the vowel of its note. */
const ROOM_DB = 1.5;

/** By the noise at 1.5 kHz a sound is breathed in puffs, or hissed. */
const PUFF_POINT = Math.round(pointOf(1500));

/** The values of a piece at `sample`. */
function frameAt(piece: Piece, sample: number, { voice }: Pairs, out: Float64Array): void {
  const { path, base, at_begin, at_end, from, to, gone, comes } = piece;
  if (base !== null || path.length === 0) {
    out.set(base!);
    return;
  }
  let k = 1;
  while (k < path.length - 1 && path[k]![0] <= sample) k++;
  const [s0, p0] = path[k - 1]!;
  const [s1, p1] = path[k]!;
  voice.read(s1 > s0 ? p0 + ((sample - s0) / (s1 - s0)) * (p1 - p0) : p1, out);
  if (at_begin !== null && sample < gone) add(out, at_begin, smooth((gone - sample) / (gone - from)));
  if (at_end !== null && sample > comes) add(out, at_end, smooth((sample - comes) / (to - comes)));
}

function add(out: Float64Array, what: Float64Array, weight: number): void {
  for (let d = 0; d < out.length; d++) out[d] = out[d]! + weight * what[d]!;
}

function smooth(x: number): number {
  const share = Math.min(1, Math.max(0, x));
  return share * share * (3 - 2 * share);
}

/** What a held sound of a living speaker does: small changes of its spectrum, as fast and as large as the recorded ones. */
class Living {
  readonly #next: () => number;
  readonly #state: Float64Array;
  readonly #spread: readonly number[];
  #frame = -1;

  constructor({ voice }: Pairs, seed: number) {
    this.#next = random(seed);
    const { micro_sd, coefficients } = voice.header;
    this.#spread = micro_sd ?? new Array<number>(coefficients).fill(0.5);
    this.#state = new Float64Array(coefficients);
  }

  move(values: Float64Array, frame: number, held: boolean): void {
    if (frame !== this.#frame) {
      this.#frame = frame;
      for (let d = 0; d < this.#state.length; d++) {
        // Two of four uniform numbers: near enough to a bell, of unit spread.
        const draw = 1.7320508 * (this.#next() + this.#next() + this.#next() + this.#next() - 2);
        this.#state[d] = SLOW * this.#state[d]! + Math.sqrt(1 - SLOW * SLOW) * draw;
      }
    }
    if (!held) return;
    for (let d = 0; d < this.#state.length; d++)
      values[d] = values[d]! + LIVELY * this.#spread[d]! * (d === 0 ? 0.5 : 1) * this.#state[d]!;
  }
}

/** From frame to frame: a corner at some 6 Hz. */
const SLOW = 0.82;
const LIVELY = 0.7;
