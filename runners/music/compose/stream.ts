import { hash32, random } from "../../signal/dsp/random.ts";

/** A stream of its own for each purpose, so that one writer's draws never move another's. Uniform in [0, 1). */
export function stream(seed: number, purpose: string, index = 0): () => number {
  let hash = 0x811c9dc5;
  // FNV-1a over UTF-16 units.
  for (let n = 0; n < purpose.length; n++) hash = Math.imul(hash ^ purpose.charCodeAt(n), 0x01000193) >>> 0;
  return random(hash32(hash32(seed >>> 0, hash), index));
}

/** One of `items`, each as likely. */
export function pick<T>(items: readonly T[], next: () => number): T {
  return items[Math.min(items.length - 1, Math.floor(next() * items.length))]!;
}

/** One of `items`, as likely as `weight` says; the first where all weights are 0. */
export function weighted<T>(items: readonly T[], weight: (item: T) => number, next: () => number): T {
  let left = next() * items.reduce((sum, item) => sum + Math.max(0, weight(item)), 0);
  for (const item of items) {
    left -= Math.max(0, weight(item));
    if (left < 0) return item;
  }
  return items[0]!;
}
