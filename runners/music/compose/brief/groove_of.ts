import { type Analysis, STEADY } from "../../../signal/analyse/mod.ts";

/** Places of a bar. */
const STEPS = 16;
/** Fewer bars say little. */
const BARS_MIN = 4;

/** Attacks a bar at each sixteenth of the bar; undefined where there is no steady beat, or none in four. */
export function grooveOf({ rhythm }: Analysis): readonly number[] | undefined {
  const { beats, positions, metre, onsets, confidence } = rhythm;
  const bars = positions.filter((position) => position === 1).length;
  if (confidence < STEADY || metre.beats_per_bar !== 4 || metre.division !== 2 || bars < BARS_MIN) return undefined;
  const groove = new Array<number>(STEPS).fill(0);
  let beat = 0;
  for (const onset of onsets) {
    while (beat + 1 < beats.length && beats[beat + 1]! <= onset) beat++;
    const [from, to] = [beats[beat], beats[beat + 1]];
    if (from === undefined || to === undefined || onset < from) continue;
    const place = 4 * (positions[beat]! - 1 + (onset - from) / (to - from));
    groove[Math.round(place) % STEPS]! += 1 / bars;
  }
  return groove;
}
