/** What the test kit asks for. */
import type { Audio } from "../../../contract/mod.ts";
import { random } from "../../signal/dsp/random.ts";
import { RATE_OF_FILES } from "./foreign.ts";
import type { GenerateRequest, MakingTask, SidecarFacts } from "./types.ts";

const LYRICS = "[Verse]\nMorning on the river\n[Chorus]\nCarry me over";
/** Tasks whose pieces are made, and what the kit says of them. */
export const MAKING = [
  ["generate", "makes a piece as it was asked for"],
  ["song", "sings a song as it was asked for"],
  ["remix", "makes a piece of another one"],
  ["remix_song", "sings a song on another one"],
] as const satisfies readonly (readonly [MakingTask, string])[];
/** Of what is made anew. */
const REFERENCE_SECONDS = 2;

/** The task whose pieces are made where it does not matter what they are. */
export function makingOf(tasks: SidecarFacts["tasks"]): MakingTask | undefined {
  return MAKING.find(([task]) => tasks[task] !== undefined)?.[0];
}

/** What a task is asked for: who is to sing is told which words, who makes anew of what. */
export function wordsFor(tasks: SidecarFacts["tasks"], task = makingOf(tasks), seconds = 1, seed = 1): GenerateRequest {
  const sings = task === "song" || task === "remix_song";
  const anew = task === "remix" || task === "remix_song";
  const rate = (task && tasks[task]?.sample_rate) ?? RATE_OF_FILES;
  return {
    prompt: "calm piano",
    ...(sings ? { lyrics: LYRICS } : {}),
    ...(anew ? { reference: noise(rate, 2, REFERENCE_SECONDS) } : {}),
    seconds,
    seed,
  };
}

export function noise(sample_rate: number, channels: number, seconds = 1): Audio {
  const next = random(1);
  const channel = () => Float32Array.from({ length: seconds * sample_rate }, () => 0.4 * (next() - 0.5));
  return { sample_rate, channels: Array.from({ length: channels }, channel) };
}
