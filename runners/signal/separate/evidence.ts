import { BANDS, BIN_HERTZ, HERTZ } from "./grid.ts";
import type { Inputs, Word } from "./layers.ts";
import { mediansAcross, mediansAlong } from "./medians.ts";
import type { Picture } from "./picture.ts";
import { follow, type Line, LOW, VOICE } from "./pitch.ts";
import { Repetition } from "./repetition.ts";

/** Half-widths of the medians, in frames (0.12, 0.5 s on each side) and in bands. */
const ALONG = [5, 20] as const;
const ACROSS = [8, 28] as const;

/** Inputs that all bands of a frame share. */
export const SHARED = 16;

const words = (count: number, step: number, most: number): readonly Word[] =>
  Array.from({ length: count }, () => ({ step, most }));
/** What each band has of its own, as `Evidence.fill` writes it. */
export const WORDS: readonly Word[] = [
  ...words(1, 1 / 1920, 8160),
  ...words(1, 1 / 1920, 16_320),
  ...words(6, 1 / 1280, 16_320),
  ...words(1, 1 / 2048, 6144),
  ...words(1, 1 / 2048, 2048),
  ...words(1, 1 / 2048, 4096),
  ...words(1, 1 / 2048, 6144),
  ...words(4, 1 / 1280, 2560),
  ...words(1, 1 / 2560, 7680),
  ...words(1, 1 / 960, 20_400),
  ...words(6, 1 / 1280, 2560),
  ...words(1, 1 / 2048, 2048),
  ...words(1, 1 / 2048, 6144),
  ...words(1, 1 / 2048, 2048),
  ...words(1, 1 / 2048, 6144),
];

/**
 * Everything that speaks for one stem or another, band by band: harmonic against percussive, repeated against new, pan,
 * pitch lines, rises.
 */
export class Evidence {
  /** What each band has in common with its repetitions, once `listen` is through. */
  readonly repeated: Uint8Array;
  readonly #picture: Picture;
  readonly #along = ALONG.map(() => new Uint8Array(BANDS));
  readonly #across = ACROSS.map(() => new Uint8Array(BANDS));
  readonly #usual: Float32Array;
  readonly #rises: Float32Array;
  readonly #loudest: Float32Array;
  /** Mean steps by which what a voice could be is louder than its repetitions, frame by frame. */
  readonly #news: Float32Array;
  #voice: Line = { hertz: new Float32Array(0), salience: new Float32Array(0) };
  #low: Line = this.#voice;

  constructor(picture: Picture) {
    const { frames, level } = picture;
    this.#picture = picture;
    this.repeated = new Uint8Array(frames * BANDS);
    this.#news = new Float32Array(frames);
    this.#usual = usualOf(level, frames);
    this.#rises = risesOf(level, frames);
    this.#loudest = loudestOf(level, frames);
  }

  /** Follows the pitch lines; before it, `fill` means nothing. */
  async listen(pause: (fraction: number) => Promise<void> | undefined): Promise<void> {
    const { frames, level, centre } = this.#picture;
    const across = new Uint8Array(BANDS);
    const repeated = this.repeated;
    const repetition = new Repetition(level, frames);
    const peaks = new Uint8Array(frames * VOICE_BANDS);
    const lows = new Uint8Array(frames * LOW_BANDS);
    for (let frame = 0; frame < frames; frame++) {
      const at = frame * BANDS;
      mediansAcross(level, at, VOICE_BANDS + 30, 10, across);
      repetition.fill(frame, repeated, at);
      const loudest = this.#loudest[frame]!;
      let news = 0;
      for (let band = NEWS_FROM; band < VOICE_BANDS; band++) {
        const more = level[at + band]! - repeated[at + band]!;
        if (more > 0 && level[at + band]! > loudest - 100) news += more;
      }
      this.#news[frame] = news / (VOICE_BANDS - NEWS_FROM);
      for (let band = 0; band < VOICE_BANDS; band++) {
        const value = level[at + band]!;
        const stands = Math.min(1, Math.max(0, value - across[band]!) / 40);
        const audible = Math.min(1, Math.max(0, value - loudest + 100) / 60);
        const fresh = 0.35 + 0.65 * Math.min(1, Math.max(0, value - repeated[at + band]!) / 16);
        const middle = Math.max(0, (centre[at + band]! - 160) / 95);
        if (band >= 7) peaks[frame * VOICE_BANDS + band] = 255 * stands * audible * fresh * middle;
        if (band < LOW_BANDS)
          lows[frame * LOW_BANDS + band] =
            255 * Math.sqrt(stands) * Math.min(1, Math.max(0, value - loudest + 80) / 60);
      }
      const waiting = pause(frame / frames);
      if (waiting !== undefined) await waiting;
    }
    this.#voice = follow(frames, VOICE, (frame, strength) => {
      for (let band = 0; band < VOICE_BANDS; band++) strength[band] = peaks[frame * VOICE_BANDS + band]! / 255;
    });
    this.#low = follow(frames, LOW, (frame, strength) => {
      for (let band = 0; band < LOW_BANDS; band++) strength[band] = lows[frame * LOW_BANDS + band]! / 255;
    });
  }

  /** What all bands of `frame` share, into `out`. */
  share(frame: number, out: Float32Array): void {
    const rises = this.#rises;
    const at = 3 * frame;
    for (let k = 0; k < 3; k++) {
      out[k] = rises[at + k]! / 8;
      out[3 + k] = Math.max(at >= 3 ? rises[at + k - 3]! : 0, at >= 6 ? rises[at + k - 6]! : 0) / 8;
      out[6 + k] = Math.max(rises[at + k + 3] ?? 0, rises[at + k + 6] ?? 0) / 8;
    }
    out[9] = 2 * this.#voice.salience[frame]!;
    out[10] = 2 * this.#low.salience[frame]!;
    out[11] = Math.log2(this.#voice.hertz[frame]! / 250);
    const { frames } = this.#picture;
    const [first, last] = [Math.max(0, frame - NEARBY), Math.min(frames - 1, frame + NEARBY)];
    let most = 0;
    let clear = 0;
    let news = 0;
    for (let near = first; near <= last; near++) {
      const salience = this.#voice.salience[near]!;
      if (salience > most) most = salience;
      clear += salience;
      news += this.#news[near]!;
    }
    out[12] = 2 * most;
    out[13] = (2 * clear) / (last - first + 1);
    out[14] = news / (last - first + 1) / 4;
    out[15] = this.#news[frame]! / 4;
  }

  /** What each band of `frame` has of its own, [WORDS / 2][BANDS][2], into `out`. */
  fill(frame: number, out: Int16Array): void {
    const { level, centre, balance, frames } = this.#picture;
    const at = frame * BANDS;
    for (const [k, reach] of ALONG.entries()) mediansAlong(level, frames, frame, reach, this.#along[k]!);
    for (const [k, reach] of ACROSS.entries()) mediansAcross(level, at, BANDS, reach, this.#across[k]!);
    const [short, long] = this.#along as [Uint8Array, Uint8Array];
    const [near, wide] = this.#across as [Uint8Array, Uint8Array];
    const loudest = this.#loudest[frame]!;
    const usual = this.#usual;
    const repeated = this.repeated;
    const before = frame >= 2 ? BANDS : 0;
    const after = frame + 2 < frames ? BANDS : 0;
    for (let band = 0; band < BANDS; band++) {
      const here = at + band;
      const x = level[here]!;
      const middle = centre[here]!;
      const down = here - (band > 0 ? 1 : 0);
      const up = here + (band + 1 < BANDS ? 1 : 0);
      const [then, soon] = [here - before, here + after];
      let to = 2 * band;
      out[to] = 32 * (x - loudest);
      out[to + 1] = ((64 * (x - usual[band]!) + 16_384.5) | 0) - 16_384;
      to += PAIR;
      out[to] = 64 * (x - short[band]!);
      out[to + 1] = 64 * (x - long[band]!);
      to += PAIR;
      out[to] = 64 * (x - near[band]!);
      out[to + 1] = 64 * (x - wide[band]!);
      to += PAIR;
      out[to] = 64 * (long[band]! - wide[band]!);
      out[to + 1] = 64 * (x - repeated[here]!);
      to += PAIR;
      out[to] = 32 * (middle - 192);
      out[to + 1] = middle > 250 ? 2048 : 0;
      to += PAIR;
      out[to] = 32 * Math.abs(balance[here]! - 128);
      out[to + 1] = 16 * (centre[down]! + centre[up]! - 384);
      to += PAIR;
      out[to] = limited(x - level[down]!);
      out[to + 1] = limited(x - level[up]!);
      to += PAIR;
      out[to] = limited(x - level[at + Math.max(0, band - 2)]!);
      out[to + 1] = limited(x - level[at + Math.min(BANDS - 1, band + 2)]!);
      to += PAIR;
      out[to] = 8 * (centre[then]! + centre[then - before]! + middle + centre[soon]! + centre[soon + after]! - 960);
      const gone = repeated[then]! + repeated[down]! + repeated[here]! + repeated[up]! + repeated[soon]!;
      out[to + 1] = 16 * (level[then]! + level[down]! + x + level[up]! + level[soon]! - gone);
    }
    for (const [k, away] of AWAY.entries()) {
      const to = (9 + (k >> 1)) * PAIR + (k & 1);
      const there = frame + away >= 0 && frame + away < frames ? at + away * BANDS : -1;
      for (let band = 0; band < BANDS; band++)
        out[to + 2 * band] = limited(level[at + band]! - (there < 0 ? 0 : level[there + band]!));
    }
    for (const [k, { hertz, salience }] of [this.#voice, this.#low].entries()) {
      const to = (12 + k) * PAIR;
      const pitch = hertz[frame]!;
      const clear = 3 * salience[frame]!;
      for (let band = 0; band < BANDS; band++) {
        const on = 2048 * comb(pitch, HERTZ[band]!, 0.02);
        out[to + 2 * band] = (on + 0.5) | 0;
        out[to + 2 * band + 1] = (clear * on + 0.5) | 0;
      }
    }
  }
}

const VOICE_BANDS = 256;
const LOW_BANDS = 64;
/** First band that counts as news: below it the bass and the kick's variety would. 215 Hz. */
const NEWS_FROM = 20;
/** Frames on each side over which a voice that sings now and then is still there: 0.25 s. */
const NEARBY = 11;

/** Frames from which a band's level is told as well. */
const AWAY = [-6, -3, -1, 1, 3, 6] as const;
/** From one pair of words to the next. */
const PAIR = 2 * BANDS;

/** Octaves above 27.5 Hz. */
const PLACE = Float64Array.from(HERTZ, (hertz) => Math.log2(Math.max(hertz, 5) / 27.5));
const BUMPS = [0, 1.2, 2.4, 3.6, 4.8, 6.6, 8.4];

/** Where in the spectrum a band lies: bumps of an octave or two, [bump][band]. */
const SITES: Float32Array = Float32Array.from({ length: BUMPS.length * BANDS }, (_, k) => {
  const away = (PLACE[k % BANDS]! - BUMPS[Math.floor(k / BANDS)]!) / 1.2;
  return Math.max(0, 1 - Math.abs(away));
});

/** The first network's. */
export const INPUTS: Inputs = { shared: SHARED, words: WORDS, fixed: { behind: WORDS.length, planes: SITES } };

/** At most 20 dB up or down. */
function limited(steps: number): number {
  return 64 * (steps > 40 ? 40 : Math.max(steps, -40));
}

/** 1 on a harmonic of `pitch`, falling to 0 at two bins or `width` of its frequency, whichever is wider, from it. */
function comb(pitch: number, hertz: number, width: number): number {
  const harmonic = Math.max(1, Math.round(hertz / pitch));
  const away = Math.abs(hertz - harmonic * pitch);
  const reach = Math.min(0.5 * pitch, Math.max(2.2 * BIN_HERTZ, width * hertz));
  return away < reach ? 1 - away / reach : 0;
}

/** Mean level of each band over the frames that are not silent. */
function usualOf(level: Uint8Array, frames: number): Float32Array {
  const sums = new Float64Array(BANDS);
  const counts = new Float64Array(BANDS).fill(1e-9);
  for (let frame = 0, at = 0; frame < frames; frame++) {
    for (let band = 0; band < BANDS; band++, at++) {
      if (level[at]! > 20) {
        sums[band]! += level[at]!;
        counts[band]!++;
      }
    }
  }
  return Float32Array.from(sums, (sum, band) => sum / counts[band]!);
}

/** Bands where a rise counts as low, middle and high. */
const PARTS: readonly (readonly [from: number, to: number])[] = [
  [2, 14],
  [18, 250],
  [300, BANDS - 20],
];

/** How much louder than two frames before, in mean steps over the bands of each part; three a frame. */
function risesOf(level: Uint8Array, frames: number): Float32Array {
  const rises = new Float32Array(3 * frames);
  for (let frame = 2; frame < frames; frame++) {
    for (const [k, [from, to]] of PARTS.entries()) {
      let sum = 0;
      for (let band = from; band < to; band++) {
        const now = level[frame * BANDS + band]!;
        const then = level[(frame - 2) * BANDS + band]!;
        if (now > then && now > 40) sum += now - then;
      }
      rises[3 * frame + k] = sum / (to - from);
    }
  }
  return rises;
}

/** Level of the loudest band within half a second, so that evidence does not depend on the volume. */
function loudestOf(level: Uint8Array, frames: number): Float32Array {
  const own = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    let top = 0;
    for (let band = 0; band < BANDS; band++) top = Math.max(top, level[frame * BANDS + band]!);
    own[frame] = top;
  }
  const out = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    let top = 0;
    for (let near = Math.max(0, frame - 21); near <= Math.min(frames - 1, frame + 21); near++)
      top = Math.max(top, own[near]!);
    out[frame] = top;
  }
  return out;
}
