/**
 * Songs of the studio as stems of known truth: the same four parts as training/material/make.ts writes, but composed, played, sung, treated and
 * placed in rooms as the studio does it.
 *
 *   bun training/classical_separator/studio.ts --out FOLDER [--genres rock,waltz] [--held keep|drop|all] [--seeds 1-2] [--seconds 26]
 *
 * Of each genre and seed one excerpt that begins shortly before the singer. Every seventh genre is held out (`--held keep` renders those alone,
 * `drop` all others): what is learnt from must not be what is measured on.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LINES } from "../../bench/sing/lines.ts";
import { readPrompt, understand } from "../../runners/music/compose/brief/understand.ts";
import { compose } from "../../runners/music/compose/compose.ts";
import type { Role, Score } from "../../runners/music/compose/score.ts";
import { Buses } from "../../runners/music/mix/buses.ts";
import { channelOf } from "../../runners/music/mix/channel.ts";
import { playDelay } from "../../runners/music/mix/delay.ts";
import { playSpace } from "../../runners/music/mix/returns.ts";
import { Strip } from "../../runners/music/mix/strip.ts";
import { orchestra, RATE, type Stem } from "../../runners/music/play/mod.ts";
import { loadSinger } from "../../runners/music/sing/mod.ts";
import { singerFor } from "../../runners/music/studio/singer.ts";
import { vocals } from "../../runners/music/studio/song.ts";
import { hash32, random } from "../../runners/signal/dsp/random.ts";
import { writeFlacFile } from "../../runners/signal/flac/mod.ts";
import { STEMS, type StemName } from "../material/stems.ts";
import { TRAINED_GENRES } from "../material/trained_genres.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    genres: { type: "string" },
    held: { type: "string", default: "all" },
    seeds: { type: "string", default: "1" },
    seconds: { type: "string", default: "26" },
  },
});
if (values.out === undefined) throw new Error("Cannot render: --out names no folder");
const chosen = (values.genres?.split(",") ?? TRAINED_GENRES).filter((genre) => {
  const held = TRAINED_GENRES.indexOf(genre) % 7 === 3;
  return values.held === "all" || held === (values.held === "keep");
});
const [first, last] = values.seeds.split("-").map(Number) as [number, number | undefined];
const length = Number(values.seconds);
const signal = new AbortController().signal;
const { perform } = await orchestra.load();
const engine = await loadSinger();

/** Which stem a part belongs to. */
const STEM_OF: Partial<Record<Role, StemName>> = {
  drums: "drums",
  percussion: "drums",
  bass: "bass",
  vocal: "vocals",
  backing: "vocals",
};

for (const genre of chosen) {
  for (let seed = first; seed <= (last ?? first); seed++) {
    const started = process.cpuUsage();
    const folder = join(values.out, `${genre}-${seed}`);
    const next = random(hash32(seed, TRAINED_GENRES.indexOf(genre)));
    const line = () => LINES[Math.floor(next() * LINES.length)]!;
    const words = `[Verse]\n${line()}\n${line()}\n${line()}\n${line()}\n[Chorus]\n${line()}\n${line()}\n${line()}\n${line()}`;
    const lyrics = engine.readLyrics(words);
    const brief = understand(genre.replaceAll("_", " "));
    // Who sings is drawn, so that every genre has every voice.
    const who = ["soprano", "alto", "tenor", "baritone"][Math.floor(next() * 4)]!;
    const singer = singerFor(readPrompt(who), brief, seed, engine);
    const score = compose(brief, { sections: engine.outlineOf(lyrics), singer: singer.voice }, seed);
    const { guests, lines } = vocals(lyrics, score, singer, seed, engine);
    const begin = Math.max(0, (lines[0] as { start?: number } | undefined)?.start ?? 6) - 3;
    const from = Math.max(0, Math.floor(begin * RATE));
    const frames = from + Math.floor(length * RATE);
    const mixes: Record<StemName, Mix> = {
      vocals: mixOf(score, frames),
      drums: mixOf(score, frames),
      bass: mixOf(score, frames),
      other: mixOf(score, frames),
    };
    for (const [index, part] of score.parts.entries()) {
      const stem = await perform(part, score, { frames, ring: 0, seed: hash32(seed, 16 + index), signal });
      for (const _ of mixes[STEM_OF[part.role] ?? "other"].strip.add(part, stem, channelOf(part, score)));
    }
    for (const { part, perform: sing } of guests) {
      const stem: Stem = await sing(frames);
      for (const _ of mixes.vocals.strip.add(part, stem, channelOf(part, score)));
    }
    const stems = STEMS.map((name) => mixes[name].finish());
    let peak = 1e-9;
    for (let n = from; n < frames; n++) {
      for (const side of [0, 1]) {
        let sum = 0;
        for (const stem of stems) sum += stem[side]![n]!;
        peak = Math.max(peak, Math.abs(sum));
      }
    }
    await mkdir(folder, { recursive: true });
    for (const [k, name] of STEMS.entries())
      await write(join(folder, `${name}.flac`), stems[k]!, from, frames, 0.7 / peak);
    const { user, system } = process.cpuUsage(started);
    console.log(
      `${genre}-${seed} ${who}: from ${(from / RATE).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU`,
    );
  }
}

interface Mix {
  readonly strip: Strip;
  finish(): readonly Float32Array[];
}

/** The desk up to where it would glue and level the whole, which is not for one stem alone: strips, spaces, echoes. */
function mixOf(score: Score, frames: number): Mix {
  const buses = new Buses(frames, false);
  return {
    strip: new Strip(score, buses),
    finish: () => {
      for (const name of ["room", "plate", "hall"] as const) for (const _ of playSpace(name, score, buses));
      for (const _ of playDelay(score, buses));
      return [buses.left, buses.right];
    },
  };
}

async function write(
  path: string,
  channels: readonly Float32Array[],
  from: number,
  to: number,
  gain: number,
): Promise<void> {
  const whole = channels.map((channel) =>
    channel.slice(from, to).map((value) => Math.max(-32768, Math.min(32767, Math.round(gain * value * 32768))) / 32768),
  );
  await writeFlacFile(
    {
      frames: to - from,
      channels: whole.length,
      bits: 16,
      samples: (a, b, out) => void whole.forEach((channel, n) => void out[n]!.set(channel.subarray(a, b))),
    },
    RATE,
    path,
    {},
    signal,
  );
}
