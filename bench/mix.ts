/**
 * Mixes songs and instrumentals of twenty genres and measures them against their references (runners/music/mix/targets.ts): spectrum in thirds
 * of octaves, width by octave, crest, loudness of sections, the voice against the band by section, sharpness of s sounds, processor time.
 *
 *   bun bench/mix.ts [GENRE ...] [--seconds 30] [--seed 7] [--songs | --instrumentals] [--against CHECKOUT] [--out FOLDER]
 *
 * With --against, another checkout's desk mixes the same stems. Writes figures.json and, with --out, each mix as GENRE-KIND-DESK.wav.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { channelOf } from "../runners/music/mix/channel.ts";
import { wav } from "../test/audio.ts";
import { figuresOf, loudnessIn, sibilance, weighted } from "./mix/figures.ts";
import { type CreateDesk, isSung, mixOf, type Piece, PROMPTS, pieceOf } from "./mix/pieces.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "30" },
    seed: { type: "string", default: "7" },
    songs: { type: "boolean", default: false },
    instrumentals: { type: "boolean", default: false },
    against: { type: "string" },
    out: { type: "string" },
  },
});

interface DeskUnderTest {
  readonly name: string;
  readonly createDesk: CreateDesk;
  /** The voice alone after its strip. */
  treat(piece: Piece): Promise<Float32Array | undefined>;
}

async function deskOf(name: string, root: string): Promise<DeskUnderTest> {
  const from = (file: string): string => join(root, "runners/music/mix", file);
  const { createDesk } = await import(from("desk.ts"));
  const { Strip } = await import(from("strip.ts"));
  const { Buses } = await import(from("buses.ts"));
  return {
    name,
    createDesk,
    async treat({ score, frames, stems }) {
      const voice = stems.find(({ part }) => part.role === "vocal");
      if (voice === undefined) return undefined;
      const buses = new Buses(frames, false);
      for (const _ of new Strip(score, buses).add(voice.part, voice.stem, channelOf(voice.part, score)));
      return buses.left;
    },
  };
}

const desks = [await deskOf("this", resolve(import.meta.dirname, ".."))];
if (values.against !== undefined) desks.unshift(await deskOf("that", resolve(values.against)));
const kinds = values.songs ? ["song"] : values.instrumentals ? ["instrumental"] : ["song", "instrumental"];
const rows: (Record<string, unknown> & { readonly desk: string })[] = [];
const pad = (value: number | undefined, digits = 1): string =>
  (value === undefined || !Number.isFinite(value) ? "-" : value.toFixed(digits)).padStart(5);

console.log(
  "genre         kind desk | thirds width  low | crest  plr  range | sections LU (energy) | voice LU | s  | cpu x",
);
for (const [genre, prompt] of Object.entries(PROMPTS)) {
  if (positionals.length > 0 && !positionals.includes(genre)) continue;
  for (const kind of kinds) {
    const piece = await pieceOf(prompt, kind === "song", Number(values.seconds), Number(values.seed));
    for (const desk of desks) {
      const { audio, cpu } = await mixOf(piece, desk.createDesk);
      const band = kind === "song" ? await mixOf(piece, desk.createDesk, (part) => !isSung(part)) : undefined;
      const { score, secondsAt, lines } = piece;
      const samples = weighted(audio.channels);
      const figures = figuresOf(audio.channels, score.mix);
      const others = band === undefined ? undefined : weighted(band.audio.channels);
      const sections = score.sections.map(({ kind: name, beat, beats, energy }) => {
        const [start, end] = [secondsAt(beat), secondsAt(beat + beats)];
        const here = lines.filter((line) => (line.start + line.end) / 2 >= start && (line.start + line.end) / 2 < end);
        return {
          ...{ kind: name, start, end, energy, loudness: loudnessIn(samples, start, end) },
          voice: others === undefined || here.length === 0 ? undefined : voiceOver(samples, others, here),
        };
      });
      const voice = others === undefined ? undefined : voiceOver(samples, others, lines);
      const treated = await desk.treat(piece);
      const dry = piece.stems.find(({ part }) => part.role === "vocal")?.stem[0];
      const sharp = treated === undefined || dry === undefined ? undefined : sibilance(dry, treated);
      const speed = piece.frames / 44_100 / cpu;
      rows.push({ genre, kind, desk: desk.name, heard: score.mix.genre, ...figures, sections, voice, sharp, speed });
      const loudest = Math.max(...sections.map(({ loudness }) => loudness));
      console.log(
        `${genre.padEnd(13)} ${kind.slice(0, 4)} ${desk.name} | ${pad(figures.spectrum_db)} ${pad(figures.width_db)} ${pad(figures.side_low_db, 0)} | ${pad(figures.crest_db)} ${pad(figures.peak_over_loudness_db)} ${pad(figures.range_lu)} | ${sections.map((one) => `${one.kind} ${(one.loudness - loudest).toFixed(1)} (${one.energy.toFixed(2)})`).join(", ")} | ${pad(voice)} ${sections.flatMap((one) => (one.voice === undefined ? [] : one.voice.toFixed(1))).join(" ")} | ${pad(sharp)} | ${speed.toFixed(0)}`,
      );
      if (values.out !== undefined) {
        mkdirSync(values.out, { recursive: true });
        writeFileSync(join(values.out, `${genre}-${kind}-${desk.name}.wav`), wav([...audio.channels]));
      }
    }
  }
}
for (const { name } of desks) {
  const own = rows.filter(({ desk }) => desk === name);
  const mean = (key: string): string => {
    const numbers = own.flatMap((row) => (typeof row[key] === "number" ? [row[key]] : []));
    return (numbers.reduce((sum, value) => sum + value, 0) / numbers.length).toFixed(2);
  };
  const keys = ["spectrum_db", "width_db", "side_low_db", "crest_db", "peak_over_loudness_db", "range_lu", "voice"];
  console.log(`${name}: ${[...keys, "sharp", "speed"].map((key) => `${key} ${mean(key)}`).join(", ")}`);
}
writeFileSync(join(values.out ?? ".", "figures.json"), JSON.stringify(rows, undefined, 1));

/** LU of the voices above the band over `spans`: what a gain on the band's own mix does not explain, a gain for every line. */
function voiceOver(
  all: readonly [Float64Array, Float64Array],
  band: readonly [Float64Array, Float64Array],
  spans: readonly { readonly start: number; readonly end: number }[],
): number {
  let [kept, rest] = [0, 0];
  for (const { start, end } of spans) {
    let [cross, own, whole] = [0, 0, 0];
    for (let n = Math.floor(start * 44_100); n < Math.min(all[0].length, end * 44_100); n++)
      for (const channel of [0, 1] as const) {
        const [a, b] = [all[channel][n]!, band[channel][n]!];
        cross += a * b;
        own += b * b;
        whole += a * a;
      }
    const gain = own > 0 ? cross / own : 0;
    kept += gain * gain * own;
    rest += Math.max(0, whole - gain * gain * own);
  }
  return 10 * Math.log10(Math.max(1e-12, rest) / Math.max(1e-12, kept));
}
