/** A sidecar as the pool's thread sees it: what serves a task, wherever and however often its server is started. */
import type { Audio, Job } from "../../../contract/mod.ts";
import type { ModelSettings } from "../../../core/ports/mod.ts";
import { isApart, runNested } from "../../pool/mod.ts";
import { resample } from "../../signal/dsp/resample.ts";
import { cut, throughBlocks, triangle } from "../blocks.ts";
import { ModelError } from "../model_error.ts";
import type { Separator } from "../separator.ts";
import type { Generator } from "../tasks.ts";
import { release } from "../tensor.ts";
import type { SidecarManifest } from "./manifest.ts";
import { sidecarRunner } from "./mod.ts";
import type { GenerateRequest, MakingTask, SidecarInput, SidecarOutput, SidecarSpec, TaskFacts } from "./types.ts";

const RATE = 44_100;
/** For a job, which has another engine. */
const OPEN_MS_MAX = 120_000;
/** A piece is begun anew this often where the server went away in the middle of it. */
const ATTEMPTS = 2;
/** Of a separation where neither manifest nor server says less: what a window takes in memory is some 20 times its samples. */
const WINDOW_SECONDS = 60;
/** Share of a window that the next one overlaps. */
const OVERLAP = 0.1;
/** Of a generator that does not say. */
const SECONDS_MAX = 60;

export function sidecarSpec(manifest: SidecarManifest, { model_mb }: Pick<ModelSettings, "model_mb">): SidecarSpec {
  return { manifest, memory_mb: manifest.memory_mb ?? model_mb };
}

/** Rejects with a `ModelError`, and with the job's reason where that is aborted. */
export async function openSidecar(
  manifest: SidecarManifest,
  task: string,
  settings: ModelSettings,
  job: Job,
): Promise<Generator<GenerateRequest> | Separator> {
  const sidecar = new Sidecar(manifest, settings, job.signal);
  const facts = await sidecar.open();
  if (task === "separate") return separatorOf(sidecar, facts.tasks.separate!);
  const { seconds_max: most, sample_rate } = facts.tasks[task as MakingTask]!;
  const seconds_max = most ?? SECONDS_MAX;
  return {
    id: manifest.id,
    seconds_max,
    async generate(request, own) {
      if (request.seconds > seconds_max)
        throw sidecar.fault(`it makes ${seconds_max} s at most, not ${request.seconds} s`);
      const { reference } = request;
      const sent =
        reference === undefined ? request : { ...request, reference: toTask(reference, sample_rate ?? RATE) };
      const { audio } = await sidecar.work("made", { type: "generate", request: sent }, own);
      return { sample_rate: RATE, channels: toRate(audio, RATE, Math.round(RATE * request.seconds)) };
    },
  };
}

function separatorOf(sidecar: Sidecar, { stems, sample_rate, seconds_max }: TaskFacts): Separator {
  const window_seconds = Math.min(sidecar.window_seconds, seconds_max ?? WINDOW_SECONDS);
  return {
    id: sidecar.id,
    stems,
    async separate(audio, job, emit) {
      const { channels } = audio;
      const frames = channels[0]!.length;
      const block = Math.min(frames, Math.floor(RATE * window_seconds));
      const stride = block === frames ? frames : Math.max(1, Math.round(block * (1 - OVERLAP)));
      const rate = sample_rate ?? RATE;
      const blocks = Math.ceil(frames / stride);
      let done = 0;
      await throughBlocks(
        { frames, block, stride, lead: 0, tail: 0, weight: triangle(block), centre: 0.5, batch: 1 },
        stems.length * channels.length,
        (from) => channels.map((channel) => cut(channel, from, block)),
        async ([one]) => {
          const own: Job = {
            signal: job.signal,
            progress: (fraction, stage) => job.progress((done + fraction) / blocks, stage),
          };
          const sent = rate === RATE ? one! : resample(one!, RATE, rate);
          const source = { sample_rate: rate, channels: sent };
          const made = await sidecar.work("stems", { type: "separate", audio: source, stems }, own);
          release(...sent);
          done++;
          return [made.stems.flatMap((stem) => toRate({ sample_rate: rate, channels: stem }, RATE, block))];
        },
        (from, made) => {
          const count = channels.length;
          emit(
            from,
            stems.map((_, s) => made.slice(s * count, (s + 1) * count)),
          );
        },
      );
    },
  };
}

function toTask({ sample_rate, channels }: Audio, rate: number): Audio {
  return { sample_rate: rate, channels: sample_rate === rate ? channels : resample([...channels], sample_rate, rate) };
}

/** The channels at another rate, exactly so long. */
function toRate({ sample_rate, channels }: Audio, rate: number, frames: number): Float32Array[] {
  const made = sample_rate === rate ? [...channels] : resample([...channels], sample_rate, rate);
  return made.map((channel) => (channel.length === frames ? channel : cut(channel, 0, frames)));
}

class Sidecar {
  readonly id: string;
  readonly window_seconds: number;
  readonly #spec: SidecarSpec;
  readonly #ms_max: number;
  readonly #signal: AbortSignal;
  /** Jobs that the server takes at once. */
  #concurrency = 1;

  constructor(manifest: SidecarManifest, settings: ModelSettings, signal: AbortSignal) {
    this.id = manifest.id;
    this.window_seconds = manifest.window_seconds ?? WINDOW_SECONDS;
    this.#spec = sidecarSpec(manifest, settings);
    this.#ms_max = manifest.ms_max ?? settings.model_seconds * 1000;
    this.#signal = signal;
  }

  fault(reason: string): ModelError {
    return new ModelError(this.id, reason);
  }

  async open() {
    const job = { signal: this.#signal, progress: () => undefined };
    const { facts } = await this.#ask("opened", { type: "open" }, job, OPEN_MS_MAX).catch((error: ModelError) => {
      // It may have ended just before.
      if (!(error instanceof ModelError) || !error.lost) throw error;
      return this.#ask("opened", { type: "open" }, job, OPEN_MS_MAX);
    });
    this.#concurrency = facts.concurrency ?? 1;
    return facts;
  }

  /** Asks once more where the server, or our process, went away in between. */
  async work<Type extends "made" | "stems">(
    type: Type,
    input: Input,
    job: Job,
  ): Promise<Extract<SidecarOutput, { type: Type }>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(type, input, job, this.#ms_max);
      } catch (error) {
        if (!(error instanceof ModelError) || !error.lost || attempt === ATTEMPTS) throw error;
        await this.open();
      }
    }
  }

  async #ask<Type extends SidecarOutput["type"]>(
    type: Type,
    input: Input,
    job: Job,
    ms_max: number,
  ): Promise<Extract<SidecarOutput, { type: Type }>> {
    // What runs apart from the service has its own permissions, and would speak to the server, or start it, by itself.
    if (isApart()) throw this.fault("an action that runs in a process of its own reaches no sidecar");
    try {
      const runner = sidecarRunner(this.id, input.type === "open" ? undefined : this.#concurrency);
      const answer = await runNested(runner, { ...input, spec: this.#spec } as SidecarInput, job, ms_max);
      if (answer.type !== type) throw new Error(`its process answered "${answer.type}" to "${input.type}"`);
      return answer as Extract<SidecarOutput, { type: Type }>;
    } catch (error) {
      if (job.signal.aborted) throw job.signal.reason;
      const { code, message } = error as Error & { readonly code?: unknown };
      throw new ModelError(this.id, message, code === "crashed" || code === "lost");
    }
  }
}

type WithoutSpec<Input> = Input extends unknown ? Omit<Input, "spec"> : never;
type Input = WithoutSpec<SidecarInput>;
