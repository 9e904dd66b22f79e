import { BANDS, BIN_HERTZ, HERTZ } from "./grid.ts";
import { runningMedian } from "./medians.ts";
import type { Picture } from "./picture.ts";
import { follow, type Line, LOW, VOICE } from "./pitch.ts";
import { Repetition } from "./repetition.ts";

/** Frames that are looked at together, and those of context on each side: medians and rises see no edge. */
const CHUNK = 512;
const CONTEXT = 48;

/** Half-widths of the medians, in frames (0.12, 0.5 s on each side) and in bands. */
const ALONG = [5, 20] as const;
const ACROSS = [8, 28] as const;

/** Inputs that all bands of a frame share. */
export const SHARED = 16;
/** Inputs in all. */
export const INPUTS = SHARED + 35;

/** Medians of one chunk; row r is frame `origin` + r, and those of frames from `begin` to before `end` are whole. */
interface Chunk {
  origin: number;
  begin: number;
  end: number;
  readonly along: readonly Uint8Array[];
  readonly across: readonly Uint8Array[];
}

/**
 * Everything that speaks for one stem or another, band by band: harmonic against percussive, repeated against new, pan,
 * pitch lines, rises.
 */
export class Evidence {
  /** What each band has in common with its repetitions, once `listen` is through. */
  readonly repeated: Uint8Array;
  readonly #picture: Picture;
  readonly #chunk: Chunk;
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
    const room = () => new Uint8Array((CHUNK + 2 * CONTEXT) * BANDS);
    this.#chunk = { origin: 0, begin: 0, end: 0, along: ALONG.map(room), across: ACROSS.map(room) };
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
      runningMedian(level, at, 1, VOICE_BANDS + 30, 10, across, 0, 1);
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

  /** What each band of `frame` has of its own, [INPUTS - SHARED][BANDS], into `out`. Frames are asked for in order, or nearly so. */
  fill(frame: number, out: Float32Array): void {
    if (frame < this.#chunk.begin || frame >= this.#chunk.end) this.#look(frame);
    const { level, centre, balance, frames } = this.#picture;
    const { origin, along, across } = this.#chunk;
    const at = frame * BANDS;
    const row = (frame - origin) * BANDS;
    const [short, long] = along as [Uint8Array, Uint8Array];
    const [near, wide] = across as [Uint8Array, Uint8Array];
    const loudest = this.#loudest[frame]!;
    const usual = this.#usual;
    const repeated = this.repeated;
    const before = frame >= 2 ? BANDS : 0;
    const after = frame + 2 < frames ? BANDS : 0;
    for (let band = 0; band < BANDS; band++) {
      const x = level[at + band]!;
      const middle = centre[at + band]!;
      let to = band;
      out[to] = (x - loudest) / 60;
      to += BANDS;
      out[to] = (x - usual[band]!) / 30;
      to += BANDS;
      out[to] = (x - short[row + band]!) / 20;
      to += BANDS;
      out[to] = (x - long[row + band]!) / 20;
      to += BANDS;
      out[to] = (x - near[row + band]!) / 20;
      to += BANDS;
      out[to] = (x - wide[row + band]!) / 20;
      to += BANDS;
      out[to] = (long[row + band]! - wide[row + band]!) / 20;
      to += BANDS;
      out[to] = (x - repeated[at + band]!) / 20;
      to += BANDS;
      out[to] = (middle - 192) / 64;
      to += BANDS;
      out[to] = middle > 250 ? 1 : 0;
      to += BANDS;
      out[to] = Math.abs(balance[at + band]! - 128) / 64;
      const down = band > 0 ? 1 : 0;
      const up = band + 1 < BANDS ? 1 : 0;
      to += BANDS;
      out[to] = (centre[at + band - down]! + centre[at + band + up]! - 384) / 128;
      to += BANDS;
      out[to] = limited((x - level[at + band - down]!) / 20);
      to += BANDS;
      out[to] = limited((x - level[at + band + up]!) / 20);
      to += BANDS;
      out[to] = limited((x - level[at + Math.max(0, band - 2)]!) / 20);
      to += BANDS;
      out[to] = limited((x - level[at + Math.min(BANDS - 1, band + 2)]!) / 20);
      const [then, soon] = [at + band - before, at + band + after];
      to += BANDS;
      out[to] = (centre[then]! + centre[then - before]! + middle + centre[soon]! + centre[soon + after]! - 960) / 320;
      const gone =
        repeated[then]! +
        repeated[at + band - down]! +
        repeated[at + band]! +
        repeated[at + band + up]! +
        repeated[soon]!;
      to += BANDS;
      out[to] = (level[then]! + level[at + band - down]! + x + level[at + band + up]! + level[soon]! - gone) / 60;
    }
    let plane = 18;
    for (const away of [-6, -3, -1, 1, 3, 6]) {
      const to = plane++ * BANDS;
      const there = frame + away >= 0 && frame + away < frames ? at + away * BANDS : -1;
      for (let band = 0; band < BANDS; band++) {
        out[to + band] = limited((level[at + band]! - (there < 0 ? 0 : level[there + band]!)) / 20);
      }
    }
    for (const { hertz, salience } of [this.#voice, this.#low]) {
      const to = plane * BANDS;
      plane += 2;
      const pitch = hertz[frame]!;
      const clear = 3 * salience[frame]!;
      for (let band = 0; band < BANDS; band++) {
        const on = comb(pitch, HERTZ[band]!, 0.02);
        out[to + band] = on;
        out[to + BANDS + band] = clear * on;
      }
    }
    out.set(SITES, plane * BANDS);
  }

  #look(frame: number): void {
    const { frames, level } = this.#picture;
    const chunk = this.#chunk;
    const origin = Math.max(0, frame - CONTEXT);
    const count = Math.min(frames, frame + CHUNK + CONTEXT) - origin;
    chunk.origin = origin;
    chunk.begin = frame;
    chunk.end = Math.min(frames, frame + CHUNK);
    for (const [k, reach] of ALONG.entries()) {
      for (let band = 0; band < BANDS; band++) {
        runningMedian(level, origin * BANDS + band, BANDS, count, reach, chunk.along[k]!, band, BANDS);
      }
    }
    for (const [k, reach] of ACROSS.entries()) {
      for (let row = 0; row < count; row++) {
        runningMedian(level, (origin + row) * BANDS, 1, BANDS, reach, chunk.across[k]!, row * BANDS, 1);
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

/** Octaves above 27.5 Hz. */
const PLACE = Float64Array.from(HERTZ, (hertz) => Math.log2(Math.max(hertz, 5) / 27.5));
const BUMPS = [0, 1.2, 2.4, 3.6, 4.8, 6.6, 8.4];

/** Where in the spectrum a band lies: bumps of an octave or two, [bump][band]. */
const SITES: Float32Array = Float32Array.from({ length: BUMPS.length * BANDS }, (_, k) => {
  const away = (PLACE[k % BANDS]! - BUMPS[Math.floor(k / BANDS)]!) / 1.2;
  return Math.max(0, 1 - Math.abs(away));
});

function limited(value: number): number {
  return value > 2 ? 2 : Math.max(value, -2);
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
