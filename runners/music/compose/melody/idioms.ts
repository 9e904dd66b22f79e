import { type Melody, musicOf } from "../../../packs/mod.ts";
import type { Brief } from "../brief.ts";

/** How the tunes of a piece go. */
export interface Idiom extends Omit<Melody, "rhythms"> {
  readonly rhythms: readonly (readonly [cell: string, weight: number])[];
}

/** Rhythms of a beat that divides in three, for compound metres: the idiom's rate chooses among them. */
export const COMPOUND: Idiom["rhythms"] = [
  ["x-x", 4],
  ["xxx", 4],
  ["x--", 4],
  ["---", 2],
  ["--x", 1],
  ["x-.", 1],
  ["..x", 0.8],
];

/** A genre's idiom, with some of the second genre's rhythms, bent by what the brief asks for by name. */
export function idiomOf({ genre, second_genre, traits }: Brief): Idiom {
  const own = musicOf(genre).melody;
  const other = second_genre === null ? own : musicOf(second_genre).melody;
  const asked = (trait: string): boolean => traits.includes(trait);
  let { sounding, repetition, motif_bars, notes_per_second, ornament } = own;
  let rhythms: Idiom["rhythms"] = Object.entries(own.rhythms);
  if (!alike(own, other)) {
    const added = Object.entries(other.rhythms).map(([cell, weight]): [string, number] => [cell, 0.4 * weight]);
    rhythms = [...rhythms, ...added];
    notes_per_second = 0.7 * notes_per_second + 0.3 * other.notes_per_second;
    repetition = 0.7 * repetition + 0.3 * other.repetition;
    if (ornament === "none") ornament = other.ornament;
  }
  if (asked("syncopated"))
    rhythms = rhythms.map(([cell, weight]) => [cell, cell[0] === "x" && cell[1] !== "x" ? weight * 0.5 : weight * 1.6]);
  if (asked("legato")) [sounding, notes_per_second] = [1, notes_per_second * 0.8];
  if (asked("staccato")) sounding = Math.min(sounding, 0.55);
  if (asked("riff") || asked("ostinato")) [repetition, motif_bars] = [0.9, 1];
  if (asked("improvised")) [repetition, notes_per_second] = [repetition * 0.3, notes_per_second * 1.15];
  if (asked("half time")) notes_per_second *= 0.7;
  return { ...own, rhythms, sounding, repetition, motif_bars, notes_per_second, ornament };
}

function alike(one: Melody, other: Melody): boolean {
  return one === other || (Object.keys(one) as (keyof Melody)[]).every((field) => one[field] === other[field]);
}
