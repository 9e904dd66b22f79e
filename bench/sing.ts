/**
 * The singer in figures: speed, pitch, where voice begins, and what a recogniser understands.
 *
 *   bun bench/sing.ts [--python PYTHON] [--voices baritone,alto] [--sources formant,shipped] [--renders diction,sung,pitch] [--mix 2]
 *     [--choice] [--out FOLDER] [--lines 25] [--held]
 *
 * PYTHON needs numpy, scipy, soundfile, pyworld and pocketsphinx; without --python only the speed is told. `diction`: 25 lines at 0.3 s a
 * syllable on 110 to 160 Hz. `sung`: the same at 120 BPM on a melody in the voice's own range. Words right: those that the recogniser writes of
 * a line, out of all lines' words and 200 others; with --choice also whether it chooses the line out of twelve.
 * `formant` sings without recorded sounds, `shipped` as shipped, any other source with the recorded voice of that name. --mix: that many songs
 * of the studio, of eight lines each, heard with their band. --held: 40 other lines, which nothing was tuned on. Standard errors are of the
 * mean over lines; behind the first source each other one is told against it, line by line.
 * `rhyme`, `rhyme_sung`: 100 words of the Modified Rhyme Test in a sentence, spoken and sung; right: the word out of the six that rhyme.
 * `rhyme_held`: 50 others, sung, which no consonant was tuned on; `rhyme_fresh`: 100 more, which nothing was. With `_low` behind it a render is
 * sung as it is, but for the folds, which swing at about 130 Hz: the throat of a high voice, heard by a recogniser that fails on high pitch.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readLyrics } from "../runners/music/sing/lyrics/lyrics.ts";
import type { SungNote } from "../runners/music/sing/voice/notes.ts";
import { RATE, sing } from "../runners/music/sing/voice/singer.ts";
import { VOICES, type Voice, type VoiceName } from "../runners/music/sing/voice/voices.ts";
import { wav } from "../test/audio.ts";
import { HELD_LINES } from "./sing/held_lines.ts";
import { LINES } from "./sing/lines.ts";
import { renderSong } from "./sing/mixed.ts";
import { RHYMES } from "./sing/rhymes.ts";

const { values } = parseArgs({
  options: {
    python: { type: "string" },
    voices: { type: "string", default: Object.keys(VOICES).join(",") },
    renders: { type: "string", default: "diction,sung,pitch" },
    out: { type: "string", default: "/tmp/tonwerk-bench-sing" },
    lines: { type: "string", default: "25" },
    sources: { type: "string", default: "shipped" },
    mix: { type: "string", default: "0" },
    choice: { type: "boolean", default: false },
    held: { type: "boolean", default: false },
  },
});

/** Steps of the scale that the sung renders go through. */
const TUNE = [0, 2, 4, 4, 5, 4, 2, 0, 2, 4, 2, 0, -1, 0];
const LEAD = 0.6;

interface Job {
  readonly file: string;
  readonly kind: "diction" | "pitch" | "mixed";
  readonly voice: string;
  readonly source: string;
  readonly render: string;
  readonly line: string;
  /** What the recogniser may choose from. */
  readonly candidates?: readonly string[];
  readonly choice?: boolean;
  /** Where in the file it is sung: its first sample, and how many. */
  readonly span?: readonly [number, number];
  readonly over?: number;
  readonly notes?: readonly (readonly [start: number, end: number, midi: number, voiceless: boolean, before: string])[];
}

const jobs: Job[] = [];
const voices = values.voices.split(",") as VoiceName[];
const lines: readonly string[] = values.held ? HELD_LINES : LINES.slice(0, Number(values.lines));
const VOICELESS: ReadonlySet<string> = new Set(["P", "T", "K", "CH", "F", "TH", "S", "SH", "HH"]);

/** What a render is made of: a line, and eleven others that it must not be taken for; or a word in a sentence, and five that rhyme with it. */
function textsOf(render: string): { line: string; candidates: readonly string[] }[] {
  if (render.startsWith("rhyme")) {
    return RHYMES.flatMap((set, n) => {
      const candidates = set.map((word) => `you will hear ${word} again`);
      const picked = render.startsWith("rhyme_held")
        ? [n + 1]
        : render.startsWith("rhyme_fresh")
          ? [n + 2, n + 4]
          : [n, n + 3];
      return picked.map((pick) => ({ line: candidates[pick % set.length]!, candidates }));
    });
  }
  return (render === "pitch" ? lines.slice(0, 6) : lines).map((line, n) => ({
    line,
    candidates: Array.from({ length: 12 }, (_, k) => lines[(n + 2 * k) % lines.length]!).sort(),
  }));
}
mkdirSync(values.out, { recursive: true });

function voiceOf(name: VoiceName, source: string): Voice {
  const { recorded, ...formant } = VOICES[name];
  if (source === "formant") return formant;
  return source === "shipped" ? VOICES[name] : { ...formant, recorded: source };
}

const sources = values.sources.split(",");
const sung = voices.flatMap((name) => sources.map((source) => ({ name, source, voice: voiceOf(name, source) })));
for (const { name, source, voice } of sung) {
  const centre = voice.range[0] + Math.round(0.36 * (voice.range[1] - voice.range[0]));
  let audio = 0;
  let cpu = 0;
  for (const render of values.renders.split(",")) {
    const folds = render.endsWith("_low") ? 130 / (440 * 2 ** ((centre - 69) / 12)) : 1;
    const spoken = render === "diction" || render === "rhyme";
    for (const { line, candidates } of textsOf(render)) {
      const syllables = readLyrics(line).sections[0]!.lines[0]!.words.flatMap((word) => word.syllables);
      // Speech runs at about 0.26 s a syllable here, unstressed ones shorter; song at a quaver of 120 BPM.
      const seconds = spoken ? 0.26 : render === "pitch" ? 0.5 : 0.25;
      let at = LEAD;
      const notes = syllables.map(({ phonemes, nucleus, stress }, n): SungNote => {
        const last = n === syllables.length - 1;
        const length = spoken ? (last ? 0.3 : stress === 0 ? 0.2 : seconds) : last ? 2 * seconds : seconds;
        const fall = n / Math.max(1, syllables.length - 1);
        const pitch = spoken ? 50 - 4 * fall + (stress === 1 ? 1 : 0) : centre + TUNE[n % TUNE.length]!;
        const frame = Math.round(at * RATE);
        at += length;
        return {
          phonemes,
          nucleus,
          frame,
          frames: Math.round(length * RATE),
          pitches: [{ frame: 0, pitch }],
          velocity: 0.8,
        };
      });
      const before = process.cpuUsage();
      const samples = sing([notes], Math.round((at + 0.4) * RATE), { voice, seed: 1, breaths: false, folds });
      const { user, system } = process.cpuUsage(before);
      audio += samples.length / RATE;
      cpu += (user + system) / 1e6;
      const file = join(values.out, `${name}-${source}-${render}-${line.replace(/ /gu, "_")}.wav`);
      writeFileSync(file, wav([samples], { sample_rate: RATE }));
      const times = notes.map(
        ({ frame, frames, pitches, phonemes, nucleus }, n) =>
          [
            frame / RATE,
            (frame + frames) / RATE,
            pitches[0]!.pitch,
            nucleus > 0 && VOICELESS.has(phonemes[nucleus - 1]!) && (n === 0 || notes[n - 1]!.phonemes.length > 0),
            phonemes[nucleus - 1] ?? "",
          ] as const,
      );
      jobs.push({
        file,
        kind: render === "pitch" ? "pitch" : "diction",
        ...{ voice: name, source, render, line, candidates, notes: times },
        choice: values.choice || render.startsWith("rhyme"),
      });
    }
  }
  for (let song = 0; song < Number(values.mix); song++) {
    const songs = await renderSong(name, voice, lines, song, values.out, `${name}-${source}`);
    jobs.push(...songs.map((one) => ({ kind: "mixed" as const, voice: name, source, render: "mix", ...one })));
  }
  console.log(`${name} ${source}: ${(audio / cpu).toFixed(0)} times real time of ${audio.toFixed(0)} s`);
}

if (values.python !== undefined) {
  const list = join(values.out, "jobs.json");
  writeFileSync(list, JSON.stringify(jobs));
  const script = fileURLToPath(new URL("sing/hear.py", import.meta.url));
  const told = spawnSync(values.python, [script, list], { encoding: "utf8", maxBuffer: 1 << 26 });
  if (told.status !== 0) throw new Error(`The Python helper failed: ${told.stderr.slice(-2000)}`);
  const heard = told.stdout
    .split("\n")
    .filter((text) => text.startsWith("{"))
    .map((text) => JSON.parse(text) as Heard);
  for (const { name, source } of sung) {
    const own = heard.filter((one) => one.voice === name && one.source === source);
    for (const render of [...values.renders.split(",").filter((one) => one !== "pitch"), "mix"]) {
      const some = own.filter((one) => one.render === render);
      const free = some.filter((one) => one.of_words !== undefined);
      if (free.length > 0) {
        const right = shareOf(free, "right_words");
        const wrong = shareOf(free, "wrong_words");
        const over = jobs.find((job) => job.voice === name && job.source === source && job.over !== undefined)
          ? `, ${meanOver(name, source).toFixed(1)} LU over the band`
          : "";
        console.log(
          `${name} ${source} ${render}: ${right.per_cent} % ± ${right.error} of ${right.words} words right, error ${wrong.per_cent} %${render === "mix" ? over : ""}`,
        );
        const before = heard.filter(
          (one) =>
            one.voice === name && one.source === sources[0] && one.render === render && one.of_words !== undefined,
        );
        if (source !== sources[0] && before.length === free.length) {
          const gained = free.map((one, n) => ({
            ...one,
            right_words: (one.right_words ?? 0) - (before[n]!.right_words ?? 0),
          }));
          const more = shareOf(gained, "right_words");
          console.log(`${name} ${source} ${render}: ${more.per_cent} points ± ${more.error} against ${sources[0]}`);
        }
      }
      const chosen = some.filter((one) => one.right !== undefined);
      if (chosen.length === 0) continue;
      console.log(
        `${name} ${source} ${render}: ${chosen.filter(({ right }) => right).length} of ${chosen.length} lines chosen`,
      );
      for (const one of chosen) if (one.right !== true) console.log(`    ${one.line} -> ${one.heard}`);
    }
    const pitched = own.filter((one) => one.cents !== undefined);
    if (pitched.length === 0) continue;
    const cents = pitched.map((one) => Math.abs(one.cents ?? 1200)).sort((a, b) => a - b);
    const onsets = pitched.flatMap(({ onset }) => (onset == null ? [] : [onset])).sort((a, b) => a - b);
    const at = (list: readonly number[], share: number): string =>
      list[Math.floor(share * (list.length - 1))]!.toFixed(3);
    console.log(
      `${name} ${source} pitch: median ${at(cents, 0.5)} cents, 95 % within ${at(cents, 0.95)}; voice first heard ${at(onsets, 0.1)} to ${at(onsets, 0.9)} s`,
    );
  }
}

/** Per cent of all words, and its standard error: of a ratio of sums over lines, to the first order. */
function shareOf(
  lines: readonly Heard[],
  key: "right_words" | "wrong_words",
): { readonly per_cent: string; readonly error: string; readonly words: number } {
  const words = lines.reduce((sum, one) => sum + (one.of_words ?? 0), 0);
  const share = lines.reduce((sum, one) => sum + (one[key] ?? 0), 0) / words;
  const apart = lines.reduce((sum, one) => sum + ((one[key] ?? 0) - share * (one.of_words ?? 0)) ** 2, 0);
  const error = Math.sqrt((apart * lines.length) / Math.max(1, lines.length - 1)) / words;
  return { per_cent: (100 * share).toFixed(1), error: (100 * error).toFixed(1), words };
}

function meanOver(name: string, source: string): number {
  const some = jobs.flatMap((job) => (job.voice === name && job.source === source ? (job.over ?? []) : []));
  return some.reduce((sum, over) => sum + over, 0) / some.length;
}

interface Heard {
  readonly voice: string;
  readonly source: string;
  readonly render?: string;
  readonly right_words?: number;
  readonly wrong_words?: number;
  readonly of_words?: number;
  readonly line?: string;
  readonly heard?: string;
  readonly right?: boolean;
  readonly cents?: number;
  readonly onset?: number | null;
}
