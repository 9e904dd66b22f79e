/**
 * Traces for OpenTelemetry, sent as OTLP over HTTP in JSON. Set up by the standard variables OTEL_*, see
 * docs/operating.md. The active span is kept by AsyncLocalStorage, so that spans find their parents on both runtimes
 * without patching anything.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Log } from "../../base/log.ts";
import type { Span, SpanOptions, Traces } from "../../ports/telemetry.ts";
import { parseTraceparent, writeTraceparent } from "./traceparent.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface TraceBuild {
  readonly version: string;
  readonly runtime: string;
  readonly role: string;
  /** Unique among all nodes. */
  readonly node: string;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Throws a message for the operator where a variable has no meaning. */
export function createTraces(environment: Environment, build: TraceBuild, log: Log): Traces {
  const protocol = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? environment.OTEL_EXPORTER_OTLP_PROTOCOL ?? "";
  if (protocol !== "" && protocol !== "http/json") {
    throw new Error(`Cannot send traces as OTEL_EXPORTER_OTLP_PROTOCOL says: it must be http/json, not "${protocol}"`);
  }
  // The SDK tells of a collector that is away through here only.
  diag.setLogger(diagLogger(log), { suppressOverrideMessage: true });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      ...resourceAttributes(environment.OTEL_RESOURCE_ATTRIBUTES),
      "service.name": environment.OTEL_SERVICE_NAME || "tonwerk",
      "service.version": build.version,
      "service.instance.id": build.node,
      "process.runtime.name": build.runtime,
      "tonwerk.role": build.role,
    }),
    sampler: samplerOf(environment),
    // Values of ours are short; this is for what a plugin may say.
    spanLimits: { attributeValueLengthLimit: 256 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        maxQueueSize: whole(environment, "OTEL_BSP_MAX_QUEUE_SIZE", 2_048),
        maxExportBatchSize: whole(environment, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512),
        scheduledDelayMillis: whole(environment, "OTEL_BSP_SCHEDULE_DELAY", 5_000),
        exportTimeoutMillis: whole(environment, "OTEL_BSP_EXPORT_TIMEOUT", 30_000),
      }),
    ],
  });
  const tracer = provider.getTracer("tonwerk", build.version);
  const current = new AsyncLocalStorage<OtelSpan>();

  const contextOf = (parent: SpanContext | undefined): Context => {
    if (parent !== undefined) return trace.setSpanContext(ROOT_CONTEXT, parent);
    const active = current.getStore();
    return active === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, active);
  };

  const run = async <Result>(
    name: string,
    { parent, link, kind = "internal", attributes = {} }: SpanOptions,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> => {
    const linked = link === undefined ? undefined : parseTraceparent(link);
    const span = tracer.startSpan(
      name,
      { kind: KINDS[kind], attributes, links: linked === undefined ? [] : [{ context: linked }] },
      link === undefined ? contextOf(parseTraceparent(parent)) : ROOT_CONTEXT,
    );
    const shown: Span = {
      set: (more) => void span.setAttributes(more),
      fail(type) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", type);
      },
    };
    try {
      return await current.run(span, work, shown);
    } catch (error) {
      // Never its message, which may name hosts and files.
      shown.fail(error instanceof Error ? ((error as { code?: unknown }).code?.toString() ?? error.name) : "unknown");
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    run,
    inside(name, attributes, work) {
      return current.getStore() === undefined ? work() : run(name, { attributes }, work);
    },
    record(name, { started_at, ended_at }, parent) {
      if (parent === undefined && current.getStore() === undefined) return;
      const context = contextOf(parseTraceparent(parent));
      tracer.startSpan(name, { startTime: started_at }, context).end(Math.max(started_at, ended_at));
    },
    active() {
      // Unsampled ones too: the job must not decide anew.
      const context = current.getStore()?.spanContext();
      return context === undefined ? undefined : writeTraceparent(context);
    },
    async close() {
      await provider.shutdown().catch((error: unknown) => log("trace.export_failed", { error: String(error) }));
      diag.disable();
    },
  };
}

/**
 * The samplers of the specification of OpenTelemetry; the default follows the caller's decision and takes everything
 * without one.
 */
function samplerOf(environment: Environment): Sampler {
  const name = environment.OTEL_TRACES_SAMPLER || "parentbased_always_on";
  const given = environment.OTEL_TRACES_SAMPLER_ARG || "1";
  const ratio = (): Sampler => {
    const share = Number(given);
    if (share >= 0 && share <= 1) return new TraceIdRatioBasedSampler(share);
    throw new Error(`Cannot sample traces: OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${given}"`);
  };
  const roots: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: ratio,
  };
  const root = roots[name.replace(/^parentbased_/, "")];
  if (root === undefined) {
    const known = Object.keys(roots).flatMap((one) => [one, `parentbased_${one}`]);
    throw new Error(`Cannot sample traces: OTEL_TRACES_SAMPLER must be one of ${known.join(", ")}, not "${name}"`);
  }
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root: root() }) : root();
}

/** `key=value` pairs, comma-separated, values percent-encoded. */
function resourceAttributes(given = ""): Record<string, string> {
  const pairs = given.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    if (at < 1) return [];
    try {
      return [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(pairs);
}

function whole(environment: Environment, name: string, otherwise: number): number {
  const given = environment[name] ?? "";
  if (given === "") return otherwise;
  if (/^[1-9][0-9]{0,8}$/.test(given)) return Number(given);
  throw new Error(`Cannot send traces: ${name} must be a whole number above 0, not "${given}"`);
}

/** A collector that is away would be told of with every batch. */
const TELL_MS = 60_000;

function diagLogger(log: Log) {
  let told_at = Number.NEGATIVE_INFINITY;
  const tell = (message: string): void => {
    const now = performance.now();
    if (now - told_at < TELL_MS) return;
    told_at = now;
    log("trace.export_failed", { error: message.slice(0, 300) });
  };
  const silent = (): void => undefined;
  return { error: tell, warn: tell, info: silent, debug: silent, verbose: silent };
}
