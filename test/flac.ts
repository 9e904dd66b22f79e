/** Delivered files, as samples. */
import { decodeFlac } from "../runners/signal/flac/mod.ts";

export function decodedFlac(bytes: Uint8Array): readonly Float32Array[] {
  const channels: number[][] = [];
  for (const { count, floats } of decodeFlac(bytes, { floats: true })) {
    for (const [c, samples] of floats.entries()) {
      channels[c] ??= [];
      for (let n = 0; n < count; n++) channels[c].push(samples[n]!);
    }
  }
  return channels.map((samples) => Float32Array.from(samples));
}
