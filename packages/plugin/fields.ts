/** Fields of requests that many actions share: what our engines of music are asked with. */
import { type Issue, Type } from "../../contract/mod.ts";

/** What is to be made, in words. Lengths count code points. */
export const Prompt = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: "Tags or sentences: genre, mood, instruments, scene, tempo, key",
});

/** Of a whole piece; met to a bar. */
export const Duration = Type.Number({
  minimum: 10,
  maximum: 300,
  description:
    "Seconds, met within a bar; absent: what the words ask for, or what such music is. A song is longer where its lyrics need it",
});

/** Of a remix. */
export const RemixDuration = Type.Number({
  minimum: 10,
  maximum: 300,
  description: "Seconds, met within a bar; absent: as long as the source. A song is longer where its lyrics need it",
});

/** Lines to be sung, under markers such as `[Verse]` on lines of their own. Lengths count code points. */
export const Lyrics = Type.String({
  minLength: 1,
  maxLength: 3000,
  description:
    "Sections under markers on lines of their own ([Verse], [Chorus], [Bridge], [Intro], [Outro], " +
    "[Instrumental]), each further line one vocal line. A marker may say bars, players and fades " +
    "([Intro: 8 bars], [Solo: guitar], [Outro: fade]). " +
    'A marker without lines is played; a chorus with nothing below it is sung again as it was. "x2" to "x4" in ' +
    "a marker, or behind a line, repeats it",
});

/**
 * Letters that a voice gets through in a second at the very most: four short words; of Chinese, Japanese and Korean
 * eight.
 */
const LETTERS_A_SECOND = 20;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * A letter or a digit outside of markers is what can be sung; all of it has to fit into `duration`, seconds, where that
 * is said.
 */
export function lyricsIssues(lyrics: string, duration?: number): readonly Issue[] {
  const sung = lyrics.split(/\r\n?|\n/u).filter((line) => !/^\s*\[[^\]]*\]\s*$/u.test(line));
  const letters = sung.join("").match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters === 0) return [{ loc: ["lyrics"], msg: "No line has a character that can be sung", type: "value_error" }];
  const dense = sung.join("").match(DENSE)?.length ?? 0;
  const least = Math.ceil((letters + 1.5 * dense) / LETTERS_A_SECOND);
  if (duration === undefined || least <= duration) return [];
  const msg = `The lyrics cannot be sung in ${duration} s; they take at least ${least} s`;
  return [{ loc: ["duration"], msg, type: "value_error" }];
}
