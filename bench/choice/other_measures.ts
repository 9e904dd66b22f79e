/** What the critic does not measure: whether its choice is bought with what nobody looked at. */

import { chordsAlong, keyAt, type Reading, readScore } from "../../runners/music/compose/critic/reading.ts";
import type { Score } from "../../runners/music/compose/mod.ts";
import { pitchClass } from "../../runners/notes.ts";

/** Each as a mean over the piece; undefined where there is nothing to measure. */
const OTHER_MEASURES: Readonly<Record<string, (reading: Reading) => number | undefined>> = {
  "parts that play": ({ score }) => score.parts.length,
  "strokes a beat": ({ onsets, score }) => onsets.flat().length / score.beats,
  "chords a bar": ({ score }) => score.chords.length / (score.beats / score.metre.beats_per_bar),
  "different chords": ({ score }) => new Set(score.chords.map(({ symbol }) => symbol)).size,
  bpm: ({ score }) => score.bpm,
  beats: ({ score }) => score.beats,
  "share of sections with a tune": ({ tunes }) => tunes.filter((tones) => tones.length > 0).length / tunes.length,
  "tune: notes a beat where it plays": ({ tune }) =>
    tune.length < 8 ? undefined : tune.length / tune.reduce((sum, { beats }) => sum + Math.max(beats, 0.25), 0),
  "tune: share of repeated pitches": ({ tunes }) => shareOfSteps(tunes, (step) => step === 0),
  "tune: share of sevenths and more": ({ tunes }) => shareOfSteps(tunes, (step) => Math.abs(step) >= 10),
  "tune: share of tritones": ({ tunes }) => shareOfSteps(tunes, (step) => Math.abs(step) === 6),
  "tune: share that falls": ({ tunes }) => shareOfSteps(tunes, (step) => step < 0),
  "tune: sections ending on 1, 3 or 5": endings,
  "parallel fifths and octaves with the bass": parallels,
  "different note lengths of the tune": ({ tune }) =>
    tune.length < 8 ? undefined : new Set(tune.map(({ beats }) => Math.round(4 * beats))).size,
};

export function otherMeasures(score: Score): ReadonlyMap<string, number> {
  const reading = readScore(score);
  return new Map(
    Object.entries(OTHER_MEASURES).flatMap(([name, of]) => {
      const value = of(reading);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function shareOfSteps(tunes: Reading["tunes"], counts: (step: number) => boolean): number | undefined {
  const steps = tunes.flatMap((tones) => tones.slice(1).map(({ pitch }, n) => Math.round(pitch - tones[n]!.pitch)));
  return steps.length < 8 ? undefined : steps.filter(counts).length / steps.length;
}

function endings({ tunes, score }: Reading): number | undefined {
  const lasts = tunes.flatMap((tones) => tones.at(-1) ?? []);
  if (lasts.length === 0) return undefined;
  const home = lasts.filter(({ pitch, beat }) =>
    [0, 3, 4, 7].includes(pitchClass(Math.round(pitch) - keyAt(score, beat).tonic)),
  );
  return home.length / lasts.length;
}

/** Share of the tune's moves in which it and the chord's bass go the same way by fifths or octaves; textbooks forbid it. */
function parallels({ tunes, score }: Reading): number | undefined {
  const chordAt = chordsAlong(score.chords);
  let [met, all] = [0, 0];
  for (const tones of tunes)
    for (let n = 1; n < tones.length; n++) {
      const [from, to] = [tones[n - 1]!, tones[n]!];
      const [low, next] = [chordAt(from.beat)?.bass, chordAt(to.beat)?.bass];
      if (low === undefined || next === undefined || low === next || from.pitch === to.pitch) continue;
      all++;
      const [a, b] = [pitchClass(Math.round(from.pitch) - low), pitchClass(Math.round(to.pitch) - next)];
      if (a === b && (a === 0 || a === 7)) met++;
    }
  return all < 8 ? undefined : met / all;
}
