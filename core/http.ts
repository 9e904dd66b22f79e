/**
 * The HTTP surface: mounts every registered action and the few routes of the service in one loop, in the order of checks that is decided
 * (key, rate, request, then the store). Elysia routes and documents; it neither parses nor validates.
 */
import { readFile as readBytesOf } from "node:fs/promises";
import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import { authenticate } from "./accounts.ts";
import { readJson } from "./body.ts";
import { createCapabilities } from "./capabilities.ts";
import type { Config } from "./config.ts";
import { serveDownload } from "./download.ts";
import { refuse } from "./errors.ts";
import { type FileServices, readFile, upload } from "./files.ts";
import { type Limits, limitHeaders } from "./limits.ts";
import type { Log } from "./log.ts";
import { actionDetails, DETAILS, type Detail, documentation, PAGE_ASSETS, pageAssetPath } from "./openapi.ts";
import type { Operations } from "./operations.ts";
import type { Account, Bucket, Clock, Engines, Pool, Status, Store } from "./ports.ts";
import type { Registered, Registry } from "./registry.ts";
import { renderBare } from "./render.ts";
import {
  fileQuery,
  listQuery,
  operationBody,
  readQuery,
  submitQuery,
  validatedBody,
  validatedQuery,
} from "./requests.ts";
import { type Headers, respond, respondError, respondText } from "./respond.ts";
import { refuseUrls } from "./sources.ts";
import type { UrlSigner } from "./urls.ts";
import type { PrivateHosts } from "./web_address.ts";

export interface HttpServices {
  readonly config: Config;
  readonly store: Store;
  readonly bucket: Bucket;
  readonly clock: Clock;
  readonly pool: Pool;
  readonly registry: Registry;
  readonly operations: Operations;
  readonly signer: UrlSigner;
  readonly limits: Limits;
  readonly engines: Engines;
  readonly log: Log;
  readonly private_hosts: PrivateHosts;
  /** URL of the runners' `mod.ts`. */
  readonly runners: string;
  /** Folder for uploads in flight. */
  readonly folder: string;
  /** True once the node is going away: nothing new is accepted. */
  isDraining(): boolean;
}

/** One function for Bun.serve, Deno.serve and tests. `peer` is the address of the connection's other end. */
export type App = (request: Request, peer: { readonly address: string }) => Promise<Response>;

interface Route {
  readonly method: "GET" | "PUT";
  readonly path: string;
  readonly detail: Detail;
  readonly answer: (request: Request, peer: string) => Promise<Response>;
}

/** Where Elysia sees every request: it finds the path by counting characters, which a short Host header would shift. */
const ORIGIN = "http://tonwerk.internal";

export function createApp(services: HttpServices): App {
  const { config, log } = services;
  const admission: Admission = { services, limit_headers: new WeakMap() };
  const routes = [...actionRoutes(admission), ...serviceRoutes(admission), ...pageRoutes()];
  const peers = new WeakMap<Request, string>();
  const methods = new Map<string, string[]>();
  const app = new Elysia({ strictPath: true, normalize: false });

  const mount = ({ method, path, detail, answer }: Route): void => {
    app.route(
      method,
      path,
      async ({ request }: { request: Request }) => {
        const response = await answer(request, peers.get(request) ?? "").catch((error: unknown) =>
          respondError(error, log),
        );
        const headers = admission.limit_headers.get(request) ?? {};
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
        return response;
      },
      // The request is read by core, with its own limits and refusals. One cast: Deno's checker sees a second copy of these types.
      { parse: "none", detail: detail as never },
    );
    // HEAD is answered wherever GET is, below.
    methods.set(path, [...(methods.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  };
  for (const route of routes) mount(route);
  app.use(
    openapi({
      path: "/docs",
      specPath: "/openapi.json",
      provider: "swagger-ui",
      documentation: documentation(config.base_url) as never,
      // Action names have a dot, which the plugin would take for a file's.
      exclude: { staticFile: false },
      swagger: { cdn: "/docs/swagger-ui-bundle.js", theme: "/docs/swagger-ui.css", autoDarkMode: true },
    }) as never,
  );
  for (const path of ["/docs", "/openapi.json"]) methods.set(path, ["GET", "HEAD"]);
  app.onError(({ request, code, error }) => {
    if (code !== "NOT_FOUND") return respondError(error, log);
    const { pathname } = new URL(request.url);
    const allowed = methods.get(pathname) ?? (pathname.startsWith("/audio/") ? methods.get("/audio/*") : undefined);
    return respondError(allowed === undefined ? refuse.notFound() : refuse.methodNotAllowed(allowed), log);
  });

  return async (request, peer) => {
    const { pathname, search } = new URL(request.url);
    const isHead = request.method === "HEAD";
    const init = isHead ? { method: "GET", headers: request.headers, signal: request.signal } : request;
    const local = new Request(ORIGIN + pathname + search, init);
    peers.set(local, peer.address);
    const response = await app.handle(local);
    return isHead ? withoutBody(response) : response;
  };
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

interface Admission {
  readonly services: HttpServices;
  /** What is left of the limit that a request was counted against; told on refusals too. */
  readonly limit_headers: WeakMap<Request, Headers>;
}

/** Key, then rate limit: what every route of an account passes first. */
async function admit(
  { services: { store, config, limits }, limit_headers }: Admission,
  request: Request,
  peer: string,
  kind: "put" | "get",
): Promise<Account> {
  const caller = {
    authorization: request.headers.get("authorization"),
    forwarded_for: request.headers.get("x-forwarded-for"),
    peer,
  };
  const account = await authenticate(store, caller, config.trusted_proxies);
  const verdict = limits.take(account.id, kind, limitsOf(account, config)[`${kind}_per_minute`]);
  limit_headers.set(request, limitHeaders(kind, verdict));
  if (!verdict.ok) throw refuse.tooManyRequests(verdict.retry_seconds);
  return account;
}

function limitsOf(account: Account, config: Config) {
  return {
    put_per_minute: account.put_per_minute ?? config.put_per_minute,
    get_per_minute: account.get_per_minute ?? config.get_per_minute,
    long_polls: account.long_polls ?? config.long_polls,
  };
}

const DRAINING = "The service is shutting down, try again";

// -------------------------------------------------------------------------------------------------------------- actions

function* actionRoutes(admission: Admission): Iterable<Route> {
  for (const registered of admission.services.registry.actions.values()) {
    const { put, get } = actionDetails(registered);
    const { name } = registered.action;
    for (const [prefix, hide] of [
      ["/v1/", false],
      ["/rpc/", true],
    ] as const) {
      const path = prefix + name;
      const submit: Route["answer"] = (request, peer) => submitAction(admission, registered, request, peer);
      const read: Route["answer"] = (request, peer) => readAction(admission, registered, request, peer);
      yield { method: "PUT", path, detail: hide ? HIDDEN : put, answer: submit };
      yield { method: "GET", path, detail: hide ? HIDDEN : get, answer: read };
    }
  }
}

async function submitAction(
  admission: Admission,
  registered: Registered,
  request: Request,
  peer: string,
): Promise<Response> {
  const { operations, isDraining, signer, private_hosts } = admission.services;
  const account = await admit(admission, request, peer, "put");
  if (isDraining()) throw refuse.unavailable(DRAINING);
  const { dry_run } = validatedQuery(request, submitQuery);
  const checked = registered.schema.validate(await readJson(request), { dry_run: dry_run === true });
  if (!checked.ok) throw refuse.invalid(checked.issues);
  refuseUrls(registered.action, checked.value, signer, private_hosts);
  if (dry_run === true) return respond(operations.price(account, registered, checked.value));
  const { body, replayed } = await operations.submit(account, registered, checked.value);
  return respondText(body, replayed ? { "idempotent-replayed": "true" } : {});
}

async function readAction(
  admission: Admission,
  { action }: Registered,
  request: Request,
  peer: string,
): Promise<Response> {
  const { operations, limits, config } = admission.services;
  const account = await admit(admission, request, peer, "get");
  const { id, wait } = validatedQuery(request, readQuery);
  if (wait !== true) return respond(await operations.render(await operations.read(account, action.name, id)));
  const leave = limits.enter(account.id, limitsOf(account, config).long_polls);
  if (leave === undefined) throw refuse.tooManyRequests(1, "Too many open long-polls");
  try {
    return respond(await operations.render(await operations.wait(account, action.name, id, request.signal)));
  } finally {
    leave();
  }
}

// -------------------------------------------------------------------------------------------------------------- service

function serviceRoutes(admission: Admission): readonly Route[] {
  const { services } = admission;
  const { config, store, bucket, clock, pool, registry, operations, signer, engines, runners, folder, isDraining } =
    services;
  const capabilities = createCapabilities(registry, pool, engines, runners);
  const files: FileServices = { store, bucket, clock, pool, sign: operations.sign, runners, folder };
  return [
    {
      method: "GET",
      path: "/health",
      detail: DETAILS.health,
      async answer() {
        if (isDraining()) throw refuse.unavailable(DRAINING);
        await store.health();
        return respond({ status: "ok" });
      },
    },
    {
      method: "PUT",
      path: "/v1/files",
      detail: DETAILS.uploadFile,
      async answer(request, peer) {
        const account = await admit(admission, request, peer, "put");
        if (isDraining()) throw refuse.unavailable(DRAINING);
        return respond(await upload(files, account, request));
      },
    },
    {
      method: "GET",
      path: "/v1/files",
      detail: DETAILS.readFile,
      async answer(request, peer) {
        const account = await admit(admission, request, peer, "get");
        return respond(await readFile(files, account, validatedQuery(request, fileQuery).id));
      },
    },
    {
      method: "GET",
      path: "/v1/account",
      detail: DETAILS.account,
      async answer(request, peer) {
        const account = await admit(admission, request, peer, "get");
        const { id, credits, webhook_body: body, webhook_long_retries: long_retries } = account;
        return respond({
          account: { id, credits, limits: limitsOf(account, config), webhooks: { body, long_retries } },
        });
      },
    },
    {
      method: "GET",
      path: "/v1/operations",
      detail: DETAILS.operations,
      async answer(request, peer) {
        const account = await admit(admission, request, peer, "get");
        return respond(await listOperations(services, account, request));
      },
    },
    {
      method: "PUT",
      path: "/v1/operations.cancel",
      detail: DETAILS.cancel,
      async answer(request, peer) {
        const account = await admit(admission, request, peer, "put");
        const { id } = validatedBody(await readJson(request), operationBody);
        return respond(await operations.render(await operations.cancel(account, id)));
      },
    },
    {
      method: "PUT",
      path: "/v1/operations.redeliver",
      detail: DETAILS.redeliver,
      async answer(request, peer) {
        const account = await admit(admission, request, peer, "put");
        const { id } = validatedBody(await readJson(request), operationBody);
        return respond(await operations.render(await operations.redeliver(account, id)));
      },
    },
    {
      method: "GET",
      path: "/v1/capabilities",
      detail: DETAILS.capabilities,
      async answer(request, peer) {
        await admit(admission, request, peer, "get");
        return respond(await capabilities.describe());
      },
    },
    {
      method: "GET",
      path: "/audio/*",
      detail: HIDDEN,
      answer: (request) => serveDownload(request, bucket, signer, clock.now()),
    },
  ];
}

async function listOperations(
  { store, registry, operations }: HttpServices,
  account: Account,
  request: Request,
): Promise<object> {
  const { cursor, limit, action, status } = validatedQuery(request, listQuery);
  const filter = {
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
    const position = await operations.queuePosition(operation);
    entries.push({ action: operation.action, ...renderBare(registered.action, operation, operations.sign, position) });
  }
  return { operations: entries, next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

// ----------------------------------------------------------------------------------------------------------------- page

function pageRoutes(): readonly Route[] {
  return (Object.keys(PAGE_ASSETS) as (keyof typeof PAGE_ASSETS)[]).map((name) => ({
    method: "GET",
    path: `/docs/${name}`,
    detail: HIDDEN,
    async answer() {
      const bytes = new Uint8Array(await readBytesOf(pageAssetPath(name)));
      return new Response(bytes, {
        headers: { "content-type": PAGE_ASSETS[name], "cache-control": "public, max-age=86400" },
      });
    },
  }));
}
