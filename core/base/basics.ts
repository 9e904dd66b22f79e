/** Words that every port uses: states, kinds of work, the clock. */

export type Status = "processing" | "ready" | "failed";

/**
 * Kind of work: which workers may claim it. `gpu`: what a model on an accelerator serves; `test`: what test keys
 * submit, done by every worker.
 */
export type Work = "dsp" | "generation" | "gpu" | "test";

export const WORKS: readonly Work[] = ["dsp", "generation", "gpu", "test"];
/** Those that are shared out among workers. */
export const LIVE_WORKS = ["dsp", "generation", "gpu"] as const satisfies readonly Work[];

/**
 * What wake-ups are about: kinds of work, of which there are jobs, and what somebody waits for that has none: pictures,
 * other forms of outputs.
 */
export type Errand = Work | "picture" | "form";

export const ERRANDS: readonly Errand[] = [...WORKS, "picture", "form"];

export const DAY_MS = 86_400_000;

/** The other end of the connection, before any proxy header is believed. */
export interface Peer {
  /** IPv4 inside IPv6 is given as IPv4. Empty if the client has gone. */
  readonly address: string;
}

/** One function for Bun.serve, Deno.serve and tests. */
export type App = (request: Request, peer: Peer) => Promise<Response>;

/**
 * What stands in front of all routes where the configuration asks for it; `app` itself where it has nothing to do.
 * `pathOf` finds the path of a request's route as its table writes it; undefined: it has none.
 */
export type Front = (app: App, pathOf: (request: Request) => string | undefined) => App;

/** Time, so that tests can own it. */
export interface Clock {
  now(): number;
  /** Runs `callback` once after `ms`; the returned function cancels. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}
