/** The source's tune on its grid, and what variations make of it. */

import type { Audio, Job, Streamed } from "../../../contract/mod.ts";
import { MODES, pitchClass } from "../../notes.ts";
import { topLine } from "../../signal/analyse/mod.ts";
import { beatSeconds, type GivenChord, type GivenNote, type Key } from "../compose/mod.ts";
import { type BeatGrid, stepsOf } from "./grid.ts";

export interface Tune {
  readonly notes: readonly GivenNote[];
  /** 0 to 1, the mean over the notes' time. */
  readonly confidence: number;
  /** Share of the piece in which it sounds. */
  readonly share: number;
}

/** Seconds of a beat from which quavers are halved, and a dotted beat's. */
const [BEAT_SECONDS, DOTTED_SECONDS] = [0.4, 0.72];
/** Notes less certain than this are left to the composer; outside of the scale and the chord, less certain than the second. */
const [SURE, SURE_OUTSIDE] = [0.3, 0.55];
/** A gap up to this many steps between two notes is closed: nobody lets go so shortly. */
const CLOSED_STEPS = 1;

export async function hearTune(
  audio: Audio | Streamed,
  grid: BeatGrid,
  key: Key,
  chords: readonly GivenChord[],
  job: Job,
): Promise<Tune> {
  const beat_seconds = beatSeconds(grid.bpm);
  const per_beat =
    grid.metre.division === 3 ? (beat_seconds >= DOTTED_SECONDS ? 6 : 3) : beat_seconds >= BEAT_SECONDS ? 4 : 2;
  const listener = await topLine.load();
  const heard = await listener.run({ audio, edges: stepsOf(grid, per_beat) }, job);
  const scale = new Set(SCALES[key.mode].map((up) => (key.tonic + up) % 12));
  const kept = heard.filter(({ step, pitch, confidence }) => {
    if (confidence >= SURE_OUTSIDE) return true;
    const chord = chords.findLast(({ beat }) => beat <= step / per_beat);
    return confidence >= SURE && (scale.has(pitch % 12) || (chord !== undefined && isTone(pitch, chord)));
  });
  const notes: GivenNote[] = [];
  let [sum, length] = [0, 0];
  for (const [index, { step, steps, pitch, confidence }] of kept.entries()) {
    const next = kept[index + 1]?.step ?? step + steps;
    const until = next - step - steps <= CLOSED_STEPS && next > step ? next : step + steps;
    notes.push({ beat: step / per_beat, beats: (until - step) / per_beat, pitch });
    sum += confidence * steps;
    length += steps;
  }
  const all = (grid.times.length - 1) * per_beat;
  return { notes, confidence: length === 0 ? 0 : sum / length, share: all === 0 ? 0 : length / all };
}

/** Minor keys know the leading note too. */
const SCALES: Readonly<Record<Key["mode"], readonly number[]>> = { ...MODES, minor: [...MODES.minor, 11] };

function isTone(pitch: number, { root, suffix }: GivenChord): boolean {
  const up = pitchClass(pitch - root);
  const small = suffix.startsWith("m") && !suffix.startsWith("maj");
  return up === 0 || up === 7 || up === (small || suffix === "dim" ? 3 : 4);
}

/** How a variation takes the tune: as it is; its long notes alone; or the heads of its phrases, which others answer. */
export type Treatment = "plain" | "broad" | "heads";

export function treated(notes: readonly GivenNote[], treatment: Treatment, beats_per_bar: number): GivenNote[] {
  switch (treatment) {
    case "plain":
      return [...notes];
    case "broad":
      return broad(notes);
    case "heads":
      return notes.filter(({ beat }) => Math.floor(beat / beats_per_bar) % 4 < 2);
  }
}

/** The weightiest note of each beat, held until the next. */
function broad(notes: readonly GivenNote[]): GivenNote[] {
  const kept: GivenNote[] = [];
  for (const note of notes) {
    const before = kept.at(-1);
    const here = Math.floor(note.beat);
    if (before === undefined || Math.floor(before.beat) !== here) kept.push(note);
    else if (note.beats > before.beats) kept[kept.length - 1] = { ...note, beat: before.beat };
  }
  return kept.map((note, index) => {
    const next = kept[index + 1]?.beat ?? note.beat + Math.max(1, note.beats);
    return { ...note, beats: next - note.beat <= 2 ? next - note.beat : Math.max(1, note.beats) };
  });
}
