/**
 * Measures how loud each sampled instrument is and writes runners/music/play/levels.ts: gains that bring single firm notes (velocity 0.8, over the
 * instrument's range) to a peak of 0.25. Run it where patches change: `npx bun bench/instrument_levels.ts`.
 */
import { writeFileSync } from "node:fs";
import { LEVELS } from "../runners/music/play/levels.ts";
import { PATCHES } from "../runners/music/play/patches.ts";
import { RATE } from "../runners/music/play/performance.ts";
import { sample } from "../runners/music/play/sampler.ts";

const TARGET = 0.25;
/** Kick, snare, toms, crash: what decides how loud a kit is. */
const DRUMS = [36, 38, 45, 48];
const { signal } = new AbortController();
const rows: string[] = [];
for (const [instrument, patch] of Object.entries(PATCHES)) {
  if (patch.amp !== undefined) continue;
  const [low, high] = patch.range;
  const keys =
    patch.kind === "kit" ? DRUMS : Array.from({ length: 9 }, (_, n) => Math.round(low + ((high - low) * n) / 8));
  const peaks: number[] = [];
  for (const pitch of keys) {
    const name = instrument as keyof typeof PATCHES;
    const stem = await sample(
      {
        instrument: name,
        events: [{ frame: 0, frames: RATE, pitch, velocity: 0.8, turn: 0 }],
        frames: 2 * RATE,
        ring: 0,
        bpm: 120,
        seed: 1,
      },
      signal,
    );
    let peak = 0;
    for (const channel of stem) for (const value of channel) if (Math.abs(value) > peak) peak = Math.abs(value);
    if (peak > 0) peaks.push(20 * Math.log10(peak) - (LEVELS[name] ?? 0));
  }
  peaks.sort((a, b) => a - b);
  const middle = peaks[peaks.length >> 1] ?? 0;
  const db = 20 * Math.log10(TARGET) - middle;
  rows.push(`  ${instrument}: ${Math.round(10 * db) / 10},`);
}
writeFileSync(
  new URL("../runners/music/play/levels.ts", import.meta.url),
  `import type { Instrument } from "../compose/instruments.ts";

/** dB that bring a firm note of a sampled instrument to a peak near ${TARGET}. Measured and written by bench/instrument_levels.ts. */
export const LEVELS: Readonly<Partial<Record<Instrument, number>>> = {
${rows.join("\n")}
};
`,
);
