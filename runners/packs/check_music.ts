/** Checks what genres take from each other and from grooves; that each file fits its schema was checked before. */
import { completed } from "./likeness.ts";
import type { Grooves } from "./schema/genre/grooves.ts";
import { MUSIC, type Music } from "./schema/genre/music.ts";
import type { GenrePack, GroovePack, InstrumentPack } from "./schema/mod.ts";

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
  instruments: ReadonlyMap<string, InstrumentPack>,
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
        return `/grooves/${player}/${n}: there is no groove "${groove}" with "${PARTS[player]}"`;
  const { bands, low_end, low_end_with_drums, for_choruses } = music.lineup;
  const players = [...bands.flat().flatMap((player) => player.instruments), low_end, low_end_with_drums, for_choruses];
  const missing = players.find((player) => player !== undefined && !instruments.has(player));
  if (missing !== undefined) return `/lineup: there is no instrument "${missing}"`;
  const { fills } = music.styles;
  if (fills !== "none" && grooves.get(fills)?.fill === undefined)
    return `/styles/fills: there is no groove "${fills}" with "fill"`;
  return null;
}

/** What a groove lacks: grooves that take its place must be there. */
export function faultOfGroove(grooves: ReadonlyMap<string, GroovePack>, id: string): string | null {
  const { chords } = grooves.get(id)!;
  for (const place of ["clean_guitar_plays", "acoustic_guitar_plays", "in_three_play"] as const) {
    const other = chords?.[place];
    if (other !== undefined && grooves.get(other)?.chords === undefined)
      return `/chords/${place}: there is no groove "${other}" with "chords"`;
  }
  return null;
}

/** What an instrument lacks: grooves that are its habits must be there. */
export function faultOfHabits(
  instruments: ReadonlyMap<string, InstrumentPack>,
  grooves: ReadonlyMap<string, GroovePack>,
  id: string,
): string | null {
  const { habits = [], drumming } = instruments.get(id)!;
  for (const [n, { role, patterns }] of habits.entries()) {
    const part = role === "arpeggio" ? "arpeggio" : "chords";
    const missing = patterns.find((name) => grooves.get(name)?.[part] === undefined);
    if (missing !== undefined) return `/habits/${n}/patterns: there is no groove "${missing}" with "${part}"`;
  }
  const { pattern } = drumming ?? {};
  return pattern === undefined || grooves.get(pattern)?.percussion !== undefined
    ? null
    : `/drumming/pattern: there is no groove "${pattern}" with "percussion"`;
}
