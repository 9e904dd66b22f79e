/** Genres that are like others: a section says what sets it apart. */
import type { Music, WrittenMusic } from "./schema/genre/music.ts";

interface Written extends WrittenMusic {
  readonly like?: string;
}

const SECTIONS = [
  "form",
  "progressions",
  "grooves",
  "lineup",
  "styles",
  "melody",
  "singing",
  "mix",
] as const satisfies readonly (keyof Music)[];

/**
 * The musical sections of a genre with what it takes from those that it is like.
 *
 * @throws {RangeError} for a genre that is not there, or one that is like itself in the end
 */
export function completed(genres: ReadonlyMap<string, Written>, id: string): Music {
  return Object.fromEntries(SECTIONS.map((name) => [name, sectionOf(genres, id, name, [])])) as unknown as Music;
}

function sectionOf(
  genres: ReadonlyMap<string, Written>,
  id: string,
  name: keyof Music,
  way: readonly string[],
): Readonly<Record<string, unknown>> {
  const on = [...way, id];
  if (way.includes(id)) throw new RangeError(`${name}: it is like itself: ${on.join(" > ")}`);
  const genre = genres.get(id);
  if (genre === undefined) throw new RangeError(`${name}: there is no genre "${id}", ${on.join(" > ")}`);
  const { like = genre.like, ...own } = genre[name] ?? {};
  return like === undefined ? own : { ...sectionOf(genres, like, name, on), ...own };
}
