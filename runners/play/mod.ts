/** Scores to sound, one part at a time. Light; the orchestra loads inside the pool. */
export { type Performance, type PlayedNote, RATE, type Stem } from "./performance.ts";
