import { exp2 } from "../dsp/exact.ts";
import { BANDS, HERTZ } from "./grid.ts";
import type { Word } from "./layers.ts";

/** Stems of which a first opinion is kept; what is left is `other`'s. */
const KINDS = 3;
/** Frames on each side over which opinions are averaged: 0.05, 0.19 and 0.46 s. */
const ALONG = [2, 8, 20] as const;
/** Frames that must be added after a frame before `fill` sees all of it. */
export const AHEAD = 20;
/** Frames that are kept: what the widest average spans, and the one that leaves it. */
const KEPT = 2 * AHEAD + 2;
/** Bands on each side over which the shortest average is taken further. */
const ACROSS = [8, 30] as const;

/** Of each reach and band, the first band that is averaged, and the one behind the last. */
const WINDOWS = ACROSS.map((reach) => ({
  low: Int32Array.from({ length: BANDS }, (_, band) => Math.max(0, band - reach)),
  high: Int32Array.from({ length: BANDS }, (_, band) => Math.min(BANDS, band + reach + 1)),
}));
/** What `fill` writes: opinions of 8 bits, then averages. */
export const CONTEXTS: readonly Word[] = Array.from({ length: KINDS * (1 + ALONG.length + ACROSS.length) }, (_, k) =>
  k < KINDS ? { step: 1 / 2040, most: 2040 } : { step: 1 / 2048, most: 2048 },
);
/** Upper edges of the zones in Hz; above the last it is one more. */
const ZONES = [90, 180, 360, 720, 1400, 2800, 6000];
/** Values of `share`: each kind's part of each zone, over the shortest and the longest average. */
export const SUMMARY: number = KINDS * 2 * (ZONES.length + 1);

/** First band of each zone, and behind them all. */
const STARTS: Int32Array = (() => {
  const starts = [0];
  for (const hertz of ZONES) starts.push(HERTZ.findIndex((middle) => middle >= hertz));
  return Int32Array.from([...starts, BANDS]);
})();

/** What a level counts in an average: doubles every 10 dB, in whole numbers so that sums that slide along never drift. */
const COUNTS: Int32Array = Int32Array.from({ length: 256 }, (_, level) => Math.round(exp2(level / 20)));

/**
 * What a first opinion on a band looks like among those of its neighbours in time and frequency: a single band of a single frame says
 * little, but singers, drums and basses fill patches.
 */
export class Context {
  /** First opinions and what they count, by frame modulo KEPT: [KINDS + 1][BANDS] each. */
  readonly #kept: readonly Int32Array[];
  readonly #sums: readonly Int32Array[];
  readonly #opinions: readonly Uint8Array[];
  readonly #running = Array.from({ length: KINDS }, () => new Float64Array(BANDS + 1));
  readonly #counted = new Float64Array(BANDS + 1);
  readonly #scales = new Float64Array(BANDS);
  #added = 0;
  #at = -1;

  constructor() {
    this.#kept = Array.from({ length: KEPT }, () => new Int32Array((KINDS + 1) * BANDS));
    this.#opinions = Array.from({ length: KEPT }, () => new Uint8Array(KINDS * BANDS));
    this.#sums = ALONG.map(() => new Int32Array((KINDS + 1) * BANDS));
  }

  /**
   * Adds the opinion on the frame that follows the one added before.
   *
   * @param verdict [vocals, drums, bass, …][BANDS], 0 to 1
   * @param level of all frames
   */
  add(verdict: Float32Array, level: Uint8Array): void {
    const frame = this.#added++;
    const opinions = this.#opinions[frame % KEPT]!;
    const kept = this.#kept[frame % KEPT]!;
    const from = frame * BANDS;
    for (let band = 0; band < BANDS; band++) {
      const count = COUNTS[level[from + band]!]!;
      kept[KINDS * BANDS + band] = count;
      for (let at = band; at < KINDS * BANDS; at += BANDS) {
        const opinion = Math.floor(255 * verdict[at]! + 0.5);
        opinions[at] = opinion;
        kept[at] = opinion * count;
      }
    }
  }

  /** Moves on to `frame`, the one after that of the last call; all frames up to `frame` + AHEAD that there are have been added. */
  move(frame: number): void {
    for (const [k, reach] of ALONG.entries()) {
      const sums = this.#sums[k]!;
      if (this.#at < 0) for (let near = 0; near < reach && near < this.#added; near++) addTo(sums, this.#kept[near]!);
      if (frame + reach < this.#added) addTo(sums, this.#kept[(frame + reach) % KEPT]!);
      if (frame - reach - 1 >= 0) takeFrom(sums, this.#kept[(frame - reach - 1) % KEPT]!);
    }
    this.#at = frame;
  }

  /** What all bands of the frame share, from `at` on. */
  share(out: Float32Array, at: number): void {
    let to = at;
    for (const sums of [this.#sums[0]!, this.#sums[ALONG.length - 1]!]) {
      for (let zone = 0; zone <= ZONES.length; zone++) {
        const end = STARTS[zone + 1]!;
        let counted = 1e-3;
        for (let band = STARTS[zone]!; band < end; band++) counted += sums[KINDS * BANDS + band]!;
        for (let kind = 0; kind < KINDS; kind++) {
          let sum = 0;
          for (let band = STARTS[zone]!; band < end; band++) sum += sums[kind * BANDS + band]!;
          out[to++] = sum / (255 * counted);
        }
      }
    }
  }

  /** What each band has of its own, [CONTEXTS / 2][BANDS][2] from `at` on. */
  fill(out: Int16Array, at: number): void {
    const opinions = this.#opinions[this.#at % KEPT]!;
    let plane = 0;
    const next = (): number => {
      const to = at + (plane >> 1) * 2 * BANDS + (plane & 1);
      plane++;
      return to;
    };
    for (let kind = 0; kind < KINDS; kind++) {
      const to = next();
      for (let band = 0; band < BANDS; band++) out[to + 2 * band] = 8 * opinions[kind * BANDS + band]!;
    }
    const scales = this.#scales;
    for (const sums of this.#sums) {
      for (let band = 0; band < BANDS; band++) scales[band] = 2048 / (255 * sums[KINDS * BANDS + band]!);
      for (let kind = 0; kind < KINDS; kind++) {
        const to = next();
        // Half of one rounds; cut here, for storing what is no whole number takes longer.
        for (let band = 0; band < BANDS; band++)
          out[to + 2 * band] = (sums[kind * BANDS + band]! * scales[band]! + 0.5) | 0;
      }
    }
    const near = this.#sums[0]!;
    const counted = this.#counted;
    total(near, KINDS * BANDS, counted);
    for (let kind = 0; kind < KINDS; kind++) total(near, kind * BANDS, this.#running[kind]!);
    for (const { low, high } of WINDOWS) {
      for (let band = 0; band < BANDS; band++)
        scales[band] = 2048 / (255 * (counted[high[band]!]! - counted[low[band]!]!));
      for (const running of this.#running) {
        const to = next();
        for (let band = 0; band < BANDS; band++) {
          const part = running[high[band]!]! - running[low[band]!]!;
          out[to + 2 * band] = (part * scales[band]! + 0.5) | 0;
        }
      }
    }
  }
}

function addTo(sums: Int32Array, values: Int32Array): void {
  for (let k = 0; k < sums.length; k++) sums[k]! += values[k]!;
}

function takeFrom(sums: Int32Array, values: Int32Array): void {
  for (let k = 0; k < sums.length; k++) sums[k]! -= values[k]!;
}

/** Sums of all bands below each. */
function total(sums: Int32Array, from: number, out: Float64Array): void {
  let sum = 0;
  for (let band = 0; band < BANDS; band++) {
    out[band] = sum;
    sum += sums[from + band]!;
  }
  out[BANDS] = sum;
}
