/**
 * Every code that a client can meet, once: of refused requests (`REFUSALS`) and of failed operations (`FAILURES`), each
 * with its cause and its cure. The OpenAPI document, the SDKs and the page at /docs/errors are made of these tables. A
 * retired code is never used again.
 */

export interface ErrorCode {
  /** What has happened. */
  readonly cause: string;
  /** What to do about it. */
  readonly cure: string;
}

export const REFUSALS = {
  malformed_request: {
    status: 400,
    cause: "Host and target make no URL, or the body breaks off or comes in too many small chunks",
    cure: "Send one valid Host header, and the whole body in chunks of ordinary size",
  },
  api_key_missing: {
    status: 401,
    cause: "The request has no API key",
    cure: "Send the header Authorization: Bearer <API key>",
  },
  api_key_malformed: {
    status: 401,
    cause: "The Authorization header is not Bearer with a key",
    cure: "Send the key exactly as it was issued, with its prefix",
  },
  api_key_invalid: {
    status: 401,
    cause: "The key is unknown or was revoked",
    cure: "Make a new key in the dashboard under Developer, API keys",
  },
  address_not_allowed: {
    status: 401,
    cause: "The account restricts its keys to some addresses, and this is none of them",
    cure: "Call from an allowed address, or have an owner of the account change the list",
  },
  upload_token_invalid: {
    status: 401,
    cause: "The upload token was not made here, has expired, or the key that made it was revoked",
    cure: "Have your server make a new one: POST /v1/upload_tokens",
  },
  sign_in_required: { status: 401, cause: "Nobody is signed in", cure: "Sign in to the dashboard" },
  insufficient_credits: {
    status: 402,
    cause: "The account has fewer credits than the request costs",
    cure: "Add credits; required and available say how many are missing. A dry run tells the cost beforehand",
  },
  key_budget_exceeded: {
    status: 402,
    cause: "The key's own budget of this day or month has fewer credits left than the request costs",
    cure: "Wait until resets_at (the calendar's next day or month, UTC), or use a key with a larger budget",
  },
  key_scope_missing: {
    status: 403,
    cause: "The key is restricted, and this request is outside of what it may do; scope says what is missing",
    cure: "Use a key that has the scope; owners make one in the dashboard under Developer, API keys",
  },
  download_url_invalid: {
    status: 403,
    cause: "The download URL has expired or was changed",
    cure: "GET the operation or the file again: it carries a fresh URL",
  },
  upload_token_forbidden: {
    status: 403,
    cause: "An upload token was sent with something else than an upload",
    cure: "Use it with PUT /v1/files alone; have your server, with its API key, do the rest",
  },
  upload_token_origin: {
    status: 403,
    cause: "The upload token is bound to an origin, and the request comes from another or from no page",
    cure: "Use it on pages of that origin, or make one without",
  },
  upload_token_spent: {
    status: 403,
    cause: "As many files or bytes as the upload token allows have been uploaded with it",
    cure: "Have your server make another",
  },
  role_forbids: {
    status: 403,
    cause: "The role of whoever is signed in does not allow this",
    cure: "Ask an owner of the account",
  },
  form_foreign: {
    status: 403,
    cause: "The form is not from this site or has expired",
    cure: "Load the page again and send it anew",
  },
  leak_report_refused: {
    status: 403,
    cause: "The installation takes no leak reports, or the signature does not fit",
    cure: "Sign the body with a key that the installation knows",
  },
  not_found: { status: 404, cause: "Nothing has this path", cure: "Compare the path with /openapi.json" },
  operation_not_found: {
    status: 404,
    cause: "The account has no such operation of this action, or it has been deleted after its retention",
    cure: "Check id and action; GET /v1/operations lists what there is",
  },
  file_not_found: {
    status: 404,
    cause: "The account has no such upload, or it was deleted, by a request or 24 hours after its last use",
    cure: "Upload the file again",
  },
  resource_not_found: { status: 404, cause: "The account has nothing of this name", cure: "Check the name" },
  method_not_allowed: {
    status: 405,
    cause: "The path exists, with other methods",
    cure: "Use a method that the Allow header names",
  },
  body_too_slow: {
    status: 408,
    cause: "The request's body took too long",
    cure: "Send it again over a faster connection; PUT is safe to repeat",
  },
  conflict: { status: 409, cause: "Something else stands in the way, as detail says", cure: "Remove it, or wait" },
  body_too_large: {
    status: 413,
    cause: "The body exceeds its limit: 64 KiB of JSON, 50,000,000 bytes of audio unless the operator allows more",
    cure: "Send less; audio may be uploaded as FLAC or MP3",
  },
  unsupported_media_type: {
    status: 415,
    cause: "The body's type is not the one that is read here",
    cure: "Send Content-Type: application/json, in UTF-8",
  },
  range_not_satisfiable: {
    status: 416,
    cause: "The range begins behind the end of the file",
    cure: "Content-Range tells the file's length",
  },
  misdirected: {
    status: 421,
    cause: "The dashboard answers at its own address alone",
    cure: "Open the address that TONWERK_BASE_URL names",
  },
  invalid_request: {
    status: 422,
    cause: "Fields of the body or the query are wrong; detail has one entry for each",
    cure: "Mend what loc points to, as msg says",
  },
  idempotency_key_reused: {
    status: 422,
    cause: "The key belongs to another request",
    cure: "Take a new UUID for each request; send the same one again only with the same body",
  },
  same_source: {
    status: 422,
    cause: "Both inputs are the same audio",
    cure: "Name two different files",
  },
  audio_invalid: {
    status: 422,
    cause: "The upload is no WAV, MP3 or FLAC that this service takes",
    cure: "Send one of these, as detail says; content decides, not the name",
  },
  format_unavailable: {
    status: 422,
    cause: "This installation cannot make the format: MP3 and Opus need the system's ffmpeg with their encoders",
    cure: "Take one of those that /v1/capabilities names under codec.formats; FLAC and WAV always work",
  },
  rate_limited: {
    status: 429,
    cause: "The account, or the address, sends more requests a minute than it may",
    cure: "Wait as long as Retry-After says; RateLimit headers tell how much is left",
  },
  too_many_long_polls: {
    status: 429,
    cause: "The account has as many open long-polls as it may",
    cure: "Wait for fewer operations at a time, or use webhooks",
  },
  too_many_uploads: {
    status: 429,
    cause: "The account has as many uploads under way as it may",
    cure: "Upload fewer files at a time",
  },
  upload_quota_reached: {
    status: 429,
    cause: "The account's uploads have as many bytes together as they may",
    cure: "Delete some, or wait until the oldest are, 24 hours after their last use, as Retry-After says",
  },
  free_work_used_up: {
    status: 429,
    cause: "Failed operations and uploads have used up the day's processor time for work without a charge",
    cure: "Mend what fails; the budget begins anew at 00:00 UTC",
  },
  redelivered_too_often: {
    status: 429,
    cause: "This webhook was sent again too often",
    cure: "Wait as long as Retry-After says, or GET the operation",
  },
  internal_error: {
    status: 500,
    cause: "A fault of the service",
    cure: "Send the request again; if it stays, give x-request-id to who runs the service",
  },
  unavailable: {
    status: 503,
    cause: "The service is shutting down, or cannot reach its store or files",
    cure: "Send the same request again after Retry-After; a PUT is accepted at most once",
  },
  no_room: {
    status: 507,
    cause: "The server has no room for uploads now; all else goes on",
    cure: "Upload again later",
  },
} as const satisfies Record<string, ErrorCode & { readonly status: number }>;

export type RefusalCode = keyof typeof REFUSALS;

/** Codes of failed operations that every action shares. */
export const FAILURES = {
  internal_error: {
    cause: "Internal failure",
    cure: "Submit it again; the credits came back",
  },
  generation_timeout: {
    cause: "The work exceeded its time limit",
    cure: "Ask for less: a shorter source, fewer variations",
  },
  timed_out: {
    cause: "The operation had not ended when its timeout_seconds were over",
    cure: "Submit it again with more time, or when fewer jobs wait; the credits came back",
  },
  canceled: { cause: "The operation was canceled", cure: "Submit it again if it is wanted after all" },
  content_policy: {
    cause: "Lyrics or prompt rejected by the content policy",
    cure: "Change the text; the message names the rule",
  },
  tos_violation: {
    cause: "Prompt rejected by the content policy",
    cure: "Change the text; the message names the rule",
  },
  same_source: { cause: "Both inputs resolve to the same audio", cure: "Name two different files" },
  source_unreachable: {
    cause: "The source could not be fetched",
    cure: "Check that the URL answers 200 to a GET without credentials, or upload the file",
  },
  source_forbidden_address: {
    cause: "The source's address is not allowed",
    cure: "Use a public address, or upload the file; TONWERK_PRIVATE_HOSTS allows hosts of one's own",
  },
  source_timeout: {
    cause: "The source did not answer in time",
    cure: "Use a faster host, or upload the file",
  },
  source_too_large: { cause: "The source exceeds the size limit", cure: "Send it as FLAC or MP3" },
  source_too_long: {
    cause: "The source exceeds the duration limit",
    cure: "Cut it; the request's schema names the limit",
  },
  source_too_short: {
    cause: "The source is shorter than the duration limit",
    cure: "Use a longer one; the request's schema names the limit",
  },
  source_unsupported_format: {
    cause: "The source is not WAV, MP3 or FLAC",
    cure: "Convert it; content decides, not the name",
  },
  source_undecodable: { cause: "The source could not be decoded", cure: "Check the file; it is damaged or cut off" },
  source_silent: { cause: "The source is silent", cure: "Use a source with sound" },
} as const satisfies Record<string, ErrorCode>;

export type FailureCode = keyof typeof FAILURES;
