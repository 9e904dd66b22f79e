/**
 * What the service tells about itself: metrics for Prometheus and traces for OpenTelemetry, each absent unless it is
 * configured. Absent, its library is not loaded and the way of a request costs one look at `undefined`. Core speaks
 * these verbs; metrics.ts and traces.ts know the libraries. Neither is ever given a key, a secret, an address, an
 * account or what a client wrote.
 */
import type { Pool, Store, Work } from "./mod.ts";

export interface Telemetry {
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
}

export type PortName = "store" | "queue" | "bucket";

/**
 * What of a plugin was at fault: the function that threw or answered what it must not, what it delivered (`output`,
 * `report`), a `failure` that it does not declare, a module that does not `load`, a thread that it ended (`crash`), or
 * work that goes on when it is told to stop (`hang`).
 */
export type FaultKind =
  | "cost"
  | "work_seconds"
  | "check"
  | "understand"
  | "setup"
  | "dispose"
  | "process"
  | "output"
  | "report"
  | "failure"
  | "load"
  | "crash"
  | "memory"
  | "hang";

/**
 * How a job left its worker. `lost`: the engine crashed; `stopped`: ended elsewhere (canceled, taken over); `released`:
 * given back on stopping.
 */
export type JobOutcome = "ready" | "failed" | "timeout" | "lost" | "stopped" | "released";

export interface Metrics {
  /**
   * One answered HTTP request, in seconds until its headers. `route`: the path's template, never what a client sent.
   * `waited`: a long-poll, which has a histogram of its own.
   */
  request(method: string, route: string, status: number, seconds: number, waited: boolean): void;
  /** An accepted submission, on the node that answered it. */
  submitted(action: string, cost: number): void;
  replayed(action: string): void;
  /** An end that won, on the node that wrote it. `code`: null when ready. `refunded`: credits given back. */
  ended(action: string, code: string | null, refunded: number): void;
  /** Credits given back because measured sources cost less than was debited. */
  rebated(action: string, credits: number): void;
  /** A job that a worker took up. `waited_seconds`: since its submission; null where it had been claimed before. */
  claimed(work: Work, waited_seconds: number | null): void;
  /** A job that a worker let go. */
  job(work: Work, action: string, outcome: JobOutcome, seconds: number): void;
  /** One output that was delivered. */
  output(action: string, engine: string): void;
  /** A bug of the plugin that serves this action. */
  pluginError(action: string, kind: FaultKind): void;
  /** One attempt of a webhook. `late_seconds`: since it was due. */
  webhook(outcome: string, late_seconds: number, seconds: number): void;
  /** A place to record the calls of one verb of a port. */
  verb(port: PortName, verb: string): (seconds: number, failed: boolean) => void;
  /** Gauges that are read when somebody asks. Call once. */
  watch(sources: WatchedSources): void;
  /** The text format of Prometheus, version 0.0.4. */
  text(): Promise<string>;
  readonly content_type: string;
  close(): void;
}

export interface WatchedSources {
  readonly store: Pick<Store, "queueStats">;
  readonly pool: Pick<Pool, "stats" | "residents">;
  readonly waiters: { readonly open: number };
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  set(attributes: Attributes): void;
  /** Marks it as failed; `type` is one of our own codes or an error's name, never a message. */
  fail(type: string): void;
}

export interface SpanOptions {
  /** W3C `traceparent` of the parent; absent or malformed: the active span, or a new trace where there is none. */
  readonly parent?: string | null | undefined;
  /** As `parent`, of a span that this one follows from without being part of it: always a new trace. */
  readonly link?: string | null | undefined;
  readonly kind?: "server" | "client" | "consumer" | "internal";
  readonly attributes?: Attributes;
}

/** A piece of work that is over, in milliseconds since 1970 UTC. */
export interface StageTime {
  readonly stage: string;
  readonly started_at: number;
  readonly ended_at: number;
}

export interface Traces {
  /** Runs `work` as a span; what it starts meanwhile is inside. What it throws marks the span as failed. */
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** As `run`, where a span is active; else only the work: background tasks make no traces. */
  inside<Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result>;
  /** Writes down what is over, inside the active span or `parent`. */
  record(name: string, time: Omit<StageTime, "stage">, parent?: string | null): void;
  /** `traceparent` of the active span, to go with its work; undefined where there is none. */
  active(): string | undefined;
  /** Sends what is left. */
  close(): Promise<void>;
}
