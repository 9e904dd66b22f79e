/** What the test kit asks for. */
import type { Audio } from "../../../core/plugin.ts";
import { random } from "../../signal/dsp/random.ts";
import type { GenerateRequest, SidecarFacts } from "./types.ts";

const LYRICS = "[Verse]\nMorning on the river\n[Chorus]\nCarry me over";
/** Tasks whose pieces are made, and what the kit says of them. */
export const MAKING = [
  ["generate", "makes a piece as it was asked for"],
  ["song", "sings a song as it was asked for"],
] as const;
export type Makes = (typeof MAKING)[number][0];

/** The task whose pieces are made where it does not matter what they are. */
export function makingOf(tasks: SidecarFacts["tasks"]): Makes | undefined {
  return MAKING.find(([task]) => tasks[task] !== undefined)?.[0];
}

/** What both tasks are asked for, and who is to sing is told which words. */
export function wordsFor(task: Makes | undefined, seconds: number, seed = 1): GenerateRequest {
  return { prompt: "calm piano", ...(task === "song" ? { lyrics: LYRICS } : {}), seconds, seed };
}

export function noise(sample_rate: number, channels: number): Audio {
  const next = random(1);
  const channel = () => Float32Array.from({ length: sample_rate }, () => 0.4 * (next() - 0.5));
  return { sample_rate, channels: Array.from({ length: channels }, channel) };
}
