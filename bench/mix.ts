/**
 * Mixes composed pieces of many genres through the desk and measures what comes out: speed, level, width and how far each octave lies from
 * the genre's target. `bun bench/mix.ts [seconds] [genre ...]`; with MIX_OUT set, the mixes are written there as raw stereo float32.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Genre, MixCharacter, Part, Role, Score } from "../runners/music/compose/mod.ts";
import { octaveLevels } from "../runners/music/mix/balance.ts";
import { createDesk } from "../runners/music/mix/desk.ts";
import { OCTAVES, octaveTargets } from "../runners/music/mix/mod.ts";
import { integratedLoudness } from "../runners/signal/dsp/loudness.ts";
import { compose, type Piece, type Part as Played } from "../training/material/compose.ts";
import { render } from "../training/material/render.ts";

const RATE = 44_100;

interface Case {
  readonly style: string;
  readonly genre: Genre;
  readonly mix: Partial<MixCharacter>;
}

const CASES: readonly Case[] = [
  { style: "pop", genre: "pop", mix: {} },
  { style: "rock", genre: "rock", mix: { drive: 0.4, density: 0.7 } },
  { style: "metal", genre: "metal", mix: { drive: 0.7, density: 0.9, space: 0.2 } },
  { style: "house", genre: "house", mix: { pump: 0.6, density: 0.7 } },
  { style: "techno", genre: "techno", mix: { pump: 0.5, density: 0.8 } },
  { style: "hiphop", genre: "lofi", mix: { age: 0.7, brightness: 0.25 } },
  { style: "trap", genre: "trap", mix: { density: 0.7 } },
  { style: "dnb", genre: "drum_and_bass", mix: { density: 0.8 } },
  { style: "jazz", genre: "jazz", mix: { density: 0.2, drive: 0 } },
  { style: "folk", genre: "folk", mix: { density: 0.3, drive: 0 } },
  { style: "reggae", genre: "reggae", mix: {} },
  { style: "latin", genre: "salsa", mix: {} },
  { style: "ambient", genre: "ambient", mix: { space: 0.9, width: 0.9, density: 0.2, drive: 0 } },
  { style: "classical", genre: "classical", mix: { space: 0.7, density: 0.1, drive: 0 } },
  { style: "minuet", genre: "baroque", mix: { space: 0.6, density: 0.1, drive: 0 } },
];

const PLAIN: MixCharacter = {
  genre: "pop",
  space: 0.4,
  brightness: 0.5,
  drive: 0.2,
  density: 0.5,
  pump: 0,
  width: 0.6,
  age: 0,
};

const [seconds = "25", ...names] = process.argv.slice(2);
for (const found of CASES.filter(({ genre }) => names.length === 0 || names.includes(genre))) await show(found);

async function show({ style, genre, mix }: Case): Promise<void> {
  const piece = compose(style, 1, { seconds: Number(seconds) });
  const frames = Math.ceil(piece.truth.duration * RATE);
  const played = piece.parts.filter((part) => part.program !== -2 && part.notes.length > 0);
  const parts = played.map((part, index) => partOf(part, index, played, piece));
  const score = scoreOf(parts, { ...PLAIN, ...mix, genre }, piece);
  const stems = [];
  for (const part of played) {
    const all = await render({ ...piece, parts: [part] }, "musescore");
    stems.push(all[part.stem]);
  }
  let least = Number.POSITIVE_INFINITY;
  let channels: readonly Float32Array[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const before = process.cpuUsage();
    const desk = createDesk(score, { frames, ring: false, seed: 1 });
    const { signal } = new AbortController();
    for (const [index, part] of parts.entries()) await desk.add(part, stems[index]!, signal);
    channels = (await desk.finish(signal)).channels;
    const used = process.cpuUsage(before);
    least = Math.min(least, (used.user + used.system) / 1e6);
  }
  const [left, right] = [channels[0]!, channels[1]!];
  const errors = errorsOf(left, right, genre);
  const peak =
    20 * Math.log10(channels.reduce((most, channel) => channel.reduce((a, x) => Math.max(a, Math.abs(x)), most), 0));
  const { alike, power, folded } = sidesOf(left, right);
  console.log(
    [
      genre.padEnd(14),
      `${parts.length} parts`,
      `${(frames / RATE / least).toFixed(0)}x`,
      `peak ${peak.toFixed(1)}`,
      `crest ${(peak - 10 * Math.log10(power)).toFixed(1)}`,
      `plr ${(peak - integratedLoudness(channels, RATE)).toFixed(1)}`,
      `corr ${alike.toFixed(2)}`,
      `fold ${folded.toFixed(1)}`,
      `octaves ${errors.map((error) => error.toFixed(0).padStart(3)).join(" ")}`,
    ].join("  "),
  );
  const folder = process.env.MIX_OUT;
  if (folder === undefined) return;
  const both = new Float32Array(2 * frames);
  for (let n = 0; n < frames; n++) {
    both[2 * n] = left[n]!;
    both[2 * n + 1] = right[n]!;
  }
  await writeFile(join(folder, `${genre}.f32`), new Uint8Array(both.buffer));
}

/** dB over the target, seen from where both agree best. */
function errorsOf(left: Float32Array, right: Float32Array, genre: Genre): number[] {
  const levels = octaveLevels(left, right, false);
  const targets = octaveTargets(genre);
  const errors = OCTAVES.map((_, band) => levels[band]! - targets[band]!);
  const middle = errors.slice(1, 8).sort((a, b) => a - b)[3]!;
  return errors.map((error) => error - middle);
}

function sidesOf(left: Float32Array, right: Float32Array): { alike: number; power: number; folded: number } {
  let both = 0;
  let one = 0;
  let other = 0;
  for (let n = 0; n < left.length; n++) {
    both += left[n]! * right[n]!;
    one += left[n]! * left[n]!;
    other += right[n]! * right[n]!;
  }
  const mono = (one + other + 2 * both) / 4;
  return {
    alike: both / Math.sqrt(one * other),
    power: (one + other) / 2 / left.length,
    folded: 10 * Math.log10(mono / ((one + other) / 2)),
  };
}

function scoreOf(parts: readonly Part[], mix: MixCharacter, { truth }: Piece): Score {
  const beats = (truth.duration * truth.tempo) / 60;
  return {
    bpm: truth.tempo,
    metre: { beats_per_bar: truth.meter, division: truth.division },
    key: { tonic: 0, mode: "major" },
    beats,
    lead_in: 0,
    ring: false,
    sections: [{ kind: "verse", label: "A", beat: 0, beats, energy: 1 }],
    swing: truth.swing,
    chords: [],
    parts,
    moves: [],
    mix,
  };
}

/** The highest of the melodic parts leads, long tones are a pad's, the rest are chords. */
function partOf(part: Played, index: number, all: readonly Played[], { truth }: Piece): Part {
  const height = ({ notes }: Played): number => notes.reduce((sum, note) => sum + note.key, 0) / notes.length;
  const others = all.filter(({ stem }) => stem === "other");
  const top = Math.max(...others.map(height));
  const long = part.notes.reduce((sum, note) => sum + note.until - note.at, 0) / part.notes.length;
  const role: Role =
    part.stem === "drums" || part.stem === "bass"
      ? part.stem
      : height(part) === top && others.length > 1
        ? "lead"
        : long > 1.2
          ? "pad"
          : "chords";
  return {
    name: `${role} ${index}`,
    role,
    instrument: "piano",
    notes: part.notes.map(({ at, until, key, velocity }) => ({
      beat: (at * truth.tempo) / 60,
      beats: ((until - at) * truth.tempo) / 60,
      pitch: key,
      velocity: velocity / 127,
      shift: 0,
    })),
    pan: part.pan,
    level_db: 0,
  };
}
