/** Singing over a change of key: a chorus that comes again is the same tune, a step or two higher. */
import type { Key, Score, ScoreChord } from "../compose/mod.ts";
import type { Setting } from "../sing/mod.ts";

type Keyed = Pick<Score, "key" | "key_change" | "chords">;

/** The score's chords as if it stayed in its first key, for who sets words to it. */
export function chordsInFirstKey(score: Keyed): readonly ScoreChord[] {
  const { key_change, chords } = score;
  if (key_change === undefined) return chords;
  const lower = (pitch: number): number => (pitch + 12 - stepsUp(score)) % 12;
  return chords.map((chord) =>
    chord.beat < key_change.beat
      ? chord
      : { ...chord, root: lower(chord.root), bass: lower(chord.bass), tones: chord.tones.map(lower) },
  );
}

/** A setting that was made in the first key: lines of sections from the change on are sung higher. */
export function inKeysOf(setting: Setting, score: Keyed & Pick<Score, "sections">): Setting {
  const { key_change, sections } = score;
  if (key_change === undefined) return setting;
  const up = stepsUp(score);
  return {
    lines: setting.lines.map((line) =>
      sections[line.section]!.beat < key_change.beat - 1e-6
        ? line
        : {
            ...line,
            syllables: line.syllables.map((syllable) => ({
              ...syllable,
              pitches: syllable.pitches.map((one) => ({ ...one, pitch: one.pitch + up })),
            })),
          },
    ),
  };
}

/** The key in which a phrase that ends at `beat` is sung. */
export function keyUntil({ key, key_change }: Keyed, beat: number): Key {
  return key_change === undefined || beat <= key_change.beat ? key : key_change.key;
}

function stepsUp({ key, key_change }: Keyed): number {
  return key_change === undefined ? 0 : (key_change.key.tonic - key.tonic + 12) % 12;
}
