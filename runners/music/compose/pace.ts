/** A tempo that changes over the piece: beats are spread anew, since a score has one tempo. */
import type { PaceAsked } from "../../language/mod.ts";
import type { Score } from "./score.ts";

/** Tempo at the end against that at the beginning. */
const RATIO: Partial<Readonly<Record<PaceAsked, number>>> = { "getting faster": 1.5, "getting slower": 0.68 };

/** The same score, its tempo even in beats from slower to faster or the other way; as long as before. */
export function paced(score: Score, pace: PaceAsked | undefined): Score {
  const ratio = pace === undefined ? undefined : RATIO[pace];
  if (ratio === undefined || score.ring) return score;
  const { beats } = score;
  // Seconds of a beat go evenly from `first` to `first / ratio`, and are 1 in the mean.
  const first = 2 / (1 + 1 / ratio);
  const slope = (first / ratio - first) / beats;
  const at = (beat: number): number =>
    beat <= 0 ? beat * first : beat >= beats ? beat : beat * (first + 0.5 * slope * beat);
  const moved = <T extends { readonly beat: number; readonly beats: number }>(one: T): T => {
    const beat = at(one.beat);
    return { ...one, beat, beats: at(one.beat + one.beats) - beat };
  };
  return {
    ...score,
    sections: score.sections.map(moved),
    chords: score.chords.map(moved),
    moves: score.moves.map(moved),
    parts: score.parts.map((part) => ({ ...part, notes: part.notes.map(moved) })),
    ...(score.key_change === undefined ? {} : { key_change: { ...score.key_change, beat: at(score.key_change.beat) } }),
  };
}
