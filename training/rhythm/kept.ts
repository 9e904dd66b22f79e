/** What of a piece the beat tracker's later stages need, kept in a folder so that they can be tried again without the sound. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Audio } from "../../contract/mod.ts";
import { fold, RATE } from "../../runners/signal/analyse/front.ts";
import { bandsOf, HOP } from "../../runners/signal/analyse/rhythm/bands.ts";
import { changesOf } from "../../runners/signal/analyse/rhythm/change.ts";
import { FEATURES, features } from "../../runners/signal/analyse/rhythm/features.ts";
import { type Onset, onsetsOf } from "../../runners/signal/analyse/rhythm/onsets.ts";

export interface Kept {
  readonly rows: Float32Array;
  readonly onsets: readonly Onset[];
  /** To within a frame. */
  readonly seconds: number;
}

/**
 * Writes `features.f32` (rows of `FEATURES`) and `onsets.json`, and `truth.json` where one is given: last, so that what
 * has one is whole.
 */
export async function keep(folder: string, audio: Audio, truth?: unknown): Promise<void> {
  const signal = new AbortController().signal;
  const mono = await fold(audio, signal);
  const bands = await bandsOf(mono, signal);
  const rows = features(bands, await changesOf(mono, signal));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "features.f32"), new Uint8Array(rows.buffer));
  await writeFile(join(folder, "onsets.json"), JSON.stringify(onsetsOf(mono, bands)));
  if (truth !== undefined) await writeFile(join(folder, "truth.json"), JSON.stringify(truth));
}

/** Undefined where features, or onsets, are missing. */
export function kept(folder: string): Kept | undefined {
  if (!existsSync(join(folder, "onsets.json")) || !existsSync(join(folder, "features.f32"))) return undefined;
  const bytes = readFileSync(join(folder, "features.f32"));
  const rows = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const onsets = JSON.parse(readFileSync(join(folder, "onsets.json"), "utf8")) as readonly Onset[];
  return { rows, onsets, seconds: (2 * (rows.length / FEATURES) * HOP) / RATE };
}
