/**
 * The dashboard: `/dashboard` and what is below it. Finds the route, asks who is visiting and whether they may, and
 * turns refusals into pages. Cookies count here and nowhere else; API keys count everywhere else and never here.
 */
import {
  clientAddress,
  createRouter,
  describeError,
  Refusal,
  refuse,
  StoreUnavailable,
  type Surface,
} from "../../core/surface.ts";
import type { Assets } from "./assets.ts";
import type { Call, DashboardServices, Visit } from "./context.ts";
import { type FormValues, PUBLIC_BYTES_MAX, readForm } from "./form_body.ts";
import { redirect } from "./page.ts";
import { PAGES } from "./pages/pages.ts";
import { problemPage } from "./pages/problem.ts";
import { takeForm } from "./rate.ts";

const ROOT = "/dashboard";
const NO_VALUES: FormValues = new Map();

/** Whoever opens the bare address in a browser means the dashboard; programs are told what the API says. */
function isPerson(request: Request): boolean {
  return request.method === "GET" && request.headers.get("accept")?.includes("text/html") === true;
}

export function createDashboard(
  services: DashboardServices,
  assets: Assets,
): Required<Pick<Surface, "owns" | "answer">> {
  const { sessions, config, clock, log } = services;
  const base = new URL(config.base_url).pathname.replace(/\/$/u, "");
  const router = createRouter(
    PAGES.flatMap((pages) => pages(services)).map((route) => ({
      ...route,
      path: ROOT + route.path.replace(/^\/$/u, ""),
    })),
  );

  const answer = async (request: Request, call: Call): Promise<Response> => {
    const path = new URL(request.url).pathname.replace(/\/$/u, "");
    const [, , folder, version, name, ...deeper] = path.split("/");
    if (folder === "static" && name !== undefined && deeper.length === 0) {
      const asset = assets.answer(version!, name, request);
      if (asset === undefined) throw refuse.notFound();
      return asset;
    }
    sessions.checkHost(request);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const found = router.find(method, path);
    if (found === undefined) {
      const methods = new Set(router.listAt(path).map((route) => route.method));
      throw methods.size === 0 ? refuse.notFound() : refuse.methodNotAllowed([...methods]);
    }
    const { route, params } = found;
    const readValues = async (bytes_max?: number): Promise<FormValues> => {
      if (method !== "POST" || route.reads_itself) return NO_VALUES;
      const values = await readForm(request, bytes_max);
      await sessions.checkForm(request, values.get("csrf") ?? null);
      return values;
    };
    if (route.access === "public") {
      if (method !== "GET") await sessions.checkSender(call, true);
      return route.answer({ ...call, params }, await readValues(PUBLIC_BYTES_MAX));
    }
    const by = await sessions.require(request, route.access);
    if (method !== "GET") {
      await sessions.checkSender(call, false);
      await takeForm(services, by.user.id);
    }
    const forwarded_for = request.headers.get("x-forwarded-for");
    const address = clientAddress(call.peer.address, forwarded_for, config.trusted_proxies);
    return route.answer({ ...call, params, by: { ...by, address } }, await readValues());
  };

  const refused = async (error: unknown, call: Call): Promise<Response> => {
    const refusal = toRefusal(error, services);
    const wants_json = call.request.headers.get("accept")?.startsWith("application/json") === true;
    if (wants_json) {
      return Response.json(refusal.body, {
        status: refusal.status,
        headers: { ...refusal.headers, "cache-control": "no-store", "x-content-type-options": "nosniff" },
      });
    }
    if (refusal.status === 401 && (call.request.method === "GET" || call.request.method === "HEAD")) {
      const { pathname, search } = new URL(call.request.url);
      return redirect(call, `/sign-in?${new URLSearchParams({ to: pathname.slice(ROOT.length) + search })}`);
    }
    const by = await sessions.current(call.request).catch(() => undefined);
    const response = problemPage(by === undefined ? call : ({ ...call, by } satisfies Visit), refusal);
    for (const [name, value] of Object.entries(refusal.headers)) response.headers.set(name, value);
    return response;
  };

  return {
    owns: (path, request) =>
      path === "/" ? isPerson(request) : path.startsWith(ROOT) && (path === ROOT || path[ROOT.length] === "/"),
    async answer(request, peer) {
      if (new URL(request.url).pathname === "/") {
        // Relative, so that it holds behind a proxy that adds a path.
        return new Response(null, { status: 303, headers: { location: ROOT.slice(1), "cache-control": "no-store" } });
      }
      const call: Call = {
        request,
        peer,
        params: {},
        query: new URL(request.url).searchParams,
        now: clock.now(),
        to: (path) => `${base}${ROOT}${path === "/" ? "" : path}`,
        asset: (name) => `${base}${ROOT}${assets.path(name)}`,
      };
      let response: Response;
      try {
        response = await answer(request, call);
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof StoreUnavailable))
          log("dashboard.error", { path: new URL(request.url).pathname, error: describeError(error) });
        response = await refused(error, call);
      }
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

function toRefusal(error: unknown, { log }: DashboardServices): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreUnavailable) {
    log("dashboard.store_away", { error: describeError(error) });
    return refuse.unavailable("The service cannot store anything right now, try again");
  }
  return refuse.internal();
}
