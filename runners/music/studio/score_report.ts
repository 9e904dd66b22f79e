/** What an output's `report` says of the music that was written for it. Times are seconds from the first sample. */
import { roundTo } from "../../signal/dsp/numbers.ts";
import { type Choice, clockOf, keyName, type Score } from "../compose/mod.ts";

export interface ScoreReport {
  /** Half of all beats are slower. */
  readonly tempo_bpm: number;
  /** Tempo from these moments on, evenly with the beats from one to the next; absent where it stays. */
  readonly tempo_map?: readonly { readonly start: number; readonly bpm: number }[];
  /** Where each beat and each bar begins; absent where the tempo stays. */
  readonly beats?: readonly number[];
  readonly downbeats?: readonly number[];
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
  /** Why this score and no other; absent where only one was composed. */
  readonly choice?: Choice;
}

export function scoreReport(score: Score, choice?: Choice): ScoreReport {
  const { beats_per_bar, division } = score.metre;
  const clock = clockOf(score);
  const seconds = (beat: number): number => roundTo(clock.seconds(beat), 3);
  return {
    tempo_bpm: roundTo(score.bpm, 2),
    ...movingTempo(score, seconds),
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
    ...(choice === undefined ? {} : { choice: choiceReport(choice) }),
  };
}

function choiceReport({ candidates, worth, first_worth, distance, terms }: Choice): Choice {
  return {
    candidates,
    worth: roundTo(worth, 3),
    first_worth: roundTo(first_worth, 3),
    ...(distance === undefined ? {} : { distance: roundTo(distance, 3) }),
    terms: terms.map((term) => ({ ...term, value: roundTo(term.value, 3), worth: roundTo(term.worth, 3) })),
  };
}

function movingTempo(
  { tempo, beats, metre }: Score,
  seconds: (beat: number) => number,
): Pick<ScoreReport, "tempo_map" | "beats" | "downbeats"> {
  if (tempo === undefined) return {};
  const all = Array.from({ length: Math.ceil(beats - 1e-6) }, (_, beat) => seconds(beat));
  return {
    tempo_map: tempo.map(({ beat, bpm }) => ({ start: seconds(beat), bpm: roundTo(bpm, 2) })),
    beats: all,
    downbeats: all.filter((_, beat) => beat % metre.beats_per_bar === 0),
  };
}
