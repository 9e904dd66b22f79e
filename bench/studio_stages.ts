/**
 * Where the time of a composed piece goes: processor seconds of each stage, by genre, with times realtime and peak memory.
 *
 *   bun bench/studio_stages.ts [GENRES]          each genre once after one to warm up; GENRES: names with commas (`trance,jazz`), all without
 *   bun bench/studio_stages.ts trance --parts    each part of the piece as well
 *   bun bench/studio_stages.ts --songs           three-minute songs with vocals
 *   bun bench/studio_stages.ts --hash            a hash of each piece's samples, to compare runtimes and versions
 *   deno run -A --no-check bench/studio_stages.ts …
 *
 * Stages: compose, play (all parts), desk (all strips), finish (spaces, bus), master (-14 LUFS, -1 dBTP), FLAC (24 bits).
 */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { genres } from "../runners/music/compose/genres.ts";
import { clockOf, composer, type Outline, type Score } from "../runners/music/compose/mod.ts";
import { loadDesk } from "../runners/music/mix/mod.ts";
import { orchestra, RATE } from "../runners/music/play/mod.ts";
import { loadSinger } from "../runners/music/sing/mod.ts";
import { singerFor } from "../runners/music/studio/singer.ts";
import { vocals } from "../runners/music/studio/song.ts";
import { hash32 } from "../runners/signal/dsp/random.ts";
import { release } from "../runners/signal/dsp/release.ts";
import { master } from "../runners/signal/master/master.ts";
import { encodeFlac } from "../runners/signal/media/encode.ts";
import { THREE_MINUTES } from "./create/three_minutes.ts";
import { median, ownCpuSeconds, peakBytes } from "./measure.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    parts: { type: "boolean", default: false },
    songs: { type: "boolean", default: false },
    hash: { type: "boolean", default: false },
    rounds: { type: "string", default: "1" },
  },
});

const STAGES = ["compose", "play", "desk", "finish", "master", "flac"] as const;
type Stage = (typeof STAGES)[number];
type Spent = Record<Stage, number>;

interface Made {
  readonly seconds: number;
  readonly spent: Spent;
  readonly parts: readonly string[];
  readonly hash: string;
}

/** What rings on after the last note, seconds; as runners/music/studio/record.ts leaves it. */
const TAIL_SECONDS = 8;
const SEED = 9;
const signal = new AbortController().signal;

async function make(prompt: string): Promise<Made> {
  const [{ readPrompt, understand, compose }, { perform }, createDesk] = await Promise.all([
    composer.load(),
    orchestra.load(),
    loadDesk(),
  ]);
  const spent: Spent = { compose: 0, play: 0, desk: 0, finish: 0, master: 0, flac: 0 };
  const parts: string[] = [];
  let mark = ownCpuSeconds();
  const book = (stage: Stage): number => {
    const now = ownCpuSeconds();
    const cost = now - mark;
    spent[stage] += cost;
    mark = now;
    return cost;
  };
  const brief = understand(prompt);
  const engine = values.songs ? await loadSinger() : undefined;
  const lyrics = engine?.readLyrics(THREE_MINUTES);
  const singer = engine === undefined ? undefined : singerFor(readPrompt(prompt), brief, SEED, engine);
  const outline: Outline = singer === undefined ? {} : { sections: engine!.outlineOf(lyrics!), singer: singer.voice };
  const score: Score = compose(brief, outline, SEED);
  const guests = singer === undefined ? [] : vocals(lyrics!, score, singer, SEED, engine!).guests;
  book("compose");
  const written = Math.round(clockOf(score).seconds(score.beats) * RATE);
  const frames = written + TAIL_SECONDS * RATE;
  const desk = createDesk(score, { frames, ring: false, seed: hash32(SEED, 1) });
  const told = (name: string, played: number, desked: number, channels: number, notes: number): void => {
    parts.push(
      `  ${name.padEnd(44)} ${String(notes).padStart(5)} notes ${channels} ch  play ${played.toFixed(2)}  desk ${desked.toFixed(2)}`,
    );
  };
  book("finish");
  for (const [index, part] of score.parts.entries()) {
    const stem = await perform(part, score, { frames, ring: 0, seed: hash32(SEED, 16 + index), signal });
    const played = book("play");
    await desk.add(part, stem, signal);
    told(`${part.name}: ${part.instrument}`, played, book("desk"), stem.length, part.notes.length);
    release(...stem);
  }
  for (const { part, perform: sing } of guests) {
    const stem = await sing(frames);
    const played = book("play");
    await desk.add(part, stem, signal);
    told(`${part.name} (sung)`, played, book("desk"), stem.length, part.notes.length);
    release(...stem);
  }
  const audio = await desk.finish(signal);
  book("finish");
  const level = { kind: "loudness", target_lufs: -14, allow_compression: true } as const;
  const { rendering } = await master(audio, level, { bits: 24, ring: false }, signal);
  book("master");
  const file = join(tmpdir(), `tonwerk-bench-${process.pid}.flac`);
  await encodeFlac(rendering, RATE, file, {}, signal);
  book("flac");
  await rm(file, { force: true });
  const hash = createHash("sha256");
  if (values.hash) {
    for (const { buffer, byteOffset, byteLength } of audio.channels)
      hash.update(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
  }
  return { seconds: written / RATE, spent, parts, hash: hash.digest("hex").slice(0, 12) };
}

const wanted = positionals[0]?.split(",") ?? genres();
const rounds = Number(values.rounds);
await make(wanted[0]!.replaceAll("_", " "));
console.log(`${"genre".padEnd(18)} seconds ${STAGES.map((stage) => stage.padStart(7)).join(" ")}     sum  x real`);
const ratios: number[] = [];
for (const genre of wanted) {
  const takes: Made[] = [];
  for (let round = 0; round < rounds; round++) takes.push(await make(genre.replaceAll("_", " ")));
  const made = takes[0]!;
  const cost = (stage: Stage): number => Math.min(...takes.map(({ spent }) => spent[stage]));
  const sum = STAGES.reduce((total, stage) => total + cost(stage), 0);
  ratios.push(made.seconds / sum);
  console.log(
    `${genre.padEnd(18)} ${made.seconds.toFixed(1).padStart(7)} ${STAGES.map((stage) => cost(stage).toFixed(2).padStart(7)).join(" ")} ${sum.toFixed(2).padStart(7)} ${(made.seconds / sum).toFixed(1).padStart(7)}${values.hash ? `  ${made.hash}` : ""}`,
  );
  if (values.parts) console.log(made.parts.join("\n"));
}
console.log(
  `median ${median(ratios).toFixed(1)}, least ${Math.min(...ratios).toFixed(1)} times realtime; peak memory ${((await peakBytes()) / 1e6).toFixed(0)} MB`,
);
