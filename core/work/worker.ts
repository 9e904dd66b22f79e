/**
 * The worker: claims jobs, keeps their leases, and runs each one: sources -> pool (decode, process, master, encode) -> bucket -> the end.
 * It knows no HTTP. All heavy work is in the pool, so that leases are renewed on time.
 */
import { link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FreeWork } from "../accounts/free_work.ts";
import { checkPolicy } from "../actions/policy.ts";
import type { Registered, Registry } from "../actions/registry.ts";
import type { StoredOutput, StoredRequest } from "../actions/render.ts";
import { FAILURES, Failure } from "../base/errors.ts";
import { describeError, type Log } from "../base/log.ts";
import { every, pause } from "../base/timers.ts";
import { TOLD, withoutPaths } from "../base/told.ts";
import type { Operations } from "../operations/operations.ts";
import { fetchSource, type SourceServices } from "../operations/sources.ts";
import {
  type Clock,
  type JobsStore,
  type ModelSettings,
  type Operation,
  type OperationsStore,
  type Pool,
  type Queue,
  StoreUnavailable,
  type Work,
} from "../ports/mod.ts";
import type { JobOutcome, Telemetry } from "../ports/telemetry.ts";
import type { JobInput, JobOutput, JobResult } from "./job.ts";
import { AWAY_MAX, createPlaces, type Place, type Places } from "./places.ts";
import { sideBySide } from "./side_by_side.ts";

export interface WorkerServices extends SourceServices {
  readonly store: JobsStore & Pick<OperationsStore, "operation" | "onEnded">;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly pool: Pool;
  readonly registry: Registry;
  readonly operations: Operations;
  readonly free_work: FreeWork;
  readonly telemetry: Telemetry;
  readonly log: Log;
}

export interface WorkerOptions {
  /** Name of this worker, unique among all nodes. */
  readonly name: string;
  /** URL of the runners' `mod.ts`. */
  readonly runners: string;
  /** Folder for sources and results in flight; each job has its own inside. */
  readonly folder: string;
  /** Jobs of each kind at a time. */
  readonly jobs_max: number;
  /** Kinds of work that are done here. */
  readonly works: readonly Work[];
  /** Actions whose jobs are claimed; absent: all, and the ones that are not known here fail. */
  readonly actions?: readonly string[];
  readonly work_ms_max: number;
  readonly bits: 16 | 24;
  readonly models: ModelSettings;
}

export interface Worker {
  /** Takes no more jobs and lets the running ones go on for `ms`; what is left then goes back to the queue. */
  drain(ms: number): Promise<void>;
}

/** A worker that is silent for this long has lost its jobs. */
const LEASE_MS = 30_000;
/** Often enough to miss two renewals and still hold the lease. */
const RENEW_MS = 8_000;
/** How soon a client sees progress. */
const PROGRESS_MS = 500;
/** An idle worker looks by itself this often: wake-ups are hints. */
const IDLE_MS = 5_000;
/** How long a worker leaves a store alone that was away: one that knows so refuses at once. */
const AWAY_MS = 100;

/** How often a finished job tries to be stored, and for how long: longer than a database or a bucket takes to start anew. */
const RETRY_MS = 250;
const PATIENCE_MS = 300_000;

interface Running {
  readonly operation: Operation;
  readonly place: Place;
  readonly cancel: AbortController;
  progress: number;
  stage: string | null;
  /** Progress that the store has not been told. */
  changed: boolean;
  /** Processor time of this attempt so far. */
  cost_ms: number;
  finished: Promise<void>;
}

/** Why a running job was stopped from here. */
type Stop = "lost" | "drain";

export function startWorker(services: WorkerServices, options: WorkerOptions): Worker {
  const { store, queue, bucket, clock, pool, registry, operations, free_work, telemetry, log } = services;
  const { metrics, traces } = telemetry;
  const running = new Map<string, Running>();
  /** On their way to the store. */
  const renewals = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  /** The last claim of any place was not answered. */
  let away = false;

  /** `worker`: holds one job at a time, so that what it holds without knowing can be told. */
  const loop = async (work: Work, worker: string, places: Places): Promise<void> => {
    let place: Place | undefined;
    /** A claim was not answered: it may have come through all the same. */
    let is_unsure = false;
    /** The operation that was named when this loop was woken. */
    let named: string | undefined;
    while (!stopping.signal.aborted) {
      try {
        if (place?.held !== true) place = await places.enter(stopping.signal);
        if (place === undefined) return;
        if (is_unsure) for (const id of await store.releaseAll(work, worker)) queue.wake(work, id);
        is_unsure = true;
        const operation = await store.claim(work, worker, LEASE_MS, options.actions, place.passed());
        is_unsure = false;
        if (away) log("worker.store_back");
        away = false;
        if (operation === undefined) {
          named = await place.idle((needed) => queue.wait(work, IDLE_MS, AbortSignal.any([stopping.signal, needed])));
          continue;
        }
        queue.taken(work, operation.id);
        // The store chose another one: the one that was named still waits, for whoever is idle.
        if (named !== undefined && named !== operation.id) queue.wake(work, named);
        named = undefined;
        if (stopping.signal.aborted) {
          await giveBack(operation);
          return;
        }
        await track(operation, place);
        // To whoever has waited longer for one.
        place.leave();
      } catch (error) {
        // Once, not with every look of every place.
        if (!away) log("worker.store_away", { work, error: describeError(error) });
        away = true;
        await pause(clock, AWAY_MS, stopping.signal);
      }
    }
  };

  const giveBack = async ({ id, attempt, work }: Operation): Promise<void> => {
    if (await store.release(id, attempt)) queue.wake(work, id);
  };

  const track = async (operation: Operation, place: Place): Promise<void> => {
    const entry: Running = {
      operation,
      place,
      cancel: new AbortController(),
      progress: 0,
      stage: null,
      changed: false,
      cost_ms: 0,
      finished: Promise.resolve(),
    };
    running.set(operation.id, entry);
    entry.finished = observe(entry).finally(() => {
      // A job that was lost may be here again, as another attempt.
      if (running.get(operation.id) === entry) running.delete(operation.id);
    });
    await entry.finished;
  };

  /** Runs the job, counts it, and makes it part of the trace that its submission began, on whichever node that was. */
  const observe = async (entry: Running): Promise<void> => {
    const { id, action, work, attempt, created_at, request } = entry.operation;
    const began = clock.now();
    const first = attempt === 1;
    metrics?.claimed(work, first ? (began - created_at) / 1000 : null);
    const parent = traces === undefined ? undefined : (JSON.parse(request) as StoredRequest).trace;
    if (first && parent !== undefined) traces?.record("queue", { started_at: created_at, ended_at: began }, parent);
    const attributes = { "tonwerk.action": action, "tonwerk.operation": id, "tonwerk.attempt": attempt };
    const outcome =
      traces === undefined
        ? await runOne(entry)
        : await traces.run(`job ${action}`, { parent, kind: "consumer", attributes }, async (span) => {
            const outcome = await runOne(entry);
            span.set({ "tonwerk.outcome": outcome });
            if (outcome !== "ready") span.fail(outcome);
            return outcome;
          });
    metrics?.job(work, action, outcome, (clock.now() - began) / 1000);
  };

  /** As `traces.inside`, also without traces. */
  const step = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
    traces === undefined ? work() : traces.inside(name, {}, work);

  const runOne = async (entry: Running): Promise<JobOutcome> => {
    const { operation, cancel } = entry;
    const folder = join(options.folder, `${operation.id}-${operation.attempt}`);
    const began = clock.now();
    try {
      await mkdir(folder, { recursive: true });
      const { outputs, stages } = await produce(entry, folder);
      for (const passed of passedOver(outputs))
        log("model.passed_over", { id: operation.id, action: operation.action, ...passed });
      for (const { stage, ...time } of stages) traces?.record(stage, time);
      const stored = await step("upload", () => storeOutputs(entry, outputs.map(withoutReasons)));
      const won = await finish(entry, stored);
      if (!won) await bucket.delete(stored.map(({ object }) => object));
      else for (const { engine } of outputs) metrics?.output(operation.action, engine);
      log("operation.ready", { id: operation.id, action: operation.action, won, ms: clock.now() - began });
      return won ? "ready" : "stopped";
    } catch (error) {
      const outcome = await settle(operation, cancel.signal, error);
      // Nobody pays for these; nor for an attempt that crashed, whatever made it.
      const is_free = outcome === "failed" || outcome === "timeout" || isPoolFailure(error, "crashed");
      if (is_free) free_work.spend(operation.account_id, entry.cost_ms);
      return outcome;
    } finally {
      await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
        log("worker.cleanup_failed", { id: operation.id, error: describeError(error) });
      });
    }
  };

  const produce = async (entry: Running, folder: string): Promise<JobResult> => {
    const { operation, cancel } = entry;
    const registered = registry.actions.get(operation.action);
    if (registered === undefined) throw new Error(`No action "${operation.action}" is registered here`);
    const request = JSON.parse(operation.request) as StoredRequest;
    // First: it costs next to nothing, and nothing is fetched for what is refused.
    checkPolicy(registered.action, request.fields);
    const fetch = () => step("fetch sources", () => fetchSources(entry, registered, folder));
    // Whoever sends them takes the time that it likes.
    const is_elsewhere = operation.sources.some(({ object }) => object === null);
    const { sources, ms_left } = await (is_elsewhere ? entry.place.away(operation.account_id, fetch) : fetch());
    const input: JobInput = {
      origin: registered.origin,
      runners: options.runners,
      request,
      sources,
      folder,
      bits: options.bits,
      models: options.models,
    };
    const onProgress = (fraction: number, stage: string): void => {
      entry.progress = fraction;
      entry.stage = stage;
      entry.changed = true;
    };
    const onCost = (ms: number): void => {
      entry.cost_ms += ms;
    };
    return sideBySide(pool, input, lanesFor(registered, input.request), cancel.signal, ms_left, onProgress, onCost);
  };

  /** Threads that one operation's variations are made in: its own, and those of workers of its kind that have nothing to do. */
  const lanesFor = ({ action }: Registered, { fields }: StoredRequest): number => {
    if (action.side_by_side !== true || action.output !== "variations") return 1;
    let busy = 0;
    for (const { operation } of running.values())
      if (registry.actions.get(operation.action)?.action.work === action.work) busy++;
    return Math.max(1, Math.min(Number(fields.n_variations), 1 + options.jobs_max - busy));
  };

  /** Brings all sources here. That is part of the work: resolves to what it has left of the operation's time, and fails when it has none. */
  const fetchSources = async (
    entry: Running,
    { action }: Registered,
    folder: string,
  ): Promise<{ sources: JobInput["sources"]; ms_left: number }> => {
    const { operation, cancel } = entry;
    const late = new AbortController();
    const began = clock.now();
    const stop = clock.after(options.work_ms_max, () => late.abort());
    const signal = AbortSignal.any([cancel.signal, late.signal]);
    const sources: { name: string; path: string }[] = [];
    entry.stage = "fetching";
    entry.changed = operation.sources.some(({ object }) => object === null);
    try {
      for (const source of operation.sources) {
        const limits = action.sources[source.name];
        if (limits === undefined) throw new Error(`${action.name} declares no source "${source.name}"`);
        sources.push({
          name: source.name,
          path: await patiently(signal, () =>
            fetchSource(source, limits, services, folder, operation.account_id, signal),
          ),
        });
      }
    } catch (error) {
      throw late.signal.aborted ? new Failure("generation_timeout", FAILURES.generation_timeout) : error;
    } finally {
      stop();
    }
    return { sources, ms_left: Math.max(1, options.work_ms_max - (clock.now() - began)) };
  };

  const storeOutputs = async (
    { operation, cancel }: Running,
    outputs: readonly JobOutput[],
  ): Promise<readonly StoredOutput[]> => {
    const stored: StoredOutput[] = [];
    for (const [index, { path, ...output }] of outputs.entries()) {
      const object = `op/${operation.id}/${operation.attempt}/${index}.flac`;
      let tries = 0;
      await patiently(cancel.signal, () => putFile(object, path, tries++ > 0));
      stored.push({ object, ...output });
    }
    return stored;
  };

  /** `put` takes the file away also when it fails: each try gets a name of its own for it. */
  const putFile = async (object: string, path: string, again: boolean): Promise<void> => {
    // A key is written once, and a try whose answer was lost may have come through. Only this attempt uses the key.
    if (again) await bucket.delete([object]);
    const name = `${path}-put`;
    await rm(name, { force: true });
    await link(path, name);
    await bucket.put(object, { path: name }, "audio/flac");
  };

  /** False: it had ended otherwise, or another attempt has it. */
  const finish = async ({ operation, cancel }: Running, stored: readonly StoredOutput[]): Promise<boolean> => {
    let tries = 0;
    const won = await patiently(cancel.signal, () => {
      tries++;
      return operations.finish(operation, stored);
    });
    if (won || tries === 1) return won;
    // A try whose answer was lost may have been what won.
    const now = await patiently(cancel.signal, () => store.operation(operation.id));
    return now?.status === "ready" && now.attempt === operation.attempt;
  };

  /**
   * What has been made is not thrown away because store or bucket are away: tries again as long as the job is held, for `PATIENCE_MS` at most.
   */
  const patiently = async <Result>(signal: AbortSignal, step: () => Promise<Result>): Promise<Result> => {
    const began = clock.now();
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || clock.now() - began > PATIENCE_MS) throw error;
        await pause(clock, RETRY_MS, signal);
        if (signal.aborted) throw error;
      }
    }
  };

  /** Ends a job that did not come back with audio: what the work reports is final, a lost worker is not. */
  const settle = async (operation: Operation, signal: AbortSignal, error: unknown): Promise<JobOutcome> => {
    const fields = { id: operation.id, action: operation.action, attempt: operation.attempt };
    try {
      if (signal.aborted) {
        const released = (signal.reason as Stop) === "drain";
        if (released) await giveBack(operation);
        log("operation.stopped", { ...fields, reason: String(signal.reason) });
        return released ? "released" : "stopped";
      }
      if (isPoolFailure(error, "timeout")) {
        const failure = new Failure("generation_timeout", FAILURES.generation_timeout);
        const won = await patiently(signal, () => operations.fail(operation, failure));
        log("operation.timeout", fields);
        return won ? "timeout" : "stopped";
      }
      if (isPoolFailure(error, "crashed") || isPoolFailure(error, "closed")) {
        // The lease is given up at once; the reconciler counts the loss and hands the job on. Held no longer, or the next renewal, which may
        // come while this one is on its way, would take the lease again and nobody would have the job until it runs out.
        running.delete(operation.id);
        await Promise.allSettled(renewals);
        await store.renew([{ id: operation.id, attempt: operation.attempt, progress: 0, stage: null }], 0);
        log("operation.lost", { ...fields, error: describeError(error) });
        return "lost";
      }
      const failure = toFailure(error);
      const won = await patiently(signal, () => operations.fail(operation, failure));
      log("operation.failed", {
        ...fields,
        code: failure.code,
        // What the client is not told.
        ...(error instanceof Error && error.message === failure.message ? {} : { error: describeError(error) }),
      });
      return won ? "failed" : "stopped";
    } catch (unsettled) {
      // The store is away: the lease runs out and another worker takes over.
      log("operation.unsettled", { ...fields, error: describeError(unsettled) });
      return "lost";
    }
  };

  const renew = async (entries: readonly Running[]): Promise<void> => {
    if (entries.length === 0) return;
    const held = entries.map(({ operation, progress, stage }) => ({
      id: operation.id,
      attempt: operation.attempt,
      progress,
      stage,
    }));
    for (const entry of entries) entry.changed = false;
    const renewal = store.renew(held, LEASE_MS);
    renewals.add(renewal);
    try {
      for (const id of await renewal) running.get(id)?.cancel.abort("lost" satisfies Stop);
    } finally {
      renewals.delete(renewal);
    }
  };

  const stopEnded = store.onEnded((ids) => {
    for (const id of ids ?? []) running.get(id)?.cancel.abort("lost" satisfies Stop);
  });
  const guard = (what: string, work: () => Promise<void>) => async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log(`worker.${what}_failed`, { error: describeError(error) });
    }
  };
  const stopRenewing = every(
    clock,
    RENEW_MS,
    guard("renew", () => renew([...running.values()])),
  );
  const stopProgress = every(
    clock,
    PROGRESS_MS,
    guard("progress", () => renew([...running.values()].filter(({ changed }) => changed))),
  );

  const loops = options.works.flatMap((work) => {
    const places = createPlaces(options.jobs_max);
    return Array.from({ length: options.jobs_max + AWAY_MAX }, (_, n) =>
      loop(work, `${options.name}/${work}/${n}`, places),
    );
  });

  return {
    async drain(ms) {
      stopping.abort();
      const idle = Promise.all(loops);
      const late = pause(clock, ms, new AbortController().signal).then(() => {
        for (const { cancel } of running.values()) cancel.abort("drain" satisfies Stop);
      });
      await Promise.race([idle, late]);
      await idle;
      stopRenewing();
      stopProgress();
      stopEnded();
    },
  };
}

function toFailure(error: unknown): Failure {
  if (error instanceof Error && error.name === "Failure") {
    const { code, message, source } = error as Failure;
    return new Failure(code, withoutPaths(message), source);
  }
  return new Failure("internal_error", FAILURES.internal_error);
}

function isPoolFailure(error: unknown, code: string): boolean {
  return error instanceof Error && error.name === "PoolError" && (error as Error & { code: string }).code === code;
}

/** The same output; why a model was passed over stays in the log. */
function withoutReasons(output: JobOutput): JobOutput {
  const { report } = output;
  if (!Array.isArray(report?.passed_over)) return output;
  const passed_over = (report.passed_over as unknown[]).map((entry) => ({ ...(entry as object), reason: TOLD.model }));
  return { ...output, report: { ...report, passed_over } };
}

/** Models that should have made these outputs and could not, each once: what `runners/engines.ts` says in their reports. */
function passedOver(outputs: readonly JobOutput[]): { model: string; reason: string }[] {
  const found = new Map<string, string>();
  for (const { report } of outputs) {
    const entries = Array.isArray(report?.passed_over) ? (report.passed_over as unknown[]) : [];
    for (const entry of entries) {
      const { model, reason } = (entry ?? {}) as { model?: unknown; reason?: unknown };
      if (typeof model === "string" && typeof reason === "string") found.set(model, reason);
    }
  }
  return [...found].map(([model, reason]) => ({ model, reason }));
}
