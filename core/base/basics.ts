/** Words that every port uses: states, kinds of work, the clock. */

export type Status = "processing" | "ready" | "failed";

/** Kind of work: which workers may claim it. `gpu`: what a model on an accelerator serves. */
export type Work = "dsp" | "generation" | "gpu";

export const WORKS: readonly Work[] = ["dsp", "generation", "gpu"];

/** Time, so that tests can own it. */
export interface Clock {
  now(): number;
  /** Runs `callback` once after `ms`; the returned function cancels. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}
