import { type Envelopes, HOP } from "./envelopes.ts";

/** How strongly each band rises, hop by hop; 1 is a rise by a factor of e above the band's floor. */
export interface Flux {
  readonly sample_rate: number;
  readonly bands: readonly [low: Float32Array, mid: Float32Array, high: Float32Array];
  /** Sum over the bands. */
  readonly sum: Float32Array;
  /** A rise that counts as a clear attack in this recording: the 98th percentile of `sum`. */
  readonly clear: number;
}

/** Half-wave rectified differences of log power across 4 hops (6 ms). */
export function fluxOf({ sample_rate, low, mid, high }: Envelopes): Flux {
  const bands = [risesOf(low), risesOf(mid), risesOf(high)] as const;
  const sum = new Float32Array(low.length);
  for (const band of bands) for (let hop = 0; hop < sum.length; hop++) sum[hop]! += band[hop]!;
  return { sample_rate, bands, sum, clear: percentile(sum, 0.98) };
}

function risesOf(power: Float32Array): Float32Array {
  const count = power.length;
  const rises = new Float32Array(count);
  let mean = 0;
  for (let hop = 0; hop < count; hop++) mean += power[hop]!;
  // -30 dB against the band's mean: what lies below it is not heard beside the rest.
  const floor = (mean / Math.max(1, count)) * 1e-3 + 1e-12;
  const level = new Float32Array(count);
  for (let hop = 0; hop < count; hop++) {
    const around = power[Math.max(0, hop - 1)]! + power[hop]! + power[Math.min(count - 1, hop + 1)]!;
    level[hop] = Math.log1p(around / (3 * floor));
  }
  for (let hop = 2; hop < count - 2; hop++) {
    const rise = level[hop + 2]! - level[hop - 2]!;
    if (rise > 0) rises[hop] = rise;
  }
  return rises;
}

/** Value at `share` of the sorted values, from a sample of at most 20,000 of them. */
export function percentile(values: Float32Array, share: number): number {
  if (values.length === 0) return 0;
  const stride = Math.max(1, Math.floor(values.length / 20_000));
  const some = new Float32Array(Math.floor((values.length - 1) / stride) + 1);
  for (let n = 0; n < some.length; n++) some[n] = values[n * stride]!;
  some.sort();
  return some[Math.min(some.length - 1, Math.floor(share * some.length))]!;
}

export interface Attack {
  /** Seconds, where it begins to rise. */
  readonly time: number;
  /** Height of the steepest rise against `Flux.clear`; 1 and more is unmistakable. */
  readonly strength: number;
}

/** The first clear rise between `from` and `to` seconds: a hat that comes before the kick begins the attack of both. */
export function attackNear({ sample_rate, sum, clear }: Flux, from: number, to: number): Attack {
  const first = Math.max(0, Math.floor((from * sample_rate) / HOP));
  const last = Math.min(sum.length - 1, Math.ceil((to * sample_rate) / HOP));
  let top = first;
  for (let hop = first; hop <= last; hop++) if (sum[hop]! > sum[top]!) top = hop;
  const height = sum[top] ?? 0;
  let start = first;
  while (start < top && sum[start]! < 0.4 * height) start++;
  // It begins where it has a sixth of the steepest slope: earlier is the ringing of what came before.
  const earliest = start - 8;
  while (start > earliest && start > 0 && sum[start - 1]! > height / 6) start--;
  // The difference across 4 hops of values smoothed over 3 begins to rise 3 hops before what it sees.
  return { time: ((start + 2) * HOP) / sample_rate, strength: clear > 0 ? height / clear : 0 };
}
