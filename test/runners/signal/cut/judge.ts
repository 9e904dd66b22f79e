/** Measures of a finished cut that know nothing of how it was made. */
import type { Audio } from "../../../../contract/mod.ts";

const RATE = 44_100;

/**
 * How far the sharpest step within 10 ms of `time` stands out, dB: energy of the second difference in 2 ms, the largest at the join
 * against the largest within 0.4 s around it. Music has attacks of its own, so values about 0 are usual; above 6 is a click.
 */
export function clickDb({ channels }: Audio, time: number): number {
  const mid = Math.round(time * RATE);
  const near = Math.round(0.01 * RATE);
  const far = Math.round(0.4 * RATE);
  const around = Math.max(sharpest(channels, mid - far, mid - near), sharpest(channels, mid + near, mid + far));
  // -100 dB full scale: steps in what is as good as silence are none.
  return 10 * Math.log10((sharpest(channels, mid - near, mid + near) + 1e-8) / (around + 1e-8));
}

function sharpest(channels: readonly Float32Array[], from: number, to: number): number {
  const size = 88;
  let top = 0;
  for (const channel of channels) {
    for (let start = Math.max(2, from); start + size <= Math.min(channel.length, to); start += size >> 1) {
      let sum = 0;
      for (let n = start; n < start + size; n++) sum += (channel[n]! - 2 * channel[n - 1]! + channel[n - 2]!) ** 2;
      top = Math.max(top, sum);
    }
  }
  return top;
}

/** Place of `time` among ascending `marks`, counted in marks: 3.5 is midway between the fourth and the fifth. Extrapolates. */
function placeOf(marks: readonly number[], time: number): number {
  let n = 0;
  while (n + 2 < marks.length && marks[n + 1]! <= time) n++;
  return n + (time - marks[n]!) / (marks[n + 1]! - marks[n]!);
}

/** Distance of both places to the nearest whole number of marks, 0 to 0.5. */
export function phaseError(marks: readonly number[], one: number, other: number): number {
  const apart = placeOf(marks, one) - placeOf(marks, other);
  return Math.abs(apart - Math.round(apart));
}

/**
 * Correlation, -1 to 1, of a second of the source's end with the best place for it in the last `reach` seconds of `out`: 1 says that
 * the ending is there as it was. `source_end` is where the source's sound ends.
 */
export function endingAgreement(out: Audio, source: Audio, source_end: number, reach = 4): number {
  // Sums of 16 samples: 1.4 kHz is enough to tell endings apart.
  const thin = (channel: Float32Array, from: number, to: number): Float64Array => {
    const made = new Float64Array(Math.max(0, (to - from) >> 4));
    for (let n = 0; n < made.length; n++) for (let k = 0; k < 16; k++) made[n]! += channel[from + 16 * n + k] ?? 0;
    return made;
  };
  const end = Math.round(source_end * RATE);
  const wanted = thin(source.channels[0]!, Math.max(0, end - Math.round(1.4 * RATE)), end - Math.round(0.4 * RATE));
  const channel = out.channels[0]!;
  const given = thin(channel, Math.max(0, channel.length - Math.round(reach * RATE)), channel.length);
  let power = 0;
  for (const value of wanted) power += value * value;
  let best = -1;
  for (let at = 0; at + wanted.length <= given.length; at++) {
    let sum = 0;
    let energy = 0;
    for (let n = 0; n < wanted.length; n++) {
      sum += wanted[n]! * given[at + n]!;
      energy += given[at + n]! ** 2;
    }
    best = Math.max(best, sum / Math.sqrt(power * energy + 1e-12));
  }
  return best;
}
