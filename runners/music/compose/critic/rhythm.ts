/**
 * What rhythm measures: syncopation, how clearly the bar is heard, how well players are together, and whether more is
 * played where more energy is meant.
 */
import { keysOfPiece } from "../drum_pieces.ts";
import { correlation, levelOf, meanOf, type Onset, type Reading, slotOf } from "./reading.ts";
import type { Measures } from "./terms.ts";

/** Low sounds carry the beat (Hove et al., PNAS 2014): what a kick or a bass counts for against others. */
const LOW_WEIGHT = 3;
/** Beats within which strokes are together. */
const TOGETHER = 0.07;
const ONSETS_MIN = 24;

export function rhythmTerms(reading: Reading): Measures {
  const { score, onsets, tunes } = reading;
  const kicks = new Set([...keysOfPiece("kick")]);
  const kit = (onset: Onset): boolean => score.parts[onset.part]!.role === "drums";
  const isKick = (onset: Onset): boolean => kit(onset) && kicks.has(onset.pitch);
  const isBass = ({ part }: Onset): boolean => score.parts[part]!.role === "bass";
  const all = onsets.flat();
  return {
    syncopation: syncopationOf(
      reading,
      tunes.map((tones) => tones.map(({ beat }) => beat)),
    ),
    metre_clarity: metreOf(reading, all, (onset) => (isKick(onset) || isBass(onset) ? LOW_WEIGHT : 1)),
    together: togetherOf(
      all.filter(isKick),
      all.filter((onset) => !kit(onset)),
    ),
    density_arc: arcOf(reading),
  };
}

/**
 * Longuet-Higgins & Lee's syncopation of the tune: for each onset after which a stronger place is passed without one,
 * by how many levels that is stronger; a bar's sum, mean of all bars that have a tune.
 */
function syncopationOf(reading: Reading, tunes: readonly (readonly number[])[]): number | undefined {
  const bar = reading.score.metre.beats_per_bar * reading.slots;
  const beats_per_bar = reading.score.metre.beats_per_bar;
  let [sum, bars] = [0, 0];
  for (const beats of tunes) {
    if (beats.length < 4) continue;
    bars += new Set(beats.map((beat) => Math.floor(beat / beats_per_bar + 1e-6))).size;
    for (let n = 0; n + 1 < beats.length; n++) {
      const from = slotOf(reading, beats[n]!);
      const gap = Math.min(bar, Math.round((beats[n + 1]! - beats[n]!) * reading.slots));
      const own = levelOf(reading, from);
      let strongest = Number.NEGATIVE_INFINITY;
      for (let at = 1; at < gap; at++) strongest = Math.max(strongest, levelOf(reading, (from + at) % bar));
      if (strongest > own) sum += strongest - own;
    }
  }
  return bars < 4 ? undefined : sum / bars;
}

/** Correlation of the strokes by their place in the bar with its metrical levels (Palmer & Krumhansl, JEP: HPP 1990). */
function metreOf(reading: Reading, onsets: readonly Onset[], weight: (onset: Onset) => number): number | undefined {
  if (onsets.length < ONSETS_MIN) return undefined;
  const bar = reading.score.metre.beats_per_bar * reading.slots;
  const strokes = new Float64Array(bar);
  for (const onset of onsets) strokes[slotOf(reading, onset.beat)]! += onset.velocity * weight(onset);
  return correlation(
    strokes,
    Array.from({ length: bar }, (_, slot) => levelOf(reading, slot)),
  );
}

/** Share of the kick's strokes on which somebody with a pitch begins as well. */
function togetherOf(kicks: readonly Onset[], others: readonly Onset[]): number | undefined {
  if (kicks.length < ONSETS_MIN || others.length < ONSETS_MIN) return undefined;
  const begun = new Set<number>();
  for (const { beat } of others) {
    const place = Math.round(beat / TOGETHER);
    begun.add(place);
  }
  const met = kicks.filter(({ beat }) => {
    const place = Math.round(beat / TOGETHER);
    return begun.has(place) || begun.has(place - 1) || begun.has(place + 1);
  });
  return met.length / kicks.length;
}

/** Correlation over sections of the energy that is meant with the strokes of a beat, each by its force. */
function arcOf({ score, onsets }: Reading): number | undefined {
  if (score.sections.length < 3) return undefined;
  const force = onsets.map((all, n) =>
    Math.sqrt(all.reduce((sum, { velocity }) => sum + velocity, 0) / score.sections[n]!.beats),
  );
  if (meanOf(force) === 0) return undefined;
  return correlation(
    score.sections.map(({ energy }) => energy),
    force,
  );
}
