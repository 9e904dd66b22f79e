/**
 * One job: sources are fetched, the pool decodes, processes, masters and encodes, the bucket takes the files, the
 * operation ends.
 */
import { link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AnyAction, Limits } from "../../contract/mod.ts";
import type { FreeWork } from "../accounts/free_work.ts";
import { faultOf, reportFault } from "../actions/fault_reports.ts";
import type { FetchQuestion } from "../actions/fetch_rules.ts";
import { type IsolationOptions, isolationOf } from "../actions/isolation.ts";
import { fieldOf, longestOf, SHORT_SECONDS_MAX, timesLonger } from "../actions/long_sources.ts";
import { checkPolicy } from "../actions/policy.ts";
import type { Registered, Registry } from "../actions/registered.ts";
import { hasAudio, type StoredOutput, type StoredReport, type StoredRequest } from "../actions/render.ts";
import { isOverdue } from "../actions/request_options.ts";
import type {
  FetchedSource,
  JobInput,
  JobOutput,
  JobResult,
  JobSetting,
  PriceQuestion,
  Tasks,
} from "../actions/tasks.ts";
import { CLIENT_REASONS } from "../base/client_reasons.ts";
import { failureOf } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import type { Bucket, Pool } from "../ports/mod.ts";
import type { JobOutcome, Telemetry } from "../ports/telemetry.ts";
import { fetchSource, type SourceServices } from "./fetch_source.ts";
import type { Leases, RunningJob } from "./leases.ts";
import { retryWhileAway } from "./patience.ts";
import { createPluginFetch } from "./plugin_fetch.ts";
import { rebateJob } from "./rebate.ts";
import { finishJob, isPoolFailure, type SettleServices, settleJob } from "./settle.ts";
import { runSideBySide } from "./side_by_side.ts";
import { runTestJob } from "./test_job.ts";

export interface JobServices extends SettleServices, SourceServices {
  readonly pool: Pool;
  readonly tasks: Tasks;
  readonly registry: Registry;
  readonly free_work: FreeWork;
  readonly telemetry: Telemetry;
}

export interface JobOptions {
  readonly setting: JobSetting;
  /** Folder for sources and results in flight; each job has its own inside. */
  readonly folder: string;
  /** Jobs of each kind at a time. */
  readonly jobs_max: number;
  readonly work_ms_max: number;
  /** Actions that the operator wants in processes of their own. */
  readonly isolate: IsolationOptions;
}

/** Runs a claimed job to its end and counts it. */
type RunJob = (job: RunningJob) => Promise<void>;

export function createJobRunner(services: JobServices, leases: Leases, options: JobOptions): RunJob {
  const { bucket, clock, pool, tasks, registry, free_work, log } = services;
  const { metrics, traces } = services.telemetry;

  /** A step of the job's trace, where there are traces. */
  const trace = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
    traces === undefined ? work() : traces.inside(name, {}, work);

  const run = async (job: RunningJob): Promise<JobOutcome> => {
    const { operation } = job;
    const { id, action, attempt } = operation;
    const folder = join(options.folder, `${id}-${attempt}`);
    const began = clock.now();
    // Beside the work, which waits for no store that is away.
    services.operations.announceStart(operation).catch((error: unknown) => {
      log("operation.start_untold", { id, error: describeError(error) });
    });
    try {
      await mkdir(folder, { recursive: true });
      const { outputs: made, stages } = await produce(job, folder);
      const { outputs, reasons } = hideReasons(made);
      for (const [model, reason] of reasons) log("model.passed_over", { id, action, model, reason });
      for (const { stage, ...time } of stages) traces?.record(stage, time);
      const stored = await trace("upload", () => storeOutputs(services, job, outputs));
      const won = await finishJob(services, job, stored);
      if (!won) await bucket.delete(stored.filter(hasAudio).map(({ object }) => object));
      else for (const { engine } of outputs) metrics?.output(action, engine);
      if (operation.work === "test") free_work.spend(operation.account_id, job.cost_ms);
      log("operation.ready", { id, action, won, ms: clock.now() - began });
      return won ? "ready" : "stopped";
    } catch (error) {
      const [registered, fault] = [registry.actions.get(action), faultOf(error)];
      if (registered !== undefined && fault !== undefined && !job.cancel.signal.aborted)
        reportFault(services, registered, fault, error, { id, attempt });
      const outcome = await settleJob(services, leases, job, error);
      // Nobody pays for these; nor for an attempt that crashed, whatever made it.
      const is_free =
        outcome === "failed" ||
        outcome === "timeout" ||
        isPoolFailure(error, "crashed") ||
        (outcome === "stopped" && isOverdue(operation.created_at, JSON.parse(operation.request), clock.now()));
      if (is_free) free_work.spend(operation.account_id, job.cost_ms);
      return outcome;
    } finally {
      await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
        log("worker.cleanup_failed", { id, error: describeError(error) });
      });
    }
  };

  const produce = async (job: RunningJob, folder: string): Promise<JobResult> => {
    const { operation, cancel, place } = job;
    const registered = registry.actions.get(operation.action);
    if (registered === undefined) throw new Error(`No action "${operation.action}" is registered here`);
    const request = JSON.parse(operation.request) as StoredRequest;
    // First: it costs next to nothing, and nothing is fetched for what is refused.
    checkPolicy(registered.action, request.fields);
    if (request.test !== undefined)
      return runTestJob({ pool, tasks }, job, { ...options.setting, origin: registered.origin, request, folder });
    const seconds_max = longestOf(
      operation.sources.map(({ name }) => ({ name, seconds: limitsOf(registered.action, name).seconds_max })),
    );
    const fetch = () =>
      trace("fetch sources", () =>
        fetchSources(services, job, registered, folder, options.work_ms_max * timesLonger(seconds_max)),
      );
    // Whoever sends them takes the time that it likes.
    const is_elsewhere = operation.sources.some(({ object }) => object === null);
    const { sources, ms } = await (is_elsewhere ? place.away(operation.account_id, fetch) : fetch());
    const seconds = seconds_max > SHORT_SECONDS_MAX ? await measureSources(job, sources) : seconds_max;
    const { fields, loudness, seed, cost_max } = request;
    const asked = { fields, loudness, seed, ...(cost_max === undefined ? {} : { cost_max }) };
    const isolation = isolationOf(registered, options.isolate);
    const input: JobInput = {
      ...options.setting,
      ...{ origin: registered.origin, request: asked, sources, folder },
      ...(isolation === undefined ? {} : { isolation }),
      ...(registered.settings === undefined ? {} : { settings: registered.settings }),
    };
    const fetchFor = createPluginFetch(services.outbound, registered, operation.account_id);
    return runSideBySide({ pool, tasks }, input, lanesFor(registered, request), {
      signal: cancel.signal,
      ms_max: Math.max(1, options.work_ms_max * timesLonger(seconds) - ms),
      onProgress(fraction, stage) {
        // Sums of shares are 0.29500000000000004.
        const progress = Math.round(fraction * 1e4) / 1e4;
        if (progress === job.progress && stage === job.stage) return;
        job.progress = progress;
        job.stage = stage;
        job.changed = true;
      },
      onCost(ms) {
        job.cost_ms += ms;
      },
      onAsk: (question, signal) =>
        isPrice(question) ? rebateJob(services, job, question) : fetchFor(question as FetchQuestion, signal),
    });
  };

  /** Seconds of the longest, or of a whole list, as the heads say: what the time for the work goes by. */
  const measureSources = ({ cancel }: RunningJob, sources: readonly FetchedSource[]): Promise<number> =>
    pool.run(
      tasks.measure,
      { runners: options.setting.runners, sources },
      { signal: cancel.signal, ms_max: options.work_ms_max, lane: "job" },
    );

  /**
   * How many processes make one operation's variations: its own, and those of workers of its kind that have nothing to
   * do.
   */
  const lanesFor = ({ action }: Registered, { fields }: StoredRequest): number => {
    if (action.side_by_side !== true || action.output !== "variations") return 1;
    let busy = 0;
    for (const { operation } of leases.running())
      if (registry.actions.get(operation.action)?.action.work === action.work) busy++;
    return Math.max(1, Math.min(Number(fields.n_variations), 1 + options.jobs_max - busy));
  };

  return async (job) => {
    const { id, action, work, attempt, created_at, request } = job.operation;
    const began = clock.now();
    const is_first = attempt === 1;
    metrics?.claimed(work, is_first ? (began - created_at) / 1000 : null);
    // The job is part of the trace that its submission began, on whichever node that was.
    const parent = traces === undefined ? undefined : (JSON.parse(request) as StoredRequest).trace;
    if (is_first && parent !== undefined) traces?.record("queue", { started_at: created_at, ended_at: began }, parent);
    const attributes = { "tonwerk.action": action, "tonwerk.operation": id, "tonwerk.attempt": attempt };
    const outcome =
      traces === undefined
        ? await run(job)
        : await traces.run(`job ${action}`, { parent, kind: "consumer", attributes }, async (span) => {
            const outcome = await run(job);
            span.set({ "tonwerk.outcome": outcome });
            if (outcome !== "ready") span.fail(outcome);
            return outcome;
          });
    metrics?.job(work, action, outcome, (clock.now() - began) / 1000);
  };
}

/**
 * Brings all sources here. That is part of the work: resolves to the time that it took as well, and fails when that is
 * more than `ms_max`.
 */
async function fetchSources(
  services: Pick<JobServices, "clock"> & SourceServices,
  job: RunningJob,
  { action }: Registered,
  folder: string,
  ms_max: number,
): Promise<{ sources: readonly FetchedSource[]; ms: number }> {
  const { clock } = services;
  const { operation, cancel } = job;
  const late = new AbortController();
  const began = clock.now();
  const stop = clock.after(ms_max, () => late.abort());
  const signal = AbortSignal.any([cancel.signal, late.signal]);
  const sources: FetchedSource[] = [];
  job.stage = "fetching";
  job.changed = operation.sources.some(({ object }) => object === null);
  try {
    for (const source of operation.sources) {
      const limits = limitsOf(action, source.name);
      const fetch = () => fetchSource(source, limits, services, folder, operation.account_id, signal);
      sources.push({ name: source.name, path: await retryWhileAway(clock, signal, fetch), limits });
    }
  } catch (error) {
    throw late.signal.aborted ? failureOf("generation_timeout") : error;
  } finally {
    stop();
  }
  return { sources, ms: clock.now() - began };
}

const isPrice = (question: unknown): question is PriceQuestion => Object.hasOwn(Object(question), "cost");

function limitsOf(action: AnyAction, name: string): Limits {
  const limits = action.sources[fieldOf(name)];
  if (limits === undefined) throw new Error(`${action.name} declares no source "${name}"`);
  return limits;
}

async function storeOutputs(
  { bucket, clock }: Pick<JobServices, "bucket" | "clock">,
  { operation, cancel }: RunningJob,
  outputs: readonly JobOutput[],
): Promise<readonly (StoredOutput | StoredReport)[]> {
  const stored: (StoredOutput | StoredReport)[] = [];
  for (const [index, made] of outputs.entries()) {
    if (!("path" in made)) {
      stored.push(made);
      continue;
    }
    const { path, ...output } = made;
    const object = `op/${operation.id}/${operation.attempt}/${index}.flac`;
    let tries = 0;
    await retryWhileAway(clock, cancel.signal, () => putFile(bucket, object, path, tries++ > 0));
    stored.push({ object, ...output });
  }
  return stored;
}

/** `put` takes the file away also when it fails: each try gets a name of its own for it. */
async function putFile(bucket: Bucket, object: string, path: string, again: boolean): Promise<void> {
  // A key is written once, and a try whose answer was lost may have come through. Only this attempt uses the key.
  if (again) await bucket.delete([object]);
  const name = `${path}-put`;
  await rm(name, { force: true });
  await link(path, name);
  await bucket.put(object, { path: name }, "audio/flac");
}

/**
 * Models that should have made these outputs and could not, as `runners/engines.ts` says in the reports. Why is for the
 * log, and is taken out of what clients get: by model.
 */
function hideReasons(made: readonly JobOutput[]): {
  readonly outputs: readonly JobOutput[];
  readonly reasons: ReadonlyMap<string, string>;
} {
  const reasons = new Map<string, string>();
  const outputs = made.map((output) => {
    const { report } = output;
    if (!Array.isArray(report?.passed_over)) return output;
    const passed_over = (report.passed_over as ({ model?: unknown; reason?: unknown } | null)[]).map((entry) => {
      const { model, reason } = entry ?? {};
      if (typeof model === "string" && typeof reason === "string") reasons.set(model, reason);
      return { ...entry, reason: CLIENT_REASONS.model };
    });
    return { ...output, report: { ...report, passed_over } };
  });
  return { outputs, reasons };
}
