import { composer, type Score } from "../../runners/music/compose/mod.ts";

/** Under this, in beats, a note stands on the beat. */
const NEAR = 0.02;

/**
 * Share of chord tones among what leads and counter-lines begin on strong beats (the first of a bar, and the third of
 * four), from the score.
 *
 * @returns null for a piece with fewer than eight such notes
 */
function strongShare({ metre, parts, chords }: Score): number | null {
  const beats = metre.beats_per_bar;
  let on = 0;
  let all = 0;
  for (const { role, notes } of parts) {
    if (role !== "lead" && role !== "counter") continue;
    for (const { beat, pitch } of notes) {
      const place = ((beat % beats) + beats) % beats;
      const strong = place < NEAR || beats - place < NEAR || (beats === 4 && Math.abs(place - 2) < NEAR);
      const chord = chords.find((one) => beat + NEAR >= one.beat && beat + NEAR < one.beat + one.beats);
      if (!strong || chord === undefined) continue;
      all++;
      if ([...chord.tones, chord.bass].includes(((Math.round(pitch) % 12) + 12) % 12)) on++;
    }
  }
  return all < 8 ? null : on / all;
}

/** The same of the piece that `prompt` and `seed` make. */
export async function strongShareOf(prompt: string, seed: number): Promise<number | null> {
  const { understand, compose } = await composer.load();
  const brief = understand(prompt);
  return strongShare(compose(brief, brief.seconds === undefined ? {} : { seconds: brief.seconds }, seed));
}
