/**
 * Whether our own analysis hears the tempo that scores move by.
 *
 *   bun bench/tempo.ts [--seconds 60] [--only WORD] [--seed 3]
 *
 * Each prompt is composed, played and mixed as the service does, and analysed. A line a piece: how far the map moves; beats of the map with a heard
 * beat within 70 ms, and how far that lies (median), in the body and in the final ritardando apart; correlation of the tempo from beat to beat,
 * heard against written, both over the mean of two beats; and the tempo heard against the score's.
 */
import { parseArgs } from "node:util";
import { clockOf, composer, type Score } from "../runners/music/compose/mod.ts";
import { record } from "../runners/music/studio/record.ts";
import { analyse } from "../runners/signal/analyse/analyse.ts";

const PROMPTS = [
  "romantic solo piano nocturne",
  "slow waltz for strings and piano",
  "string quartet in C minor",
  "lullaby with music box and harp",
  "jazz ballad with tenor sax",
  "slow blues in A",
  "gospel with choir organ and piano",
  "country ballad",
  "indie folk with acoustic guitar",
  "classic rock anthem",
  "swing big band",
  "tango with bandoneon and violin",
  "techno 132 bpm",
  "house 124 bpm",
  "pop 118 bpm",
  "trap beat 140 bpm",
] as const;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    only: { type: "string", default: "" },
    seed: { type: "string", default: "3" },
  },
});
const job = { signal: new AbortController().signal, progress: () => undefined };

/** Beats further from any heard one count as not heard. Seconds. */
const NEAR = 0.07;

interface Heard {
  readonly share: number;
  readonly median_ms: number;
}

function heardOf(true_beats: readonly number[], heard: readonly number[]): Heard {
  const errors = true_beats
    .map((time) => heard.reduce((least, beat) => Math.min(least, Math.abs(beat - time)), Number.POSITIVE_INFINITY))
    .sort((a, b) => a - b);
  const near = errors.filter((error) => error <= NEAR);
  return { share: near.length / Math.max(1, errors.length), median_ms: 1000 * (near[near.length >> 1] ?? Number.NaN) };
}

/** Pearson's correlation of the tempi over pairs of beats, where three beats in turn are heard. */
function followed(
  true_beats: readonly number[],
  heard: readonly number[],
): { readonly r: number; readonly pairs: number } {
  const places = true_beats.map((time) => heard.find((beat) => Math.abs(beat - time) <= NEAR));
  const pairs: [number, number][] = [];
  for (let n = 2; n < places.length; n++) {
    const [first, middle, last] = [places[n - 2], places[n - 1], places[n]];
    if (first === undefined || middle === undefined || last === undefined) continue;
    pairs.push([120 / (true_beats[n]! - true_beats[n - 2]!), 120 / (last - first)]);
  }
  const mean = (index: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length;
  const [a, b] = [mean(0), mean(1)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [x, y] of pairs) {
    ab += (x - a) * (y - b);
    aa += (x - a) * (x - a);
    bb += (y - b) * (y - b);
  }
  return { r: ab / Math.sqrt(aa * bb), pairs: pairs.length };
}

/** Beat from which a piece slows down to its end: the last before which the tempo does not fall for good. */
function ritardFrom({ tempo = [], beats, metre }: Score): number {
  let from = beats;
  const falling = tempo.filter(({ beat }) => beat >= beats - 4 * metre.beats_per_bar);
  for (let n = falling.length - 1; n > 0; n--) {
    if (falling[n]!.bpm > falling[n - 1]!.bpm + 1e-9) {
      if (falling[n]!.beat < beats - metre.beats_per_bar) break;
    } else from = falling[n - 1]!.beat;
  }
  return from;
}

const show = ({ share, median_ms }: Heard): string =>
  `${(100 * share).toFixed(0).padStart(3)} % ${median_ms.toFixed(0).padStart(3)} ms`;

const { compose, understand } = await composer.load();
for (const prompt of PROMPTS) {
  if (!prompt.includes(values.only)) continue;
  const score = compose(understand(prompt), { seconds: Number(values.seconds) }, Number(values.seed));
  const audio = await record(score, Number(values.seed), job);
  const { rhythm } = await analyse(audio, job);
  const clock = clockOf(score);
  const beats = Array.from({ length: Math.floor(score.beats) }, (_, beat) => clock.seconds(beat));
  const from = ritardFrom(score);
  const bpms = beats.map((_, beat) => clock.bpm(beat + 0.5)).slice(0, Math.max(1, Math.floor(from)));
  const spread = 100 * (Math.max(...bpms) / Math.min(...bpms) - 1);
  const body = beats.filter((_, beat) => beat < from);
  const ritard = beats.filter((_, beat) => beat >= from && beat < score.beats - 1);
  const { r, pairs } = followed(body, rhythm.beats);
  const off = 100 * (rhythm.tempo_bpm / score.bpm - 1);
  console.log(
    `${prompt.padEnd(34)} ${score.bpm.toFixed(1).padStart(6)} bpm, moves ${spread.toFixed(1).padStart(4)} %  body ${show(heardOf(body, rhythm.beats))}  r ${r.toFixed(2)} (${pairs})  ritard ${ritard.length === 0 ? "none        " : show(heardOf(ritard, rhythm.beats))}  tempo ${off >= 0 ? "+" : ""}${off.toFixed(2)} %  confidence ${rhythm.confidence.toFixed(2)}`,
  );
}
