/** Loads what is configured of telemetry, and nothing else. */

import { runtime, serve } from "./adapters/runtime/runtime.ts";
import type { Config } from "./base/config.ts";
import type { Log } from "./base/log.ts";
import { API_VERSION } from "./base/version.ts";
import { loadAdapter } from "./load_adapter.ts";
import type { Telemetry } from "./ports/telemetry.ts";

export interface StartedTelemetry extends Telemetry {
  /**
   * Answers GET /metrics on the port of the configuration, where there is one, until the returned function is called.
   */
  serve(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** `node`: the name of this process, unique among all. Rejects with a message for the operator. */
export async function startTelemetry(
  { metrics_port, metrics_host, role }: Pick<Config, "metrics_port" | "metrics_host" | "role">,
  environment: Readonly<Record<string, string | undefined>>,
  node: string,
  log: Log,
): Promise<StartedTelemetry> {
  const build = { version: API_VERSION, runtime: `${runtime.name} ${runtime.version}`, role };
  const otel = wantsTraces(environment)
    ? await loadAdapter("otel", "OTEL_*", () => import("./adapters/otel/traces.ts"))
    : undefined;
  const traces = otel?.createTraces(environment, { ...build, node }, log);
  const loadMetrics = () => import("./adapters/prometheus/metrics.ts");
  const prometheus =
    metrics_port === null ? undefined : await loadAdapter("prometheus", "TONWERK_METRICS_PORT", loadMetrics);
  const metrics = prometheus?.createMetrics(build);
  return {
    metrics,
    traces,
    async serve() {
      if (metrics === undefined || metrics_port === null) return async () => undefined;
      const { answerMetrics } = await import("./adapters/prometheus/metrics_server.ts");
      const answer = (request: Request): Promise<Response> => answerMetrics(request, metrics);
      return (await serve({ hostname: metrics_host, port: metrics_port, fetch: answer })).stop;
    },
    async close() {
      metrics?.close();
      await traces?.close();
    },
  };
}

/** Whether these variables ask for traces. */
function wantsTraces(environment: Readonly<Record<string, string | undefined>>): boolean {
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT || "";
  const off = environment.OTEL_SDK_DISABLED === "true" || environment.OTEL_TRACES_EXPORTER === "none";
  return endpoint !== "" && !off;
}
