import { type Sound, viewsOf } from "../../samples.ts";
import { arena } from "../dsp/arena.ts";
import { log2 } from "../dsp/log2.ts";
import { BINS, FRAME, Frames } from "./frames.ts";
import { BANDS, EDGES, framesOf, GROUPS, SIZE } from "./grid.ts";

/** Steps of `level` in a decibel. */
export const STEPS_PER_DB = 2;
/** Level of 0, in dB below a sine of full scale in both channels. */
const FLOOR_DB = 115;

/**
 * A whole piece in a byte a band and frame, frame by frame: coarse enough for 10 minutes to fit into 45 MB, fine enough to decide on.
 */
export interface Picture {
  readonly frames: number;
  /** Energy of both channels, half a decibel a step; 0 is 115 dB below full scale, or nothing at all. */
  readonly level: Uint8Array;
  /** Correlation of the channels, 0: opposed, 128: none, 255: the same. */
  readonly centre: Uint8Array;
  /** 0: all on the right, 128: balanced, 255: all on the left. */
  readonly balance: Uint8Array;
}

/** @param pause awaited between frames where it is due */
export async function picture(audio: Sound, pause: (fraction: number) => Promise<void> | undefined): Promise<Picture> {
  const sound = viewsOf(audio);
  const frames = framesOf(sound.frames);
  const level = new Uint8Array(frames * BANDS);
  const centre = new Uint8Array(frames * BANDS);
  const balance = new Uint8Array(frames * BANDS);
  const mono = sound.channels === 1;
  const seen = new Frames();
  const spectra = new Float32Array(AT_ONCE * FRAME);
  for (let first = 0; first < frames; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, frames - first);
    seen.forward(sound, first, count, spectra);
    for (let frame = 0; frame < count; frame++) {
      const spectrum = spectra.subarray(frame * FRAME, (frame + 1) * FRAME);
      // One channel counts twice, so that a mono file reads like its stereo twin.
      if (mono) spectrum.copyWithin(2 * BINS, 0, 2 * BINS);
      const bytes = see(spectrum);
      const at = (first + frame) * BANDS;
      level.set(bytes.subarray(0, BANDS), at);
      centre.set(bytes.subarray(BANDS, 2 * BANDS), at);
      balance.set(bytes.subarray(2 * BANDS), at);
    }
    const waiting = pause(first / frames);
    if (waiting !== undefined) await waiting;
  }
  return { frames, level, centre, balance };
}

/** Frames that are transformed at once. */
const AT_ONCE = 16;

/** Of a sine of full scale in both channels, its energy in the middle bin. */
const FULL = 2 * (SIZE / Math.PI) ** 2;
/** Steps of `level` from an energy to its double. */
const DOUBLE = Math.fround(STEPS_PER_DB * 10 * Math.log10(2));
/** Level of an energy of 1. */
const BASE = Math.fround(STEPS_PER_DB * (FLOOR_DB - 10 * Math.log10(FULL)));
/** Of each band, 1 by its bins. */
const SHARES = Float32Array.from({ length: BANDS }, (_, band) => 1 / (EDGES[band + 1]! - EDGES[band]!));
const GROUP_WORDS = Int32Array.from(GROUPS.flat());

/** Level, centre and balance of each band, valid until the next call. */
function see(spectrum: Float32Array): Uint8Array {
  const groups = 4 * FRAME;
  const shares = groups + 4 * ((GROUP_WORDS.length + 3) & ~3);
  const room = shares + 4 * BANDS;
  const out = room + 12 * BINS;
  const memory = arena(out + 3 * BANDS);
  if (memory === undefined) return seePlainly(spectrum);
  const { kernels, address } = memory;
  memory.floats(0, FRAME).set(spectrum);
  new Int32Array(kernels.memory.buffer, address + groups, GROUP_WORDS.length).set(GROUP_WORDS);
  memory.floats(shares, BANDS).set(SHARES);
  const [words, parts] = [address + groups, address + shares];
  kernels.seeBands(address, BINS, words, GROUPS.length, parts, BANDS, BASE, DOUBLE, address + room, address + out);
  return new Uint8Array(kernels.memory.buffer, address + out, 3 * BANDS);
}

const ROWS = [new Float32Array(BINS), new Float32Array(BINS), new Float32Array(BINS)] as const;
const BYTES = new Uint8Array(3 * BANDS);

/** As the kernel `seeBands`: see runners/signal/dsp/assembly/see_bands.ts. */
function seePlainly(spectrum: Float32Array): Uint8Array {
  const sum = (one: number, other: number): number => Math.fround(Math.fround(one) + Math.fround(other));
  const row = (k: number): Float32Array => spectrum.subarray(k * BINS, (k + 1) * BINS);
  const [a, b, c, d] = [row(0), row(1), row(2), row(3)];
  const [lefts, rights, both] = ROWS;
  for (let bin = 0; bin < BINS; bin++) {
    lefts[bin] = sum(a[bin]! * a[bin]!, b[bin]! * b[bin]!);
    rights[bin] = sum(c[bin]! * c[bin]!, d[bin]! * d[bin]!);
    both[bin] = sum(a[bin]! * c[bin]!, b[bin]! * d[bin]!);
  }
  for (const [values, one, other] of [[lefts, a, a] as const, [rights, c, c] as const, [both, a, c] as const]) {
    values[0] = one[0]! * other[0]!;
    gather(values);
  }
  const last = BANDS - 1;
  lefts[last] = sum(lefts[last]!, b[0]! * b[0]!);
  rights[last] = sum(rights[last]!, d[0]! * d[0]!);
  both[last] = sum(both[last]!, b[0]! * d[0]!);
  for (let band = 0; band < BANDS; band++) {
    const energy = sum(lefts[band]!, rights[band]!);
    const part = energy > Math.fround(1e-30) ? Math.fround(1 / energy) : 0;
    BYTES[band] = byte(sum(BASE, DOUBLE * log2(energy * SHARES[band]!)));
    BYTES[BANDS + band] = sided(Math.fround(Math.fround(2 * both[band]!) * part));
    BYTES[2 * BANDS + band] = sided(Math.fround(Math.fround(lefts[band]! - rights[band]!) * part));
  }
  return BYTES;
}

/** Adds up the bins of each band. */
function gather(values: Float32Array): void {
  let first = 0;
  for (const [end, times, band] of GROUPS) {
    let count = end - first;
    let from = first;
    for (let time = 0; time < times; time++) {
      count >>= 1;
      for (let k = 0; k < count; k++) values[band + k] = values[from + 2 * k]! + values[from + 2 * k + 1]!;
      from = band;
    }
    first = end;
  }
}

function sided(value: number): number {
  const within = Math.max(-1, Math.min(1, value));
  return byte(Math.fround(127.5 + Math.fround(127.5 * within)));
}

/** Rounded half up. */
function byte(value: number): number {
  return Math.min(255, Math.floor(Math.max(0, Math.fround(value + 0.5))));
}
