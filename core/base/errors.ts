/**
 * Every refusal and failure, once: HTTP answers (`refuse`) and failure codes of operations (`FAILURES`).
 *
 * Three kinds, never mixed: a client's mistake is a `Refusal` (4xx, nothing happened), an operation's misfortune is a `Failure`
 * (the operation ends as `failed`), our own bug is any other error (500, or `internal_error`).
 */
import type { Issue } from "../plugin.ts";

/** An answer other than 200. `body` is sent as JSON. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}) {
    super(`${status} ${typeof body.detail === "string" ? body.detail : JSON.stringify(body.detail)}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

const seconds = (value: number): string => String(Math.max(1, Math.ceil(value)));

/** One entry of a 422 body. */
export function issue(loc: readonly (string | number)[], type: IssueType, msg: string): Issue {
  return { loc, msg, type };
}

/** `throw refuse.operationNotFound()` reads as prose; OpenAPI and tests read the same table. */
export const refuse = {
  unauthorized: (why: "missing" | "malformed" | "invalid" | "address") =>
    new Refusal(401, { detail: UNAUTHORIZED[why] }, { "www-authenticate": "Bearer" }),
  insufficientCredits: (required: number, available: number) =>
    new Refusal(402, {
      detail: `Insufficient credits: ${required} required, ${available} available`,
      code: "insufficient_credits",
      required,
      available,
    }),
  urlRefused: (why: string) => new Refusal(403, { detail: why }),
  notFound: () => new Refusal(404, { detail: "Not found" }),
  /** A resource of the account, named in lower case. */
  resourceNotFound: (what: string) => new Refusal(404, { detail: `No such ${what}` }),
  signInFirst: () => new Refusal(401, { detail: "Sign in first" }),
  roleForbids: () => new Refusal(403, { detail: "Your role in this account does not allow this" }),
  foreignForm: () =>
    new Refusal(403, {
      detail: "This form is not from this site or has expired: load the page again and send it anew",
    }),
  misdirected: (base_url: string) =>
    new Refusal(421, { detail: `The dashboard answers at ${base_url} alone; TONWERK_BASE_URL says where that is` }),
  conflict: (why: string) => new Refusal(409, { detail: why }),
  leakSignature: (why: string) => new Refusal(403, { detail: why }),
  operationNotFound: () => new Refusal(404, { detail: "Operation not found" }),
  fileNotFound: () => new Refusal(404, { detail: "File not found" }),
  methodNotAllowed: (allow: readonly string[]) =>
    new Refusal(405, { detail: `Method not allowed, use ${allow.join(" or ")}` }, { allow: allow.join(", ") }),
  bodyBrokenOff: () => new Refusal(400, { detail: "Malformed request: the body breaks off or cannot be read" }),
  bodyInCrumbs: () => new Refusal(400, { detail: "Malformed request: the body comes in too many small chunks" }),
  bodyTooSlow: () => new Refusal(408, { detail: "The request body took too long" }, { connection: "close" }),
  bodyTooLarge: (bytes_max: number) =>
    new Refusal(413, { detail: `Request body exceeds ${bytes_max.toLocaleString("en")} bytes` }),
  notJson: () => new Refusal(415, { detail: "Content-Type must be application/json, UTF-8 encoded" }),
  notForm: () => new Refusal(415, { detail: "Content-Type must be that of an HTML form" }),
  rangeNotSatisfiable: (bytes: number) =>
    new Refusal(416, { detail: "Requested range not satisfiable" }, { "content-range": `bytes */${bytes}` }),
  invalid: (issues: readonly Issue[], code?: string) =>
    new Refusal(422, code === undefined ? { detail: issues } : { detail: issues, code }),
  tooManyRequests: (retry_seconds: number, why = "Too many requests") =>
    new Refusal(429, { detail: why }, { "retry-after": seconds(retry_seconds) }),
  /** Not 503: balancers would take the whole node for ill, and jobs go on. */
  noRoom: () =>
    new Refusal(507, { detail: "The server has no room for uploads now, try again later" }, { "retry-after": "60" }),
  unavailable: (why: string, retry_seconds = 2) =>
    new Refusal(503, { detail: why }, { "retry-after": seconds(retry_seconds) }),
  draining: (): Refusal => refuse.unavailable("The service is shutting down, try again"),
} as const;

const UNAUTHORIZED = {
  missing: "Missing API key: send it as 'Authorization: Bearer <API key>'",
  malformed: "Malformed Authorization header: send 'Authorization: Bearer <API key>'",
  invalid: "Invalid or revoked API key",
  address: "Requests from this address are not allowed for this account",
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
  | "value_error";

/** Failure codes of operations that every action shares: what each means to the client. */
export const FAILURES = {
  internal_error: "Internal failure",
  generation_timeout: "The work exceeded its time limit",
  canceled: "The operation was canceled",
  content_policy: "Lyrics or prompt rejected by the content policy",
  tos_violation: "Prompt rejected by the content policy",
  same_source: "Both inputs resolve to the same audio",
  source_unreachable: "The source could not be fetched",
  source_forbidden_address: "The source's address is not allowed",
  source_timeout: "The source did not answer in time",
  source_too_large: "The source exceeds the size limit",
  source_too_long: "The source exceeds the duration limit",
  source_too_short: "The source is shorter than the duration limit",
  source_unsupported_format: "The source is not WAV, MP3 or FLAC",
  source_undecodable: "The source could not be decoded",
  source_silent: "The source is silent",
} as const;

export type FailureCode = keyof typeof FAILURES;

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
