/** Loads what is configured, and nothing else. */

import type { Config } from "./base/config.ts";
import type { Log } from "./base/log.ts";
import { runtime } from "./base/runtime.ts";
import { API_VERSION } from "./base/version.ts";
import { loadAdapter } from "./load_adapter.ts";
import type { Telemetry } from "./ports/telemetry.ts";

export interface StartedTelemetry extends Telemetry {
  close(): Promise<void>;
}

/** `node`: the name of this process, unique among all. Rejects with a message for the operator. */
export async function startTelemetry(
  config: Pick<Config, "metrics_port" | "role">,
  environment: Readonly<Record<string, string | undefined>>,
  node: string,
  log: Log,
): Promise<StartedTelemetry> {
  const build = { version: API_VERSION, runtime: `${runtime.name} ${runtime.version}`, role: config.role };
  const traces = wantsTraces(environment)
    ? (await loadAdapter("otel", "OTEL_*", () => import("./adapters/otel/traces.ts"))).createTraces(
        environment,
        { ...build, node },
        log,
      )
    : undefined;
  const metrics =
    config.metrics_port === null
      ? undefined
      : (
          await loadAdapter("prometheus", "TONWERK_METRICS_PORT", () => import("./adapters/prometheus/metrics.ts"))
        ).createMetrics(build);
  return {
    metrics,
    traces,
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
