/** What a user would pick instead, and what no choice of shares can beat, as shares of the same bands and frames. */
import type { Audio } from "../../contract/mod.ts";
import { BANDS, HERTZ } from "../../runners/signal/separate/grid.ts";
import { runningMedian } from "../../runners/signal/separate/medians.ts";
import { type Picture, picture, STEPS_PER_DB } from "../../runners/signal/separate/picture.ts";
import { Repetition } from "../../runners/signal/separate/repetition.ts";
import type { Shares } from "../../runners/signal/separate/shares.ts";
import { type Channels, STEMS, type StemName } from "../../training/material/stems.ts";

const look = (audio: Audio): Promise<Picture> => picture(audio, () => undefined);

/** Every stem a quarter of the mix. */
export async function quarter(audio: Audio): Promise<Shares> {
  return shares((await look(audio)).frames, () => [0.25, 0.25, 0.25]);
}

/** Median harmonic-percussive separation (Fitzgerald 2010); what is harmonic and low is bass, what is in the middle is the voice. */
export async function hpssCentre(audio: Audio): Promise<Shares> {
  const seen = await look(audio);
  const percussive = percussiveOf(seen);
  return shares(seen.frames, (at, band) => {
    const drums = percussive[at]!;
    const left = 1 - drums;
    if (HERTZ[band]! < 200) return [0, drums, left];
    const middle = seen.centre[at]! > 240 && HERTZ[band]! < 8000 ? 1 : 0;
    return [left * middle, drums, 0];
  });
}

/** REPET-SIM (Rafii and Pardo 2012) for the voice, the medians for the drums of what repeats, the lowest for the bass. */
export async function repetHpss(audio: Audio): Promise<Shares> {
  const seen = await look(audio);
  const percussive = percussiveOf(seen);
  const repetition = new Repetition(seen.level, seen.frames);
  const repeated = new Uint8Array(seen.level.length);
  for (let frame = 0; frame < seen.frames; frame++) repetition.fill(frame, repeated, frame * BANDS);
  return shares(seen.frames, (at, band) => {
    const behind = HERTZ[band]! < 100 ? 1 : Math.min(1, energy(repeated[at]! - seen.level[at]!));
    const drums = behind * percussive[at]!;
    const left = behind - drums;
    return [1 - behind, drums, HERTZ[band]! < 200 ? left : 0];
  });
}

/** Wiener's shares from the true stems. */
export async function oracle(stems: Readonly<Record<StemName, Channels>>): Promise<Shares> {
  const seen: Picture[] = [];
  for (const name of STEMS) seen.push(await look({ sample_rate: 44_100, channels: stems[name] }));
  return shares(seen[0]!.frames, (at) => {
    const parts = seen.map(({ level }) => energy(level[at]! - 255));
    const sum = parts.reduce((a, b) => a + b, 0);
    return [parts[0]! / sum, parts[1]! / sum, parts[2]! / sum];
  });
}

const energy = (steps: number): number => 10 ** (steps / STEPS_PER_DB / 10);

function percussiveOf({ level, frames }: Picture): Float32Array {
  const along = new Uint8Array(level.length);
  const across = new Uint8Array(level.length);
  for (let band = 0; band < BANDS; band++) runningMedian(level, band, BANDS, frames, 8, along, band, BANDS);
  for (let frame = 0; frame < frames; frame++)
    runningMedian(level, frame * BANDS, 1, BANDS, 8, across, frame * BANDS, 1);
  return Float32Array.from(along, (value, at) => 1 / (1 + energy(2 * (value - across[at]!))));
}

function shares(frames: number, of: (at: number, band: number) => readonly [number, number, number]): Shares {
  const made = [0, 1, 2].map(() => new Uint8Array(frames * BANDS)) as [Uint8Array, Uint8Array, Uint8Array];
  for (let at = 0; at < frames * BANDS; at++) {
    const parts = of(at, at % BANDS);
    for (const [k, one] of made.entries()) one[at] = Math.round(255 * parts[k]!);
  }
  return { frames, vocals: made[0], drums: made[1], bass: made[2] };
}
