/** Numbers of the normal distribution from a seed, the same on every machine (Box, Muller, 1958): each call goes on where the last one ended. */
import { cosine, log2, sine } from "../signal/dsp/exact.ts";
import { random } from "../signal/dsp/random.ts";

/** @returns what makes the next `count` numbers, of which pairs are made together: an odd one's other half is dropped */
export function normals(seed: number): (count: number) => Float32Array {
  const next = random(seed);
  return (count) => {
    const out = new Float32Array(count);
    for (let n = 0; n < count; n += 2) {
      // Above 0, so that its logarithm exists.
      const radius = Math.sqrt(-2 * Math.LN2 * log2(1 - next()));
      const turns = next();
      out[n] = radius * cosine(turns);
      if (n + 1 < count) out[n + 1] = radius * sine(turns);
    }
    return out;
  };
}
