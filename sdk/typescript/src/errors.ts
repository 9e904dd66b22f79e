/** Everything this package throws. `code` tells errors apart; classes are there for `instanceof`. */
import type { ErrorCode, FailureCode } from "./generated.ts";

/** A code that this version knows, or one that a newer server or a plugin brings. */
export type Code<Known extends string> = Known | (string & {});

/** Base of all errors of this package. */
export class TonwerkError extends Error {
  override readonly name: string = "TonwerkError";
}

/** One field that a request got wrong: where it stands, what is wrong, and a stable `type`. */
export interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** The server refused the request. Nothing was created and nothing was charged. */
export class ApiError extends TonwerkError {
  override readonly name: string = "ApiError";
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Stable and machine-readable; `http_<status>` where an answer has none, as those of proxies. */
  readonly code: Code<ErrorCode>;
  /** A page that tells cause and cure. */
  readonly docUrl: string | undefined;
  /** `x-request-id` of the answer: what to give to who runs the server. */
  readonly requestId: string | undefined;
  /** Seconds after which the server wants the request again. */
  readonly retryAfter: number | undefined;
  /** The fields that are wrong, of a 422; else empty. */
  readonly issues: readonly Issue[];
  /** The answer's JSON, or its text where it is none. */
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    const { detail, code, doc_url } = (typeof body === "object" && body !== null ? body : {}) as Record<
      string,
      unknown
    >;
    const issues = Array.isArray(detail) ? (detail as Issue[]) : [];
    const said =
      issues.length > 0
        ? issues.map(({ loc, msg }) => `${loc.slice(1).join(".") || loc[0]}: ${msg}`).join("; ")
        : typeof detail === "string"
          ? detail
          : response.statusText;
    super(`${response.status} ${said}`);
    this.status = response.status;
    this.code = typeof code === "string" ? code : `http_${response.status}`;
    this.docUrl = typeof doc_url === "string" ? doc_url : undefined;
    this.requestId = response.headers.get("x-request-id") ?? undefined;
    this.retryAfter = secondsOf(response.headers.get("retry-after"));
    this.issues = issues;
    this.body = body;
  }
}

/** 401: the key is missing, wrong or revoked, or this address may not use it. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 402: the account has fewer credits than the request costs. */
export class InsufficientCreditsError extends ApiError {
  override readonly name = "InsufficientCreditsError";
  get required(): number {
    return Number((this.body as { readonly required: number }).required);
  }
  get available(): number {
    return Number((this.body as { readonly available: number }).available);
  }
}

/** 404: unknown, foreign or expired. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 422: `issues` names every field that is wrong. */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
}

/** 429, after all retries: a limit of the account is reached. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 5xx, after all retries. */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
}

/**
 * No answer, after all retries. The server may have accepted the request all the same: send it again with the same `idempotencyKey`, at any
 * later time, and you get the one operation that it made, charged once.
 */
export class ConnectionError extends TonwerkError {
  override readonly name: string = "ConnectionError";
  readonly idempotencyKey: string | undefined;
  constructor(message: string, cause: unknown, idempotency_key?: string) {
    super(message, { cause });
    this.idempotencyKey = idempotency_key;
  }
}

/** The operation ended as `failed`. Its credits came back, unless it was cancelled after work had begun. */
export class OperationFailedError extends TonwerkError {
  override readonly name = "OperationFailedError";
  readonly code: Code<FailureCode>;
  /** The input that the failure concerns, where there are several. */
  readonly source: string | undefined;
  readonly operationId: string;
  constructor(id: string, { code, message, source }: { code: string; message: string; source?: string | undefined }) {
    super(`${code}: ${message}`);
    this.code = code;
    this.source = source;
    this.operationId = id;
  }
}

/** What was downloaded is not what the server made: its SHA-256 differs. */
export class ChecksumError extends TonwerkError {
  override readonly name = "ChecksumError";
}

/** A delivery that nobody with your secret sent, or an old one. */
export class WebhookVerificationError extends TonwerkError {
  override readonly name = "WebhookVerificationError";
}

/** The class that fits an answer. */
export function errorOf(response: Response, body: unknown): ApiError {
  const Class =
    {
      401: AuthenticationError,
      402: InsufficientCreditsError,
      404: NotFoundError,
      422: ValidationError,
      429: RateLimitError,
    }[response.status] ?? (response.status >= 500 ? ServerError : ApiError);
  return new Class(response, body);
}

/** `Retry-After` in seconds: the server sends a number, proxies may send a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
