import type { Audio, Job, Streamed } from "../../../contract/mod.ts";
import { analyse } from "../../signal/analyse/mod.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { type Brief, composer, type Outline } from "../compose/mod.ts";

/** What is to be made. */
export interface Wish {
  readonly brief: Brief;
  readonly outline: Outline;
  /** Asked for beside the words, seconds; `outline` has it too. */
  readonly seconds?: number;
}

export async function read(prompt: string): Promise<Wish> {
  const { understand } = await composer.load();
  const brief = understand(prompt);
  return { brief, outline: brief.seconds === undefined ? {} : { seconds: brief.seconds } };
}

/** A length that is asked for beside the words beats what they say. */
export function lasting(wish: Wish, seconds: number | undefined): Wish {
  return seconds === undefined ? wish : { ...wish, seconds, outline: { ...wish.outline, seconds } };
}

/** What the reference is like, without its notes. */
export async function heard(reference: Audio | Streamed, job: Job): Promise<Wish> {
  const [{ briefOf, grooveOf, outlineOf }, listener] = await Promise.all([composer.load(), analyse.load()]);
  const analysis = await listener.run({ audio: reference }, job);
  const sections = outlineOf(analysis);
  const colour = hash32(Math.round(analysis.seconds * 1000), Math.round(analysis.timbre.centroid_hz));
  const brief = briefOf(analysis, colour);
  const groove = grooveOf(analysis);
  return {
    brief: groove === undefined ? brief : { ...brief, groove },
    outline: sections.length === 0 ? { seconds: analysis.seconds } : { seconds: analysis.seconds, sections },
  };
}
