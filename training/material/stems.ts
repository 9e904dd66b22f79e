/** Stems of known truth from a folder, and how near estimates come to them. */
import { join } from "node:path";
import { decode } from "../../runners/signal/media/decode.ts";

export const STEMS = ["vocals", "drums", "bass", "other"] as const;
export type StemName = (typeof STEMS)[number];
export type Channels = readonly Float32Array[];

const ANY = { seconds_min: 0, seconds_max: 3600, bytes_max: 2 ** 31 };

export async function readStems(folder: string): Promise<Record<StemName, Channels>> {
  const stems: Partial<Record<StemName, Channels>> = {};
  for (const name of STEMS) stems[name] = await readStem(folder, name);
  return stems as Record<StemName, Channels>;
}

export async function readStem(folder: string, name: StemName): Promise<Channels> {
  return await readChannels(join(folder, `${name}.flac`));
}

export async function readChannels(file: string): Promise<Channels> {
  return (await decode(file, ANY, new AbortController().signal)).audio.channels;
}

export function sumOf(stems: Readonly<Record<StemName, Channels>>): Float32Array[] {
  return stems.vocals.map((_, c) => {
    const sum = new Float32Array(stems.vocals[0]!.length);
    for (const name of STEMS) for (let n = 0; n < sum.length; n++) sum[n]! += stems[name][c]![n]!;
    return sum;
  });
}

/**
 * Scale-invariant signal-to-distortion ratio in dB over both channels together (Le Roux et al. 2019); undefined where the truth is
 * silent.
 */
export function siSdr(truth: Channels, estimate: Channels): number | undefined {
  let [tt, te, ee] = [0, 0, 0];
  for (const [c, channel] of truth.entries()) {
    const other = estimate[c]!;
    for (let n = 0; n < channel.length; n++) {
      tt += channel[n]! * channel[n]!;
      te += channel[n]! * other[n]!;
      ee += other[n]! * other[n]!;
    }
  }
  if (tt < 1e-6) return undefined;
  const target = (te * te) / tt;
  return 10 * Math.log10((target + 1e-12) / (ee - target + 1e-12));
}
