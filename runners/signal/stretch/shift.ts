import { exp2 } from "../dsp/exact.ts";
import { resample } from "../dsp/resample.ts";
import { attacksOf } from "./attacks.ts";
import { stretched } from "./stretch.ts";
import { TimeMap } from "./time_map.ts";

/** Hz that stands for the rate while lengths are changed: a cent is 26 of it, so a ratio is right to a hundredth of one. */
const RATE = 44_100;

/**
 * Another pitch at the same length: stretched, then read faster or slower. Colours move along with the pitch, as on a tape.
 *
 * @param semitones -12 to 12
 */
export function shifted(channels: readonly Float32Array[], semitones: number): Float32Array[] {
  const frames = channels[0]?.length ?? 0;
  if (semitones === 0 || frames === 0) return channels.map((channel) => channel.slice());
  if (!(semitones >= -12 && semitones <= 12))
    throw new RangeError(`Cannot shift by ${semitones} semitones: 12 at most`);
  const from = Math.round(RATE * exp2(semitones / 12));
  const ratio = from / RATE;
  const length = Math.ceil(frames * ratio) + 1;
  const ends = [
    { out: 0, source: 0 },
    { out: length, source: length / ratio },
  ];
  const attacks = attacksOf(channels);
  const longer = stretched(channels, new TimeMap(ends).keeping(attacks), length, attacks);
  return resample(longer, from, RATE).map((channel) => {
    const out = new Float32Array(frames);
    out.set(channel.subarray(0, frames));
    return out;
  });
}
