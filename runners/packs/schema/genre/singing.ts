/** How a genre is sung. */
import { type Static, Type } from "@sinclair/typebox";
import { Share, section, Weight } from "../common.ts";

export type Singing = Static<typeof Singing>;
export const Singing = section({
  /** Who sings where a prompt leaves it open: the seed chooses one; who stands there twice comes twice as often. */
  singers: Type.Array(
    Type.Union((["soprano", "alto", "tenor", "baritone"] as const).map((name) => Type.Literal(name))),
    { minItems: 1 },
  ),
  /** Verses are spoken in rhythm. */
  rapped: Type.Optional(Type.Boolean()),
  /** Long last syllables turn through neighbouring notes more often than not. */
  melismas: Type.Optional(Type.Boolean()),
  /**
   * Where lines enter, as weights: on the first beat, before it with a pick-up, or after it, the first beat left to the
   * band. A line that begins with light syllables leads into its stress all the same. Absent: as in most songs.
   */
  entries: Type.Optional(section({ on: Weight, before: Weight, after: Weight })),
  /**
   * Share of phrases whose last syllable is held as long as breath and bar allow, where its vowel carries; choruses and
   * last lines more.
   */
  holds: Type.Optional(Share),
  /** Semitones that choruses lie over verses, in the mean; absent: as in most songs. */
  chorus_lift: Type.Optional(Type.Number({ minimum: -4, maximum: 7 })),
});
