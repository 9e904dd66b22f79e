/**
 * The front door with somebody who counts: a metric, a span and a log line for each request, each only where it is
 * wanted.
 */
import type { App, Peer } from "../../base/basics.ts";
import type { Log } from "../../base/log.ts";
import type { Telemetry } from "../../ports/telemetry.ts";

/** `log`: for a line of each request. */
export function observed(
  app: App,
  pathOf: (request: Request) => string | undefined,
  { metrics, traces }: Telemetry,
  log: Log | undefined,
): App {
  // `/rpc/` is another name of `/v1/` and counts as that.
  const labelOf = (request: Request): string => pathOf(request)?.replace(/^\/rpc\//, "/v1/") ?? "unmatched";

  const measure = async (request: Request, peer: Peer, route: string): Promise<Response> => {
    const began = performance.now();
    const response = await app(request, peer);
    const ms = performance.now() - began;
    metrics?.request(request.method, route, response.status, ms / 1000, isLongPoll(request));
    log?.("http.request", {
      request_id: response.headers.get("x-request-id"),
      method: request.method,
      route,
      status: response.status,
      ms: Math.round(ms),
    });
    return response;
  };

  return (request, peer) => {
    const route = labelOf(request);
    if (traces === undefined) return measure(request, peer, route);
    const method = METHODS.has(request.method) ? request.method : "_OTHER";
    const attributes = { "http.request.method": method, "http.route": route };
    const parent = request.headers.get("traceparent");
    return traces.run(`${method} ${route}`, { parent, kind: "server", attributes }, async (span) => {
      const response = await measure(request, peer, route);
      span.set({ "http.response.status_code": response.status });
      if (response.status >= 500) span.fail(String(response.status));
      return response;
    });
  };
}

const METHODS = new Set(["GET", "PUT", "HEAD", "POST", "DELETE", "PATCH", "OPTIONS"]);

const isLongPoll = ({ method, url }: Request): boolean => method === "GET" && url.includes("wait=true");
