/** A model as the pool's thread sees it: graphs that take tensors and give tensors, wherever and however often its process is started. */
import { join } from "node:path";
import type { Job } from "../../contract/mod.ts";
import type { ModelSettings } from "../../core/ports/mod.ts";
import { runNested } from "../pool/mod.ts";
import { filesOf, type Manifest } from "./fields.ts";
import type { Layout } from "./layout.ts";
import {
  type GraphRun,
  type LoadedModel,
  type ModelSpec,
  type Opened,
  type SessionsInput,
  type SessionsOutput,
  sessionsOf,
} from "./mod.ts";
import { ModelError } from "./model_error.ts";
import type { Place } from "./places.ts";
import { sleep } from "./sleep.ts";
import type { Tensors } from "./tensor.ts";
import type { Wish } from "./types.ts";

/** Reading, checking and placing some gigabytes. */
export const OPEN_MS_MAX = 300_000;
/** For a job, which has another engine: a model that takes longer is loaded beside it (`runners/models.ts`) and serves the next one. */
const JOB_OPEN_MS_MAX = 120_000;
/** Where jobs share an ensemble's process whose memory does not hold all models, each load may push out what another job just loaded. */
const RELOADS_MAX = 4;
/** A piece that waits for others to end asks this often. */
const LATER_MS = 250;
/** Threads of one run on the CPU, whatever the machine has, so that machines agree. */
const THREADS = 4;

export class Model implements LoadedModel {
  readonly id: string;
  readonly opened: Opened;
  readonly #spec: ModelSpec;
  readonly #ms_max: number;
  readonly #job: Job;

  private constructor(spec: ModelSpec, opened: Opened, ms_max: number, job: Job) {
    this.id = spec.id;
    this.opened = opened;
    this.#spec = spec;
    this.#ms_max = ms_max;
    this.#job = job;
  }

  /**
   * Loads the graphs, or finds them loaded. Rejects with a `ModelError`, and with the job's reason where that is aborted.
   *
   * @param tell what is being done; of a job it is no part of the progress
   */
  static async open(
    spec: ModelSpec,
    manifest: Pick<Manifest, "ms_max">,
    settings: Pick<ModelSettings, "model_seconds">,
    job: Job,
    tell?: (stage: string) => void,
  ): Promise<Model> {
    const ms_max = runMsMax(manifest, settings);
    return new Model(spec, await open(spec, job, ms_max, tell), ms_max, job);
  }

  /** Size that the graph fixes for a word of the layout. */
  size(role: string, word: string): number | undefined {
    return this.opened.matched[role]?.bound[word];
  }

  /** Path of a file that is no graph. */
  path(role: string): string {
    return join(this.#spec.folder, this.#spec.files.find((file) => file.role === role)!.path);
  }

  /**
   * Runs a graph. Where the process crashed (or is new, or gave the model up for another of its ensemble) it is loaded
   * once more, save for a run that resumes a state, which is gone. Rejects with a `ModelError`, and with the job's
   * reason where that is aborted.
   */
  async run(run: GraphRun): Promise<Tensors> {
    try {
      const first = await this.#try(run);
      if (first !== undefined) return first;
    } catch (error) {
      if (codeOf(error) !== "crashed" || run.resume === true) throw this.#fault(error);
    }
    if (run.resume === true) {
      throw new ModelError(this.id, "its process was replaced in the middle of a piece", true);
    }
    for (let tries = 0; tries < RELOADS_MAX; tries++) {
      await open(this.#spec, this.#job, this.#ms_max);
      const again = await this.#try(run).catch((error) => {
        throw this.#fault(error);
      });
      if (again !== undefined) return again;
    }
    throw new ModelError(this.id, "its process keeps being replaced");
  }

  async begin(state: string, wish: Wish): Promise<void> {
    // As it is where a job has the process for itself: pieces take turns, step by step.
    if (this.#spec.together === 1) return;
    try {
      for (;;) {
        const answer = await this.#ask({ type: "begin", key: this.opened.key, state, wish });
        if (answer.type === "begun") return;
        if (answer.type === "unknown") await open(this.#spec, this.#job, this.#ms_max);
        else await sleep(LATER_MS, this.#job.signal);
      }
    } catch (error) {
      throw this.#fault(error);
    }
  }

  /**
   * Lets go of what is carried, of a job that was aborted too: others may wait for it. Never rejects: what a new process
   * does not have is gone as well.
   */
  async forget(state: string): Promise<void> {
    const job = { ...this.#job, signal: new AbortController().signal };
    await this.#ask({ type: "forget", key: this.opened.key, state }, job).catch(() => undefined);
  }

  fault(reason: string): ModelError {
    return new ModelError(this.id, reason);
  }

  async #try(run: GraphRun): Promise<Tensors | undefined> {
    for (;;) {
      const answer = await this.#ask({ type: "run", key: this.opened.key, ...run });
      if (answer.type === "outputs") return answer.outputs;
      if (answer.type !== "later") return undefined;
    }
  }

  #ask(input: SessionsInput, job = this.#job): Promise<SessionsOutput> {
    return ask(this.#spec, input, job, this.#ms_max);
  }

  #fault(error: unknown): unknown {
    return faultOf(this.id, error, this.#job);
  }
}

/** What the process, named `resident`, is told of a model. `folder` is that of the manifests. */
export function specOf(
  manifest: Manifest,
  layouts: Readonly<Record<string, Layout>>,
  { models, model_mb }: ModelSettings,
  { resident, device, providers }: Place,
  { fold = true, together = 1 }: { readonly fold?: boolean; readonly together?: number },
): ModelSpec {
  return {
    id: manifest.id,
    resident,
    folder: models ?? ".",
    files: filesOf(manifest),
    layouts,
    renamed: manifest.tensors ?? {},
    providers,
    device,
    threads: manifest.threads ?? THREADS,
    session: manifest.session ?? {},
    fold: manifest.fold ?? fold,
    model_mb: manifest.memory_mb ?? model_mb,
    together: together === 1 ? 1 : (manifest.batch ?? together),
  };
}

/** Of loading it at the start. Each graph is run once, so that where a run may take longer, this may too. */
export function startMsMax(manifest: Pick<Manifest, "ms_max">, settings: Pick<ModelSettings, "model_seconds">): number {
  return Math.max(OPEN_MS_MAX, runMsMax(manifest, settings));
}

function runMsMax({ ms_max }: Pick<Manifest, "ms_max">, { model_seconds }: Pick<ModelSettings, "model_seconds">) {
  return ms_max ?? 1000 * model_seconds;
}

/** Once more where the process crashed: it may have ended just before. */
async function open(spec: ModelSpec, job: Job, run_ms_max: number, tell?: (stage: string) => void): Promise<Opened> {
  const ms_max = Math.max(JOB_OPEN_MS_MAX, run_ms_max);
  const load = () => ask(spec, { type: "open", spec }, job, ms_max, tell);
  try {
    const answer = await load().catch((error: unknown) => {
      if (codeOf(error) !== "crashed" || job.signal.aborted) throw error;
      return load();
    });
    if (answer.type !== "opened") throw new Error(`its process answered "${answer.type}" to being opened`);
    return answer.opened;
  } catch (error) {
    throw faultOf(spec.id, error, job);
  }
}

/** What is at work beside a run in its process may come before it, and has its time as well; a new process has nothing else to do. */
function ask(
  spec: ModelSpec,
  input: SessionsInput,
  { signal }: Job,
  ms_max: number,
  tell?: (stage: string) => void,
): Promise<SessionsOutput> {
  const runner = sessionsOf(spec);
  const progress = (_: number, stage: string): void => tell?.(stage);
  const most_ms = input.type === "open" ? ms_max : ms_max * (runner.at_once ?? 1);
  return runNested(runner, input, { signal, progress }, most_ms);
}

function faultOf(id: string, error: unknown, { signal }: Job): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ModelError) return error;
  return new ModelError(id, error instanceof Error ? error.message : String(error), codeOf(error) === "crashed");
}

/** Of a `PoolError`, here or across the border. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && error.name === "PoolError" ? (error as Error & { code?: unknown }).code : undefined;
}
