/**
 * What a node answers by HTTP: the API with the routes of surfaces, the surfaces before it, and what the configuration
 * puts in front of the API.
 */
import type { App, Front } from "./base/basics.ts";
import { pathStart } from "./base/router.ts";
import { createApp, createRoutes, onlyProbes } from "./http/app.ts";
import { loadAdapter } from "./load_adapter.ts";
import type { ApiRoute, Surface } from "./surface.ts";
import type { UseCases } from "./use_cases.ts";

export interface FrontDoor {
  readonly app: App;
  readonly routes: readonly ApiRoute[];
}

export async function openFrontDoor(use_cases: UseCases, surfaces: readonly Surface[]): Promise<FrontDoor> {
  const routes = createRoutes({ ...use_cases, deliver: deliverThrough(surfaces) }, surfaces);
  const api = createApp(use_cases, routes, await loadFronts(use_cases));
  return { routes, app: use_cases.config.role === "worker" ? onlyProbes(api) : answerThrough(api, surfaces) };
}

async function loadFronts({ config, telemetry, log }: UseCases): Promise<readonly Front[]> {
  const { cors_origins, log_level } = config;
  const fronts: Front[] = [];
  if (cors_origins.length > 0) {
    const { answerOrigins } = await loadAdapter(
      "cors",
      "TONWERK_CORS_ORIGINS",
      () => import("./adapters/cors/cors.ts"),
    );
    fronts.push(answerOrigins(cors_origins));
  }
  const told = log_level === "debug" ? log : undefined;
  if (telemetry.metrics !== undefined || telemetry.traces !== undefined || told !== undefined) {
    const { observed } = await loadAdapter(
      "measured",
      "metrics, traces or TONWERK_LOG_LEVEL=debug",
      () => import("./adapters/measured/requests.ts"),
    );
    fronts.push((app, pathOf) => observed(app, pathOf, telemetry, told));
  }
  return fronts;
}

/** The first surface that answers a download in another form. */
function deliverThrough(surfaces: readonly Surface[]): NonNullable<Surface["deliver"]> {
  return (request, download) => {
    for (const surface of surfaces) {
      const answered = surface.deliver?.(request, download);
      if (answered !== undefined) return answered;
    }
    return undefined;
  };
}

/** The surfaces in front of the API, which answers what none of them owns. */
function answerThrough(api: App, surfaces: readonly Surface[]): App {
  const asked = surfaces.flatMap(({ owns, answer }) => (owns && answer ? [{ owns, answer }] : []));
  if (asked.length === 0) return api;
  return (request, peer) => {
    const { url } = request;
    const start = pathStart(url);
    // The API's without a further look, for it is in a hurry.
    if (url.startsWith("/v1/", start)) return api(request, peer);
    const sent = /^[^?#]*/u.exec(url.slice(start))![0];
    const owner = asked.find(({ owns }) => owns(sent, request));
    // A path that a URL's parser changes may lead out of what the surface owns.
    if (owner === undefined || !owner.owns(new URL(url).pathname, request)) return api(request, peer);
    return owner.answer(request, peer);
  };
}
