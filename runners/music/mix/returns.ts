import { musicOf } from "../../packs/mod.ts";
import type { Reel } from "../../reel.ts";
import { Cascade, highPass, highShelf, lowPass } from "../../signal/dsp/biquad.ts";
import { Doubler } from "../../signal/dsp/half_band.ts";
import { Hall, type HallShape } from "../../signal/dsp/hall.ts";
import { beatSeconds, type MixCharacter, type Score } from "../compose/mod.ts";
import type { Buses } from "./buses.ts";
import { RATE } from "./channel.ts";

/** Frames of a send worked on at once. */
export const SEND_BLOCK = 1024;

export const SPACES = ["room", "plate", "hall"] as const;
type Space = (typeof SPACES)[number];

/** Sizes of the three spaces by `space`, and a pre-delay in time with the music. */
function shapes(score: Score): Readonly<Record<Space, HallShape>> {
  const { space, brightness, genre } = score.mix;
  const long = musicOf(genre).mix.hall_length;
  const sway = score.ring ? 0 : 1;
  // A sixty-fourth, or what fits between 12 and 35 ms.
  const predelay = Math.min(0.035, Math.max(0.012, beatSeconds(score.bpm) / 16));
  const bright = 0.7 + 0.6 * brightness;
  return {
    room: { t60: 0.28 + 0.5 * space, size: 0.42, damping: 6000 * bright, predelay: 0.003, early: 0.7, sway: 0 },
    plate: { t60: 0.8 + 1.6 * space, size: 0.95, damping: 6500 * bright, predelay, early: 0.2, sway },
    hall: { t60: (1.3 + 2.6 * space) * long, size: 1.5, damping: 4200 * bright, predelay, early: 0.35, sway },
  };
}

/** Low-cut of each return in Hz. */
const LOW_CUT: Readonly<Record<Space, number>> = { room: 180, plate: 260, hall: 170 };

/** Plays a send through its space and adds what comes back to the mix. Yields after every block, so that the thread can breathe. */
export function* playSpace(name: Space, score: Score, buses: Buses): Generator<undefined> {
  const bus = buses.take(name);
  if (bus === undefined) return;
  const rate = RATE / buses.factor;
  const shape = shapes(score)[name];
  const hall = new Hall(rate, shape);
  const tone = new Cascade([highPass(LOW_CUT[name], rate), highPass(LOW_CUT[name] * 0.6, rate)]);
  yield* play(bus, buses, Hall.settles(rate, shape), (left, right, count) => {
    hall.run(left, right, count);
    tone.run(left, right, count);
  });
}

/**
 * Plays what was sent through `process`, which is told the first frame of each block at the sends' rate, and adds what
 * comes back to the mix.
 *
 * @param settles frames after which nothing rings any more
 */
export function* play(
  [send_left, send_right]: readonly [Reel, Reel],
  buses: Buses,
  settles: number,
  process: (left: Float64Array, right: Float64Array, count: number, at: number) => void,
): Generator<undefined> {
  const { factor, frames, ring } = buses;
  const length = send_left.frames;
  const left = new Float64Array(SEND_BLOCK);
  const right = new Float64Array(SEND_BLOCK);
  const twice_left = factor === 2 ? new Float64Array(2 * SEND_BLOCK) : left;
  const twice_right = factor === 2 ? new Float64Array(2 * SEND_BLOCK) : right;
  const doublers = [new Doubler(), new Doubler()];
  let last_sound = -settles - 1;
  for (let at = ring ? (-Math.ceil(settles / SEND_BLOCK) * SEND_BLOCK) | 0 : 0; at < length; at += SEND_BLOCK) {
    const count = Math.min(SEND_BLOCK, length - at);
    let most = 0;
    const sent_left = send_left.around(Math.max(0, at), false);
    const sent_right = send_right.around(Math.max(0, at), false);
    const from = at - send_left.first;
    for (let n = 0; n < count; n++) {
      const index = at + n < 0 ? (((at + n) % length) + length) % length : from + n;
      const l = sent_left[index]!;
      const r = sent_right[index]!;
      left[n] = l;
      right[n] = r;
      most += l * l + r * r;
    }
    // Where nothing was sent for as long as the space rings, nothing comes back.
    if (most > 0) last_sound = at;
    if (at - last_sound > settles + SEND_BLOCK) continue;
    process(left, right, count, at);
    if (factor === 2) {
      doublers[0]!.run(left, count, twice_left);
      doublers[1]!.run(right, count, twice_right);
    }
    if (at >= 0) {
      const to = at * factor;
      const there = Math.min(count * factor, frames - to);
      const mix_left = buses.left;
      const mix_right = buses.right;
      for (let n = 0; n < there; n++) {
        mix_left[to + n] = mix_left[to + n]! + twice_left[n]!;
        mix_right[to + n] = mix_right[to + n]! + twice_right[n]!;
      }
    }
    yield undefined;
  }
  send_left.drop();
  send_right.drop();
}

/** Worn tape: what is left of the treble; undefined where all of it is. */
export function tapeTone(mix: MixCharacter): Cascade | undefined {
  if (mix.age < 0.25) return undefined;
  const corner = 19_000 - 11_500 * mix.age;
  return new Cascade([
    lowPass(corner, RATE, 0.6),
    highShelf(6000, RATE, -2 * mix.age),
    highPass(20 + 25 * mix.age, RATE),
  ]);
}
