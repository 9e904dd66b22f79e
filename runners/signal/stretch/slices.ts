/** Struck sound at another tempo: each stroke is moved as it is. */
import type { TimeMap } from "./time_map.ts";

/** Samples over which a slice is let in and out: 1.5 and 6 ms. */
const [IN, OUT] = [64, 256];

/**
 * `frames` samples of each channel: the recording is cut at `cuts` and every slice sounds, unchanged, where the map
 * puts its beginning. What is too long for its new place is faded out, what is too short leaves silence.
 *
 * @param cuts samples of the recording, ascending; what comes before the first is a slice too
 */
export function sliced(
  channels: readonly Float32Array[],
  map: TimeMap,
  frames: number,
  cuts: readonly number[],
): Float32Array[] {
  const length = channels[0]?.length ?? 0;
  const out = channels.map(() => new Float32Array(frames));
  const edges = [0, ...cuts.filter((cut) => cut > IN && cut < length), length];
  for (let k = 0; k + 1 < edges.length; k++) {
    // A little earlier than the attack, so that nothing of it is lost to the fade.
    const from = Math.max(0, edges[k]! - (k === 0 ? 0 : IN));
    const to = Math.max(from, edges[k + 1]! - (k + 2 < edges.length ? IN : 0));
    const begin = Math.round(map.outAt(edges[k]!)) - (edges[k]! - from);
    const room = Math.round(map.outAt(edges[k + 1]!)) - (k + 2 < edges.length ? IN : 0) - begin;
    // Beyond its own end a slice goes on while it is faded, so that neighbours that still touch join without a gap.
    const count = Math.min(room, to - from);
    for (const [c, channel] of channels.entries()) {
      const target = out[c]!;
      for (let n = 0; n < count + OUT; n++) {
        const index = begin + n;
        if (index < 0 || index >= frames || from + n >= length) continue;
        const rise = n < IN && from > 0 ? (n + 0.5) / IN : 1;
        const fall = n < count ? 1 : 1 - (n - count + 0.5) / OUT;
        target[index] = target[index]! + rise * fall * channel[from + n]!;
      }
    }
  }
  return out;
}
