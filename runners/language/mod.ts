/** Every prompt and direction, read once, and what a client is told of it. */
export type * from "./ask.ts";
export type { Entry, Lexicon } from "./lexicon.ts";
export { NOTHING, Understood } from "./understood.ts";
