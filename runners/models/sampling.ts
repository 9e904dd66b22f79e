/**
 * One of the `top_k` likeliest numbers of `logits`, drawn by `uniform` (0 to 1). Equal logits rank by number, so that the draw is the
 * same everywhere. Undefined: no logit is finite.
 */
export function sample(logits: Float32Array, top_k: number, temperature: number, uniform: number): number | undefined {
  const order = Array.from(logits.keys()).filter((index) => Number.isFinite(logits[index]));
  if (order.length === 0) return undefined;
  order.sort((a, b) => logits[b]! - logits[a]! || a - b);
  const kept = order.slice(0, top_k);
  const highest = logits[kept[0]!]!;
  const weights = kept.map((index) => Math.exp((logits[index]! - highest) / temperature));
  let left = uniform * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [rank, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return kept[rank];
  }
  return kept.at(-1);
}
