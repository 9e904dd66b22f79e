/** Verbs of the port as they are here: plain functions that answer at once, on a connection within one thread. */
export type Sync<Part> = {
  readonly [V in keyof Part]: Part[V] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never;
};

/** The same as the port has them. */
export type Async<Part> = {
  readonly [V in keyof Part]: Part[V] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
};

/** The store's now: of the call that is being done. */
export interface Now {
  now(): number;
}

/** `at` is set for each call: what the caller's clock said when it was made. */
export interface CallClock extends Now {
  at: number;
}

export function createCallClock(at = 0): CallClock {
  const clock = { at, now: () => clock.at };
  return clock;
}
