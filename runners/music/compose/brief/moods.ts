import moods from "./moods.json" with { type: "json" };
import type { Shift } from "./shift.ts";

/**
 * What each mood does; its words are in packs/words. Valence and energy follow the circumplex of affect (J. Russell,
 * 1980); the rest is ours.
 */
export const MOODS: Readonly<Record<string, Partial<Shift>>> = moods;
