/**
 * Whether voice and band have one tune: the 40 prompts of bench/whole.ts, composed and not played.
 *
 *     bun bench/tunes.ts [--seeds 3] [--only WORDS] [--rows] [--json]
 *
 * The hook is the line that the first chorus says most often, else its first. A line of the summary is a measure over all songs; `--rows` tells it by song.
 */
import { parseArgs } from "node:util";
import * as composer from "../runners/music/compose/composer.ts";
import { judge } from "../runners/music/compose/critic/critic.ts";
import { clockOf, type Score } from "../runners/music/compose/mod.ts";
import { loadSinger, type Setting } from "../runners/music/sing/mod.ts";
import { layoutOf } from "../runners/music/studio/layout.ts";
import { singerFor } from "../runners/music/studio/singer.ts";
import { hash32 } from "../runners/signal/dsp/random.ts";
import { ownCpuSeconds } from "./measure.ts";
import { LYRICS, PROMPTS } from "./whole/songs.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    rows: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const engine = await loadSinger();

interface Song {
  readonly prompt: string;
  readonly score: Score;
  readonly setting: Setting;
  readonly range: readonly [low: number, high: number];
  readonly worth: number;
}

type Line = Setting["lines"][number];
/** How much of what there is. */
type Share = readonly [part: number, all: number];

/** Fewer intervals in a row are heard in any two tunes. */
const RUN_MIN = 4;
/** Ornaments are no notes of a tune. Seconds. */
const ORNAMENT_S = 0.13;
/** A note that is held. Seconds. */
const LONG_S = 0.6;
/** Vowels that carry: open ones and diphthongs that begin open. */
const OPEN = new Set("AA AE AH AO AW AY EH EY OW OY A EE OO OE AN ON EN".split(" "));
/** Short and closed, or murmured. */
const SHUT = new Set("IH UH AX".split(" "));
const BREATH_S = 0.2;

const near = (beat: number, to: number): boolean => Math.abs(beat - to) < 0.02;
const isSung = ({ score }: Song, { section }: Line): boolean =>
  !composer.isSpoken(score.mix, score.sections[section]!.kind);
const leadOf = ({ syllables }: Line) => syllables.filter(({ backing }) => !backing);
const pitchesOf = (line: Line): number[] => leadOf(line).map(({ pitches }) => Math.round(pitches.at(-1)!.pitch));

/** Between successive pitches that differ. */
function intervals(pitches: readonly number[]): number[] {
  return pitches.slice(1).flatMap((pitch, n) => (pitch === pitches[n] ? [] : [pitch - pitches[n]!]));
}

function hookOf(song: Song): Line | undefined {
  const { score, setting } = song;
  const lines = setting.lines.filter((line) => isSung(song, line));
  const chorus = lines.filter(({ section }) => score.sections[section]!.kind === "chorus");
  const first = (chorus.length > 0 ? chorus : lines)[0];
  const here = lines.filter(({ section }) => section === first?.section);
  const times = (line: Line): number => here.filter(({ text }) => text === line.text).length;
  return here.reduce<Line | undefined>((best, line) => (best && times(best) >= times(line) ? best : line), undefined);
}

/** Intervals of the hook that some lead or counter plays in the same order, at least so many in a row. */
function shared(song: Song, score = song.score): Share {
  const hook = hookOf(song);
  const own = hook === undefined ? [] : intervals(pitchesOf(hook));
  if (own.length < 2) return [0, 0];
  const clock = clockOf(score);
  const parts = score.parts.filter(({ role }) => role === "lead" || role === "counter");
  const played = parts.map(({ notes }) =>
    intervals(
      notes
        .filter(({ beat, beats }) => clock.seconds(beat + beats) - clock.seconds(beat) >= ORNAMENT_S)
        .map(({ pitch }) => Math.floor(pitch)),
    ),
  );
  const run = Math.min(RUN_MIN, own.length);
  const found = own.map(() => false);
  for (let n = 0; n + run <= own.length; n++)
    if (played.some((all) => all.some((_, at) => own.slice(n, n + run).every((step, k) => all[at + k] === step))))
      found.fill(true, n, n + run);
  return [found.filter(Boolean).length, own.length];
}

function prosody(song: Song, spoken: boolean, pushes: boolean): Share {
  const some = song.setting.lines.filter((line) => isSung(song, line) !== spoken).flatMap(leadOf);
  const stressed = some.filter(({ stress }) => stress === 1);
  const on = stressed.filter(({ beat, beats }) => {
    if (near(beat, Math.round(beat))) return true;
    // An anticipation: held over the beat that it belongs to.
    return pushes && Math.ceil(beat) - beat <= 0.51 && beats >= Math.ceil(beat) - beat + 0.24;
  });
  return [on.length, stressed.length];
}

function held(song: Song, vowels: ReadonlySet<string>): Share {
  const clock = clockOf(song.score);
  const long = song.setting.lines
    .filter((line) => isSung(song, line))
    .flatMap(leadOf)
    .filter(({ beat, beats }) => clock.seconds(beat + beats) - clock.seconds(beat) >= LONG_S);
  return [long.filter(({ phonemes, nucleus }) => vowels.has(phonemes[nucleus]!)).length, long.length];
}

/** Time of words over which a lead or a counter plays, in beats. */
function overlap({ score, setting }: Song): Share {
  let [over, all] = [0, 0];
  const notes = score.parts.filter(({ role }) => role === "lead" || role === "counter").flatMap((part) => part.notes);
  for (const line of setting.lines) {
    const words = leadOf(line);
    if (words.length === 0) continue;
    const [from, to] = [words[0]!.beat, words.at(-1)!.beat + words.at(-1)!.beats];
    all += to - from;
    const spans = notes
      .map(({ beat, beats }) => [Math.max(from, beat), Math.min(to, beat + beats)] as const)
      .filter(([a, b]) => b - a > 0.05)
      .sort(([a], [b]) => a - b);
    let reached = from;
    for (const [a, b] of spans) {
      over += Math.max(0, b - Math.max(a, reached));
      reached = Math.max(reached, b);
    }
  }
  return [over, all];
}

function outside(song: Song): Share {
  const notes = song.setting.lines.filter((line) => isSung(song, line)).flatMap(({ syllables }) => syllables);
  const all = notes.flatMap(({ pitches }) => pitches);
  const [low, high] = song.range;
  return [all.filter(({ pitch }) => pitch < low || pitch > high).length, all.length];
}

/** Lines of the same words in sections of one label against the first of them: same intervals from syllable to syllable. */
function repeats(song: Song, what: "tune" | "rhythm"): Share {
  const first = new Map<string, string>();
  let [same, all] = [0, 0];
  for (const line of song.setting.lines) {
    if (!isSung(song, line)) continue;
    const key = `${song.score.sections[line.section]!.label} ${line.text}`;
    const [pitches, words] = [pitchesOf(line), leadOf(line)];
    const print =
      what === "tune"
        ? pitches.map((pitch) => pitch - pitches[0]!).join()
        : words.map(({ beat }) => Math.round(8 * (beat - words[0]!.beat))).join();
    const before = first.get(key);
    if (before === undefined) first.set(key, print);
    else {
      all++;
      if (before === print) same++;
    }
  }
  return [same, all];
}

function breaths({ score, setting }: Song): Share {
  const clock = clockOf(score);
  const lines = setting.lines.map(leadOf).filter((line) => line.length > 0);
  const gaps = lines.slice(1).map((line, n) => {
    const before = lines[n]!.at(-1)!;
    return clock.seconds(line[0]!.beat) - clock.seconds(before.beat + before.beats);
  });
  return [gaps.filter((gap) => gap >= BREATH_S).length, gaps.length];
}

/** Lines that begin with an unstressed syllable, and begin before the bar. */
function pickups(song: Song): Share {
  const bar = song.score.metre.beats_per_bar;
  const light = song.setting.lines
    .filter((line) => isSung(song, line))
    .map(leadOf)
    .filter((line) => line.length > 1 && line[0]!.stress === 0);
  const into = light.filter((line) => {
    const stressed = line.find(({ stress }) => stress === 1);
    return stressed !== undefined && near(stressed.beat / bar, Math.round(stressed.beat / bar));
  });
  return [into.length, light.length];
}

const songs: Song[] = [];

const MEASURES: Readonly<Record<string, (song: Song) => Share>> = {
  "hook's intervals that the band plays": (song) => shared(song),
  "hook's intervals that another song's band plays": (song) =>
    shared(song, songs[(songs.indexOf(song) + 7) % songs.length]!.score),
  "songs in which the band plays the whole hook": (song) => {
    const [part, all] = shared(song);
    return all === 0 ? [0, 0] : [part === all ? 1 : 0, 1];
  },
  "stressed syllables on a beat": (song) => prosody(song, false, false),
  "stressed syllables on a beat or its push": (song) => prosody(song, false, true),
  "stressed syllables on a beat, spoken": (song) => prosody(song, true, false),
  "long notes on open vowels": (song) => held(song, OPEN),
  "long notes on short closed vowels": (song) => held(song, SHUT),
  "sung time that a lead or counter plays over": overlap,
  "notes outside of the range": outside,
  "repeated lines that keep their tune": (song) => repeats(song, "tune"),
  "repeated lines that keep their rhythm": (song) => repeats(song, "rhythm"),
  "lines with a breath before them": breaths,
  "lines with a light beginning that lead into a bar": pickups,
};

function compose(at: number, n: number): Song {
  const { prompt, shape } = PROMPTS[at]!;
  const seed = hash32(29 + n, at);
  const ask = composer.readPrompt(prompt);
  const brief = composer.understand(ask);
  const singer = singerFor(ask, brief, seed, engine);
  const wish = { brief, outline: brief.seconds === undefined ? {} : { seconds: brief.seconds } };
  const layout = layoutOf(engine.readLyrics(LYRICS[shape]), wish, seed, engine, composer);
  const score = composer.compose(layout.brief, { ...layout.outline, singer: singer.voice }, seed);
  const setting = engine.setLyrics(layout.lyrics, score.voice ?? []);
  return { prompt, score, setting, range: singer.voice.range, worth: judge(score).worth };
}

const percent = ([part, all]: Share): string => (all === 0 ? "-" : `${((100 * part) / all).toFixed(1)} %`).padStart(8);
const before = ownCpuSeconds();
for (const [at, { prompt }] of PROMPTS.entries()) {
  if (!prompt.includes(values.only)) continue;
  for (let n = 0; n < Number(values.seeds); n++) {
    const song = compose(at, n);
    songs.push(song);
  }
}
const spent = ownCpuSeconds() - before;
if (values.rows)
  for (const song of songs)
    console.log(
      song.prompt.slice(0, 30).padEnd(30),
      Object.values(MEASURES)
        .map((measure) => percent(measure(song)))
        .join(" "),
    );
const totals = Object.entries(MEASURES).map(([name, measure]) => {
  const all = songs.map(measure);
  const sum = (n: 0 | 1): number => all.reduce((total, share) => total + share[n], 0);
  return [name, [sum(0), sum(1)]] as const;
});
const worth = songs.reduce((sum, song) => sum + song.worth, 0) / songs.length;
for (const [name, share] of totals) console.log(percent(share), name, `(of ${share[1].toFixed(0)})`);
console.log(`worth ${worth.toFixed(4)}; ${((1000 * spent) / songs.length).toFixed(1)} ms a song, with its lyrics read`);
if (values.json)
  console.log(JSON.stringify(Object.fromEntries(totals.map(([name, [part, all]]) => [name, part / all]))));
