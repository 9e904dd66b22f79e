/** What every protocol gives: a server that is looked at, loaded, and asked. */
import type { Audio, Job } from "../../../contract/mod.ts";
import type { StemName } from "../fields.ts";
import { wrong } from "./fault.ts";
import type { SidecarManifest, SidecarTask } from "./manifest.ts";
import type { GenerateRequest, SidecarFacts, TaskFacts } from "./types.ts";

/** `unloaded`: it runs, and holds no weights until it is told to, or asked. */
export type State = "unloaded" | "loading" | "ready" | "busy" | "failed";

export interface Look {
  readonly state: State;
  /** Why it is `failed`. */
  readonly reason: string | null;
  /** Undefined while it says nothing of itself yet. */
  readonly facts: SidecarFacts | undefined;
}

/** Each rejects with a `SidecarFault`, and with the signal's reason where that is aborted: then the server has been told. */
export interface Speaker {
  look(signal: AbortSignal): Promise<Look>;
  load(signal: AbortSignal): Promise<void>;
  unload(signal: AbortSignal): Promise<void>;
  /** As long as was asked for, at whatever rate. */
  generate(request: GenerateRequest, job: Job): Promise<Audio>;
  /** `audio` has the rate that the facts say. In the order of `stems`. */
  separate(audio: Audio, stems: readonly StemName[], job: Job): Promise<readonly (readonly Float32Array[])[]>;
}

export const RATES = { min: 8000, max: 192_000 } as const;
/** A look is a small answer at once. */
export const LOOK_MS = 5000;
export const HEALTH_BYTES_MAX = 65_536;
/** Samples are about -1 to 1; whoever sends 16-bit numbers as they are goes far beyond. */
const SAMPLE_MAX = 100;
/** A piece may come this much shorter, and is followed by silence. */
const SHORT_SECONDS = 0.25;

/** @throws SidecarFault where the samples cannot be */
export function checkSamples(what: string, channels: readonly Float32Array[]): void {
  for (const channel of channels) {
    for (let n = 0; n < channel.length; n++) {
      const value = channel[n]!;
      if (Number.isFinite(value) && value <= SAMPLE_MAX && value >= -SAMPLE_MAX) continue;
      throw wrong(
        Number.isFinite(value)
          ? `${what} has samples of ${Math.round(value)}, expected about -1 to 1`
          : `${what} has samples that are not finite`,
      );
    }
  }
}

/**
 * Brings what was generated to exactly the length that was asked for.
 *
 * @throws SidecarFault where it is much too short, silent, or has samples that cannot be
 */
export function fitGenerated({ sample_rate, channels }: Audio, seconds: number): Audio {
  checkSamples("its piece", channels);
  if (!channels.some((channel) => channel.some((value) => value !== 0))) throw wrong("its piece is silence");
  const frames = Math.round(seconds * sample_rate);
  const made = channels[0]!.length;
  if (made < frames - SHORT_SECONDS * sample_rate)
    throw wrong(`its piece lasts ${(made / sample_rate).toFixed(2)} s, ${seconds} s were asked for`);
  if (made === frames) return { sample_rate, channels };
  const fade = Math.min(frames, Math.round(0.01 * sample_rate));
  const fitted = channels.map((channel) => {
    const out = new Float32Array(frames);
    out.set(channel.subarray(0, frames));
    // It goes on where it is cut.
    if (made > frames) for (let n = 0; n < fade; n++) out[frames - 1 - n]! *= n / fade;
    return out;
  });
  return { sample_rate, channels: fitted };
}

/**
 * Facts with what the manifest says in their place.
 *
 * @throws SidecarFault where the server does not do what the manifest says
 */
export function withManifest(facts: SidecarFacts, manifest: SidecarManifest): SidecarFacts {
  const tasks: Partial<Record<SidecarTask, TaskFacts>> = {};
  for (const task of manifest.serves) {
    const own = facts.tasks[task];
    if (own === undefined) {
      const does = Object.keys(facts.tasks).join(" and ") || "nothing";
      throw wrong(`it does not serve ${task}, as "serves" has it, but ${does}`);
    }
    const stems = manifest.stems === undefined || task !== "separate" ? own.stems : manifest.stems;
    const strange = stems.find((stem) => !own.stems.includes(stem));
    if (strange !== undefined) throw wrong(`it gives no ${strange}, as "stems" has it, but ${own.stems.join(", ")}`);
    const bounds = [own.seconds_max, manifest.seconds_max ?? null].filter((bound) => bound !== null);
    tasks[task] = { ...own, stems, seconds_max: bounds.length === 0 ? null : Math.min(...bounds) };
  }
  const { licence = facts.licence, concurrency = facts.concurrency ?? 1 } = manifest;
  return { ...facts, licence, concurrency: Math.min(concurrency, facts.concurrency ?? concurrency), tasks };
}
