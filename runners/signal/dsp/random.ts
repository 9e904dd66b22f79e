/**
 * A seeded stream of uniform numbers in [0, 1): splitmix32. Same seed, same numbers, on every machine.
 *
 * @param seed any whole number; its low 32 bits count
 */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 0x1_0000_0000;
  };
}

/** The same stream by position: unsigned 32 bits for (`seed`, `index`), so that blocks may be made in any order. */
export function hash32(seed: number, index: number): number {
  return mix((seed + Math.imul(index + 1, 0x9e3779b9)) >>> 0);
}

/** Dither: noise of triangular density from -1 to 1 step, by position, so that the same file gets the same noise. */
export function triangular(channel: number, n: number): number {
  return (hash32(0x7f4a7c15 + channel, 2 * n) - hash32(0x7f4a7c15 + channel, 2 * n + 1)) / 0x1_0000_0000;
}

/** Finaliser of splitmix32 (constants of Murmur3's successor `lowbias32`, C. Wellons). */
function mix(value: number): number {
  let z = value;
  z = Math.imul(z ^ (z >>> 16), 0x7feb352d);
  z = Math.imul(z ^ (z >>> 15), 0x846ca68b);
  return (z ^ (z >>> 16)) >>> 0;
}
