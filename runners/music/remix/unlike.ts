/** Variations one after another, none of them too much like the source or another. */
import type { Audio, Job, Making, Output, Streamed } from "../../../contract/mod.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { release } from "../../signal/dsp/release.ts";
import type { Role } from "../compose/mod.ts";
import { folded, likeness } from "./likeness.ts";
import type { Wish } from "./wishes.ts";

/** The first time that one is made anew in which it may leave its manner, where nobody asked for one. */
export const ELSEWHERE = 3;
/** Likeness of waveforms from which a variation is made anew; 0.5 is promised. */
const ALIKE = 0.46;

/**
 * @param again times that one is made anew; then the least alike of its tries stands
 * @param make variation `index`; `again`: how often it was made before, and was too much like something: then without
 *   what comes back of the source, and without
 * what crosses from section to section, for booms on the same note at the same moment are what is alike where little else sounds
 */
export function unlike(
  source: Audio | Streamed,
  count: number,
  again: number,
  make: (index: number, again: number) => Promise<Output>,
): readonly Making[] {
  /** Of the source and of what was made so far. */
  const shapes: Float32Array[] = [folded(source)];
  return Array.from({ length: count }, (_, index) => async () => {
    let output = await make(index, 0);
    let shape = folded(output.audio);
    // Segments are taken of the first of two, so both are asked.
    const likest = (one: Float32Array): number =>
      Math.max(...shapes.map((other) => Math.max(likeness(one, other), likeness(other, one))));
    let like = likest(shape);
    for (let time = 1; time <= again && like > ALIKE; time++) {
      const next = await make(index, time);
      const next_shape = folded(next.audio);
      const next_like = likest(next_shape);
      const better = next_like < like;
      // Without its tail a channel is a view: all of its buffer goes.
      release(...(better ? output : next).audio.channels.map(({ buffer }) => new Float32Array(buffer)));
      if (better) [output, shape, like] = [next, next_shape, next_like];
    }
    shapes.push(shape);
    return output;
  });
}

/** The same wish without what crosses from section to section, in another colour. */
export function calmer({ brief, treatment }: Wish, seed: number): Wish {
  const roles = [...new Set<Role>([...brief.unwanted.roles, "transition"])];
  const colour = hash32(brief.colour, seed);
  return { brief: { ...brief, colour, unwanted: { ...brief.unwanted, roles } }, treatment };
}

/** Progress never falls: what is done once more reports none. */
export function quiet({ signal }: Job): Job {
  return { signal, progress: () => undefined };
}
