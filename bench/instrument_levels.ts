/**
 * Measures how loud each sampled instrument is and writes it into its pack: the gain that brings single firm notes (velocity 0.8, over the
 * instrument's range) to a peak of 0.25. Run it where patches change: `npx bun bench/instrument_levels.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { instruments } from "../runners/music/compose/instruments.ts";
import { patchOf } from "../runners/music/play/patches.ts";
import { RATE } from "../runners/music/play/performance.ts";
import { sample } from "../runners/music/play/sampler.ts";

const TARGET = 0.25;
/** Kick, snare, toms, crash: what decides how loud a kit is. */
const DRUMS = [36, 38, 45, 48];
const { signal } = new AbortController();
for (const instrument of instruments()) {
  const patch = patchOf(instrument);
  if (patch === undefined || patch.amplifier !== undefined) continue;
  const [low, high] = patch.reach;
  const keys =
    patch.action === "kit" ? DRUMS : Array.from({ length: 9 }, (_, n) => Math.round(low + ((high - low) * n) / 8));
  const peaks: number[] = [];
  for (const pitch of keys) {
    const events = [{ frame: 0, frames: RATE, pitch, velocity: 0.8, turn: 0 }];
    const stem = await sample({ instrument, events, frames: 2 * RATE, ring: 0, bpm: 120, seed: 1 }, signal);
    let peak = 0;
    for (const channel of stem) for (const value of channel) if (Math.abs(value) > peak) peak = Math.abs(value);
    if (peak > 0) peaks.push(20 * Math.log10(peak) - (patch.level_db ?? 0));
  }
  peaks.sort((a, b) => a - b);
  const level_db = Math.round(10 * (20 * Math.log10(TARGET) - (peaks[peaks.length >> 1] ?? 0))) / 10;
  const file = new URL(`../runners/packs/instruments/${instrument}.json`, import.meta.url);
  // In place, so that the file stays as it is formatted.
  writeFileSync(file, readFileSync(file, "utf8").replace(/"level_db": [-\d.]+/u, `"level_db": ${level_db}`));
}
