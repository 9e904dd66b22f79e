/**
 * Writes a page with players and pictures, to judge by ear and eye.
 *
 *   npm run listen [-- --out FOLDER] [--only WORD] [--seed 1]
 *
 * Each piece is made as the service makes it, mastered and written as FLAC. Under each player: waveform with its sections, spectrogram
 * (logarithmic, 40 Hz to 18 kHz), what was understood, what was composed, and what was measured.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Audio, Output } from "../core/plugin.ts";
import type { Level } from "../core/ports/mod.ts";
import { studio } from "../runners/delivery.ts";
import { run as makeEffect } from "../runners/effects/effect.ts";
import { clockOf } from "../runners/music/compose/mod.ts";
import { remix } from "../runners/music/remix/remix.ts";
import { remixSong } from "../runners/music/remix/song.ts";
import { readLyrics } from "../runners/music/sing/lyrics/lyrics.ts";
import type { Frame } from "../runners/music/sing/setting/frame.ts";
import { type LineTiming, phrasesOf, timingsOf } from "../runners/music/sing/setting/phrases.ts";
import { setLyrics } from "../runners/music/sing/setting/setting.ts";
import { RATE, sing } from "../runners/music/sing/voice/singer.ts";
import { VOICES, type VoiceName } from "../runners/music/sing/voice/voices.ts";
import { makeInstrumentals } from "../runners/music/studio/instrumental.ts";
import { makeSample } from "../runners/music/studio/sample.ts";
import type { ScoreReport } from "../runners/music/studio/score_report.ts";
import { makeSongs } from "../runners/music/studio/song.ts";
import { Fft } from "../runners/signal/dsp/fft.ts";
import type { Palette } from "../runners/signal/picture/drawing.ts";
import { encodePngs } from "../runners/signal/picture/png.ts";
import { makeAll } from "../test/audio.ts";
import { measure } from "./create/measure.ts";
import { ownCpuSeconds } from "./measure.ts";
import { escaped } from "./svg.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "listen" },
    only: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
const job = { signal: new AbortController().signal, progress: () => undefined };
const seed = Number(values.seed);

interface Piece {
  readonly group: string;
  readonly prompt: string;
  readonly level: Level;
  make(): Promise<Output>;
}

const loud: Level = { kind: "loudness", target_lufs: -14, allow_compression: true };

const instrumental = (prompt: string): Piece => ({
  group: "Instrumentals",
  prompt,
  level: loud,
  make: async () => (await makeAll(await makeInstrumentals({ prompt, seeds: [seed] }, job)))[0]!,
});
const LYRICS = `[Intro]
[Verse]
Morning on the river, silver on the stone
Every road I wander leads me back to home
Paper boats and promises drifting out to sea
All the doors are open and the air is free
[Chorus]
Carry me over, carry me on
Sing till the night is gone
[Verse]
Lanterns in the harbour, letters in the rain
Every word you gave me I would give again
[Chorus]
Carry me over, carry me on
Sing till the night is gone
[Outro]`;
const song = (prompt: string): Piece => ({
  group: "Songs",
  prompt,
  level: loud,
  make: async () => (await makeAll(await makeSongs({ lyrics: LYRICS, prompt, seconds: 45, seeds: [seed] }, job)))[0]!,
});
/** Two lines without a band, a space or a second voice: what a spectrogram of the voice is looked at on. */
const voice = (name: VoiceName): Piece => ({
  group: "Voices",
  prompt: `${name}, dry: two lines, 96 bpm`,
  level: loud,
  make: async () => {
    const chord = (beat: number, root: number) => ({
      ...{ beat, beats: 4, root, bass: root, tones: [root, (root + 4) % 12, (root + 7) % 12], symbol: "" },
    });
    const verse = { kind: "verse", label: "verse", beat: 0, beats: 16, energy: 0.6, lines: 2 } as const;
    const frame: Frame = {
      ...{
        bpm: 96,
        metre: { beats_per_bar: 4, division: 2 },
        key: { tonic: 0, mode: "major" },
        swing: 0.5,
        genre: "pop",
      },
      sections: [verse],
      chords: [chord(0, 0), chord(4, 5), chord(8, 7), chord(12, 0)],
    };
    const setting = setLyrics(readLyrics(LYRICS.split("\n").slice(1, 4).join("\n")), frame, VOICES[name], seed);
    const clock = clockOf({ bpm: frame.bpm, lead_in: 1 });
    const phrases = phrasesOf(setting, "lead", clock, RATE);
    const samples = sing(phrases, Math.round(clock.seconds(17) * RATE), { voice: VOICES[name], seed });
    return {
      audio: { sample_rate: RATE, channels: [samples, samples.slice()] },
      engine: "sing",
      report: { lines: timingsOf(setting, clock) },
    };
  },
});
/** Of a piece that the studio makes first. */
const remixed = (source: string, prompt: string, lyrics?: string): Piece => ({
  group: "Remixes",
  prompt: `${source} → ${prompt}${lyrics === undefined ? "" : ", sung"}`,
  level: loud,
  make: async () => {
    const [original] = await makeAll(await makeInstrumentals({ prompt: source, seeds: [seed] }, job));
    const given = { source: original!.audio, prompt, seeds: [seed] };
    const made = lyrics === undefined ? await remix(given, job) : await remixSong({ ...given, lyrics }, job);
    return (await makeAll(made))[0]!;
  },
});
const sample = (prompt: string, seconds: number, loop: boolean): Piece => ({
  group: loop ? "Loops" : "Samples",
  prompt: `${prompt} (${seconds} s)`,
  level: { kind: "peak" },
  make: () => makeSample({ prompt, seconds, loop, seed }, job),
});
const effect = (prompt: string): Piece => ({
  group: "Effects",
  prompt,
  level: { kind: "peak" },
  make: () => makeEffect({ prompt, seed }, job),
});

const PIECES: readonly Piece[] = [
  instrumental("bright indie pop with jangly guitars, handclaps and glockenspiel, 120 bpm, in D major"),
  instrumental("lo-fi hip hop, rainy night, mellow rhodes, vinyl crackle"),
  instrumental("epic orchestral trailer with taiko and brass, D minor"),
  instrumental("deep house, warm pads, groovy bass, 122 bpm"),
  instrumental("solo piano, melancholic and slow"),
  instrumental("smooth jazz with saxophone, brushed drums and upright bass"),
  instrumental("bossa nova with nylon guitar and flute"),
  instrumental("heavy metal with double bass drums, E minor, 160 bpm"),
  instrumental("80s synthwave night drive"),
  instrumental("liquid drum and bass, airy pads"),
  instrumental("dark trap with 808s and bells"),
  instrumental("funk with slap bass, clavinet and horns"),
  instrumental("roots reggae, laid back"),
  instrumental("celtic jig with fiddle and whistle"),
  instrumental("a Viennese waltz for strings"),
  instrumental("ambient soundscape, warm drones, no drums"),
  instrumental("8-bit boss battle"),
  instrumental("baroque harpsichord and strings, allegro"),
  instrumental("salsa with piano montuno, congas and trumpets"),
  instrumental("corporate motivational background with piano and muted guitar"),
  song("indie folk, warm, acoustic guitar, female voice, 96 bpm"),
  song("80s synthpop, bright, male voice"),
  song("soul ballad with organ and horns, powerful female voice"),
  song("boom bap, deep male voice"),
  ...(Object.keys(VOICES) as VoiceName[]).map(voice),
  remixed("bossa nova guitar in D major, 120 bpm", "driving synthwave"),
  remixed("solo piano waltz in A minor", "string quartet"),
  remixed("indie rock in G major, 120 bpm", "warm soul, female voice", LYRICS),
  sample("funky drum break, 104 bpm", 9.23, true),
  sample("house drums, bass and piano stabs", 7.68, true),
  sample("lo-fi chords with vinyl crackle", 12, true),
  sample("808 bass one-shot in F", 2, false),
  sample("Em7 rhodes chord", 3, false),
  sample("orchestral hit in D minor", 2, false),
  sample("trap hi-hat roll, 140 bpm", 3.43, false),
  sample("tom fill, 110 bpm", 2.5, false),
  sample("hi-hats and claps, 124 bpm", 7.74, true),
  sample("soft piano chords, dreamy", 6, false),
  sample("cinematic riser with strings", 8, false),
  effect("three knocks on a wooden door, then it creaks open"),
  effect("heavy rain on a tin roof with distant thunder"),
  effect("laser gun, then a big explosion"),
  effect("magic spell shimmer"),
];

async function main(): Promise<void> {
  await mkdir(values.out, { recursive: true });
  const chosen = PIECES.filter(({ group, prompt }) => `${group} ${prompt}`.includes(values.only ?? ""));
  const cards: { group: string; html: string }[] = [];
  for (const [index, piece] of chosen.entries()) {
    const before = ownCpuSeconds();
    const output = await piece.make();
    const cpu = ownCpuSeconds() - before;
    const name = `${String(index + 1).padStart(2, "0")}`;
    const path = join(values.out, `${name}.flac`);
    const file = await studio.finish(output, piece.level, { path, bits: 16, tags: {} }, job.signal);
    await writeFile(join(values.out, `${name}.png`), spectrogram(output.audio));
    cards.push({ group: piece.group, html: await card(piece, output, name, cpu, file.seconds) });
    console.log(
      `${name} ${file.seconds.toFixed(1)} s, ${(file.seconds / cpu).toFixed(1)} x real time: ${piece.prompt}`,
    );
  }
  await writeFile(join(values.out, "index.html"), page(cards));
  console.log(join(values.out, "index.html"));
}

const WIDTH = 900;
const HEIGHT = 220;
/** Of a label, about. */
const LETTER = 5.6;
const SIZE = 4096;
const [LOW, HIGH] = [40, 18_000];

/** One column a pixel, one row a step of log frequency; 80 dB from black to white. */
function spectrogram({ channels, sample_rate }: Audio): Uint8Array {
  const [left, right = left] = channels as [Float32Array, Float32Array?];
  const fft = new Fft(SIZE);
  const real = new Float64Array(SIZE);
  const imaginary = new Float64Array(SIZE);
  const levels = new Float32Array(WIDTH * HEIGHT);
  for (let column = 0; column < WIDTH; column++) {
    const middle = Math.floor(((column + 0.5) * left.length) / WIDTH);
    for (let n = 0; n < SIZE; n++) {
      const at = middle - SIZE / 2 + n;
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / SIZE);
      real[n] = at >= 0 && at < left.length ? window * (left[at]! + right[at]!) : 0;
      imaginary[n] = 0;
    }
    fft.transform(real, imaginary);
    for (let row = 0; row < HEIGHT; row++) {
      const hertz = LOW * (HIGH / LOW) ** (1 - row / HEIGHT);
      const upper = LOW * (HIGH / LOW) ** (1 - (row - 1) / HEIGHT);
      const from = Math.floor((hertz * SIZE) / sample_rate);
      const to = Math.max(from + 1, Math.floor((upper * SIZE) / sample_rate));
      let power = 0;
      for (let bin = from; bin < to; bin++) power = Math.max(power, real[bin]! ** 2 + imaginary[bin]! ** 2);
      levels[row * WIDTH + column] = 10 * Math.log10(power + 1e-9);
    }
  }
  const top = levels.reduce((highest, level) => Math.max(highest, level), -200);
  const pixels = Uint8Array.from(levels, (level) => 255 * Math.max(0, Math.min(1, (level - top + 80) / 80)));
  return encodePngs({ width: WIDTH, height: HEIGHT, pixels }, [HEAT])[0]!;
}

/** From black over violet and orange to nearly white. */
const HEAT: Palette = Array.from({ length: 256 }, (_, index) => {
  const x = index / 255;
  const blue = x < 0.35 ? 1.9 * x : Math.max(2.6 * x - 1.6, 0.45 - 0.4 * x);
  return [1.6 * x, 1.8 * x - 0.55, blue].map((share) => 255 * Math.max(0, Math.min(1, share))).concat(255) as never;
});

function waveform({ channels }: Audio, report: ScoreReport | undefined, seconds: number): string {
  const samples = channels[0]!;
  const points: string[] = [];
  const back: string[] = [];
  for (let x = 0; x < WIDTH; x++) {
    let [low, high] = [0, 0];
    const to = Math.floor(((x + 1) * samples.length) / WIDTH);
    for (let n = Math.floor((x * samples.length) / WIDTH); n < to; n++) {
      low = Math.min(low, samples[n]!);
      high = Math.max(high, samples[n]!);
    }
    points.push(`${x},${(50 - 45 * high).toFixed(1)}`);
    back.unshift(`${x},${(50 - 45 * low).toFixed(1)}`);
  }
  const place = (time: number): string => ((WIDTH * time) / seconds).toFixed(1);
  const sections = (report?.sections ?? []).map(({ start, kind, energy }, index, all) => {
    const room = Number(place(all[index + 1]?.start ?? Number.POSITIVE_INFINITY)) - Number(place(start));
    const name = [`${kind} ${energy}`, kind].find((text) => text.length * LETTER < room) ?? "";
    return `<line x1="${place(start)}" x2="${place(start)}" y1="0" y2="100" stroke="#c33"/><text x="${Number(place(start)) + 3}" y="11" font-size="10" fill="#c33">${name}</text>`;
  });
  return `<svg viewBox="0 0 ${WIDTH} 100" width="100%"><polygon points="${[...points, ...back].join(" ")}" fill="#2f6fb0"/>${sections.join("")}</svg>`;
}

async function card(piece: Piece, output: Output, name: string, cpu: number, seconds: number): Promise<string> {
  const composed = output.report?.composed as ScoreReport | undefined;
  const facts: string[] = [`${seconds.toFixed(2)} s`, `${(seconds / cpu).toFixed(1)} x real time`, output.engine ?? ""];
  if (composed !== undefined) {
    facts.push(`${composed.tempo_bpm} bpm`, composed.metre, composed.key);
    facts.push(composed.parts.map(({ name: part, instrument }) => `${part}: ${instrument}`).join(", "));
  }
  if (seconds > 10) {
    const heard = await measure(output.audio);
    facts.push(
      `heard: ${heard.tempo.toFixed(1)} bpm, correlation ${heard.correlation.toFixed(2)}, crest before mastering ${heard.crest_db.toFixed(1)} dB, octaves ${heard.octaves_db.map((value) => value.toFixed(0)).join(" ")} dB`,
    );
  }
  const understood = escaped(JSON.stringify(output.report?.understood ?? output.report ?? {}, null, 1));
  return `<article><h3>${escaped(piece.prompt)}</h3><audio controls preload="none" src="${name}.flac"></audio>
${waveform(output.audio, composed, seconds)}<img src="${name}.png" alt="Spectrogram" width="100%">
<p>${facts.map(escaped).join(" · ")}</p><details><summary>understood</summary><pre>${understood}</pre></details>${linesOf(output)}</article>`;
}

/** Of what is sung: each line with its times, so that an ear can follow. */
function linesOf({ report }: Output): string {
  const lines = report?.lines as readonly LineTiming[] | undefined;
  if (lines === undefined) return "";
  const rows = lines.map(
    ({ line, start, end, syllables }) =>
      `<tr><td>${start.toFixed(2)}</td><td>${end.toFixed(2)}</td><td>${syllables}</td><td>${escaped(line)}</td></tr>`,
  );
  return `<details><summary>lines</summary><table><tr><th>from, s</th><th>to, s</th><th>syllables</th><th>line</th></tr>${rows.join("")}</table></details>`;
}

function page(cards: readonly { group: string; html: string }[]): string {
  const groups = [...new Set(cards.map(({ group }) => group))];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tonwerk: listen</title>
<style>body{font:15px/1.4 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2430}article{border-top:1px solid #ccd3da;padding:.5rem 0 1rem}
audio{width:100%}h3{margin:.5rem 0}p{color:#566;font-size:13px;margin:.3rem 0}pre{font-size:12px;white-space:pre-wrap}table{font-size:13px;border-spacing:.8rem .1rem}th{text-align:left;font-weight:500}</style>
<h1>Tonwerk: listen</h1>${groups
    .map(
      (group) =>
        `<h2>${group}</h2>${cards
          .filter((one) => one.group === group)
          .map(({ html }) => html)
          .join("")}`,
    )
    .join("")}</html>\n`;
}

await main();
