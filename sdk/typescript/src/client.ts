/** The client: one object a server and key, with a resource for every action. */
import { TonwerkError } from "./errors.ts";
import { Files, type UploadedFile } from "./files.ts";
import { ACTIONS, type Account, type ActionName, type Actions, type Capabilities, type DryRun } from "./generated.ts";
import {
  type AnyOperation,
  type Operation,
  OperationObject,
  operationOf,
  type Ready,
  type WaitOptions,
} from "./operation.ts";
import { type Fetch, Transport } from "./transport.ts";

export interface TonwerkOptions {
  /** Where the server is; `TONWERK_URL` in the environment, else `http://127.0.0.1:8787`. */
  readonly baseUrl?: string | undefined;
  /** `tonwerk_…`; `TONWERK_KEY` in the environment. */
  readonly apiKey?: string | undefined;
  /** Tries after the first, of requests that may be sent again; 6. */
  readonly retries?: number | undefined;
  /** Milliseconds for one try; 60,000. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: Fetch | undefined;
}

export interface CallOptions {
  /**
   * A UUID; a new one by default. The same request under the same key is accepted once and charged once, however often it is sent: keep the
   * key with your own record where a crash of your program must not make a second one.
   */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Audio that a request takes: a URL, or anything that has one, such as an upload or an output. */
export type Source = string | { readonly url: string };

type Mutable<Request> = {
  [Field in keyof Request]: Extract<Request[Field], { readonly url: string }> extends never
    ? Request[Field]
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
  dryRun(body: Body<Name>, options?: Pick<CallOptions, "signal">): Promise<DryRun>;
  /** @throws NotFoundError */
  get(id: string, options?: Pick<CallOptions, "signal">): Promise<Operation<Name>>;
}

type Resources = { readonly [Name in ActionName as Actions[Name]["resource"]]: Resource<Name> };

export interface ListOptions {
  readonly action?: string | undefined;
  readonly status?: AnyOperation["status"] | undefined;
  /** Operations a page, 1 to 100; 50. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

class Client {
  readonly files: Files;
  readonly #transport: Transport;

  constructor(options: TonwerkOptions = {}) {
    const apiKey = options.apiKey ?? fromEnvironment("TONWERK_KEY");
    if (!apiKey) throw new TonwerkError("No API key: pass `apiKey`, or set TONWERK_KEY");
    this.#transport = new Transport({
      baseUrl: (options.baseUrl ?? fromEnvironment("TONWERK_URL") ?? "http://127.0.0.1:8787").replace(/\/+$/u, ""),
      apiKey,
      retries: options.retries ?? 6,
      timeoutMs: options.timeoutMs ?? 60_000,
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    });
    this.files = new Files(this.#transport);
    for (const [name, { resource }] of Object.entries(ACTIONS)) {
      Object.defineProperty(this, resource, { value: this.action(name), enumerable: true });
    }
  }

  /** Any action by name: one that a plugin of the server brings, too. */
  action<Name extends string>(name: Name): Resource<Name> {
    const transport = this.#transport;
    const { sources } = (ACTIONS as Partial<Record<string, { readonly sources: readonly string[] }>>)[name] ?? {
      sources: [],
    };
    const put = async (query: string, body: Body<Name>, idempotency_key: string, signal: AbortSignal | undefined) =>
      transport.json<Record<string, unknown>>({
        method: "PUT",
        path: `/v1/${name}${query}`,
        json: { idempotency_key, ...withUrls(body, sources) },
        idempotencyKey: idempotency_key,
        signal,
      });
    return {
      create(body, { idempotencyKey = crypto.randomUUID(), signal } = {}) {
        const accepted = put("", body, idempotencyKey, signal).then((answer) => operationOf(transport, name, answer));
        const wait = async (options?: WaitOptions) =>
          (await accepted).wait({ signal, ...options }) as Promise<Ready<Name>>;
        return Object.assign(accepted, { wait });
      },
      async dryRun(body, { signal } = {}) {
        return (await put("?dry_run=true", body, crypto.randomUUID(), signal)) as unknown as DryRun;
      },
      async get(id, { signal } = {}) {
        const path = `/v1/${name}?id=${encodeURIComponent(id)}`;
        return operationOf(transport, name, await transport.json({ method: "GET", path, signal }));
      },
    };
  }

  /** The account's operations, newest first, of all pages: `for await (const operation of client.operations())`. */
  async *operations({ signal, ...filter }: ListOptions = {}): AsyncGenerator<Operation, void, undefined> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
    for (;;) {
      const page = await this.#transport.json<{
        readonly operations: readonly (AnyOperation & { readonly action: string })[];
        readonly next_cursor: string | null;
      }>({ method: "GET", path: `/v1/operations?${query}`, signal });
      for (const { action, ...data } of page.operations) yield operationOf(this.#transport, action, { data });
      if (page.next_cursor === null) return;
      query.set("cursor", page.next_cursor);
    }
  }

  /** Sends the webhook of an operation that has ended again. */
  async redeliver(id: string): Promise<void> {
    const idempotency_key = crypto.randomUUID();
    const json = { idempotency_key, id };
    await this.#transport.json({
      method: "PUT",
      path: "/v1/operations.redeliver",
      json,
      idempotencyKey: idempotency_key,
    });
  }

  /** Credits and limits. */
  async account(): Promise<Account> {
    return (await this.#transport.json<{ account: Account }>({ method: "GET", path: "/v1/account" })).account;
  }

  /** What the server can do: actions, engines, models. */
  async capabilities(): Promise<Capabilities> {
    return this.#transport.json({ method: "GET", path: "/v1/capabilities" });
  }
}

/** A client of a Tonwerk server. Its resources (`songs`, `stems`, …) are the actions that this version knows; `action(name)` is any. */
export type Tonwerk = Client & Resources;
/** @throws TonwerkError where there is no key. */
export const Tonwerk: new (options?: TonwerkOptions) => Tonwerk = Client as unknown as new (
  options?: TonwerkOptions,
) => Tonwerk;

/** Sources as the wire has them. */
function withUrls(body: object, sources: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => {
      if (typeof value === "string" && sources.includes(name)) return [name, { url: value }];
      if (value instanceof OperationObject) throw new TonwerkError(`${name}: pass one of the operation's outputs`);
      const { url, id, sha256 } = (typeof value === "object" && value !== null ? value : {}) as Partial<
        UploadedFile & { sha256: string }
      >;
      // An upload or an output has more fields than a source may have.
      return [name, url !== undefined && (id ?? sha256) !== undefined ? { url } : value];
    }),
  );
}

/** Undefined in browsers, and where Deno has no permission to read the environment. */
function fromEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name];
  } catch {
    return undefined;
  }
}
