/** Ratios of signal kernels, of the whole action and of engines, by processor time. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { inFolder, music, wav } from "../../test/audio.ts";
import type { ActionTimed } from "../actions/child.ts";
import type { Timed } from "../kernels/clock.ts";
import { writeMaterial } from "../kernels/material.ts";
import { type RuntimeName, runFresh } from "../measure.ts";
import {
  costOf,
  ebur128Peak,
  ffmpegDecode,
  ffmpegEncode,
  flacDecode,
  flacEncode,
  loudnorm,
  type Outside,
  sox,
} from "../outside.ts";
import type { RatioName } from "./bounds.ts";
import { rounds } from "./rounds.ts";

const KERNEL = fileURLToPath(new URL("../kernels/child.ts", import.meta.url));
const ACTION = fileURLToPath(new URL("../actions/child.ts", import.meta.url));
/** Enough that starting a process is a small part of what an outside tool takes. */
const SECONDS = 40;

interface Held {
  readonly kernel: string;
  readonly against: Readonly<Partial<Record<RatioName, Outside>>>;
}

const HELD: readonly Held[] = [
  { kernel: "loudness and true peak", against: { "loudness and true peak: ours / ffmpeg": ebur128Peak } },
  { kernel: "resample 48000 to 44100", against: { "resample 48 to 44.1 kHz: ours / sox": sox(48_000, 44_100) } },
  {
    kernel: "FLAC encode, 16 bits",
    against: { "FLAC encode: ours / flac -5": flacEncode(16), "FLAC encode: ours / ffmpeg": ffmpegEncode(16) },
  },
  {
    kernel: "FLAC decode, 16 bits",
    against: { "FLAC decode: ours / flac -d": flacDecode(16), "FLAC decode: ours / ffmpeg": ffmpegDecode("s16.flac") },
  },
  { kernel: "MP3 decode", against: { "MP3 decode: ours / ffmpeg": ffmpegDecode("s16.mp3") } },
];

export type Round = Partial<Record<RatioName, number>>;

/** What is asked for of each kernel, for every round; a tool that is missing leaves its ratio out. */
export function kernelRounds(most: number, asked: ReadonlySet<RatioName>, seconds: number): Promise<readonly Round[]> {
  return inFolder(async (path) => {
    await writeMaterial(path(""), SECONDS);
    const kernel = async (name: string): Promise<number> =>
      (await runFresh<Timed>("bun", KERNEL, [path(""), name])).cpu_s;
    return rounds(most, seconds, async () => {
      const found: Round = {};
      for (const { kernel: name, against } of HELD) {
        const tools = (Object.entries(against) as [RatioName, Outside][]).filter(([ratio]) => asked.has(ratio));
        if (tools.length === 0) continue;
        const ours_s = await kernel(name);
        for (const [ratio, tool] of tools) {
          const cost = await costOf(tool, path);
          if (cost !== undefined) found[ratio] = cost.cpu_s / ours_s;
        }
      }
      const limiter: RatioName = "limiter / plain gain";
      if (asked.has(limiter)) found[limiter] = (await kernel("plain gain")) / (await kernel("limiter"));
      return found;
    });
  });
}

export function actionRounds(most: number, asked: ReadonlySet<RatioName>, seconds: number): Promise<readonly Round[]> {
  return inFolder(async (path) => {
    const audio = wav(music(1, SECONDS));
    for (const name of ["source", "s16"]) await writeFile(path(`${name}.wav`), audio);
    const args = [path(""), "adapt.normalise_loudness", "0", String(SECONDS)];
    const normalise = async (runtime: RuntimeName): Promise<number> =>
      (await runFresh<ActionTimed>(runtime, ACTION, args)).cpu_s;
    return rounds(most, seconds, async () => {
      const bun_s = await normalise("bun");
      const cost = await costOf(loudnorm(-14, true), path);
      return {
        ...(asked.has("normalise: Deno / Bun") ? { "normalise: Deno / Bun": bun_s / (await normalise("deno")) } : {}),
        ...(cost === undefined ? {} : { "normalise: ours / two-pass loudnorm": cost.cpu_s / bun_s }),
      };
    });
  });
}

/** What each engine makes, by its first example; songs and instrumentals are as long as the example asks, other sources `SECONDS`. */
const ENGINES: Readonly<Partial<Record<RatioName, string>>> = {
  "new instrumental: ours / two-pass loudnorm": "create.new_instrumental",
  "new song: ours / two-pass loudnorm": "create.new_song",
  "separate stems: ours / two-pass loudnorm": "adapt.separate_stems",
};

/**
 * A second of sound that an engine makes beside a second that ffmpeg measures and turns: a yardstick of the machine,
 * for no peer does the same. Where there is one round, each engine runs warm once.
 */
export function engineRounds(most: number, asked: ReadonlySet<RatioName>, seconds: number): Promise<readonly Round[]> {
  return inFolder(async (path) => {
    const audio = wav(music(1, SECONDS));
    for (const name of ["audio", "source", "s16"]) await writeFile(path(`${name}.wav`), audio);
    return rounds(most, seconds, async () => {
      const found: Round = {};
      const yardstick = await costOf(loudnorm(-14, true), path);
      if (yardstick === undefined) return found;
      for (const [ratio, action] of Object.entries(ENGINES) as [RatioName, string][]) {
        if (!asked.has(ratio)) continue;
        const args = [path(""), action, "0", String(SECONDS), ...(most === 1 ? ["1"] : [])];
        const made = await runFresh<ActionTimed>("bun", ACTION, args);
        const sound_s = action.startsWith("adapt.") ? SECONDS : made.delivered_s;
        found[ratio] = yardstick.cpu_s / SECONDS / (made.cpu_s / sound_s);
      }
      return found;
    });
  });
}
