/**
 * Refusals (`refuse`) and failures as they are thrown; their codes stand in error_codes.ts. What one surface alone
 * refuses stands with it.
 *
 * Three kinds, never mixed: a client's mistake is a `Refusal` (4xx, nothing happened), an operation's misfortune is a
 * `Failure` (the operation ends as `failed`), our own bug is any other error (500, or `internal_error`).
 */
import type { Issue } from "../../contract/mod.ts";
import { FAILURES, type FailureCode, REFUSALS, type RefusalCode } from "./error_codes.ts";

/** An answer other than 200. `body` is sent as JSON, with `code` and, by the HTTP API, `doc_url`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: RefusalCode,
    detail: string | readonly Issue[],
    headers: Readonly<Record<string, string>> = {},
    more: Readonly<Record<string, unknown>> = {},
  ) {
    const { status } = REFUSALS[code];
    super(`${status} ${typeof detail === "string" ? detail : JSON.stringify(detail)}`);
    this.code = code;
    this.status = status;
    this.body = { detail, code, ...more };
    this.headers = headers;
  }
}

const seconds = (value: number): string => String(Math.max(1, Math.ceil(value)));

/** One entry of a 422 body. */
export function issue(loc: readonly (string | number)[], type: IssueType, msg: string): Issue {
  return { loc, msg, type };
}

/** `throw refuse.operationNotFound()` reads as prose. */
export const refuse = {
  unauthorized: (why: keyof typeof UNAUTHORIZED) =>
    new Refusal(why, UNAUTHORIZED[why], { "www-authenticate": "Bearer" }),
  insufficientCredits: (required: number, available: number) =>
    new Refusal(
      "insufficient_credits",
      `Insufficient credits: ${required} required, ${available} available`,
      {},
      { required, available },
    ),
  keyBudgetExceeded: (required: number, left: number, period: string, resets_at: string) =>
    new Refusal(
      "key_budget_exceeded",
      `This key's budget of the ${period} is used up: ${required} credits required, ${left} left until ${resets_at}`,
      {},
      { required, available: left, period, resets_at },
    ),
  keyScopeMissing: (scope: string) =>
    new Refusal("key_scope_missing", `This key lacks the scope "${scope}"`, {}, { scope }),
  keyReused: (loc: readonly string[] = ["body", "idempotency_key"]) =>
    refuse.invalid([issue(loc, "idempotency_key_reused", "This key was used for another request; choose a new one")]),
  urlRefused: (why: string) => new Refusal("download_url_invalid", why),
  /** `meant`: the path that was perhaps meant. */
  notFound: (meant?: string) =>
    new Refusal("not_found", meant === undefined ? "Not found" : `Not found; did you mean ${meant}?`),
  /** A resource of the account, named in lower case. */
  resourceNotFound: (what: string) => new Refusal("resource_not_found", `No such ${what}`),
  conflict: (why: string) => new Refusal("conflict", why),
  tokenOnlyUploads: () =>
    new Refusal("upload_token_forbidden", "An upload token is taken by PUT /v1/files and by nothing else"),
  operationNotFound: () => new Refusal("operation_not_found", "Operation not found"),
  methodNotAllowed: (allow: readonly string[]) =>
    new Refusal("method_not_allowed", `Method not allowed, use ${allow.join(" or ")}`, { allow: allow.join(", ") }),
  malformed: (why: string) => new Refusal("malformed_request", `Malformed request: ${why}`),
  bodyBrokenOff: () => refuse.malformed("the body breaks off or cannot be read"),
  bodyInCrumbs: () => refuse.malformed("the body comes in too many small chunks"),
  bodyTooSlow: () => new Refusal("body_too_slow", "The request body took too long", { connection: "close" }),
  bodyTooLarge: (bytes_max: number) =>
    new Refusal("body_too_large", `Request body exceeds ${bytes_max.toLocaleString("en")} bytes`),
  notJson: () => new Refusal("unsupported_media_type", "Content-Type must be application/json, UTF-8 encoded"),
  compressed: () =>
    new Refusal("unsupported_media_type", "The body must not be compressed: send it without Content-Encoding", {
      "accept-encoding": "identity",
    }),
  rangeNotSatisfiable: (bytes: number) =>
    new Refusal("range_not_satisfiable", "Requested range not satisfiable", { "content-range": `bytes */${bytes}` }),
  /** The one thing that is wrong has a code of its own where clients act on it. */
  invalid: (issues: readonly Issue[]) => {
    const [only] = issues;
    const is_code = issues.length === 1 && only !== undefined && only.type in REFUSALS;
    return new Refusal(is_code ? (only.type as RefusalCode) : "invalid_request", issues);
  },
  tooMany: (code: TooMany, retry_seconds: number, why: string) =>
    new Refusal(code, why, { "retry-after": seconds(retry_seconds) }),
  tooManyRequests: (retry_seconds: number, why = "Too many requests") =>
    refuse.tooMany("rate_limited", retry_seconds, why),
  unavailable: (why: string, retry_seconds = 2) =>
    new Refusal("unavailable", why, { "retry-after": seconds(retry_seconds) }),
  draining: (): Refusal => refuse.unavailable("The service is shutting down, try again"),
  /** A fault of ours: who asked learns nothing but that. */
  internal: () => new Refusal("internal_error", "Internal error"),
} as const;

type TooMany =
  | "rate_limited"
  | "too_many_long_polls"
  | "too_many_uploads"
  | "upload_quota_reached"
  | "free_work_used_up"
  | "redelivered_too_often";

const UNAUTHORIZED = {
  api_key_missing: "Missing API key: send it as 'Authorization: Bearer <API key>'",
  api_key_malformed: "Malformed Authorization header: send 'Authorization: Bearer <API key>'",
  api_key_invalid: "Invalid or revoked API key",
  upload_token_invalid: "Invalid upload token: unknown, expired, or its key was revoked",
  address_not_allowed: "Requests from this address are not allowed for this account",
} as const;

/** `type` of a 422 entry. Documented in docs/api.md; a retired one is never used again. */
export type IssueType =
  | "missing"
  | "string_type"
  | "string_too_short"
  | "string_too_long"
  | "string_text"
  | "string_pattern"
  | "number_type"
  | "integer_type"
  | "boolean_type"
  | "object_type"
  | "array_type"
  | "enum"
  | "greater_than_equal"
  | "less_than_equal"
  | "multiple_of"
  | "one_of"
  | "extra_forbidden"
  | "json_invalid"
  | "uuid"
  | "url_invalid"
  | "url_scheme"
  | "url_forbidden_address"
  | "idempotency_key_reused"
  | "same_source"
  | "audio_invalid"
  | "format_unavailable"
  | "value_error";

/** Ends the operation as `failed` with `code`. `source` names the input concerned. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: string;
  readonly source: string | undefined;
  constructor(code: string, message: string, source?: string) {
    super(message);
    this.code = code;
    this.source = source;
  }
}

/** A failure of which nothing is known but its code. */
export const failureOf = (code: FailureCode): Failure => new Failure(code, FAILURES[code].cause);
