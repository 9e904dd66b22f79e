import type { PoolFailure } from "../../core/ports/mod.ts";

/**
 * A run that did not come back by itself. `cause` is what the runner threw while it was being stopped, where it did.
 */
export class PoolError extends Error {
  override readonly name = "PoolError";
  readonly code: PoolFailure;
  /** It did not stop when it was told to, and was ended with its thread or process. */
  readonly forced: boolean;
  constructor(code: PoolFailure, message: string, options?: ErrorOptions, forced = false) {
    super(message, options);
    this.code = code;
    this.forced = forced;
  }
}
