/** What drums add to a recorded stroke and no recording of the bank has: filtered noise, new at each of a few turns. */
import { gainOf } from "../../../signal/dsp/exact.ts";
import { RATE } from "../performance.ts";
import type { Sound } from "../sounds/sound.ts";
import { waveOf } from "../sounds/wave.ts";
import { finish, hiss, silence } from "../synth/kit/voice.ts";

interface Noise {
  /** Hz. */
  readonly low: number;
  readonly high: number;
  /** Seconds. */
  readonly t60: number;
  readonly delay: number;
  /** Beside the peak of a firm stroke. */
  readonly db: number;
  readonly turn: number;
}

/** The bank's own firm strokes peak near this, before the kit's level is set. */
const PEAK = 0.9;

export function noiseOf({ low, high, t60, delay, db, turn }: Noise): Sound {
  return {
    recording: `noise ${low} ${high} ${t60} ${turn}`,
    zone: {
      looped: false,
      skip: 0,
      root: 0,
      scale: 0,
      tune: 0,
      gain: PEAK * gainOf(db),
      pan: 0,
      level: { delay, attack: 0, hold: 0, decay: 0, sustain: 1, release: 0.01 },
      cutoff: 13_500,
      q: Math.SQRT1_2,
      sweep: 0,
      filter: { delay: 0, attack: 0, hold: 0, decay: 0, sustain: 0, release: 0.01 },
      group: 0,
      muted_by: 0,
    },
    wave() {
      const out = silence(t60 * 1.2);
      hiss(out, { seed: 7 + turn, low, high, t60, attack: 0.0005, gain: 1 });
      return waveOf(finish(out, 1), RATE);
    },
  };
}
