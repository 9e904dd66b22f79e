/** What an output's `report` says of the music that was written for it. Times are seconds from the first sample. */
import { roundTo } from "../../signal/dsp/numbers.ts";
import { clockOf, keyName, type Score } from "../compose/mod.ts";

export interface ScoreReport {
  readonly tempo_bpm: number;
  /** "4/4", "3/4", "6/8" … */
  readonly metre: string;
  /** "F# minor". */
  readonly key: string;
  /** Where the key changes, and to which. */
  readonly key_change?: { readonly start: number; readonly key: string };
  /** 0.5 straight, 0.67 triplets. */
  readonly swing: number;
  readonly sections: readonly {
    readonly start: number;
    readonly end: number;
    readonly kind: string;
    readonly label: string;
    readonly energy: number;
  }[];
  readonly chords: readonly { readonly start: number; readonly end: number; readonly label: string }[];
  readonly parts: readonly { readonly name: string; readonly role: string; readonly instrument: string }[];
}

export function scoreReport(score: Score): ScoreReport {
  const { beats_per_bar, division } = score.metre;
  const clock = clockOf(score);
  const seconds = (beat: number): number => roundTo(clock.seconds(beat), 3);
  return {
    tempo_bpm: roundTo(score.bpm, 2),
    metre: division === 3 ? `${3 * beats_per_bar}/8` : `${beats_per_bar}/4`,
    key: keyName(score.key),
    ...(score.key_change === undefined
      ? {}
      : { key_change: { start: seconds(score.key_change.beat), key: keyName(score.key_change.key) } }),
    swing: roundTo(score.swing, 2),
    sections: score.sections.map(({ beat, beats, kind, label, energy }) => ({
      start: seconds(beat),
      end: seconds(beat + beats),
      kind,
      label,
      energy: roundTo(energy, 2),
    })),
    chords: score.chords.map(({ beat, beats, symbol }) => ({
      start: seconds(beat),
      end: seconds(beat + beats),
      label: symbol,
    })),
    parts: score.parts.map(({ name, role, instrument }) => ({ name, role, instrument })),
  };
}
