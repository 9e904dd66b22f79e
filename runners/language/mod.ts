/** Every prompt and direction, read once. */
export type * from "./ask.ts";
export type { Entry, Lexicon } from "./lexicon.ts";
