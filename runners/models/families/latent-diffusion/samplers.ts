/** From noise to latents: what is asked of the network at which moment, and what becomes of its answers. */

export interface Ways {
  readonly steps: number;
  /** Deviation of the noise at the begin, and before the last step. */
  readonly sigma_max: number;
  readonly sigma_min: number;
}

/** What the network says of latents at a time from 1 (noise) to 0; guided by the text. */
export type Predict = (latents: Float32Array, time: number) => Promise<Float32Array>;

/**
 * DPM-Solver++ of second order for the stochastic equation (Lu et al., 2022) on a network that predicts velocities under the preconditioning of Karras et
 * al. (2022) with data of deviation 1: sigmas fall evenly by their logarithm, and time is their angle.
 */
export async function solveSde(
  { steps, sigma_max, sigma_min }: Ways,
  size: number,
  noise: (count: number) => Float32Array,
  predict: Predict,
): Promise<Float32Array> {
  const [high, low] = [Math.log(sigma_max), Math.log(sigma_min)];
  const sigmas = Array.from({ length: steps }, (_, n) => Math.exp(high + ((low - high) * n) / Math.max(1, steps - 1)));
  const latents = noise(size);
  for (let n = 0; n < size; n++) latents[n] = latents[n]! * Math.sqrt(sigma_max ** 2 + 1);
  let before: Float32Array = new Float32Array(size);
  for (const [step, sigma] of sigmas.entries()) {
    const scale = 1 / Math.sqrt(sigma ** 2 + 1);
    const velocity = await predict(
      latents.map((value) => value * scale),
      (2 * Math.atan(sigma)) / Math.PI,
    );
    const clean = velocity;
    for (let n = 0; n < size; n++) clean[n] = latents[n]! * scale ** 2 - velocity[n]! * sigma * scale;
    const next = sigmas[step + 1];
    // The last step goes all the way.
    if (next === undefined) return clean;
    const h = Math.log(sigma / next);
    const part = 1 - Math.exp(-2 * h);
    // Half of the way that the estimate has moved, carried on over this step.
    const carried = step === 0 ? 0 : (0.5 * h) / Math.log(sigmas[step - 1]! / sigma);
    const fresh = noise(size);
    for (let n = 0; n < size; n++) {
      latents[n] =
        (next / sigma) * Math.exp(-h) * latents[n]! +
        part * (clean[n]! + carried * (clean[n]! - before[n]!)) +
        next * Math.sqrt(part) * fresh[n]!;
    }
    before = clean;
  }
  return latents;
}

/** Ping-pong sampling of distilled rectified flows (Novack et al., 2025): all the way to an estimate, and back to a little less noise. */
export async function pingPong(
  { steps }: Ways,
  size: number,
  noise: (count: number) => Float32Array,
  predict: Predict,
): Promise<Float32Array> {
  const latents = noise(size);
  // Even in the logarithm of the ratio of signal to noise, from all noise to none.
  const times = Array.from({ length: steps + 1 }, (_, n) =>
    n === 0 ? 1 : n === steps ? 0 : 1 / (1 + Math.exp(-6 + (8 * n) / steps)),
  );
  for (const [step, time] of times.slice(0, -1).entries()) {
    const velocity = await predict(latents.slice(), time);
    const next = times[step + 1]!;
    const fresh = next === 0 ? undefined : noise(size);
    for (let n = 0; n < size; n++) {
      const clean = latents[n]! - time * velocity[n]!;
      latents[n] = (1 - next) * clean + next * (fresh?.[n] ?? 0);
    }
  }
  return latents;
}
