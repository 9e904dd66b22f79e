/**
 * What a producer would name first of songs, in figures: where lines enter, how often few lines are sung, how far choruses lift, what is held, how much
 * players repeat, how songs end, and with `--sound` loudness range, width and tails of the finished mixes.
 *
 *     bun bench/producer.ts [--set listen|whole] [--seeds 1] [--salt 29] [--only WORDS] [--sound] [--json FILE] [--out FOLDER]
 *
 * `listen` are the twenty prompts of the listening page, `whole` the forty of bench/whole.ts. Scores are chosen as songs choose them.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as composer from "../runners/music/compose/composer.ts";
import { clockOf, type Score } from "../runners/music/compose/mod.ts";
import { loadSinger, type Setting } from "../runners/music/sing/mod.ts";
import { layoutOf } from "../runners/music/studio/layout.ts";
import { record } from "../runners/music/studio/record.ts";
import { singerFor } from "../runners/music/studio/singer.ts";
import { vocals } from "../runners/music/studio/song.ts";
import { hash32 } from "../runners/signal/dsp/random.ts";
import { wav } from "../test/audio.ts";
import requests from "./listen/requests.json" with { type: "json" };
import { ownCpuSeconds } from "./measure.ts";
import { type Band, bandOf, describeBands } from "./producer/band.ts";
import { heardIn } from "./producer/sound.ts";
import { LYRICS, PROMPTS } from "./whole/songs.ts";

const { values } = parseArgs({
  options: {
    set: { type: "string", default: "listen" },
    seeds: { type: "string", default: "1" },
    salt: { type: "string", default: "29" },
    only: { type: "string", default: "" },
    sound: { type: "boolean", default: false },
    json: { type: "string" },
    out: { type: "string" },
  },
});

type Shape = keyof typeof LYRICS;
interface Asked {
  readonly prompt: string;
  readonly shape: Shape | undefined;
}
const ASKED: readonly Asked[] =
  values.set === "whole"
    ? PROMPTS
    : requests.map(({ prompt, lyrics }) => ({ prompt, shape: lyrics as Shape | undefined }));

interface Piece {
  readonly prompt: string;
  readonly seed: number;
  readonly score: Score;
  readonly setting: Setting;
  /** Different lines that were given. */
  readonly given: number;
  readonly perform: (() => ReturnType<typeof record>) | undefined;
}

const engine = await loadSinger();
const job = { signal: new AbortController().signal, progress: () => undefined };

function compose({ prompt, shape }: Asked, seed: number): Piece {
  const ask = composer.readPrompt(prompt);
  const brief = composer.understand(ask);
  const seconds = brief.seconds === undefined ? {} : { seconds: brief.seconds };
  if (shape === undefined) {
    const { score } = composer.chooseBest(seed, (one) => ({ score: composer.compose(brief, seconds, one) }));
    return { prompt, seed, score, setting: { lines: [] }, given: 0, perform: () => record(score, seed, job) };
  }
  const words = engine.readLyrics(LYRICS[shape]);
  const singer = singerFor(ask, brief, seed, engine);
  const { score, lyrics } = composer.chooseBest(seed, (one) => {
    const layout = layoutOf(words, { brief, outline: seconds }, one, engine, composer);
    return {
      lyrics: layout.lyrics,
      score: composer.compose(layout.brief, { ...layout.outline, singer: singer.voice }, one),
    };
  });
  const setting = engine.setLyrics(lyrics, score.voice ?? []);
  const given = new Set(words.sections.flatMap(({ lines }) => lines.map(({ text }) => text))).size;
  const perform = () => record(score, seed, job, { guests: vocals(lyrics, score, singer, seed, engine).guests });
  return { prompt, seed, score, setting, given, perform };
}

type Line = Setting["lines"][number];
const leadOf = ({ syllables }: Line) => syllables.filter(({ backing }) => !backing);
const kindOf = ({ score }: Piece, { section }: Line) => score.sections[section]!.kind;
const isSung = (piece: Piece, line: Line): boolean => !composer.isSpoken(piece.score.mix, kindOf(piece, line));
const sungLines = (piece: Piece): Line[] => piece.setting.lines.filter((line) => isSung(piece, line));
const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;

/** Where in the bar lines enter: on beat 1, before it (the last third of the bar), or after. */
function entries(piece: Piece): { one: number; before: number; after: number; all: number } {
  const bar = piece.score.metre.beats_per_bar;
  const found = { one: 0, before: 0, after: 0, all: 0 };
  for (const line of sungLines(piece)) {
    const first = leadOf(line)[0];
    if (first === undefined) continue;
    const { beat } = piece.score.sections[line.section]!;
    const at = (((first.beat - beat) % bar) + bar) % bar;
    found.all++;
    // A push of the first beat is on it as ears have it; swing moves nothing that lies on a beat.
    if (at < 0.06 || at > bar - 0.06) found.one++;
    else if (at >= 0.6 * bar) found.before++;
    else found.after++;
  }
  return found;
}

function stressed(piece: Piece): [on: number, all: number] {
  const some = sungLines(piece)
    .flatMap(leadOf)
    .filter(({ stress }) => stress === 1);
  const on = some.filter(({ beat, beats }) => {
    if (Math.abs(beat - Math.round(beat)) < 0.02) return true;
    return Math.ceil(beat) - beat <= 0.51 && beats >= Math.ceil(beat) - beat + 0.24;
  });
  return [on.length, some.length];
}

/** Mean pitch by time of what is sung in sections of a kind; the key change taken off. */
function heights(piece: Piece, chorus: boolean): { mean: number; span: number } | undefined {
  const { key, key_change } = piece.score;
  const up = key_change === undefined ? 0 : (key_change.key.tonic - key.tonic + 12) % 12;
  const here = sungLines(piece).filter((line) => {
    const kind = kindOf(piece, line);
    return chorus ? kind === "chorus" || kind === "drop" : kind === "verse" || kind === "theme";
  });
  const notes = here.flatMap((line) => {
    const from = piece.score.sections[line.section]!.beat;
    const less = key_change !== undefined && from >= key_change.beat - 1e-6 ? up : 0;
    return leadOf(line).map(({ beats, pitches }) => ({ beats, pitch: pitches.at(-1)!.pitch - less }));
  });
  if (notes.length === 0) return undefined;
  const time = notes.reduce((sum, { beats }) => sum + beats, 0);
  const pitches = notes.map(({ pitch }) => pitch);
  return {
    mean: notes.reduce((sum, { beats, pitch }) => sum + beats * pitch, 0) / time,
    span: Math.max(...pitches) - Math.min(...pitches),
  };
}

/** Different rhythms of whole bars that a role plays, and bars in which it plays. */
function rhythms({ score }: Piece, role: string): { different: number; bars: number } {
  const bar = score.metre.beats_per_bar;
  const bars = new Map<number, Set<string>>();
  for (const part of score.parts) {
    if (part.role !== role) continue;
    for (const { beat, pitch } of part.notes) {
      const at = Math.floor(beat / bar + 1e-6);
      const place = Math.round(12 * (beat - at * bar));
      const print = role === "drums" ? `${place}:${Math.round(pitch)}` : `${place}`;
      bars.set(at, (bars.get(at) ?? new Set()).add(print));
    }
  }
  const prints = [...bars.values()].map((places) => [...places].sort().join(" "));
  return { different: new Set(prints).size, bars: prints.length };
}

const APART: ReadonlySet<string> = new Set(["texture", "transition"]);

/** Players and their force in a section: parts with two notes or more there, the mean velocity, notes a bar. */
function playersIn({ score }: Piece, at: number): { players: number; force: number; notes: number } {
  const { beat, beats } = score.sections[at]!;
  let [players, sum, count] = [0, 0, 0];
  for (const { role, notes } of score.parts) {
    if (APART.has(role)) continue;
    const here = notes.filter((note) => note.beat >= beat - 1e-6 && note.beat < beat + beats - 1e-6);
    if (here.length < 2) continue;
    players++;
    for (const { velocity } of here) sum += velocity;
    count += here.length;
  }
  return { players, force: count === 0 ? 0 : sum / count, notes: (count * score.metre.beats_per_bar) / beats };
}

function growth(piece: Piece) {
  const { sections } = piece.score;
  const of = (kinds: readonly string[]): number[] =>
    sections.flatMap(({ kind }, at) => (kinds.includes(kind) ? [at] : []));
  const loud = of(["chorus", "drop"]);
  const calm = of(["verse", "theme"]);
  if (loud.length === 0 || calm.length === 0) return undefined;
  const told = (some: readonly number[]) => some.map((at) => playersIn(piece, at));
  const [high, low] = [told(loud), told(calm)];
  return {
    players: mean(high.map(({ players }) => players)) - mean(low.map(({ players }) => players)),
    force: mean(high.map(({ force }) => force)) / mean(low.map(({ force }) => force)),
    notes: mean(high.map(({ notes }) => notes)) / mean(low.map(({ notes }) => notes)),
    last: high.length < 2 ? undefined : high.at(-1)!.players - high[0]!.players,
  };
}

/** Bars of the last harmony, whether it is the tonic's, and bars from the last attack of a band to the end. */
function ending({ score }: Piece): { bars: number; home: boolean; attacks: number } {
  const bar = score.metre.beats_per_bar;
  let from = score.chords.length - 1;
  while (from > 0 && score.chords[from - 1]!.root === score.chords.at(-1)!.root) from--;
  const { tonic } = score.key_change?.key ?? score.key;
  const last = Math.max(
    ...score.parts.filter(({ role }) => !APART.has(role)).map(({ notes }) => Math.max(0, ...notes.map((n) => n.beat))),
  );
  return {
    bars: (score.beats - score.chords[from]!.beat) / bar,
    home: score.chords.at(-1)!.root === tonic,
    attacks: (score.beats - last) / bar,
  };
}

const cell = (value: number | undefined, digits = 1): string =>
  (value === undefined || !Number.isFinite(value) ? "-" : value.toFixed(digits)).padStart(6);
const rows: Record<string, unknown>[] = [];
const names =
  "one% pick% aft%  str%  sung given verse hook  lift long>2.5 max bass drum chor  +pl force notes last  end home";
console.log("prompt".padEnd(26), names, values.sound ? " lra  corr corlow tail  s   x" : "");
for (const [at, asked] of ASKED.entries()) {
  if (!asked.prompt.includes(values.only)) continue;
  for (let n = 0; n < Number(values.seeds); n++) {
    const piece = compose(asked, hash32(Number(values.salt) + n, at));
    const { score } = piece;
    const enters = entries(piece);
    const [on, stresses] = stressed(piece);
    const [verse, chorus] = [heights(piece, false), heights(piece, true)];
    const held = sungLines(piece)
      .flatMap(leadOf)
      .map(({ beats }) => beats);
    const bass = rhythms(piece, "bass");
    const drums = rhythms(piece, "drums");
    const chords = rhythms(piece, "chords");
    const grown = growth(piece);
    const end = ending(piece);
    const row = {
      prompt: asked.prompt,
      genre: score.mix.genre,
      seconds: clockOf(score).seconds(score.beats),
      ...{ entries: enters, stressed: [on, stresses], sung: piece.setting.lines.length, given: piece.given },
      ...{ verse, chorus, lift: verse && chorus ? chorus.mean - verse.mean : undefined },
      ...{ held: held.filter((beats) => beats > 2.5).length, longest: Math.max(0, ...held) },
      band: bandOf(score),
      ...{ bass, drums, chords, grown, end, form: score.sections.map(({ kind }) => kind).join(" ") },
    };
    let told = "";
    if (values.sound && piece.perform !== undefined) {
      const before = ownCpuSeconds();
      const audio = await piece.perform();
      const cpu = ownCpuSeconds() - before;
      const heard = await heardIn(audio, score);
      const seconds = audio.channels[0]!.length / audio.sample_rate;
      Object.assign(row, { heard, rate: seconds / cpu });
      told = `${cell(heard.range_lu ?? undefined)}${cell(heard.correlation, 2)}${cell(heard.correlation_low, 2)}${cell(heard.tail_s)}${cell(seconds, 0)}${cell(seconds / cpu)}`;
      if (values.out !== undefined) {
        mkdirSync(values.out, { recursive: true });
        writeFileSync(join(values.out, `${at}.wav`), wav(audio.channels));
        writeFileSync(join(values.out, `${at}.json`), JSON.stringify(score));
      }
    }
    rows.push(row);
    const percent = (some: number): string => cell((100 * some) / enters.all, 0).slice(1);
    console.log(
      asked.prompt.slice(0, 26).padEnd(26),
      `${percent(enters.one)}${percent(enters.before)}${percent(enters.after)}${cell((100 * on) / stresses, 0)}`,
      `${cell(row.sung, 0)}${cell(row.given, 0)}${cell(verse?.span, 0)}${cell(chorus?.span, 0)}${cell(row.lift)}`,
      `${cell(row.held, 0)}${cell(row.longest)}${cell(bass.different, 0)}${cell(drums.different, 0)}${cell(chords.different, 0)}`,
      `${cell(grown?.players)}${cell(grown?.force, 2)}${cell(grown?.notes, 2)}${cell(grown?.last, 0)}${cell(end.bars)}${end.home ? "  yes" : "   no"}`,
      told,
    );
  }
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows));

const median = (some: readonly (number | undefined)[]): number => {
  const sorted = some.filter((one) => one !== undefined && Number.isFinite(one)).sort((a, b) => a! - b!);
  return sorted[sorted.length >> 1] ?? Number.NaN;
};
const all = rows as unknown as {
  readonly entries: ReturnType<typeof entries>;
  readonly stressed: readonly [number, number];
  readonly sung: number;
  readonly given: number;
  readonly chorus?: { readonly span: number };
  readonly lift?: number;
  readonly held: number;
  readonly longest: number;
  readonly bass: ReturnType<typeof rhythms>;
  readonly drums: ReturnType<typeof rhythms>;
  readonly chords: ReturnType<typeof rhythms>;
  readonly grown?: NonNullable<ReturnType<typeof growth>>;
  readonly end: ReturnType<typeof ending>;
  readonly band: Band;
  readonly heard?: Awaited<ReturnType<typeof heardIn>>;
  readonly rate?: number;
}[];
const total = (key: "one" | "before" | "after" | "all"): number => all.reduce((sum, row) => sum + row.entries[key], 0);
const few = all.filter(({ given }) => given > 0 && given <= 4);
const share = (part: number, of: number): string => `${((100 * part) / of).toFixed(0)} %`;
const sung = all.filter(({ sung: lines }) => lines > 0);
const lifts = all.flatMap(({ lift }) => (lift === undefined ? [] : [lift]));
const heard = all.flatMap((row) => row.heard ?? []);
console.log(`
entries: on beat 1 ${share(total("one"), total("all"))}, before ${share(total("before"), total("all"))}, after ${share(total("after"), total("all"))}
stressed syllables on a beat or its push: ${share(
  all.reduce((sum, { stressed: [on] }) => sum + on, 0),
  all.reduce((sum, { stressed: [, of] }) => sum + of, 0),
)}
songs of up to 4 lines: median times that a line is sung ${median(few.map(({ sung: lines, given }) => lines / given)).toFixed(1)}, most ${Math.max(...few.map(({ sung: lines, given }) => lines / given)).toFixed(1)}
hook spans median ${median(all.map(({ chorus }) => chorus?.span))} semitones, least ${Math.min(...all.flatMap(({ chorus }) => chorus?.span ?? []))}
choruses lie median ${median(lifts).toFixed(1)} semitones higher; under 1: ${lifts.filter((lift) => lift < 1).length} of ${lifts.length}
syllables over 2.5 beats: in ${sung.filter(({ held }) => held > 0).length} of ${sung.length} songs, median ${median(sung.map(({ held }) => held))} a song, longest median ${median(sung.map(({ longest }) => longest)).toFixed(1)}
bar rhythms (median): bass ${median(all.map(({ bass }) => bass.different))} of ${median(all.map(({ bass }) => bass.bars))}, drums ${median(all.map(({ drums }) => drums.different))}, chords ${median(all.map(({ chords }) => chords.different))}
choruses: players +${median(all.map(({ grown }) => grown?.players)).toFixed(1)}, force x${median(all.map(({ grown }) => grown?.force)).toFixed(3)}, notes x${median(all.map(({ grown }) => grown?.notes)).toFixed(2)}, last against first +${median(all.map(({ grown }) => grown?.last)).toFixed(1)}
last harmony: median ${median(all.map(({ end }) => end.bars)).toFixed(1)} bars, four or more in ${all.filter(({ end }) => end.bars >= 4).length} of ${all.length}; at home ${all.filter(({ end }) => end.home).length}
${describeBands(all.map(({ band }) => band))}`);
if (heard.length > 0)
  console.log(`loudness range median ${median(heard.map(({ range_lu }) => range_lu ?? undefined)).toFixed(1)} LU
correlation of channels median ${median(heard.map(({ correlation }) => correlation)).toFixed(3)}, under 120 Hz ${median(heard.map(({ correlation_low }) => correlation_low)).toFixed(3)}
tails under -60 dBFS longest ${Math.max(...heard.map(({ tail_s }) => tail_s)).toFixed(1)} s
times real time median ${median(all.map(({ rate }) => rate)).toFixed(1)}, least ${Math.min(...all.flatMap(({ rate }) => rate ?? [])).toFixed(1)}`);
