/**
 * What is usual in a genre, where nobody said otherwise: how long a song lasts, how it begins and ends, whether its
 * last chorus is lifted.
 */
import { musicOf, type SongForm } from "../../../packs/mod.ts";
import type { Brief } from "../brief.ts";
import { stream } from "../stream.ts";
import eras from "./eras.json" with { type: "json" };

export interface Customs {
  readonly song: SongForm;
  /** Bars of a sung line; undefined where the tempo decides. */
  readonly line_bars: number | undefined;
  /** Length of this piece. */
  readonly seconds: number;
  /** Between these pieces of the genre last; lyrics of the shorter length are a song by themselves. */
  readonly shortest_s: number;
  readonly longest_s: number;
  readonly intro_s: number;
  /** The song ends in a fade. */
  readonly fades: boolean;
  /** The last chorus of a song is in a higher key. */
  readonly lifts: boolean;
}

/** Of a genre that says nothing. */
const LENGTH_S = { low: 105, usual: 150, high: 200 };
/** "A short song": about a verse and two choruses. */
const SHORT_S = { low: 45, usual: 60, high: 75 };
/** "A long song" lasts so much longer than the genre's. */
const LONG = 1.25;
const LONGEST_S = 300;
/** Top ten of 1986 and 2015 had intros of 23 and 5 s (Léveillé Gauvin, Musicae Scientiae 22/3, 2018); songs of no decade lie between. */
const INTRO_S = 10;

/**
 * Shares by decade. Keys: 23 % of the number ones of 1958 to 1990 are in several, 52 % of those by a half or whole step
 * towards the end, hardly any later (C. Dalla Riva, The Death of the Key Change, Tedium 2022). Fades: 93 % of Britain's
 * number ones of 1971, 100 % of 1983, none of 2011 (PA news agency 2022, 1,404 singles). What lies between is drawn
 * between.
 */
const ERAS: Readonly<Record<string, { readonly lift: number; readonly fades?: number; readonly intro_s?: number }>> =
  eras;

/** @param seed equal seeds give equal customs */
export function customsOf(brief: Brief, seed: number): Customs {
  const { form } = musicOf(brief.genre);
  const next = stream(seed ^ brief.colour, "customs");
  const [length, fade, lift] = [next(), next(), next()];
  const era = brief.era === null ? undefined : ERAS[brief.era];
  const own = form.length_s ?? LENGTH_S;
  const spread = brief.extent === "short" ? SHORT_S : own;
  const longer = brief.extent === "long" ? LONG : 1;
  const intro_s = (era?.intro_s ?? INTRO_S) * (form.song === "build_drop" ? 2 : 1);
  return {
    song: form.song ?? "verse_chorus",
    line_bars: form.line_bars,
    seconds: Math.min(LONGEST_S, longer * between(spread, length)),
    shortest_s: longer * spread.low,
    longest_s: Math.min(LONGEST_S, longer * spread.high),
    intro_s: brief.extent === "short" ? Math.min(6, intro_s) : intro_s,
    fades: fade < (era?.fades ?? 0),
    lifts: lift < (era?.lift ?? form.lift ?? 0),
  };
}

/** Of a triangular distribution with its top at `usual`. */
function between({ low, usual, high }: typeof LENGTH_S, draw: number): number {
  const share = high > low ? (usual - low) / (high - low) : 0;
  return draw < share
    ? low + Math.sqrt(draw * (high - low) * (usual - low))
    : high - Math.sqrt((1 - draw) * (high - low) * (high - usual));
}
