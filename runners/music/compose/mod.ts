/** Words, or a piece to be like, to a score. Light; the composer loads inside the pool. */
export type { Brief } from "./brief.ts";
export type { Candidate, Choice, Chosen } from "./choice/choose.ts";
export { beatSeconds, beatsIn, type Clock, clockOf } from "./clock.ts";
export { type Genre, genreName, genrePack, genres } from "./genres.ts";
export { calledOn, gestureOf, type Instrument, instrumentOf, instruments } from "./instruments.ts";
export { keyName, noteName } from "./key_name.ts";
export type {
  Given,
  GivenChord,
  GivenNote,
  GivenSection,
  Outline,
  OutlineSection,
  WordLine,
  WordSyllable,
} from "./plan.ts";
export type * from "./score.ts";

/** The composer itself, for engines of the same thread. */
export const composer = { load: () => import("./composer.ts") } as const;
