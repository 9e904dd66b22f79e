/**
 * Metrics have a port of their own, so that whoever reaches the API does not reach them: they tell how the service is
 * used.
 */
import type { Metrics } from "../../ports/telemetry.ts";

/** GET and HEAD of /metrics, nothing else. */
export async function answerMetrics(request: Request, metrics: Metrics): Promise<Response> {
  if (new URL(request.url).pathname !== "/metrics") return Response.json({ detail: "Not found" }, { status: 404 });
  if (request.method !== "GET" && request.method !== "HEAD") {
    return Response.json({ detail: "Method not allowed" }, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const text = request.method === "HEAD" ? null : await metrics.text();
  return new Response(text, { headers: { "content-type": metrics.content_type, "cache-control": "no-store" } });
}
