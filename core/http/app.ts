/** The HTTP API: finds the route of a request, runs it, and turns what it throws into a refusal. */
import type { App, Front, Peer } from "../base/basics.ts";
import { refuse } from "../base/errors.ts";
import { findMisspelt } from "../base/nearest.ts";
import { createRouter, type Params, pathStart } from "../base/router.ts";
import { admitAccount, countStranger } from "./admission.ts";
import { announceEnd } from "./deprecation.ts";
import { identify } from "./request_id.ts";
import { ERRORS_PATH, respond, respondError } from "./respond.ts";
import type { AccountRoute, Exchange, Route, SurfaceRoute } from "./route.ts";
import { accountRoutes } from "./routes/account_routes.ts";
import { actionRoutes } from "./routes/action_routes.ts";
import { operationRoutes } from "./routes/operation_routes.ts";
import { serviceRoutes } from "./routes/service_routes.ts";
import type { HttpServices } from "./services.ts";

/** More than so many edits make another word of a path. */
const MISSPELT_EDITS_MAX = 3;

interface Added {
  readonly routes?: readonly SurfaceRoute[];
  readonly account_routes?: readonly AccountRoute[];
  readonly download_detail?: object;
}

/** The API's own routes, and `added`: those that surfaces bring. */
export function createRoutes(services: HttpServices, added: readonly Added[]): readonly Route[] {
  const ofAccount = (route: AccountRoute): Route => routeOfAccount(services, route);
  return [
    ...actionRoutes(services),
    ...serviceRoutes(services, added.find(({ download_detail }) => download_detail)?.download_detail),
    ...[...accountRoutes(services), ...operationRoutes(services)].map(ofAccount),
    ...added.flatMap(({ routes = [] }) => routes.map((route) => routeOfSurface(services, route))),
    ...added.flatMap(({ account_routes = [] }) => account_routes.map(ofAccount)),
  ];
}

/** `fronts` stand before the routes, the last of them outermost. */
export function createApp(
  services: Pick<HttpServices, "config" | "log">,
  routes: readonly Route[],
  fronts: readonly Front[],
): App {
  const router = createRouter(routes);
  const fault = createFault(services);

  const run = async (
    route: Route,
    request: Request,
    query: string,
    peer: Peer,
    params: Params = NONE,
  ): Promise<Response> => {
    const exchange: Exchange = { request, query, peer, params, limit_headers: undefined, is_identified: false };
    let response: Response;
    try {
      response = await route.answer(exchange);
      if (!exchange.is_identified) response.headers.set("x-request-id", identify(request));
    } catch (error) {
      response = fault(error, request);
    }
    if (route.deprecated !== undefined) announceEnd(response, route.deprecated);
    if (exchange.limit_headers !== undefined) {
      for (const name in exchange.limit_headers) response.headers.set(name, exchange.limit_headers[name]!);
    }
    return response;
  };

  /** HEAD, paths that a URL parser changes, patterns, and what has no route. */
  const runOther = async (request: Request, peer: Peer): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const is_head = request.method === "HEAD";
    const found = router.find(is_head ? "GET" : request.method, pathname);
    const response =
      found === undefined
        ? refuseUnrouted(request, pathname)
        : await run(found.route, request, search.slice(1), peer, found.params);
    return is_head ? withoutBody(response) : response;
  };

  const known_paths = routes.map(({ path }) => path).filter((path) => path.startsWith("/v1/"));
  /**
   * The path that a misspelt one of the API comes next to, such as `adapt.normalise_loudness` for
   * `adapt.normalize_loudness`.
   */
  const findMeant = (path: string): string | undefined =>
    path.startsWith("/v1/") ? findMisspelt(path, known_paths, MISSPELT_EDITS_MAX) : undefined;

  const refuseUnrouted = (request: Request, pathname: string): Response => {
    const methods = router.listAt(pathname).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const refusal = methods.length === 0 ? refuse.notFound(findMeant(pathname)) : refuse.methodNotAllowed(methods);
    return fault(refusal, request);
  };

  const handle: App = (request, peer) => {
    const { path, query } = splitUrl(request.url);
    const route = router.findExact(request.method, path);
    return route === undefined ? runOther(request, peer) : run(route, request, query, peer);
  };
  const pathOf = (request: Request): string | undefined => router.listAt(splitUrl(request.url).path)[0]?.path;
  return fronts.reduce((app, front) => front(app, pathOf), handle);
}

const NONE: Params = Object.freeze({});

/** Answers where no route does: it threw, there is none, or the target makes no URL. */
export function createFault({ config, log }: Pick<HttpServices, "config" | "log">) {
  const errors_url = config.base_url + ERRORS_PATH;
  return (error: unknown, sent = new Request("http://localhost")): Response => {
    const request_id = identify(sent);
    const response = respondError(error, log, errors_url, request_id);
    response.headers.set("x-request-id", request_id);
    return response;
  };
}

/** It takes no key, so its requests are counted by address. */
function routeOfSurface(services: HttpServices, route: SurfaceRoute): Route {
  return {
    ...route,
    async answer(exchange) {
      if (!route.is_uncounted) await countStranger(services, exchange, route.method === "GET" ? "get" : "put");
      const answered = await route.answer(exchange.request);
      return answered instanceof Response ? answered : respond(answered);
    },
  };
}

function routeOfAccount(services: HttpServices, route: AccountRoute): Route {
  return {
    ...route,
    async answer(exchange) {
      const known = await route.authenticate?.(exchange);
      const account = await admitAccount(services, exchange, route.method === "GET" ? "get" : "put", known);
      const answered = await route.answer(account, exchange);
      return answered instanceof Response ? answered : respond(answered);
    },
  };
}

/**
 * Path and query as they were sent, undecoded. A path that a URL parser would change (`/./`, `%2e`) is no route's path.
 */
function splitUrl(url: string): { path: string; query: string } {
  const start = pathStart(url);
  const question = url.indexOf("?", start);
  const fragment = url.indexOf("#", start);
  const end = fragment === -1 ? url.length : fragment;
  if (question === -1 || question > end) return { path: url.slice(start, end), query: "" };
  return { path: url.slice(start, question), query: url.slice(question + 1, end) };
}

/** The answer to HEAD: the headers of GET, with the length that its body would have. */
async function withoutBody(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (body === null) return response;
  if (headers.has("content-length")) await body.cancel();
  else headers.set("content-length", String((await response.arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}

/** A worker answers those who look after it, and no client. */
export function onlyProbes(app: App): App {
  const missing = new URL("http://localhost/not-here");
  return (request, peer) => app(PROBES.has(new URL(request.url).pathname) ? request : new Request(missing), peer);
}

const PROBES: ReadonlySet<string> = new Set(["/health", "/metrics"]);
