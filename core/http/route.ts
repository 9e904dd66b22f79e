/** What a route of the HTTP API is, and the request on its way through it. */
import type { TObject, TSchema } from "@sinclair/typebox";
import type { Deprecation } from "../../contract/mod.ts";
import type { Principal } from "../accounts/keyring.ts";
import type { Counted } from "../accounts/limits.ts";
import type { Peer } from "../base/basics.ts";
import type { Params } from "../base/router.ts";

/** A route as who describes the API sees it. */
export interface ApiRoute {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** What may stand behind `?`. */
  readonly query?: TObject;
  /** Of a JSON body. */
  readonly body?: TSchema;
  /** Told in the headers of its answers and in the document. */
  readonly deprecated?: Deprecation | undefined;
  /** What a surface says of its own route: an Operation Object of OpenAPI. */
  readonly detail?: object;
}

export interface Route extends ApiRoute {
  readonly answer: (exchange: Exchange) => Promise<Response>;
}

export interface Exchange extends Counted {
  /** Set by a route whose answer has the request's id already. */
  is_identified: boolean;
  readonly request: Request;
  /** The URL's text between `?` and `#`, undecoded. */
  readonly query: string;
  readonly peer: Peer;
  /** What the path's named segments say. */
  readonly params: Params;
}

/** What a signed URL names, and what stands behind its signature. */
export interface Download {
  readonly key: string;
  readonly disposition: string;
  /** How long the URL still works. */
  readonly seconds: number;
  /** `format=wav&bits=16`; empty: the object as it is. */
  readonly asked: string;
}

/**
 * A route that a surface adds to the API: without a key, so that its requests are counted by address before their body
 * is read.
 */
export interface SurfaceRoute extends ApiRoute {
  /** Costs so little that any number of requests is answered. */
  readonly is_uncounted?: true;
  /** Resolves to a response, or to what is answered as JSON; a Refusal is answered as one. */
  answer(request: Request): Promise<object>;
}

/** What a route of an account is told of the request. */
export type Asked = Pick<Exchange, "request" | "query" | "params" | "peer">;

/**
 * A route of the API for accounts, core's own or a surface's: the key is known, and the request counted, before it is
 * asked.
 */
export interface AccountRoute extends ApiRoute {
  /** Who asks by something else than a key; resolves to undefined where a key says it, as everywhere else. */
  authenticate?(asked: Asked): Promise<Principal | undefined>;
  /** As of a SurfaceRoute. */
  answer(account: Principal, asked: Asked): Promise<object>;
}
