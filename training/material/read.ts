/** Reads a piece back: its mix, or the sum of its stems where there is none. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Audio } from "../../contract/mod.ts";
import { decode } from "../../runners/signal/media/decode.ts";

const ANY = { seconds_min: 0, seconds_max: 3600, bytes_max: 2 ** 31 };

export async function readPiece(folder: string): Promise<Audio> {
  const mix = join(folder, "mix.flac");
  const files = existsSync(mix)
    ? [mix]
    : readdirSync(folder)
        .filter((name) => name.endsWith(".flac"))
        .map((name) => join(folder, name));
  let whole: Float32Array[] = [];
  for (const file of files) {
    const { channels } = (await decode(file, ANY, new AbortController().signal)).audio;
    if (whole.length === 0) whole = channels.map((channel) => channel.slice());
    else
      for (const [c, channel] of whole.entries()) {
        for (let n = 0; n < channel.length; n++) channel[n]! += channels[c]![n]!;
      }
  }
  return { sample_rate: 44_100, channels: whole };
}

/** One stem of a piece. */
export async function readStem(folder: string, name: string): Promise<Audio> {
  return (await decode(join(folder, `${name}.flac`), ANY, new AbortController().signal)).audio;
}
