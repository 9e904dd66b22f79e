/**
 * Every code that a client can meet, once: of refused requests (`REFUSALS`) and of failed operations (`FAILURES`), each
 * with its cause and its cure. The OpenAPI document, the SDKs and the page at /docs/errors are made of these tables. A
 * retired code is never used again.
 */
import codes from "./error_codes.json" with { type: "json" };

export interface ErrorCode {
  /** What has happened. */
  readonly cause: string;
  /** What to do about it. */
  readonly cure: string;
}

export const REFUSALS = codes.refusals satisfies Record<string, ErrorCode & { readonly status: number }>;
export type RefusalCode = keyof typeof REFUSALS;

/** Codes of failed operations that every action shares. */
export const FAILURES = codes.failures satisfies Record<string, ErrorCode>;
export type FailureCode = keyof typeof FAILURES;
