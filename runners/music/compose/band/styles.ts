import { musicOf } from "../../../packs/mod.ts";
import type { Genre } from "../genres.ts";

/** How a genre is played: names of grooves, of which the seed chooses, and habits. */
export type Style = ReturnType<typeof styleOf>;

export function styleOf(genre: Genre) {
  const { grooves, styles } = musicOf(genre);
  return { ...grooves, ...styles };
}
