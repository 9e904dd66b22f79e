/** Scores to sound, one part at a time. Light; the orchestra loads inside the pool. */
export type { PerformOptions } from "./orchestra.ts";
export { type Performance, type PlayedNote, RATE, type Stem } from "./performance.ts";
export { nearest } from "./tuning.ts";

/** Loads what plays: `const { perform } = await orchestra.load()`. */
export const orchestra = {
  load: (): Promise<typeof import("./orchestra.ts")> => import("./orchestra.ts"),
};
