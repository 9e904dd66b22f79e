/**
 * What an analysis costs: times real time per CPU second, part by part, and the peak memory of this process with the source in it.
 *
 *   bun bench/analyse.ts [MINUTES]        deno run -A bench/analyse.ts [MINUTES]
 *
 * Two runs, the second as in a thread that has worked before; memory is that of the first. Without MINUTES 3.
 */
import type { Audio } from "../contract/mod.ts";
import { describe } from "../runners/signal/analyse/describe.ts";
import { fold } from "../runners/signal/analyse/front.ts";
import { rhythmOf } from "../runners/signal/analyse/rhythm/rhythm.ts";
import { music } from "../test/audio.ts";

const RATE = 44_100;
const seconds = 60 * Number(process.argv[2] ?? 3);
const signal = new AbortController().signal;
// 20 s again and again, each time a little softer, so that making them costs no memory.
const [left, right] = music(1, 20);
const channels = [left, right].map((part) => {
  const whole = new Float32Array(seconds * RATE);
  for (let n = 0; n < whole.length; n++) whole[n] = part[n % part.length]! * (1 - (0.5 * n) / whole.length);
  return whole;
});
const audio: Audio = { sample_rate: RATE, channels };
const before = process.memoryUsage().rss;

let peak = 0;

for (const run of ["first", "second"]) {
  let from = process.cpuUsage();
  const lap = (): number => {
    const { user, system } = process.cpuUsage(from);
    from = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const mono = await fold(audio, signal);
  const folding = lap();
  const rhythm = await rhythmOf(mono, signal);
  const rhythms = lap();
  if (run === "first") console.log(`after rhythm ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most`);
  await describe(audio, mono, rhythm, signal);
  const rest = lap();
  if (run === "first") peak = process.resourceUsage().maxRSS / 1024;
  const all = folding + rhythms + rest;
  const times = (cpu: number): string => `${cpu.toFixed(2)} s (${(seconds / cpu).toFixed(0)}x)`;
  console.log(
    `${run}: fold ${times(folding)}, rhythm ${times(rhythms)}, harmony, form and timbre ${times(rest)}, all ${times(all)}`,
  );
}
console.log(
  `${seconds / 60} min: ${(before / 2 ** 20).toFixed(0)} MB with the source before, ${peak.toFixed(0)} MB at most`,
);
