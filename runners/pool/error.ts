import type { PoolFailure } from "../../core/ports/mod.ts";

/** A run that did not come back by itself. `cause` is what the runner threw while it was being stopped, where it did. */
export class PoolError extends Error {
  override readonly name = "PoolError";
  readonly code: PoolFailure;
  constructor(code: PoolFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
