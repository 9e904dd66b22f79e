/**
 * `process` in a process of its own: what goes there is the request, its decoded sources and nothing of the service;
 * what comes back is what the action returned, whole. Decoding, checks, mastering and encoding stay in the thread.
 */

import type { AnyAction, Audio, Job, Runner, Streamed } from "../../../contract/mod.ts";
import { PluginFault } from "../../actions/faults.ts";
import { loadAction } from "../../actions/imports.ts";
import type { Settings } from "../../actions/registered.ts";
import type { JobInput } from "../../actions/tasks.ts";
import type { Confinement, Runners } from "../../ports/mod.ts";
import { createHelp, engineLoader } from "./context.ts";
import { runOwn } from "./own_code.ts";
import { preparer } from "./prepared.ts";
import { isStreamed } from "./produced.ts";

/** By field, as `process` has them. */
export type DecodedSources = Readonly<Record<string, Audio | Streamed | readonly Streamed[]>>;

/** What `process` is given of the job's, beside what it can ask for. */
export interface Given {
  readonly request: Readonly<Record<string, unknown>>;
  readonly sources: DecodedSources;
  readonly seeds: readonly number[];
  readonly loudness: { readonly target_lufs: number; readonly allow_compression: boolean } | null;
}

type Crossing = Audio | { readonly whole: Audio; readonly peak: number };

export interface ApartInput extends Pick<JobInput, "origin" | "runners" | "models" | "packs" | "sounds"> {
  readonly given: Omit<Given, "sources"> & {
    readonly sources: Readonly<Record<string, Crossing | readonly Crossing[]>>;
  };
  readonly settings: Settings;
}

type Apart = Runner<ApartInput, unknown> & { readonly confine?: Confinement };

/**
 * Runs an action's `process` under these permissions. A crash of its process is the action's own, and final: nothing
 * else runs there.
 */
export async function runApart(
  { name }: AnyAction,
  runner: Apart,
  confine: Confinement,
  ms_max: number,
  { given, ...input }: Omit<ApartInput, "given"> & { readonly given: Given },
  runNested: Runners["runNested"],
  job: Job,
): Promise<unknown> {
  const sources = Object.fromEntries(
    Object.entries(given.sources).map(([field, one]) => [field, isList(one) ? one.map(cross) : cross(one)]),
  );
  try {
    const confined: Apart = { ...runner, confine };
    return await runNested(confined, { ...input, given: { ...given, sources } }, job, ms_max);
  } catch (error) {
    const { name: kind, code, message } = Object(error) as Error & { readonly code?: unknown };
    if (kind !== "PoolError" || code !== "crashed") throw error;
    throw new PluginFault("crash", `${name}: its process ended: ${message}`, error);
  }
}

/** In the process. */
export async function runProcess(input: ApartInput, job: Job): Promise<unknown> {
  const runners = (await import(input.runners)) as Runners;
  runners.useModels(input.models);
  runners.usePacks(input.packs);
  runners.useSounds(input.sounds);
  const action = await loadAction(input.origin);
  const sources = Object.fromEntries(
    Object.entries(input.given.sources).map(([field, one]) => [field, isList(one) ? one.map(arrive) : arrive(one)]),
  );
  const { runNested, askOwner } = runners;
  const helpers = { runNested, askOwner, engines: engineLoader(runners) };
  const prepared = await preparer(input.origin, runners)(action, input.settings, job);
  const context = { ...input.given, sources, prepared, ...createHelp(action, input.settings, helpers, job) };
  return runOwn(action, "process", job.signal, async () => whole(await action.process(context as never), job.signal));
}

const isList = <One>(one: One | readonly One[]): one is readonly One[] => Array.isArray(one);

const cross = (one: Audio | Streamed): Crossing => (isStreamed(one) ? { whole: readWhole(one), peak: one.peak } : one);

function arrive(one: Crossing): Audio | Streamed {
  if (!("whole" in one)) return one;
  const { sample_rate, channels } = one.whole;
  return {
    ...{ sample_rate, channels: channels.length, frames: channels[0]!.length, peak: one.peak },
    samples(from, to, out) {
      for (const [index, channel] of channels.entries()) out[index]!.set(channel.subarray(from, to));
    },
  };
}

const BLOCK = 1 << 16;

export function readWhole(audio: Streamed): Audio {
  const { sample_rate, frames } = audio;
  const channels = Array.from({ length: audio.channels }, () => new Float32Array(frames));
  for (let from = 0; from < frames; from += BLOCK) {
    const to = Math.min(frames, from + BLOCK);
    audio.samples(
      from,
      to,
      channels.map((channel) => channel.subarray(from, to)),
    );
  }
  return { sample_rate, channels };
}

/** Outputs as they cross: made, and with all their samples. Anything else is for the thread's check to refuse. */
async function whole(produced: unknown, signal: AbortSignal): Promise<unknown> {
  if (typeof produced === "function") {
    signal.throwIfAborted();
    return whole(await (produced as () => unknown)(), signal);
  }
  if (Array.isArray(produced)) {
    const all: unknown[] = [];
    for (const one of produced) all.push(await whole(one, signal));
    return all;
  }
  if (typeof produced !== "object" || produced === null) return produced;
  const { audio } = produced as { readonly audio?: Audio | Streamed };
  if (audio !== undefined) return isStreamed(audio) ? { ...produced, audio: readWhole(audio) } : produced;
  if ("report" in produced) return produced;
  // Stems and named outputs.
  const named: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(produced)) named[name] = await whole(one, signal);
  return named;
}
