/**
 * Whether songs are whole: 40 prompts over 20 genres and more, with lyrics of every shape, composed and not played.
 *
 *     bun bench/whole.ts [--json FILE] [--only WORDS]
 *
 * Each is laid out and composed twice: as long as its genre has it, and as long as a `duration` from 10 to 300 s that is drawn for it. A row tells the
 * form, what comes again and how near the length is; the summary counts. What else is to be told of a song is one more entry of `COLUMNS`.
 */
import { writeFileSync } from "node:fs";
import * as composer from "../runners/music/compose/composer.ts";
import { clockOf, type Score } from "../runners/music/compose/mod.ts";
import { type Lyrics, loadSinger } from "../runners/music/sing/mod.ts";
import { type Layout, layoutOf } from "../runners/music/studio/layout.ts";
import { singerFor } from "../runners/music/studio/singer.ts";
import { hash32 } from "../runners/signal/dsp/random.ts";
import { LYRICS, PROMPTS } from "./whole/songs.ts";

interface Song {
  readonly prompt: string;
  readonly shape: keyof typeof LYRICS;
  readonly given: Lyrics;
  /** Asked for, seconds. */
  readonly duration: number | undefined;
  readonly layout: Layout;
  readonly score: Score;
  readonly seconds: number;
  readonly bar_seconds: number;
}

interface Column {
  readonly name: string;
  readonly width: number;
  /** What a row says. */
  tell(song: Song): string;
  /** What the summary says of all. */
  sum?(songs: readonly Song[]): string;
}

const engine = await loadSinger();
const LETTERS: Readonly<Record<string, string>> = {
  ...{ intro: "i", verse: "V", prechorus: "p", chorus: "C", bridge: "B", solo: "s", break: "b", build: "u", drop: "D" },
  ...{ theme: "t", outro: "o", loop: "l" },
};
/** A capital is sung, save a drop. */
const formOf = ({ score }: Song): string =>
  score.sections
    .map(({ kind, lines = 0, beats }) => {
      const letter = LETTERS[kind]!;
      return `${lines > 0 ? letter.toUpperCase() : kind === "drop" ? letter : letter.toLowerCase()}${beats / score.metre.beats_per_bar}`;
    })
    .join(" ");
const linesOf = ({ sections }: Lyrics): readonly string[] =>
  sections.flatMap(({ lines }) => lines.map(({ text }) => text));
const playedShare = ({ score }: Song): number =>
  score.sections.reduce((sum, { lines = 0, beats }) => sum + (lines > 0 ? 0 : beats), 0) / score.beats;
/** Bars beside the duration; a song whose lyrics need more is 0. */
function barsOff({ duration, seconds, bar_seconds, layout, given }: Song): number {
  if (duration === undefined) return 0;
  const nothing_more = linesOf(layout.lyrics).length <= linesOf(given).length;
  return seconds > duration && nothing_more ? 0 : (seconds - duration) / bar_seconds;
}
const share = (some: readonly unknown[], all: readonly unknown[]): string => `${some.length} of ${all.length}`;

/** In order of the table. */
const COLUMNS: readonly Column[] = [
  { name: "prompt", width: 34, tell: ({ prompt }) => prompt },
  { name: "lyrics", width: 9, tell: ({ shape }) => shape },
  { name: "genre", width: 18, tell: ({ score }) => score.mix.genre },
  {
    name: "asked s",
    width: 7,
    tell: ({ duration }) => (duration === undefined ? "" : duration.toFixed(0)),
  },
  {
    name: "lasts s",
    width: 7,
    tell: ({ seconds }) => seconds.toFixed(0),
    sum(songs) {
      const free = songs.filter(({ duration }) => duration === undefined).map(({ seconds }) => seconds);
      const sorted = [...free].sort((a, b) => a - b);
      const within = free.filter((seconds) => seconds >= 90 && seconds <= 240);
      return `without a duration ${sorted[0]!.toFixed(0)} to ${sorted.at(-1)!.toFixed(0)} s, median ${sorted[sorted.length >> 1]!.toFixed(0)} s; 90 to 240 s: ${share(within, free)}`;
    },
  },
  {
    name: "bars off",
    width: 8,
    tell: (song) => (song.duration === undefined ? "" : barsOff(song).toFixed(1)),
    sum(songs) {
      const asked = songs.filter(({ duration }) => duration !== undefined);
      return `duration met within a bar: ${share(
        asked.filter((song) => Math.abs(barsOff(song)) <= 1.02),
        asked,
      )}`;
    },
  },
  {
    name: "sung",
    width: 7,
    tell: ({ given, layout }) => `${linesOf(layout.lyrics).length}/${linesOf(given).length}`,
    sum(songs) {
      const kept = songs.filter(({ given, layout }) => {
        const sung = linesOf(layout.lyrics);
        let at = -1;
        return linesOf(given).every((line) => {
          at = sung.indexOf(line, at + 1);
          return at >= 0;
        });
      });
      return `every line sung, in order: ${share(kept, songs)}`;
    },
  },
  {
    name: "played",
    width: 6,
    tell: (song) => `${(100 * playedShare(song)).toFixed(0)} %`,
  },
  {
    name: "key",
    width: 5,
    tell: ({ score: { key, key_change } }) =>
      key_change === undefined ? "" : `+${(key_change.key.tonic - key.tonic + 12) % 12}`,
    sum: (songs) =>
      `last chorus lifted: ${share(
        songs.filter(({ score }) => score.key_change !== undefined),
        songs,
      )}`,
  },
  {
    name: "form",
    width: 0,
    tell: formOf,
    sum(songs) {
      const free = songs.filter(({ duration }) => duration === undefined);
      const has = (kind: string) => free.filter(({ score }) => score.sections.some((section) => section.kind === kind));
      const edged = free.filter(({ score: { sections } }) => sections[0]!.lines === undefined);
      const closed = free.filter(({ score: { sections } }) => sections.at(-1)!.lines === undefined);
      const forms = new Set(songs.map(formOf)).size;
      return `begins with the band: ${share(edged, free)}; ends with it: ${share(closed, free)}; a solo: ${share(has("solo"), free)}; ${forms} forms in ${songs.length} songs`;
    },
  },
];

function compose(at: number, duration: number | undefined): Song {
  const { prompt, shape } = PROMPTS[at]!;
  const seed = hash32(29, at);
  const given = engine.readLyrics(LYRICS[shape]);
  const brief = composer.understand(prompt);
  const seconds = duration ?? brief.seconds;
  const wish = {
    brief,
    outline: seconds === undefined ? {} : { seconds },
    ...(duration === undefined ? {} : { seconds: duration }),
  };
  const layout = layoutOf(given, wish, seed, engine, composer);
  const singer = singerFor(composer.readPrompt(prompt), brief, seed, engine);
  const score = composer.compose(layout.brief, { ...layout.outline, singer: singer.voice }, seed);
  const lasts = clockOf(score).seconds(score.beats);
  const bar_seconds = (score.metre.beats_per_bar * 60) / score.bpm;
  return { prompt, shape, given, duration, layout, score, seconds: lasts, bar_seconds };
}

const option = (name: string): string | undefined => process.argv[process.argv.indexOf(name, 2) + 1];
const only = process.argv.includes("--only") ? option("--only")! : "";
const songs: Song[] = [];
const row = (cells: readonly string[]): string =>
  cells.map((cell, at) => cell.slice(0, COLUMNS[at]!.width || undefined).padEnd(COLUMNS[at]!.width)).join(" ");
console.log(row(COLUMNS.map(({ name }) => name)));
for (const [at, { prompt }] of PROMPTS.entries()) {
  if (!prompt.includes(only)) continue;
  const drawn = 10 + Math.round((290 * hash32(17, at)) / 0x1_0000_0000);
  for (const duration of [undefined, drawn]) {
    const song = compose(at, duration);
    songs.push(song);
    console.log(row(COLUMNS.map((column) => column.tell(song))));
  }
}
console.log();
for (const { sum } of COLUMNS) if (sum !== undefined) console.log(sum(songs));
console.log(`genres: ${new Set(songs.map(({ score }) => score.mix.genre)).size}`);
if (process.argv.includes("--json"))
  writeFileSync(
    option("--json")!,
    JSON.stringify(
      songs.map((song) => Object.fromEntries(COLUMNS.map(({ name, tell }) => [name, tell(song)]))),
      null,
      2,
    ),
  );
