/** More voices from one: doubles of a take, and harmonies above or below a tune. */

import { MODES, pitchClass } from "../../notes.ts";
import { type Control, control, STEP } from "../../signal/dsp/control.ts";
import { exp2, sine } from "../../signal/dsp/exact.ts";
import { random } from "../../signal/dsp/random.ts";
import type { Key } from "../compose/mod.ts";
import type { SungPhrase } from "./voice/notes.ts";

/** Cents and seconds by which a double strays at most. */
const CENTS = 8;
const SECONDS = [0.012, 0.025] as const;

/**
 * The same take as another singing of it: up to ±8 cents off and 12 to 25 ms late, both wandering, as long as `take`.
 * It is read with a varying delay, which is a detune; a third of a second of either sign at most, so that it never
 * drifts off.
 */
export function double(take: Float32Array, rate: number, seed: number): Float32Array {
  const next = random(seed);
  const delay: Control = control(take.length);
  const middle = (SECONDS[0] + next() * (SECONDS[1] - SECONDS[0])) * rate;
  // A delay that swings by d at f Hz detunes by 2πfd: two slow swings within the room between the bounds and the cents.
  const slope = exp2(CENTS / 1200) - 1;
  const hertz = [0.55 + 0.2 * next(), 0.9 + 0.3 * next()];
  const phases = [next(), next()];
  const room = Math.min(middle - SECONDS[0] * rate, SECONDS[1] * rate - middle) + 0.0025 * rate;
  const depths = hertz.map((f) => Math.min(0.5 * room, (0.5 * slope * rate) / (6.283185307179586 * f)));
  for (let n = 0; n < delay.length; n++) {
    const t = (n * STEP) / rate;
    delay[n] = middle + depths[0]! * sine(phases[0]! + hertz[0]! * t) + depths[1]! * sine(phases[1]! + hertz[1]! * t);
  }
  const out = new Float32Array(take.length);
  for (let at = 0, block = 0; at < take.length; at += STEP, block++) {
    const end = Math.min(take.length, at + STEP);
    let late = delay[block]!;
    const step = (delay[block + 1]! - late) / STEP;
    for (let n = at; n < end; n++) {
      const place = n - late;
      const whole = Math.floor(place);
      const x = place - whole;
      if (whole >= 1 && whole + 2 < take.length) {
        // Catmull-Rom: through four samples, flat to a tenth of the rate.
        const a = take[whole - 1]!;
        const b = take[whole]!;
        const c = take[whole + 1]!;
        const d = take[whole + 2]!;
        out[n] = b + 0.5 * x * (c - a + x * (2 * a - 5 * b + 4 * c - d + x * (3 * (b - c) + d - a)));
      }
      late += step;
    }
  }
  return out;
}

/**
 * The phrase `steps` steps of the key's scale above (2 a third, 5 a sixth) or below (negative), each note for itself;
 * octaves are shifted to stay within `range`.
 */
export function harmony(
  phrase: SungPhrase,
  key: Key,
  steps: number,
  range: readonly [low: number, high: number],
): SungPhrase {
  const moved = phrase.map((note) => ({
    ...note,
    velocity: 0.85 * note.velocity,
    pitches: note.pitches.map(({ frame, pitch }) => {
      let to = Math.round(pitch);
      for (let k = 0; k < Math.abs(steps); k++) to = neighbour(to, key, steps > 0 ? 1 : -1);
      return { frame, pitch: to };
    }),
  }));
  const all = moved.flatMap(({ pitches }) => pitches.map(({ pitch }) => pitch));
  let shift = 0;
  while (Math.max(...all) + shift > range[1]) shift -= 12;
  while (Math.min(...all) + shift < range[0] && Math.max(...all) + shift + 12 <= range[1]) shift += 12;
  return moved.map((note) => ({
    ...note,
    pitches: note.pitches.map(({ frame, pitch }) => ({ frame, pitch: pitch + shift })),
  }));
}

/** The next tone of the scale above (1) or below (-1) a pitch. */
function neighbour(pitch: number, key: Key, step: 1 | -1): number {
  const scale = MODES[key.mode].map((degree) => (degree + key.tonic) % 12);
  let to = pitch + step;
  while (!scale.includes(pitchClass(to))) to += step;
  return to;
}
