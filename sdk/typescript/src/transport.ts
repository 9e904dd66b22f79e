/** Requests with a key, retries and errors: everything between a method of the client and `fetch`. */
import { ApiError, ConnectionError, errorOf } from "./errors.ts";

/** What is needed of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  /** Where the server is, as `https://audio.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Tries of one request after its first. 0: none. */
  readonly retries: number;
  /** Milliseconds for one try to be answered; long-polls get 20 s more. */
  readonly timeoutMs: number;
  readonly fetch: Fetch;
}

export type Method = "GET" | "PUT" | "POST" | "PATCH" | "DELETE";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A request that generated code describes. */
export interface Route {
  /** Resource and method, or a method of the client. */
  readonly place: readonly string[];
  readonly method: Method;
  readonly path: string;
  readonly hasBody?: boolean;
  /** The body has an idempotency key: it may be sent again. */
  readonly hasKey?: boolean;
  readonly hasFilters?: boolean;
  /** The answer's field that is returned. */
  readonly unwrap?: string;
  /** That field is a page of several. */
  readonly isPaged?: boolean;
}

export interface Call {
  readonly method: Method;
  /** With its query. */
  readonly path: string;
  /** JSON. */
  readonly json?: object;
  /** Bytes to upload: a function, since a stream can be read once only and a retry needs another. Undefined: no retry is possible. */
  readonly body?: () => BodyInit | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes with a ConnectionError. */
  readonly idempotencyKey?: string | undefined;
  /** A POST that changes nothing more when it is sent again. */
  readonly isRepeatable?: boolean;
}

/** Answers after which the same request may be sent again as it is. */
const AGAIN = new Set([408, 425, 429, 500, 502, 503, 504, 507]);
/** Of these, the ones that say that nothing was done: after them a POST may be sent again. */
const UNTOUCHED = new Set([425, 429, 503]);
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A server that wants to be left alone for longer tells its limit, not its state: who called should know. */
export const LONGEST_RETRY_AFTER_S = 60;

export class Transport {
  readonly #options: TransportOptions;
  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * The JSON of a 2xx answer. Answers that ask for another try, and connections that break, are tried again: after what `Retry-After` says,
   * else after pauses that double, each between half and all of its length so that many clients do not come back at once.
   */
  json<Answer extends object>(call: Call): Promise<Answer> {
    return this.#retry(call, async (response) => {
      const answer: unknown = JSON.parse(await response.text());
      // An answer that is cut off where no length was promised.
      if (typeof answer !== "object" || answer === null) throw new TypeError("The answer is no JSON object");
      return answer as Answer;
    });
  }

  /** A 2xx answer whose body has just begun: it is the caller's to read, for as long as it takes. */
  open(call: Call): Promise<Response> {
    return this.#retry(call, async (response) => response);
  }

  async #retry<Result>(call: Call, read: (response: Response) => Promise<Result>): Promise<Result> {
    const { baseUrl, retries } = this.#options;
    const is_repeatable = call.method !== "POST" || call.isRepeatable === true;
    for (let tried = 0; ; tried++) {
      call.signal?.throwIfAborted();
      const body = call.json === undefined ? call.body?.() : JSON.stringify(call.json);
      if (call.body !== undefined && body === undefined)
        throw new ConnectionError("The upload broke off; its stream was read already", undefined);
      let pause_ms = Math.min(FIRST_PAUSE_MS * 2 ** tried, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
      try {
        return await this.#tryOnce(call, body, read);
      } catch (error) {
        call.signal?.throwIfAborted();
        if (error instanceof ApiError) {
          const wait_s = error.retryAfter ?? 0;
          const may_repeat = (is_repeatable ? AGAIN : UNTOUCHED).has(error.status);
          if (tried >= retries || !may_repeat || wait_s > LONGEST_RETRY_AFTER_S) throw error;
          pause_ms = Math.max(pause_ms, wait_s * 1000);
        } else if (tried >= retries || !is_repeatable) {
          const why = error instanceof Error ? error.message : String(error);
          throw new ConnectionError(`No answer from ${baseUrl}: ${why}`, error, call.idempotencyKey);
        }
      }
      await sleep(pause_ms, call.signal);
    }
  }

  async #tryOnce<Result>(
    call: Call,
    body: BodyInit | undefined,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { baseUrl, apiKey, timeoutMs } = this.#options;
    const timeout = new AbortController();
    const timer = setTimeout(
      () => timeout.abort(new DOMException("No answer in time", "TimeoutError")),
      call.timeoutMs ?? timeoutMs,
    );
    try {
      const response = await this.#options.fetch(baseUrl + call.path, {
        method: call.method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(call.json === undefined ? {} : { "content-type": "application/json" }),
          ...call.headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
        signal: call.signal === undefined ? timeout.signal : AbortSignal.any([call.signal, timeout.signal]),
      } as RequestInit);
      if (!response.ok) throw errorOf(response, parse(await response.text()));
      return await read(response);
    } finally {
      clearTimeout(timer);
    }
  }

  /** `fetch` without key or retries, for signed URLs. */
  fetch(url: string, init: RequestInit): Promise<Response> {
    return this.#options.fetch(url, init);
  }
}

/** Resolves after `ms`; rejects with the signal's reason when that comes first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Text where it is no JSON, as proxies answer. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
