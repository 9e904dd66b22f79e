/** What is asked of the arrangement by name, and tempo words; their words are in packs/words. */
import places from "./places.json" with { type: "json" };
import type { Shift } from "./shift.ts";
import traits from "./traits.json" with { type: "json" };

/** Names that `Brief.traits` may hold, with their shift. */
export const TRAITS: Readonly<Record<string, Partial<Shift>>> = traits;

/** What each makes of the genre's range: see `tempoOf`. */
export const TEMPI = ["very slow", "slow", "relaxed", "moderate", "brisk", "fast", "very fast"] as const;

/** What it does to a piece to sound as if it were played there. */
export const PLACES: Readonly<Record<string, Partial<Shift>>> = places;
