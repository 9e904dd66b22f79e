/** Every prompt and direction, read once, and what a client is told of it. */
export type * from "./ask.ts";
export { type Entry, type Lexicon, lexiconOf } from "./lexicon.ts";
export { readAsk } from "./read.ts";
export { correct } from "./spelling.ts";
export { isDense, wordsOf } from "./tokens.ts";
export { tonguesOf } from "./tongues.ts";
export { NOTHING, Understood } from "./understood.ts";
