/** The way out of the node: fetching sources and sending webhooks, at URLs that strangers chose. */

/**
 * What implements it connects to public addresses only (`isForbiddenAddress`), and to private hosts that the operator
 * allowed; judges every address that a name resolves to, and every redirect; checks TLS certificates; and bounds time,
 * bytes and look-ups of each account.
 */
export interface Outbound {
  /**
   * GETs `url` into the new file `path`, and follows up to 3 redirects. The file is complete, or gone if this rejects:
   * with OutboundError, or with an error of the file system.
   */
  download(url: string, path: string, request: DownloadRequest): Promise<{ readonly bytes: number }>;
  /** POSTs to `url` and follows no redirect. Rejects with OutboundError if no head of an answer comes. */
  post(url: string, request: PostRequest): Promise<PostAnswer>;
  /**
   * Any request to `url`, which follows no redirect; the answer whole, whatever its status. Rejects with OutboundError.
   */
  call(url: string, request: CallRequest): Promise<CallAnswer>;
}

export interface CallRequest extends Omit<PostRequest, "body"> {
  readonly method: string;
  readonly body?: Uint8Array;
  readonly bytes_max: number;
  /** From the look-up to the end of the answer. */
  readonly ms_max: number;
}

export interface CallAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

interface DownloadRequest {
  /** Look-ups of names are limited for each account. */
  readonly account_id: string;
  readonly bytes_max: number;
  readonly signal: AbortSignal;
}

interface PostRequest {
  readonly account_id: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  /** From now. Null: the answer had no usable `Retry-After`. */
  readonly retry_after_seconds: number | null;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 16 KiB of the body as text, or what came of them in time. */
  readonly detail: string;
}

/** Why a request had no usable answer. */
export type OutboundFault =
  /** The URL, or a name in it, leads to an address that must not be reached. Nothing was connected to. */
  | "forbidden_address"
  /** No connection: not HTTPS, unknown name, refused, wrong certificate. */
  | "unreachable"
  /** One of the time limits. */
  | "timeout"
  /** More bytes than allowed, announced or sent. */
  | "too_large"
  /** The answer is not HTTP, or cannot be used. */
  | "bad_response"
  /** The caller's signal. */
  | "aborted";

/** `message` continues "Cannot fetch it: " and may be shown to the client. It names no resolved address. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly code: OutboundFault;
  constructor(code: OutboundFault, message: string) {
    super(message);
    this.code = code;
  }
}
