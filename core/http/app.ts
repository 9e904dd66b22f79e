/**
 * The HTTP surface: mounts every registered action and the few routes of the service in one loop, in the order of checks that is decided
 * (key, rate, request, then the store). Elysia mounts and documents all of them; a request whose method and path are exactly those of a
 * route is handed to it before Elysia is asked, which would need a second Request for it.
 */
import { hash } from "node:crypto";
import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import type { Principal } from "../accounts/accounts.ts";
import type { Keyring } from "../accounts/keyring.ts";
import { countRequest, type Limits, limitHeaders, requestsPerMinute } from "../accounts/limits.ts";
import type { Registered, Registry } from "../actions/registry.ts";
import { isoTime, renderListed } from "../actions/render.ts";
import { clientAddress, household } from "../base/addresses.ts";
import type { Config } from "../base/config.ts";
import { type Refusal, refuse } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Peer } from "../base/runtime.ts";
import type { Operations } from "../operations/operations.ts";
import { DRAINING } from "../operations/submit.ts";
import type { UrlSigner } from "../operations/urls.ts";
import type {
  AccountsStore,
  Bucket,
  Clock,
  Engines,
  FilesStore,
  OperationsStore,
  Pool,
  Status,
  StoreLife,
} from "../ports/mod.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { observed } from "../telemetry/observed.ts";
import { readJson, readJsonBytes } from "./body.ts";
import { createCapabilities } from "./capabilities.ts";
import { docsPages } from "./docs_page/docs_page.ts";
import { serveDownload } from "./download.ts";
import { type FileServices, readFile, upload } from "./files.ts";
import { createHealth } from "./health.ts";
import { actionDetails, DETAILS, type Detail, documentation } from "./openapi.ts";
import { identifier, newRequestId } from "./request_id.ts";
import { fileQuery, listed, operationBody, readQuery, submitQuery, validatedBody, validatedQuery } from "./requests.ts";
import { type Headers, respond, respondError, respondSubmitted, respondText } from "./respond.ts";
import type { SurfaceRoute } from "./surface_route.ts";

export interface HttpServices {
  readonly config: Config;
  readonly store: StoreLife & OperationsStore & FilesStore & AccountsStore;
  readonly bucket: Bucket;
  readonly clock: Clock;
  readonly pool: Pool;
  readonly registry: Registry;
  readonly operations: Operations;
  readonly signer: UrlSigner;
  readonly limits: Limits;
  readonly keyring: Keyring;
  readonly engines: Engines;
  /** Of surfaces. */
  readonly routes: readonly SurfaceRoute[];
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** URL of the runners' `mod.ts`. */
  readonly runners: string;
  readonly files: FileServices;
  /** True once the node is going away: nothing new is accepted. */
  isDraining(): boolean;
}

/** One function for Bun.serve, Deno.serve and tests. `peer` is the connection's other end. */
export type App = (request: Request, peer: Peer) => Promise<Response>;

/** A request on its way through its route. */
interface Exchange {
  readonly request: Request;
  /** What follows the first `?` of the URL, as it was sent. */
  readonly query: string;
  readonly peer: Peer;
  /** What is left of the limit that it was counted against; told on refusals too. */
  limit_headers: Headers | undefined;
}

interface Route {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly detail: Detail;
  readonly answer: (exchange: Exchange) => Promise<Response>;
}

/** Where Elysia sees every request: it finds the path by counting characters, which a short Host header would shift. */
const ORIGIN = "http://tonwerk.internal";

/** `direct` false: every request goes through Elysia, for the test that both ways answer alike. */
export function createApp(services: HttpServices, { direct = true }: { readonly direct?: boolean } = {}): App {
  const { config, log, telemetry } = services;
  const identify = identifier(config.log_level === "debug" || telemetry.traces !== undefined);
  const routes = [
    ...actionRoutes(services),
    ...serviceRoutes(services),
    ...surfaceRoutes(services),
    ...pageRoutes(services),
  ];
  const peers = new WeakMap<Request, Peer>();
  const methods = new Map<string, string[]>();
  const exact = { GET: new Map<string, Route>(), PUT: new Map<string, Route>(), POST: new Map<string, Route>() };
  const app = new Elysia({ strictPath: true, normalize: false });

  const run = async (route: Route, request: Request, query: string, peer: Peer): Promise<Response> => {
    const exchange: Exchange = { request, query, peer, limit_headers: undefined };
    let request_id = identify(request);
    let response: Response;
    try {
      response = await route.answer(exchange);
    } catch (error) {
      request_id ??= newRequestId();
      response = respondError(error, log, request_id);
    }
    if (request_id !== undefined) response.headers.set("x-request-id", request_id);
    if (exchange.limit_headers !== undefined) {
      for (const name in exchange.limit_headers) response.headers.set(name, exchange.limit_headers[name]!);
    }
    return response;
  };

  const mount = (route: Route): void => {
    const { method, path, detail } = route;
    app.route(
      method,
      path,
      ({ request }: { request: Request }) =>
        run(route, request, splitUrl(request.url).query, peers.get(request) ?? NOBODY),
      // The request is read by core, with its own limits and refusals. One cast: Deno's checker sees a second copy of these types.
      { parse: "none", detail: detail as never },
    );
    if (direct && !path.includes("*")) exact[method].set(path, route);
    // HEAD is answered wherever GET is, below.
    methods.set(path, [...(methods.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  };
  for (const route of routes) mount(route);
  app.use(
    openapi({
      specPath: DOCUMENT_PATH,
      // The page is ours, without inline script.
      provider: null,
      documentation: documentation(config.base_url) as never,
      // Action names have a dot, which the plugin would take for a file's.
      exclude: { staticFile: false },
    }) as never,
  );
  methods.set(DOCUMENT_PATH, ["GET", "HEAD"]);
  const refused = (request: Request, error: unknown): Response => {
    const request_id = identify(request) ?? newRequestId();
    const response = respondError(error, log, request_id);
    response.headers.set("x-request-id", request_id);
    return response;
  };
  const unmatched = (pathname: string): Refusal => {
    const allowed = methods.get(pathname) ?? (pathname.startsWith("/audio/") ? methods.get("/audio/*") : undefined);
    return allowed === undefined ? refuse.notFound() : refuse.methodNotAllowed(allowed);
  };
  app.onError(({ request, code, error }) =>
    refused(request, code === "NOT_FOUND" ? unmatched(new URL(request.url).pathname) : error),
  );

  let document: string | undefined;
  /** Written out once: it is long, and needs no key. */
  const describe = async (): Promise<Response> => {
    if (document === undefined) {
      const written = await app.handle(new Request(ORIGIN + DOCUMENT_PATH));
      if (!written.ok) return written;
      document = await written.text();
    }
    return respondText(document);
  };

  const throughElysia = async (request: Request, peer: Peer): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    // CONNECT, TRACE and what is no method: a Request of that kind cannot be made, and no route has it.
    if (!METHODS.has(request.method)) return refused(request, unmatched(pathname));
    const isHead = request.method === "HEAD";
    const init = isHead ? { method: "GET", headers: request.headers, signal: request.signal } : request;
    const local = new Request(ORIGIN + pathname + search, init);
    peers.set(local, peer);
    const response = pathname === DOCUMENT_PATH && local.method === "GET" ? await describe() : await app.handle(local);
    return isHead ? withoutBody(response) : response;
  };

  const handle: App = (request, peer) => {
    const { method } = request;
    if (method === "GET" || method === "PUT" || method === "POST") {
      const { path, query } = splitUrl(request.url);
      const route = exact[method].get(path);
      if (route !== undefined) return run(route, request, query, peer);
    }
    return throughElysia(request, peer);
  };
  return observed(handle, methods.keys(), services);
}

const DOCUMENT_PATH = "/openapi.json";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"]);

const NOBODY: Peer = { address: "" };

/**
 * Path and query as they were sent, undecoded. The authority ends at the first slash after `://`, however short it is; a path that a URL
 * parser would change (`/./`, `%2e`) is none of ours and left to it.
 */
function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const question = url.indexOf("?", start);
  const fragment = url.indexOf("#", start);
  const end = fragment === -1 ? url.length : fragment;
  if (question === -1 || question > end) return { path: url.slice(start, end), query: "" };
  return { path: url.slice(start, question), query: url.slice(question + 1, end) };
}

const HIDDEN: Detail = { hide: true, responses: {} };

/** The answer to HEAD: the headers of GET, with the length that its body would have. */
async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (headers.has("content-length")) await response.body?.cancel();
  else headers.set("content-length", String((await response.arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}

// -------------------------------------------------------------------------------------------------------------- checks

/** The key's account. No promise where the key is known: each `await` is a turn of the microtask queue. */
function authenticate({ keyring, config }: HttpServices, { request, peer }: Exchange): Principal | Promise<Principal> {
  return keyring.authenticate({
    authorization: request.headers.get("authorization"),
    // Only where it can count: each look at a header costs.
    forwarded_for: config.trusted_proxies.length === 0 ? null : request.headers.get("x-forwarded-for"),
    peer,
  });
}

/** Key, then rate limit: what every route of an account passes first. */
function admit(services: HttpServices, exchange: Exchange, kind: "put" | "get"): Principal | Promise<Principal> {
  const count = (account: Principal): Principal | Promise<Principal> => {
    const counted = countRequest(services, account, kind, (taken) => {
      exchange.limit_headers = limitHeaders(kind, taken);
    });
    return counted === undefined ? account : counted.then(() => account);
  };
  const found = authenticate(services, exchange);
  return found instanceof Promise ? found.then(count) : count(found);
}

/**
 * Requests without a key that are long: GitHub reports many leaks at once, and seldom (put); a browser asks for the four files of the
 * documentation's page once a day (get).
 */
const STRANGERS_PER_MINUTE = 60;

/** Counts by address, before anything of the body is read. */
async function countStranger(
  { config, limits }: HttpServices,
  kind: "put" | "get",
  { request, peer }: Pick<Exchange, "request" | "peer">,
): Promise<void> {
  const address = clientAddress(peer.address, request.headers.get("x-forwarded-for"), config.trusted_proxies);
  const name = `stranger:${hash("sha256", household(address), "base64url")}`;
  const { ok, retry_seconds } = await limits.take(name, kind, STRANGERS_PER_MINUTE);
  if (!ok) throw refuse.tooManyRequests(retry_seconds);
}

function limitsOf(account: Principal, config: Config) {
  return {
    put_per_minute: requestsPerMinute(account, "put", config),
    get_per_minute: requestsPerMinute(account, "get", config),
    long_polls: account.long_polls ?? config.long_polls,
    uploads_open: account.uploads_open ?? config.uploads_open,
  };
}

// -------------------------------------------------------------------------------------------------------------- actions

function* actionRoutes(services: HttpServices): Iterable<Route> {
  for (const registered of services.registry.actions.values()) {
    const { put, get } = actionDetails(registered);
    const { name } = registered.action;
    for (const [prefix, hide] of [
      ["/v1/", false],
      ["/rpc/", true],
    ] as const) {
      const path = prefix + name;
      const submit: Route["answer"] = (exchange) => submitAction(services, registered, exchange);
      const read: Route["answer"] = (exchange) => readAction(services, registered, exchange);
      yield { method: "PUT", path, detail: hide ? HIDDEN : put, answer: submit };
      yield { method: "GET", path, detail: hide ? HIDDEN : get, answer: read };
    }
  }
}

async function submitAction(services: HttpServices, to: Registered, exchange: Exchange): Promise<Response> {
  const found = authenticate(services, exchange);
  const submitted = await services.operations.submit({
    account: found instanceof Promise ? await found : found,
    to,
    onCounted: (taken) => {
      exchange.limit_headers = limitHeaders("put", taken);
    },
    isDryRun: () => validatedQuery(exchange.query, submitQuery).dry_run === true,
    read: () => readJsonBytes(exchange.request),
  });
  return respondSubmitted(submitted);
}

async function readAction(services: HttpServices, { action }: Registered, exchange: Exchange): Promise<Response> {
  const { operations, limits, config } = services;
  const admitted = admit(services, exchange, "get");
  const account = admitted instanceof Promise ? await admitted : admitted;
  const { id, wait } = validatedQuery(exchange.query, readQuery);
  if (wait !== true) return respondText(operations.text(await operations.read(account, action.name, id)));
  const leave = await limits.enter(account.id, limitsOf(account, config).long_polls);
  if (leave === undefined) throw refuse.tooManyRequests(1, "Too many open long-polls");
  try {
    return respondText(operations.text(await operations.wait(account, action.name, id, exchange.request.signal)));
  } finally {
    leave();
  }
}

// -------------------------------------------------------------------------------------------------------------- service

function serviceRoutes(services: HttpServices): readonly Route[] {
  const { config, store, bucket, clock, pool, registry, operations, signer, engines, runners, files, isDraining } =
    services;
  const capabilities = createCapabilities(registry, pool, engines, runners);
  const health = createHealth({ store, bucket, folder: files.folder, log: services.log });
  return [
    {
      method: "GET",
      path: "/health",
      detail: DETAILS.health,
      async answer() {
        if (isDraining()) throw refuse.unavailable(DRAINING);
        const amiss = await health.check();
        if (amiss !== undefined) throw refuse.unavailable(amiss);
        return respond({ status: "ok" });
      },
    },
    {
      method: "PUT",
      path: "/v1/files",
      detail: DETAILS.uploadFile,
      async answer(exchange) {
        const account = await admit(services, exchange, "put");
        if (isDraining()) throw refuse.unavailable(DRAINING);
        return respond(await upload(files, account, exchange.request));
      },
    },
    {
      method: "GET",
      path: "/v1/files",
      detail: DETAILS.readFile,
      async answer(exchange) {
        const account = await admit(services, exchange, "get");
        return respond(await readFile(files, account, validatedQuery(exchange.query, fileQuery).id));
      },
    },
    {
      method: "GET",
      path: "/v1/account",
      detail: DETAILS.account,
      async answer(exchange) {
        const account = await admit(services, exchange, "get");
        const { id, webhook_body: body, webhook_long_retries: long_retries } = account;
        const [now, kept] = await Promise.all([store.account(id), store.keptUploads(id)]);
        const { resets_at, ...free } = files.free_work.of(now ?? account);
        const limits = {
          ...limitsOf(account, config),
          upload_bytes: { limit: account.upload_bytes ?? config.upload_bytes, used: kept.bytes },
          free_seconds: { ...free, resets_at: isoTime(resets_at) },
        };
        return respond({ account: { id, credits: now?.credits ?? 0, limits, webhooks: { body, long_retries } } });
      },
    },
    {
      method: "GET",
      path: "/v1/operations",
      detail: DETAILS.operations,
      async answer(exchange) {
        const account = await admit(services, exchange, "get");
        return respond(await listOperations(services, account, exchange.query));
      },
    },
    {
      method: "PUT",
      path: "/v1/operations.cancel",
      detail: DETAILS.cancel,
      async answer(exchange) {
        const account = await admit(services, exchange, "put");
        const { id } = validatedBody(await readJson(exchange.request), operationBody);
        return respondText(operations.text(await operations.cancel(account, id)));
      },
    },
    {
      method: "PUT",
      path: "/v1/operations.redeliver",
      detail: DETAILS.redeliver,
      async answer(exchange) {
        const account = await admit(services, exchange, "put");
        const { id } = validatedBody(await readJson(exchange.request), operationBody);
        return respondText(operations.text(await operations.redeliver(account, id)));
      },
    },
    {
      method: "GET",
      path: "/v1/capabilities",
      detail: DETAILS.capabilities,
      async answer(exchange) {
        await admit(services, exchange, "get");
        return respond(await capabilities.describe());
      },
    },
    {
      method: "GET",
      path: "/audio/*",
      detail: HIDDEN,
      answer: ({ request }) => serveDownload(request, bucket, signer, clock.now()),
    },
  ];
}

async function listOperations(
  { store, registry, operations }: HttpServices,
  account: Principal,
  query: string,
): Promise<object> {
  const { cursor, limit, action, status, expand } = listed(query);
  const reports = expand === "report";
  const filter = {
    reports,
    ...(cursor === undefined ? {} : { before: cursor }),
    ...(action === undefined ? {} : { action }),
    ...(status === undefined ? {} : { status: status as Status }),
  };
  // One more than asked tells whether there is a next page.
  const found = await store.list(account.id, { ...filter, limit: limit + 1 });
  const page = found.slice(0, limit);
  const entries: object[] = [];
  for (const operation of page) {
    const registered = registry.actions.get(operation.action);
    if (registered === undefined) continue;
    entries.push(renderListed(registered.action, operation, operations.sign, reports));
  }
  return { operations: entries, next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

// ------------------------------------------------------------------------------------------------------------- surfaces

function surfaceRoutes(services: HttpServices): readonly Route[] {
  return services.routes.map(({ method, path, detail, answer }) => ({
    method,
    path,
    detail,
    async answer(exchange) {
      await countStranger(services, method === "GET" ? "get" : "put", exchange);
      return respond(await answer(exchange.request));
    },
  }));
}

// ----------------------------------------------------------------------------------------------------------------- page

function pageRoutes(services: HttpServices): readonly Route[] {
  return docsPages(services.config.base_url).map(({ path, answer }) => ({
    method: "GET",
    path,
    detail: HIDDEN,
    async answer(exchange) {
      await countStranger(services, "get", exchange);
      return answer();
    },
  }));
}
