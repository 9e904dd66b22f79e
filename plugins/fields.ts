/** Fragments that several actions share. */
import { type Issue, type Limits, Type } from "../core/plugin.ts";

/** Sources of stems, loudness and ducking: 0.5 s to 10 min, 50 MB (50,000,000 bytes). */
export const WHOLE_TRACK = { seconds_min: 0.5, seconds_max: 600, bytes_max: 50_000_000 } as const satisfies Limits;

/** The same where it may be longer by configuration. */
export const LONG_TRACK = { ...WHOLE_TRACK, long: true } as const satisfies Limits;

/** Tracks that belong together, each as `WHOLE_TRACK`: 30 of them keep 6.4 GB on the disk of the job. */
export const TRACKS = { ...WHOLE_TRACK, repeated: 30, optional: true } as const satisfies Limits;

/** What is to be made, in words. Lengths count code points. */
export const Prompt = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: "Tags or sentences: genre, mood, instruments, scene, tempo, key",
});

/** Lines to be sung, under markers such as `[Verse]` on lines of their own. Lengths count code points. */
export const Lyrics = Type.String({
  minLength: 1,
  maxLength: 3000,
  description:
    "Sections under markers on lines of their own ([Verse], [Chorus], [Bridge], [Intro], [Outro], [Instrumental]), each further line one vocal line. " +
    'A marker without lines is played; a chorus with nothing below it is sung again as it was. "x2" to "x4" in a marker, or behind a line, repeats it',
});

/** A letter or a digit outside of markers is what can be sung. */
export function lyricsIssues(lyrics: string): readonly Issue[] {
  const sung = lyrics.split(/\r\n?|\n/u).filter((line) => !/^\s*\[[^\]]*\]\s*$/u.test(line));
  if (sung.some((line) => /[\p{L}\p{N}]/u.test(line))) return [];
  return [{ loc: ["lyrics"], msg: "No line has a character that can be sung", type: "value_error" }];
}
