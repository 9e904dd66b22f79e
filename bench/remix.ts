/**
 * `create.remix_instrumental` and, with --song, `create.remix_song`: what is kept of a source and how far the outputs
 * are from it and from one another, and how much of its singer is in what comes back.
 *
 *   bun bench/remix.ts FOLDER … [--song] [--prompt WORDS] [--variations 3] [--wav FOLDER]     pieces as `training/material/make.ts` writes them
 *   python bench/remix/hear.py FOLDER                                                         what librosa says of what --wav wrote
 *   bun bench/remix.ts --tune [GENRE …]                                             the top line against the melody that was rendered
 *
 * Tempo, key and chords of the outputs are heard by the project's own ear (runners/signal/analyse), whose errors count
 * against them; chords are held against the truth of the source, beat by beat. Runs on Deno too.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Audio, Output } from "../contract/mod.ts";
import type { Brief, Score } from "../runners/music/compose/mod.ts";
import type { BeatGrid } from "../runners/music/remix/grid.ts";
import { correlation } from "../runners/music/remix/likeness.ts";
import { type Facts, hear, remix } from "../runners/music/remix/remix.ts";
import { returning } from "../runners/music/remix/returns.ts";
import { remixSong, sungOn } from "../runners/music/remix/song.ts";
import { loadSinger } from "../runners/music/sing/mod.ts";
import { layoutOf } from "../runners/music/studio/layout.ts";
import type { ScoreReport } from "../runners/music/studio/score_report.ts";
import { analyse } from "../runners/signal/analyse/analyse.ts";
import type { Analysis } from "../runners/signal/analyse/analysis.ts";
import { makeAll, wav } from "../test/audio.ts";
import { readPiece, readStem } from "../training/material/read.ts";
import { ownCpuSeconds, peakBytes } from "./measure.ts";
import { measureTunes } from "./remix/tunes.ts";

const job = { signal: new AbortController().signal, progress: () => undefined };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    prompt: { type: "string" },
    variations: { type: "string", default: "3" },
    wav: { type: "string" },
    tune: { type: "boolean", default: false },
    song: { type: "boolean", default: false },
  },
});

interface Truth {
  readonly key: string;
  readonly chords: readonly { readonly start: number; readonly root: string; readonly quality?: string }[];
  readonly duration: number;
}

const NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
const FLATS: Readonly<Record<string, string>> = { Db: "C#", Eb: "D#", Gb: "F#", Ab: "G#", Bb: "A#" };
const classOf = (name: string): number => NAMES.indexOf(FLATS[name] ?? name);
const MINOR = new Set(["min", "min7", "dim"]);

const LYRICS = `[Verse]
Nothing ever stays the way it was
Birds are singing over broken trees
Hold the memory of yesterday
Give me just another chance to try
[Chorus]
We are dancing in the pouring rain
All the stars are falling from the sky
[Verse]
Drive the car until the road is gone
Summer brings the children out to play
[Chorus]
We are dancing in the pouring rain
All the stars are falling from the sky`;

/** Share of the beats at which the output has the root and third of the source's beat that it stands on. */
function agreement(truth: Truth, grid: BeatGrid, bars: readonly number[], output: Analysis, bpm: number): number {
  let [agreed, count] = [0, 0];
  const per_bar = grid.metre.beats_per_bar;
  for (let beat = 0; beat < bars.length * per_bar; beat++) {
    const from = bars[Math.floor(beat / per_bar)]! * per_bar + (beat % per_bar);
    if (from + 1 >= grid.times.length) continue;
    const time = (grid.times[from]! + grid.times[from + 1]!) / 2;
    const said = truth.chords.findLast(({ start }) => start <= time);
    if (said === undefined || time > truth.duration) continue;
    const there = ((beat + 0.5) * 60) / bpm;
    const heard = output.tonality.chords.find(({ start, end }) => start <= there && there < end);
    count++;
    if (heard?.root !== classOf(said.root)) continue;
    if (said.quality === undefined || MINOR.has(said.quality) === MINOR.has(heard.quality)) agreed++;
  }
  return agreed / Math.max(1, count);
}

const keyName = ({ tonic, mode }: Analysis["tonality"]): string => `${NAMES[tonic]} ${mode}`;
const sameKey = (name: string, { tonic, mode }: Analysis["tonality"]): boolean => {
  const [tonal, scale] = name.split(" ");
  return classOf(tonal!) === tonic && scale === mode;
};

async function keep(name: string, audio: Audio): Promise<void> {
  if (values.wav === undefined) return;
  await mkdir(values.wav, { recursive: true });
  await writeFile(join(values.wav, `${name}.wav`), wav(audio.channels));
}

const totals = { tempo: 0, key: 0, chords: 0, source: 0, between: 0, count: 0, cpu: 0, seconds: 0 };

/**
 * Decibels of the drums and the chords that come back against the true vocals in them (as far as they explain them),
 * where there are vocals.
 */
async function leak(folder: string, facts: Facts, source: Audio): Promise<string> {
  const file = join(folder, "vocals.flac");
  if (facts.apart === undefined || !existsSync(file)) return "";
  const vocals = await readStem(folder, "vocals");
  const { grid, apart, key } = facts;
  const bars = Array.from({ length: grid.bars }, (_, bar) => bar);
  const score = {
    ...{ bpm: grid.bpm, metre: grid.metre, key, beats: grid.bars * grid.metre.beats_per_bar, lead_in: 0 },
    sections: [],
    parts: [{ role: "drums" }],
  } as unknown as Score;
  const brief = { unwanted: { roles: [], instruments: [] } } as unknown as Brief;
  const { guests, seconds } = returning(apart, grid, bars, score, brief, key, ["drums", "other"], 1, job.signal);
  const told: string[] = [];
  for (const { part, perform } of guests) {
    const stem = await perform(source.channels[0]!.length);
    const audio = { sample_rate: 44_100, channels: [...stem] };
    // Where the grid begins, the stem begins: the lag is within what the correlation looks through.
    const like = correlation(audio, vocals);
    told.push(`${part.name} vocals at ${(20 * Math.log10(like + 1e-9)).toFixed(1)} dB`);
  }
  return `sung ${apart.sung.toFixed(2)}, free beats ${(apart.voiced.filter((voiced) => voiced <= 0.04).length / apart.voiced.length).toFixed(2)}, returned ${JSON.stringify(seconds)} ${told.join(", ")}`;
}

async function one(folder: string): Promise<void> {
  const source = await readPiece(folder);
  const file = join(folder, "truth.json");
  const truth = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Truth) : undefined;
  const seeds = Array.from({ length: Number(values.variations) }, (_, index) => 7 + index);
  const before = ownCpuSeconds();
  const prompt = values.prompt;
  const outputs: readonly Output[] = await makeAll(
    values.song
      ? await remixSong({ source, lyrics: LYRICS, prompt: prompt ?? "in the manner of the source", seeds }, job)
      : await remix({ source, prompt, seeds }, job),
  );
  const cpu = ownCpuSeconds() - before;
  const { facts, own, analysis: heard, grid, writer } = await hear(source, job);
  const singer = await loadSinger();
  const bars = values.song
    ? sungOn(facts, own, singer.readLyrics(LYRICS), seeds[0]!, singer, writer, layoutOf).form.bars
    : Array.from({ length: grid.bars }, (_, bar) => bar);
  const seconds = outputs.reduce((sum, { audio }) => sum + audio.channels[0]!.length / 44_100, 0);
  totals.cpu += cpu;
  totals.seconds += seconds;
  console.log(
    `${basename(folder)}: ${heard.seconds.toFixed(1)} s, ${heard.rhythm.tempo_bpm.toFixed(1)} BPM (${heard.rhythm.confidence.toFixed(2)}), ${keyName(heard.tonality)}, true ${truth?.key ?? "?"}; ${cpu.toFixed(1)} s CPU, ${(seconds / cpu).toFixed(1)} x realtime, peak ${((await peakBytes()) / 2 ** 20).toFixed(0)} MiB`,
  );
  console.log(`  ${await leak(folder, facts, source)}`);
  for (const [index, { audio, report }] of outputs.entries()) {
    const { composed, understood, tune, returned } = report as {
      returned: Record<string, number>;
      composed: ScoreReport;
      understood: { genre: string };
      tune: { notes: number; confidence: number };
    };
    const made = await analyse(audio, job);
    const ratio = made.rhythm.tempo_bpm / heard.rhythm.tempo_bpm;
    const chords = truth === undefined ? Number.NaN : agreement(truth, grid, bars, made, composed.tempo_bpm);
    const like = correlation(source, audio);
    const others = outputs.slice(index + 1).map((other) => correlation(audio, other.audio));
    const between = Math.max(0, ...others);
    const key = sameKey(keyName(heard.tonality), made.tonality);
    const tempo = Math.abs(ratio - 1) <= 0.02;
    totals.count++;
    totals.tempo += Number(tempo);
    totals.key += Number(key);
    totals.chords += Number.isNaN(chords) ? 0 : chords;
    totals.source = Math.max(totals.source, like);
    totals.between = Math.max(totals.between, between);
    console.log(
      `  ${index} ${understood.genre.padEnd(16)} ${(audio.channels[0]!.length / 44_100).toFixed(1).padStart(6)} s  tempo ${composed.tempo_bpm.toFixed(1)} written, ${made.rhythm.tempo_bpm.toFixed(1)} heard ${tempo ? "" : "(!)"}  key ${keyName(made.tonality)} ${key ? "" : "(!)"}  chords ${chords.toFixed(2)}  like source ${like.toFixed(2)}, others ${between.toFixed(2)}  tune ${tune.notes} (${tune.confidence})  returned ${JSON.stringify(returned)}  ${composed.parts.map(({ instrument }) => instrument).join(" ")}`,
    );
    await keep(`${basename(folder)}${values.song ? "-song" : ""}-${index}`, audio);
  }
}

if (values.tune) await measureTunes(positionals);
else {
  for (const folder of positionals) await one(folder);
  const { count, cpu, seconds } = totals;
  console.log(
    `tempo ${((100 * totals.tempo) / count).toFixed(0)} %, key ${((100 * totals.key) / count).toFixed(0)} %, chords ${(totals.chords / count).toFixed(2)}, most like the source ${totals.source.toFixed(2)}, like another ${totals.between.toFixed(2)}; ${(seconds / cpu).toFixed(1)} x realtime, peak ${((await peakBytes()) / 2 ** 20).toFixed(0)} MiB`,
  );
}
