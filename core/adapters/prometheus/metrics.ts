/**
 * Metrics for Prometheus. Labels are names of our own (routes, actions, verbs, codes, engines): never an account, an
 * id, a host or what a client wrote, so their number is bounded by what is installed. Seconds and bytes are the units,
 * as Prometheus wishes them.
 */
import { Counter, Gauge, Registry } from "prom-client";
import { type QueueStats, WORKS } from "../../ports/mod.ts";
import type { Metrics, WatchedSources } from "../../ports/telemetry.ts";
import { watchProcess } from "./process_metrics.ts";
import { TalliedCounter, TalliedHistogram } from "./tally.ts";

/** Seconds. Requests: from a status read of some 0.1 ms to an upload. */
const REQUEST_EDGES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60] as const;
/** Up to the 20 s of a long-poll. */
const POLL_EDGES = [0.1, 1, 5, 10, 15, 19, 21, 30] as const;
const VERB_EDGES = [0.00005, 0.00025, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 30] as const;
/** Up to the usual limit of the work, 600 s. */
const JOB_EDGES = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;
const WAIT_EDGES = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600] as const;
const HOOK_EDGES = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300] as const;

/** Counting a long queue takes the store a while, and several may scrape. */
const STATS_MS = 5_000;

export interface MetricsLabels {
  readonly version: string;
  readonly runtime: string;
  readonly role: string;
}

export function createMetrics(build: MetricsLabels): Metrics {
  const registry = new Registry();
  const counter = (name: string, help: string, labels: readonly string[] = []) =>
    new TalliedCounter({ name, help, labels }, registry);
  const histogram = (name: string, help: string, labels: readonly string[], edges: readonly number[]) =>
    new TalliedHistogram({ name, help, labels }, edges, registry);

  const requests = histogram(
    "tonwerk_http_request_duration_seconds",
    "HTTP requests, long-polls apart, until the headers of the answer",
    ["method", "route", "status"],
    REQUEST_EDGES,
  );
  const polls = histogram(
    "tonwerk_http_long_poll_duration_seconds",
    "Requests with wait=true",
    ["route", "status"],
    POLL_EDGES,
  );
  const submissions = counter("tonwerk_submissions_total", "Submissions accepted by this node", ["action"]);
  const replays = counter("tonwerk_replays_total", "Submissions answered with an earlier one's response", ["action"]);
  const debited = counter("tonwerk_credits_debited_total", "Credits taken by submissions", ["action"]);
  const rebated = counter(
    "tonwerk_credits_rebated_total",
    "Credits given back because measured sources cost less than was debited",
    ["action"],
  );
  const refunded = counter("tonwerk_credits_refunded_total", "Credits given back", ["action"]);
  const ends = counter("tonwerk_operations_ended_total", "Operations ended by this node; code is empty when ready", [
    "action",
    "status",
    "code",
  ]);
  const waits = histogram("tonwerk_queue_wait_seconds", "From submission to the first claim", ["work"], WAIT_EDGES);
  const jobs = histogram(
    "tonwerk_job_duration_seconds",
    "Jobs from claim to their end on this worker",
    ["action", "outcome"],
    JOB_EDGES,
  );
  const outputs = counter("tonwerk_outputs_total", "Outputs delivered, by the engine that made them", [
    "action",
    "engine",
  ]);
  const plugin_faults = counter("tonwerk_plugin_errors_total", "Bugs of actions, by what was at fault", [
    "action",
    "kind",
  ]);
  const hooks = histogram("tonwerk_webhook_duration_seconds", "Webhook attempts", ["outcome"], HOOK_EDGES);
  const lags = histogram("tonwerk_webhook_lag_seconds", "From when an attempt was due to its begin", [], HOOK_EDGES);
  const verbs = histogram(
    "tonwerk_port_duration_seconds",
    "Calls of the store, the queue and the bucket",
    ["port", "verb"],
    VERB_EDGES,
  );
  const faults = counter("tonwerk_port_errors_total", "Those calls that failed", ["port", "verb"]);
  const running = new Gauge({
    name: "tonwerk_worker_jobs",
    help: "Jobs that this worker holds",
    labelNames: ["work"],
    registers: [registry],
  });
  for (const work of WORKS) running.set({ work }, 0);
  new Gauge({
    name: "tonwerk_build_info",
    help: "Always 1",
    labelNames: ["version", "runtime", "role"],
    registers: [registry],
  }).set({ ...build }, 1);
  const stopProcess = watchProcess(registry);

  /** Found by a number, without building a string: a request's status is known only afterwards. */
  const by_route = new Map<string, Map<number, ReturnType<typeof requests.of>>>();

  return {
    request(method, route, status, seconds, waited) {
      if (waited) {
        polls.of(route, String(status)).observe(seconds);
        return;
      }
      // 3 digits of the status, then the method: two are common.
      const key = method === "GET" ? status : method === "PUT" ? 1_000 + status : 0;
      let statuses = by_route.get(route);
      if (statuses === undefined) {
        statuses = new Map();
        by_route.set(route, statuses);
      }
      let tally = statuses.get(key);
      if (tally === undefined || key === 0) {
        tally = requests.of(METHODS.has(method) ? method : "other", route, String(status));
        if (key !== 0) statuses.set(key, tally);
      }
      tally.observe(seconds);
    },
    submitted(action, cost) {
      submissions.of(action).add();
      if (cost > 0) debited.of(action).add(cost);
    },
    replayed: (action) => replays.of(action).add(),
    ended(action, code, credits) {
      ends.of(action, code === null ? "ready" : "failed", code ?? "").add();
      if (credits > 0) refunded.of(action).add(credits);
    },
    rebated: (action, credits) => rebated.of(action).add(credits),
    claimed(work, waited_seconds) {
      running.inc({ work });
      if (waited_seconds !== null) waits.of(work).observe(Math.max(0, waited_seconds));
    },
    job(work, action, outcome, seconds) {
      running.dec({ work });
      jobs.of(action, outcome).observe(seconds);
    },
    output: (action, engine) => outputs.of(action, engine).add(),
    pluginError: (action, kind) => plugin_faults.of(action, kind).add(),
    webhook(outcome, late_seconds, seconds) {
      hooks.of(outcome).observe(seconds);
      lags.of().observe(Math.max(0, late_seconds));
    },
    verb(port, verb) {
      const took = verbs.of(port, verb);
      const failures = faults.of(port, verb);
      return (seconds, failed) => {
        took.observe(seconds);
        if (failed) failures.add();
      };
    },
    watch: (sources) => watchSources(registry, sources),
    text: () => registry.metrics(),
    content_type: registry.contentType,
    close: stopProcess,
  };
}

const METHODS = new Set(["GET", "PUT", "HEAD", "POST", "DELETE", "PATCH", "OPTIONS"]);

function watchSources(registry: Registry, { store, pool, waiters }: WatchedSources): void {
  const gauge = (name: string, help: string, labelNames: string[], collect: (this: Gauge) => void | Promise<void>) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect });
  const now = remembering(async () => Promise.all(WORKS.map((work) => store.queueStats(work))), STATS_MS);
  /** A store that is away leaves these out of the text: an old number would be a lie. */
  const ofQueue = (name: string, help: string, value: (stats: QueueStats, at: number) => number) =>
    gauge(name, help, ["work"], async function () {
      this.reset();
      const seen = await now().catch(() => undefined);
      for (const [index, work] of WORKS.entries()) {
        const stats = seen?.value[index];
        if (stats !== undefined && seen !== undefined) this.set({ work }, value(stats, seen.at));
      }
    });
  ofQueue("tonwerk_queue_jobs", "Jobs that wait, in the whole installation", ({ queued }) => queued);
  ofQueue("tonwerk_queue_running_jobs", "Jobs that are held by any worker", (stats) => stats.running);
  ofQueue("tonwerk_queue_oldest_seconds", "How long the oldest waiting job has waited; 0: none waits", (stats, at) =>
    stats.oldest_at === null ? 0 : Math.max(0, (at - stats.oldest_at) / 1000),
  );
  gauge("tonwerk_long_polls", "Long-polls open on this node", [], function () {
    this.set(waiters.open);
  });
  gauge("tonwerk_pool", "Threads and processes alive, runs at work and waiting", ["what"], function () {
    const { threads, processes, busy, waiting } = pool.stats();
    for (const [what, value] of Object.entries({ threads, processes, busy, waiting })) this.set({ what }, value);
  });
  gauge("tonwerk_model_up", "1: the model's process is not failed", ["model"], function () {
    this.reset();
    for (const { name, state } of pool.residents()) this.set({ model: name }, state === "failed" ? 0 : 1);
  });
  new Counter({
    name: "tonwerk_pool_replaced_total",
    help: "Threads and processes that died or hung and were replaced",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(pool.stats().replaced);
    },
  });
}

/** One look for all who ask within `ms`. */
function remembering<Value>(look: () => Promise<Value>, ms: number): () => Promise<{ value: Value; at: number }> {
  let last: { at: number; seen: Promise<{ value: Value; at: number }> } | undefined;
  return () => {
    const at = Date.now();
    if (last === undefined || at - last.at >= ms || at < last.at) {
      const seen = look().then((value) => ({ value, at }));
      last = { at, seen };
      // What failed is asked anew.
      seen.catch(() => {
        last = undefined;
      });
    }
    return last.seen;
  };
}
