/** Checks what genres take from each other and from grooves; that each file fits its schema was checked before. */
import { completed } from "./likeness.ts";
import type { Grooves } from "./schema/genre/grooves.ts";
import { MUSIC, type Music } from "./schema/genre/music.ts";
import type { GenrePack, GroovePack } from "./schema/mod.ts";

/** Which part of a groove each player takes. */
const PARTS: Readonly<Record<keyof Grooves, keyof GroovePack>> = {
  drums: "drums",
  latin_percussion: "percussion",
  hand_drums: "percussion",
  orchestral_percussion: "percussion",
  bass: "bass",
  keys: "chords",
  guitar: "chords",
  synth: "chords",
  winds: "chords",
  strings: "chords",
  arpeggio: "arpeggio",
};

/** What a genre's musical sections lack, its place first; null where nothing is. */
export function faultOfMusic(
  genres: ReadonlyMap<string, GenrePack>,
  grooves: ReadonlyMap<string, GroovePack>,
  id: string,
): string | null {
  let music: Music;
  try {
    music = completed(genres, id);
  } catch (error) {
    return `/${(error as Error).message}`;
  }
  for (const name of Object.keys(MUSIC) as (keyof Music)[])
    for (const key of (MUSIC[name].required as string[] | undefined) ?? [])
      if (!(key in music[name])) return `/${name}/${key}: is missing, here and in the genres that it is like`;
  for (const player of Object.keys(PARTS) as (keyof Grooves)[])
    for (const [n, groove] of music.grooves[player].entries())
      if (grooves.get(groove)?.[PARTS[player]] === undefined)
        return `/grooves/${player}/${n}: no groove "${groove}" with "${PARTS[player]}" is there`;
  const { fills } = music.styles;
  if (fills !== "none" && grooves.get(fills)?.fill === undefined)
    return `/styles/fills: no groove "${fills}" with "fill" is there`;
  return null;
}

/** What a groove lacks: grooves that take its place must be there. */
export function faultOfGroove(grooves: ReadonlyMap<string, GroovePack>, id: string): string | null {
  const { chords } = grooves.get(id)!;
  for (const place of ["clean_guitar_plays", "acoustic_guitar_plays", "in_three_play"] as const) {
    const other = chords?.[place];
    if (other !== undefined && grooves.get(other)?.chords === undefined)
      return `/chords/${place}: no groove "${other}" with "chords" is there`;
  }
  return null;
}
