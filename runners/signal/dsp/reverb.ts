/**
 * Feedback delay network of eight lines with a Hadamard matrix (Jot and Chaigne 1991), one-pole damping in each line, eight early
 * reflections before it. For sound that is all there: works in place on a whole stereo buffer.
 */
import { exp2 } from "./exact.ts";

export interface Room {
  /** Seconds to fall by 60 dB at low frequencies. */
  readonly t60: number;
  /** Factor on delay lengths: 0.3 a closet, 1 a room, 3 a cave. */
  readonly size: number;
  /** 0 bright walls, towards 1 dull ones: share of the one-pole in each line. */
  readonly damping: number;
  /** Gains of the direct sound, of the early reflections and of the tail. */
  readonly dry: number;
  readonly early: number;
  readonly tail: number;
}

/** Mutually prime near 25 to 60 ms at 44.1 kHz. */
const LINES = [1123, 1301, 1459, 1669, 1871, 2053, 2287, 2531] as const;
const TAPS_LEFT = [337, 701, 1123, 1789] as const;
const TAPS_RIGHT = [419, 829, 1291, 1601] as const;
const TAP_GAINS = [0.7, 0.55, 0.42, 0.3] as const;

export function reverberate(left: Float32Array, right: Float32Array, rate: number, room: Room): void {
  const frames = left.length;
  const scale = (room.size * rate) / 44_100;
  const lengths = LINES.map((length) => Math.max(7, Math.round(length * scale)));
  const lines = lengths.map((length) => new Float32Array(length));
  const gains = Float64Array.from(
    lengths,
    (length) => exp2((-9.965784284662087 * length) / (rate * room.t60)) * 0.35355339,
  );
  const states = new Float64Array(8);
  const places = new Int32Array(8);
  const read = new Float64Array(8);
  const span = Math.max(8, Math.round(1800 * scale));
  const past_left = new Float32Array(span);
  const past_right = new Float32Array(span);
  const taps_left = Int32Array.from(TAPS_LEFT, (tap) => Math.min(span - 1, Math.round(tap * scale)));
  const taps_right = Int32Array.from(TAPS_RIGHT, (tap) => Math.min(span - 1, Math.round(tap * scale)));
  const { damping, dry, early, tail } = room;
  const through = 1 - damping;
  for (let n = 0, place = 0; n < frames; n++) {
    const in_left = left[n]!;
    const in_right = right[n]!;
    past_left[place] = in_left;
    past_right[place] = in_right;
    let early_left = 0;
    let early_right = 0;
    for (let tap = 0; tap < 4; tap++) {
      let one = place - taps_left[tap]!;
      if (one < 0) one += span;
      let other = place - taps_right[tap]!;
      if (other < 0) other += span;
      const gain = TAP_GAINS[tap]!;
      // Reflections cross over: the far wall answers the other side.
      early_left += gain * (0.7 * past_left[one]! + 0.5 * past_right[other]!);
      early_right += gain * (0.7 * past_right[other]! + 0.5 * past_left[one]!);
    }
    for (let line = 0; line < 8; line++) {
      const value = lines[line]![places[line]!]!;
      const state = states[line]! + through * (value - states[line]!);
      states[line] = state;
      read[line] = state * gains[line]!;
    }
    const a0 = read[0]! + read[1]!;
    const a1 = read[0]! - read[1]!;
    const a2 = read[2]! + read[3]!;
    const a3 = read[2]! - read[3]!;
    const a4 = read[4]! + read[5]!;
    const a5 = read[4]! - read[5]!;
    const a6 = read[6]! + read[7]!;
    const a7 = read[6]! - read[7]!;
    const b0 = a0 + a2;
    const b1 = a1 + a3;
    const b2 = a0 - a2;
    const b3 = a1 - a3;
    const b4 = a4 + a6;
    const b5 = a5 + a7;
    const b6 = a4 - a6;
    const b7 = a5 - a7;
    const into_left = 0.4 * in_left + 0.25 * early_left;
    const into_right = 0.4 * in_right + 0.25 * early_right;
    lines[0]![places[0]!] = b0 + b4 + into_left;
    lines[1]![places[1]!] = b1 + b5 + into_right;
    lines[2]![places[2]!] = b2 + b6 + into_left;
    lines[3]![places[3]!] = b3 + b7 + into_right;
    lines[4]![places[4]!] = b0 - b4 - into_left;
    lines[5]![places[5]!] = b1 - b5 - into_right;
    lines[6]![places[6]!] = b2 - b6 + into_left;
    lines[7]![places[7]!] = b3 - b7 + into_right;
    for (let line = 0; line < 8; line++) {
      const next = places[line]! + 1;
      places[line] = next === lengths[line]! ? 0 : next;
    }
    const out_left = read[0]! + read[2]! - read[4]! + read[6]!;
    const out_right = read[1]! + read[3]! - read[5]! + read[7]!;
    left[n] = dry * in_left + early * early_left + tail * out_left;
    right[n] = dry * in_right + early * early_right + tail * out_right;
    place = place + 1 === span ? 0 : place + 1;
  }
}
