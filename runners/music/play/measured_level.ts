/** How loud an operator's recordings are. */
import { gainOf, log2 } from "../../signal/dsp/exact.ts";
import type { Patch } from "./patches.ts";
import type { Bank } from "./sounds/sound.ts";

/** A bank's velocity of 0.8. */
export const FIRM_MIDI = 102;

/** What a firm note is brought to, and over how many notes of the range an operator's sounds are measured for it. */
const FIRM_PEAK = 0.25;
const LEVEL_NOTES = 9;
/** In an octave of amplitude. */
const DECIBELS = 6.020599913279624;

export type Banks = ReadonlyMap<string | undefined, Bank>;

/** dB that bring a firm note to a peak of about 0.25: the median over the range, by recordings alone. */
export async function measuredLevel(patch: Patch, banks: Banks): Promise<number> {
  const known = levels.get(patch);
  if (known !== undefined) return known;
  const [low, high] = patch.reach;
  const peaks: number[] = [];
  for (let step = 0; step < LEVEL_NOTES; step++) {
    const key = Math.round(low + ((high - low) * step) / (LEVEL_NOTES - 1));
    let peak = 0;
    for (const layer of patch.layers) {
      for (const { zone, wave, release } of banks.get(layer.file)!.sounds(layer, {
        key: key + (layer.transpose ?? 0),
        velocity: FIRM_MIDI,
        turn: 0,
        chance: 0.5,
      })) {
        if (release !== undefined) continue;
        const { data } = await wave();
        let highest = 0;
        for (const value of data) if (Math.abs(value) > highest) highest = Math.abs(value);
        // In the middle either side has this much of it, beside it one has all.
        peak = Math.max(
          peak,
          highest * zone.gain * gainOf(layer.db ?? 0) * (Math.abs(zone.pan) > 0.5 ? 1 : Math.SQRT1_2),
        );
      }
    }
    if (peak > 0) peaks.push(peak);
  }
  peaks.sort((a, b) => a - b);
  const db = peaks.length === 0 ? 0 : DECIBELS * log2(FIRM_PEAK / peaks[peaks.length >> 1]!);
  levels.set(patch, db);
  return db;
}

const levels = new WeakMap<Patch, number>();
