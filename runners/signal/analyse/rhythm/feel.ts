/** How the beat divides: in two or three, straight or swung. */
import type { Onset } from "./onsets.ts";

export interface Feel {
  readonly division: 2 | 3;
  /** Place of the off-beat within the beat, 0.5 to 0.72. */
  readonly swing: number;
}

/** Places within the beat that are told apart. */
const CELLS = 96;
/** Spread of an attack over the places, in beats: players and the attack's own placing. */
const SPREAD = 0.018;

/**
 * Where within their beats the attacks lie, stronger ones counting more, seen from the attacks on the beats themselves.
 *
 * @param beats seconds, ascending
 */
export function feelOf(beats: readonly number[], onsets: readonly Onset[]): Feel {
  const weights = placesOf(beats, onsets);
  const at = (place: number): number => nearby(weights, place);
  const third = at(1 / 3);
  const two_thirds = at(2 / 3);
  const half = at(1 / 2);
  const beat = at(0);
  // Both thirds are played in 6/8; swing leaves the first out.
  const compound = Math.min(third, two_thirds) > 0.08 * beat && Math.min(third, 0.7 * two_thirds) > 1.2 * half;
  if (compound) return { division: 3, swing: 2 / 3 };
  let swing = 0.5;
  let most = 0;
  for (let place = 0.46; place <= 0.72; place += 0.005) {
    const weight = at(place);
    if (weight > most) {
      most = weight;
      swing = place;
    }
  }
  // Hardly an off-beat, or one that lies where sixteenths do: straight.
  if (most < 0.05 * beat || swing > 0.705) return { division: 2, swing: 0.5 };
  return { division: 2, swing: Math.max(0.5, Math.round(swing * 1000) / 1000) };
}

/** Weight of the attacks at each of `CELLS` places in the beat, place 0 being where the attacks on the beat are. */
function placesOf(beats: readonly number[], onsets: readonly Onset[]): Float64Array {
  const places: { place: number; weight: number }[] = [];
  let beat = 0;
  for (const { time, strength } of onsets) {
    while (beat + 1 < beats.length && beats[beat + 1]! <= time) beat++;
    if (beat + 1 >= beats.length) break;
    const place = (time - beats[beat]!) / (beats[beat + 1]! - beats[beat]!);
    if (place >= 0) places.push({ place, weight: strength });
  }
  // Beats are heard a little before or after the attacks that make them.
  const on = places.map(({ place }) => (place > 0.5 ? place - 1 : place)).filter((place) => Math.abs(place) < 0.12);
  on.sort((a, b) => a - b);
  const shift = on[on.length >> 1] ?? 0;
  const weights = new Float64Array(CELLS);
  for (const { place, weight } of places) {
    const cell = Math.floor((((place - shift + 1) % 1) * CELLS) % CELLS);
    weights[cell]! += weight;
  }
  return weights;
}

function nearby(weights: Float64Array, place: number): number {
  let sum = 0;
  const middle = place * CELLS;
  for (let n = -8; n <= 8; n++) {
    const cell = Math.round(middle) + n;
    const away = (cell + 0.5 - middle) / CELLS / SPREAD;
    sum += weights[((cell % CELLS) + CELLS) % CELLS]! * Math.exp(-0.5 * away * away);
  }
  return sum;
}
