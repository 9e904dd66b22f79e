/** What chords, bass and the sum of all pitches measure. */
import { MODES, pitchClass } from "../../../notes.ts";
import { clarity } from "../form/clarity.ts";
import type { Score, ScoreChord } from "../score.ts";
import { entropy } from "./melody.ts";
import { chordsAlong, FRAME_BEATS, isPitched, keyAt, meanOf, type Reading } from "./reading.ts";
import type { Measures } from "./terms.ts";

/** Consonance of two notes by the semitones between them, in any octave (Huron, "Interval-class content…", Music Perception 1994). */
const DYADS = [0, -1.428, -0.582, 0.594, 0.386, 1.24, -0.453];
/** A part that plays less is not judged by itself. Half beats. */
const PART_FRAMES = 16;

export function harmonyTerms(reading: Reading): Measures {
  const { score } = reading;
  const changes = score.chords.filter((chord, n) => n === 0 || chord.symbol !== score.chords[n - 1]!.symbol);
  const before = changes.filter(({ beat }) => score.key_change === undefined || beat < score.key_change.beat - 1e-6);
  return {
    key_clarity:
      before.length < 2
        ? undefined
        : clarity(
            score.chords.filter(({ beat }) => beat <= before.at(-1)!.beat),
            score.key,
          ),
    cadences: cadencesOf(score),
    voice_leading:
      changes.length < 4 ? undefined : meanOf(changes.slice(1).map((chord, n) => motion(changes[n]!, chord))),
    root_entropy: changes.length < 4 ? undefined : entropy(score.chords.map(({ root }) => root)),
    bass_roots: bassRoots(score),
    ...soundingTerms(reading),
  };
}

/** Share of sections that end at home or on the dominant; the last counts twice and wants home. */
function cadencesOf(score: Score): number | undefined {
  if (score.ring || score.sections.length < 2) return undefined;
  const chordAt = chordsAlong(score.chords);
  let [met, all] = [0, 0];
  for (const [at, { beat, beats }] of score.sections.entries()) {
    const chord = chordAt(beat + beats - 0.1);
    if (chord === undefined) continue;
    const degree = pitchClass(chord.root - keyAt(score, beat + beats - 0.1).tonic);
    const last = at === score.sections.length - 1;
    all += last ? 2 : 1;
    if (degree === 0) met += last ? 2 : 1;
    else if (!last && degree === 7) met++;
  }
  return all === 0 ? undefined : met / all;
}

/** Semitones a voice moves from one chord to the next when each takes the nearest tone. */
function motion(from: ScoreChord, to: ScoreChord): number {
  const nearest = (pitch: number, tones: readonly number[]): number =>
    tones.reduce((least, tone) => {
      const apart = pitchClass(tone - pitch);
      return Math.min(least, apart, 12 - apart);
    }, 12);
  return meanOf(to.tones.map((tone) => nearest(tone, from.tones)));
}

/** Share of chords under which the bass begins on their root or lowest tone. */
function bassRoots({ parts, chords }: Score): number | undefined {
  const notes = parts.filter(({ role }) => role === "bass").flatMap((part) => part.notes);
  const chordAt = chordsAlong(chords);
  let [met, all] = [0, 0];
  const seen = new Set<number>();
  for (const { beat, pitch } of notes) {
    const chord = chordAt(beat + 0.05);
    if (chord === undefined || beat - chord.beat > 0.3 || seen.has(chord.beat)) continue;
    seen.add(chord.beat);
    all++;
    const tone = pitchClass(Math.round(pitch));
    if (tone === chord.bass || tone === chord.root) met++;
  }
  return all < 4 ? undefined : met / all;
}

/** `consonance` of all pairs that sound together, and `belonging`: how much of the least fitting part lies in its chord or scale. */
function soundingTerms({ score, frames }: Reading): Measures {
  const chordAt = chordsAlong(score.chords);
  const fits = score.parts.map(() => ({ in: 0, all: 0 }));
  let [sum, pairs] = [0, 0];
  for (const [at, notes] of frames.entries()) {
    const beat = at * FRAME_BEATS;
    const chord = chordAt(beat);
    const { tonic, mode } = keyAt(score, beat);
    const scale = MODES[mode];
    for (const [n, { pitch, part }] of notes.entries()) {
      const fit = fits[part]!;
      fit.all++;
      const tone = pitchClass(pitch);
      if (chord?.tones.includes(tone) === true || scale.includes(pitchClass(pitch - tonic))) fit.in++;
      for (let m = 0; m < n; m++) {
        const apart = Math.abs(pitch - notes[m]!.pitch) % 12;
        if (pitch === notes[m]!.pitch) continue;
        sum += DYADS[apart > 6 ? 12 - apart : apart]!;
        pairs++;
      }
    }
  }
  const shares = fits.flatMap((fit, n) =>
    isPitched(score.parts[n]!) && fit.all >= PART_FRAMES ? [fit.in / fit.all] : [],
  );
  return {
    consonance: pairs < 16 ? undefined : sum / pairs,
    belonging: shares.length === 0 ? undefined : Math.min(...shares),
  };
}
