/**
 * Containers that Cog built, as Replicate runs them: `PUT /predictions/{id}` with inputs by name, files as data URLs in
 * both directions. How their inputs and outputs are called, the manifest says.
 */
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { Audio, Job } from "../../../contract/mod.ts";
import { fetchWhole, refusalOf } from "./exchange.ts";
import { quote, SidecarFault, wrong } from "./fault.ts";
import { fileBytesMax, NO_LIMIT_MS, RATE_OF_FILES, readFile, wavOf } from "./foreign.ts";
import type { SidecarManifest } from "./manifest.ts";
import { checkSamples, fitGenerated, LOOK_MS, type Look, type Speaker } from "./speaker.ts";
import type { SidecarFacts } from "./types.ts";

/** Holds all that its set-up printed. */
const HEALTH_BYTES_MAX = 4_000_000;
const CANCEL_MS = 1200;
const STATES: Readonly<Record<string, Look["state"]>> = {
  STARTING: "loading",
  READY: "ready",
  BUSY: "busy",
  SETUP_FAILED: "failed",
  DEFUNCT: "failed",
  UNHEALTHY: "failed",
};

export function speakCog(manifest: SidecarManifest): Speaker {
  const { inputs = {}, with: fixed = {}, outputs = {}, output, stems = [], serves, seconds_max = null } = manifest;
  const made = { sample_rate: null, seconds_max, stems: [] };
  const facts = (version: unknown): SidecarFacts => ({
    name: null,
    version: typeof version === "string" ? version.slice(0, 100) : null,
    licence: null,
    device: null,
    memory_mb: null,
    concurrency: null,
    tasks: {
      ...Object.fromEntries(
        serves.map((task) => [task, task === "separate" ? { sample_rate: RATE_OF_FILES, seconds_max, stems } : made]),
      ),
    },
  });

  /** Resolves to its output, whatever that is. */
  const predict = async (input: object, bytes_max: number, { signal }: Job): Promise<unknown> => {
    const id = randomUUID().replaceAll("-", "").slice(0, 26);
    const path = `/predictions/${id}`;
    const body = new TextEncoder().encode(JSON.stringify({ input: { ...input, ...fixed } }));
    const headers = { "content-type": "application/json" };
    try {
      const asked = { method: "PUT", path, headers, body, silence_ms: NO_LIMIT_MS, signal } as const;
      const answer = await fetchWhole(manifest, asked, bytes_max);
      if (answer.status !== 200) throw refusalOf(answer);
      const { status, output: made, error } = Object(answer.body.json()) as Record<string, unknown>;
      if (status !== "succeeded") throw wrong(`its prediction is ${quote(status ?? null)}: ${quote(error ?? "")}`);
      return made;
    } catch (error) {
      if (signal.aborted || (error instanceof SidecarFault && error.code === "lost")) {
        const how = { method: "POST", silence_ms: CANCEL_MS, signal: AbortSignal.timeout(CANCEL_MS) } as const;
        await fetchWhole(manifest, { ...how, path: `${path}/cancel` }, HEALTH_BYTES_MAX).catch(() => undefined);
      }
      throw error;
    }
  };

  return {
    async look(signal) {
      const answer = await fetchWhole(
        manifest,
        { method: "GET", path: "/health-check", signal, silence_ms: LOOK_MS, ms_max: LOOK_MS },
        HEALTH_BYTES_MAX,
      );
      if (answer.status !== 200) throw refusalOf(answer);
      const health = Object(answer.body.json()) as Record<string, unknown>;
      const state = STATES[String(health.status)];
      if (state === undefined) throw wrong(`its health-check says ${quote(health.status ?? null)}`);
      const { cog, coglet } = Object(health.version) as Record<string, unknown>;
      const reason = `${health.status}${typeof health.user_healthcheck_error === "string" ? `: ${health.user_healthcheck_error}` : ""}`;
      return { state, reason, facts: facts(cog ?? coglet) };
    },
    // It loads when it starts, and ends when it ends.
    load: async () => undefined,
    unload: async () => undefined,
    async generate({ prompt, lyrics, reference, seconds, seed }, job) {
      const told = manifest.whole_seconds === true ? Math.ceil(seconds) : seconds;
      const input = named([
        [inputs.prompt, "prompt", prompt],
        [inputs.seconds, "duration", told],
        [inputs.seed, "seed", seed],
        ...(lyrics === undefined ? [] : [[inputs.lyrics, "lyrics", lyrics] as const]),
        ...(reference === undefined ? [] : [[inputs.audio, "audio", urlOf(reference)] as const]),
      ]);
      const made = await predict(input, textBytesMax(told), job);
      const [file] = filesIn(output === undefined ? made : Object(made)[output]);
      return fitGenerated(await readFile("its piece", bytesOf(file), told, job.signal), seconds);
    },
    async separate(audio, wanted, job) {
      const seconds = audio.channels[0]!.length / audio.sample_rate;
      const made = await predict(
        named([[inputs.audio, "audio", urlOf(audio)]]),
        (stems.length + 1) * textBytesMax(seconds),
        job,
      );
      const list = Array.isArray(made) ? filesIn(made) : undefined;
      const all: (readonly Float32Array[])[] = [];
      for (const stem of wanted) {
        // A list has them in the order of the manifest's stems.
        const file = list === undefined ? Object(made)[outputs[stem] ?? stem] : list[stems.indexOf(stem)];
        if (file === undefined || file === null) throw wrong(`its output has no ${stem}`);
        all.push(fitStem(stem, await readFile(`its ${stem}`, bytesOf(file), seconds, job.signal), audio));
      }
      return all;
    },
  };
}

const urlOf = (audio: Audio): string => `data:audio/wav;base64,${Buffer.from(wavOf(audio)).toString("base64")}`;

function named(all: readonly (readonly [name: string | null | undefined, usual: string, value: unknown])[]): object {
  return Object.fromEntries(all.flatMap(([name, usual, value]) => (name === null ? [] : [[name ?? usual, value]])));
}

/** Base64 is a third more. */
const textBytesMax = (seconds: number): number => Math.ceil((4 / 3) * fileBytesMax(seconds)) + 1_000_000;

const filesIn = (made: unknown): readonly unknown[] => (Array.isArray(made) ? made : [made]);

function bytesOf(file: unknown): Uint8Array {
  if (typeof file !== "string") throw wrong(`its output is ${quote(file ?? null)}, expected a file`);
  const comma = file.indexOf(",");
  if (!file.startsWith("data:") || comma < 0)
    throw wrong("its output is at another address, which is not followed: start it without --upload-url");
  if (!file.slice(0, comma).endsWith(";base64")) throw wrong("its output is no data URL in base64");
  return Buffer.from(file.slice(comma + 1), "base64");
}

/** Files of other formats than WAV may come some frames longer; a mono source was sent as one channel and may come back as two. */
function fitStem(stem: string, made: Audio, { channels, sample_rate }: Audio): readonly Float32Array[] {
  const frames = channels[0]!.length;
  const found = made.channels[0]!.length;
  const tolerance = Math.round(0.1 * sample_rate);
  if (Math.abs(found - frames) > tolerance) throw wrong(`its ${stem} has ${found} frames, its source ${frames}`);
  checkSamples(`its ${stem}`, made.channels);
  const sides =
    channels.length === 1 ? [middle(made.channels)] : [made.channels[0]!, made.channels[1] ?? made.channels[0]!];
  return sides.map((side) => {
    const out = new Float32Array(frames);
    out.set(side.subarray(0, frames));
    return out;
  });
}

function middle(channels: readonly Float32Array[]): Float32Array {
  const [left, right] = [channels[0]!, channels[1] ?? channels[0]!];
  return left.map((value, n) => (value + right[n]!) / 2);
}
