/** What texture measures: whether the tune is free of what others play around it, and how sections differ. */
import { log2 } from "../../../signal/dsp/exact.ts";
import { clamp } from "../../../signal/dsp/numbers.ts";
import { FRAME_BEATS, meanOf, type Reading } from "./reading.ts";
import type { Measures } from "./terms.ts";

/** Semitones that a critical band reaches around 440 Hz to each side (Glasberg & Moore, Hearing Research 1990: 72 Hz wide). */
const BAND = 2;
/** Register of voices, where crowds hide words: C3 to C6. */
const [LOW, HIGH] = [48, 84];
/** A part plays in a section from this many of its strokes on. */
const PRESENT = 2;

export function textureTerms(reading: Reading): Measures {
  return { ...aroundTune(reading), contrast: contrastOf(reading) };
}

/** Notes of others within a critical band of the tune, and in its register, at each half beat of it. */
function aroundTune({ tune, frames, score }: Reading): Measures {
  let [near, crowd, all] = [0, 0, 0];
  for (const { beat, beats, pitch } of tune) {
    const to = Math.min(frames.length, Math.ceil((beat + beats) / FRAME_BEATS));
    for (let at = Math.max(0, Math.round(beat / FRAME_BEATS)); at < to; at++) {
      all++;
      for (const other of frames[at]!) {
        if (score.parts[other.part]!.role === "lead") continue;
        if (Math.abs(other.pitch - pitch) <= BAND) near++;
        if (other.pitch >= LOW && other.pitch <= HIGH) crowd++;
      }
    }
  }
  return all < 16 ? {} : { masking: near / all, crowding: crowd / all };
}

/** How far neighbouring sections of different labels are apart: octaves of density, players and register, in the mean. */
function contrastOf({ score, onsets }: Reading): number | undefined {
  const facts = onsets.map((all, n) => {
    const counts = new Map<number, number>();
    for (const { part } of all) counts.set(part, (counts.get(part) ?? 0) + 1);
    const pitched = all.filter(
      ({ part }) => score.parts[part]!.role !== "drums" && score.parts[part]!.role !== "percussion",
    );
    return {
      density: log2(0.25 + all.length / score.sections[n]!.beats),
      players: log2(1 + [...counts.values()].filter((count) => count >= PRESENT).length),
      height: meanOf(pitched.map(({ pitch }) => pitch)) / 12,
    };
  });
  const steps = facts.slice(1).flatMap((now, n) => {
    const before = facts[n]!;
    if (score.sections[n]!.label === score.sections[n + 1]!.label) return [];
    const apart = (a: number, b: number): number => clamp(Math.abs(a - b), 0, 2);
    return [
      (apart(now.density, before.density) + apart(now.players, before.players) + apart(now.height, before.height)) / 3,
    ];
  });
  return steps.length === 0 ? undefined : meanOf(steps);
}
