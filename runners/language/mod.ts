/** Every prompt and direction, read once, and what a client is told of it. */
export type { Understood } from "../../contract/mod.ts";
export type * from "./ask.ts";
export { readChord } from "./figures/progression.ts";
export { FILTERS, HERTZ, KILOHERTZ } from "./figures/tuning.ts";
export { listIn } from "./length.ts";
export { type Entry, kindOf, type Lexicon, lexiconOf, NO_TONGUES } from "./lexicon.ts";
export { type PitchesSaid, readPitches } from "./pitches.ts";
export { readAsk } from "./read.ts";
export { correct } from "./spelling.ts";
export { clean, isDense, spacedOf, wordsOf } from "./tokens.ts";
export { speaksOf, tonguesOf } from "./tongues.ts";
export { NOTHING, steadyTempo } from "./understood.ts";
export { mayBeIn, type Writing, wordsFor } from "./writing.ts";
