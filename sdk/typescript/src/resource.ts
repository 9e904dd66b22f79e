/** Submissions: one action as a resource, and several in one request. */
import { type ApiError, type Code, errorOf, TonwerkError } from "./errors.ts";
import type { UploadedFile } from "./generated.ts";
import { ACTIONS, type ActionName, type Actions, type DryRun, type FailureCode } from "./generated.ts";
import { type Operation, OperationObject, operationOf, type Ready, type WaitOptions } from "./operation.ts";
import type { RequestOptions, Transport } from "./transport.ts";

export interface CallOptions {
  /**
   * A UUID; a new one by default. The same request under the same key is accepted once and charged once, however often it is sent: keep the
   * key with your own record where a crash of your program must not make a second one.
   */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** With a test key: `ready`, or the code that the operation fails with. */
  readonly testOutcome?: "ready" | Code<FailureCode> | undefined;
}

/** Audio that a request takes: a URL, or anything that has one, such as an upload or an output. */
export type Source = string | { readonly url: string };

type Mutable<Request> = {
  [Field in keyof Request]: Extract<Request[Field], { readonly url: string }> extends never
    ? Extract<Request[Field], readonly { readonly url: string }[]> extends never
      ? Request[Field]
      : readonly Source[] | Extract<Request[Field], undefined | null>
    : Source | Extract<Request[Field], undefined | null>;
};
/** The body of an action's request, without the idempotency key. */
export type Body<Name extends string> = Name extends ActionName
  ? Mutable<Omit<Actions[Name]["request"], "idempotency_key">>
  : Readonly<Record<string, unknown>>;

/** What a submission returns: the accepted operation, or with `.wait()` the one that has ended. */
export type Submission<Name extends string> = Promise<Operation<Name>> & {
  /** Waits for the end: `await client.songs.create({…}).wait()`. */
  wait(options?: WaitOptions): Promise<Ready<Name>>;
};

/** One action. */
export interface Resource<Name extends string> {
  /** Submits. @throws ValidationError, InsufficientCreditsError, RateLimitError, ConnectionError */
  create(body: Body<Name>, options?: CallOptions): Submission<Name>;
  /** What `create` would cost and answer; nothing is made. */
  dryRun(body: Body<Name>, options?: RequestOptions): Promise<DryRun>;
  /** @throws NotFoundError */
  get(id: string, options?: RequestOptions): Promise<Operation<Name>>;
}

/** A submission among several. */
export interface BatchEntry<Name extends string> {
  readonly action: Name;
  readonly request: Body<Name>;
  /** A UUID; a new one by default. */
  readonly idempotencyKey?: string | undefined;
}

/** What became of it: an operation, or why there is none. */
export type BatchResult<Name extends string> =
  | { readonly operation: Operation<Name>; readonly error?: undefined }
  | { readonly operation?: undefined; readonly error: ApiError };

export function resourceOf<Name extends string>(transport: Transport, name: Name): Resource<Name> {
  const submit = (query: string, body: Body<Name>, { idempotencyKey, signal, testOutcome }: CallOptions) => {
    const json = requestOf(name, body, idempotencyKey);
    const headers = testOutcome === undefined ? {} : { "test-outcome": testOutcome };
    const path = `/v1/${name}${query}`;
    return transport.json<Record<string, unknown>>({
      method: "PUT",
      path,
      json,
      headers,
      idempotencyKey: json.idempotency_key,
      signal,
    });
  };
  return {
    create(body, options = {}) {
      const accepted = submit("", body, options).then((answer) => operationOf(transport, name, answer));
      const wait = async (how?: WaitOptions) =>
        (await accepted).wait({ signal: options.signal, ...how }) as Promise<Ready<Name>>;
      return Object.assign(accepted, { wait });
    },
    async dryRun(body, options = {}) {
      return (await submit("?dry_run=true", body, options)) as unknown as DryRun;
    },
    async get(id, { signal } = {}) {
      const path = `/v1/${name}?id=${encodeURIComponent(id)}`;
      return operationOf(transport, name, await transport.json({ method: "GET", path, signal }));
    },
  };
}

interface Answered {
  readonly status: number;
  readonly retry_after?: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export class Batches {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Up to 100 submissions of any actions in one request. One that is refused stops no other. */
  async create<const Names extends readonly string[]>(
    submissions: { readonly [Index in keyof Names]: BatchEntry<Names[Index]> },
    { signal }: RequestOptions = {},
  ): Promise<{ readonly [Index in keyof Names]: BatchResult<Names[Index]> }> {
    const entries = submissions as readonly BatchEntry<string>[];
    const json = {
      submissions: entries.map(({ action, request, idempotencyKey }) => ({
        action,
        request: requestOf(action, request, idempotencyKey),
      })),
    };
    // Each has its key: sent again, all are what they were.
    const call = { method: "POST", path: "/v1/batches", json, signal, isRepeatable: true } as const;
    const answer = await this.#transport.json<{ readonly submissions: readonly Answered[] }>(call);
    const results = answer.submissions.map(({ status, retry_after, body }, index): BatchResult<string> => {
      if (status < 300) return { operation: operationOf(this.#transport, entries[index]!.action, body) };
      const headers = retry_after === undefined ? {} : { "retry-after": String(retry_after) };
      return { error: errorOf(new Response(null, { status, headers }), body) };
    });
    return results as { readonly [Index in keyof Names]: BatchResult<Names[Index]> };
  }
}

/** As the wire has it. */
function requestOf(
  action: string,
  body: object,
  idempotency_key: string = crypto.randomUUID(),
): { readonly idempotency_key: string } {
  const known = ACTIONS as Partial<Record<string, { readonly sources: readonly string[] }>>;
  return { idempotency_key, ...withUrls(body, known[action]?.sources ?? []) };
}

/** Sources as the wire has them. */
function withUrls(body: object, sources: readonly string[]): Record<string, unknown> {
  const withUrl = (name: string, value: unknown): unknown => {
    if (Array.isArray(value) && sources.includes(name)) return value.map((one) => withUrl(name, one));
    if (typeof value === "string" && sources.includes(name)) return { url: value };
    if (value instanceof OperationObject) throw new TonwerkError(`${name}: pass one of the operation's outputs`);
    const { url, id, sha256 } = (typeof value === "object" && value !== null ? value : {}) as Partial<
      UploadedFile & { sha256: string }
    >;
    // An upload or an output has more fields than a source may have.
    return url !== undefined && (id ?? sha256) !== undefined ? { url } : value;
  };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, withUrl(name, value)]));
}
