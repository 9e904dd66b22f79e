/**
 * A recorded voice as it is shipped: spectral envelopes every 5 ms, and where in them each sound and each pair of
 * sounds is. Made by training/voices.
 */
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { cosine, log2 } from "../../../signal/dsp/exact.ts";
import { POINT_HERTZ, POINTS } from "../../../signal/dsp/vocoder.ts";

/** From the middle of one sound to the middle of the next, counted in frames. */
export interface Pair {
  readonly first: number;
  readonly count: number;
  /** From `first` to where the second sound begins. */
  readonly boundary: number;
  /** From `first` to the release of a stop or affricate; -1 where there is none. */
  readonly release: number;
}

interface Bent {
  readonly phone: string;
  readonly shift: readonly (readonly [from: number, to: number])[];
}

interface Header {
  readonly format: 2;
  readonly name: string;
  readonly sex: "m" | "f";
  readonly frame_ms: number;
  readonly points: number;
  readonly top_hz: number;
  readonly coefficients: number;
  readonly offset: readonly number[];
  readonly scale: readonly number[];
  readonly ap_hz: readonly number[];
  readonly f0: number;
  readonly frames: number;
  readonly diphones: Readonly<Record<string, readonly [number, number, number, number]>>;
  readonly steady: Readonly<Record<string, readonly (readonly [first: number, count: number])[]>>;
  /** For sounds that the speaker had not: another, and to where what lies at a frequency of it comes, Hz. */
  readonly alias?: Readonly<Record<string, string | Bent>>;
  readonly micro?: readonly [first: number, count: number];
  readonly micro_mean?: readonly number[];
  readonly micro_sd?: readonly number[];
}

export class Recorded {
  readonly header: Header;
  /** How many of the vocoder's points the recording reaches. */
  known = 0;
  /** Values of a frame: coefficients of its envelope, then its aperiodicity in dB. */
  readonly width: number;
  readonly #bytes: Uint8Array;
  readonly #cosines: Float64Array;

  /**
   * A file is "VOX2" and, deflated: the header's length, the header as JSON, then each value of all frames as
   * differences from frame to frame.
   */
  constructor(file: Uint8Array) {
    const body = inflateSync(file.subarray(4));
    const length = body.readUInt32LE(0);
    this.header = JSON.parse(body.toString("utf8", 4, 4 + length)) as Header;
    const { coefficients, points, top_hz, ap_hz, frames } = this.header;
    this.width = coefficients + ap_hz.length;
    const bytes = this.width + 1;
    this.#bytes = new Uint8Array(frames * bytes);
    for (let d = 0, from = 4 + length; d < bytes; d++, from += frames) {
      for (let n = 0, value = 0; n < frames; n++) {
        value = (value + body[from + n]!) & 0xff;
        this.#bytes[n * bytes + d] = value;
      }
    }
    // Near half its rate a recording has no more than its filter left.
    while (this.known < POINTS && POINT_HERTZ[this.known]! <= REACH * top_hz) this.known++;
    this.#cosines = new Float64Array(this.known * coefficients);
    for (let k = 0; k < this.known; k++) {
      const place = ((points - 1) * log2(1 + POINT_HERTZ[k]! / 700)) / log2(1 + top_hz / 700);
      for (let d = 0; d < coefficients; d++)
        this.#cosines[k * coefficients + d] =
          Math.sqrt((d === 0 ? 1 : 2) / points) * cosine(((place + 0.5) * d) / (2 * points));
    }
  }

  /** The frame at `place`, a fraction; between two it is a mixture. */
  read(place: number, out: Float64Array): void {
    const { frames, coefficients, offset, scale } = this.header;
    const bytes = this.width + 1;
    const at = Math.min(frames - 1, Math.max(0, place));
    const whole = Math.floor(at);
    const part = at - whole;
    const one = whole * bytes;
    const other = Math.min(frames - 1, whole + 1) * bytes;
    const data = this.#bytes;
    for (let d = 0; d < coefficients; d++) {
      const q = data[one + d]!;
      out[d] = offset[d]! + scale[d]! * (q + part * (data[other + d]! - q));
    }
    const voiced = data[one + bytes - 1]! > 0 ? 1 : 0;
    const other_voiced = data[other + bytes - 1]! > 0 ? 1 : 0;
    for (let d = coefficients; d < this.width; d++) {
      const a = -0.25 * voiced * data[one + d]!;
      out[d] = a + part * (-0.25 * other_voiced * data[other + d]! - a);
    }
  }

  /** Mean of the frames from `first` on. */
  mean(first: number, count: number, out: Float64Array): void {
    const one = new Float64Array(this.width);
    out.fill(0);
    for (let n = 0; n < count; n++) {
      this.read(first + n, one);
      for (let d = 0; d < this.width; d++) out[d] = out[d]! + one[d]! / count;
    }
  }

  /** dB at each of the vocoder's points that are `known`, from a frame's coefficients. */
  envelope(frame: Float64Array, out: Float64Array): void {
    const { coefficients } = this.header;
    for (let k = 0, at = 0; k < this.known; k++, at += coefficients) {
      let sum = 0;
      for (let d = 0; d < coefficients; d++) sum += this.#cosines[at + d]! * frame[d]!;
      out[k] = sum;
    }
  }
}

const REACH = 0.885;

const FOLDER = new URL("./recorded/", import.meta.url);

/** The recorded voice of that name; null where it is not shipped. */
export function recorded(name: string): Recorded | null {
  try {
    return new Recorded(new Uint8Array(readFileSync(new URL(`${name}.voice`, FOLDER))));
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}
