/** Where a layer stands between the loudspeakers, or how it crosses from one to the other. */
import { cosine, sine } from "../signal/dsp/exact.ts";
import type { Pan } from "./brief.ts";
import type { Slot } from "./plan.ts";
import { RATE } from "./voice.ts";

/** How far out: 1 is one loudspeaker alone. */
const OUT = 0.9;
/** What is left of a layer's own width. */
const WIDTH = 0.3;

/** In place. A sweep crosses each time it happens, steps and beds once in all of their time. */
export function cross(left: Float32Array, right: Float32Array, { layer, events }: Slot, pan: Pan): void {
  const ways =
    layer.recipe.kind === "sweep" && events.length > 1
      ? events.map(({ at, seconds }) => ({ from: Math.round(at * RATE), frames: Math.round(seconds * RATE) }))
      : [{ from: 0, frames: left.length }];
  for (const [index, { from, frames }] of ways.entries()) {
    const until = ways[index + 1]?.from ?? left.length;
    for (let n = from; n < Math.min(until, left.length); n++) {
      const way = Math.min(1, (n - from) / frames);
      const place = pan === "left" ? 0 : pan === "right" ? 1 : pan === "left to right" ? way : 1 - way;
      // A quarter of a turn from the left to the right: equal power.
      const turns = 0.125 + 0.125 * OUT * (2 * place - 1);
      const middle = Math.SQRT1_2 * (left[n]! + right[n]!);
      const side = 0.5 * WIDTH * (left[n]! - right[n]!);
      left[n] = cosine(turns) * middle + side;
      right[n] = sine(turns) * middle - side;
    }
  }
}
