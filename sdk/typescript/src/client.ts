/** The client: one object a server and key, with a resource for every action. */
import { TonwerkError } from "./errors.ts";
import { Files } from "./files.ts";
import { ACTIONS, type ActionName, type Actions, type Routes } from "./generated.ts";
import { Operations } from "./operations.ts";
import { Batches, type Resource, resourceOf } from "./resource.ts";
import { addRoutes } from "./routes.ts";
import { type Fetch, Transport } from "./transport.ts";

export interface TonwerkOptions {
  /** Where the server is; `TONWERK_URL` in the environment, else `http://127.0.0.1:8787`. */
  readonly baseUrl?: string | undefined;
  /** `tonwerk_…`; `TONWERK_KEY` in the environment. In a page an upload token, with which only `files.upload` is answered. */
  readonly apiKey?: string | undefined;
  /** Tries after the first, of requests that may be sent again; 6. */
  readonly retries?: number | undefined;
  /** Milliseconds for one try; 60,000. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: Fetch | undefined;
}

type Resources = { readonly [Name in ActionName as Actions[Name]["resource"]]: Resource<Name> };

class Client {
  readonly files: Files;
  readonly operations: Operations;
  readonly batches: Batches;
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
    this.operations = new Operations(this.#transport);
    this.batches = new Batches(this.#transport);
    const resources = Object.entries(ACTIONS).map(([name, { resource }]) => [resource, this.action(name)]);
    Object.assign(this, Object.fromEntries(resources));
    addRoutes(this, this.#transport);
  }

  /** Any action by name: one that a plugin of the server brings, too. */
  action<Name extends string>(name: Name): Resource<Name> {
    return resourceOf(this.#transport, name);
  }
}

/** A client of a Tonwerk server. Its resources (`songs`, `stems`, …) are the actions that this version knows; `action(name)` is any. */
export type Tonwerk = Client & Resources & Routes;
/** @throws TonwerkError where there is no key. */
export const Tonwerk: new (options?: TonwerkOptions) => Tonwerk = Client as unknown as new (
  options?: TonwerkOptions,
) => Tonwerk;

/** Undefined in browsers, and where Deno has no permission to read the environment. */
function fromEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name];
  } catch {
    return undefined;
  }
}
