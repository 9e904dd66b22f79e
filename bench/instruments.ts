/**
 * What instruments sound like, in figures: each alone, as the orchestra plays it.
 *
 *   bun bench/instruments.ts [instrument …]        one line of JSON for each
 *
 * - `brightness`: spectral centroid at velocities 0.2 to 1, Hz (mean of octaves over three notes), and `rising`, the share of steps at which
 *   it grows. Real pianos, plucked strings, winds and drums all brighten with force.
 * - `air_db`: energy above 8 kHz against all, of the first 60 ms and of all of a firm note.
 * - `alike`: highest correlation of a strike with the one before, at any lag up to 2 ms, mean of seven equal strikes. 1: a machine gun.
 * - `decay`: dB a second from 0.2 to 1.2 s of a note that is held.
 * - `patches_db`: mean difference of third-octave spectra between the same firm notes with six seeds, each against the others; level left out.
 * - `level_db`: peak of a firm note.
 */
import { type Instrument, instruments } from "../runners/music/compose/instruments.ts";
import { instrumentOf } from "../runners/music/compose/mod.ts";
import { patchOf } from "../runners/music/play/patches.ts";
import { RATE } from "../runners/music/play/performance.ts";
import { alike, BEAT, centroid, decibel, mean, onset, played, spectrum, sum, thirds } from "./instruments/strikes.ts";

/** Kick, snare, closed and open hat, tom, ride. */
const DRUMS = [36, 38, 42, 46, 45, 51];

async function measured(instrument: Instrument): Promise<object> {
  const pack = instrumentOf(instrument);
  const kit = patchOf(instrument)?.action === "kit" || pack.drum_machine !== undefined;
  const [low, high] = pack.sampled?.reach ?? pack.range;
  const midi = (name: string): number => {
    const [, letter, sign, octave] = /^([A-G])([#b]?)(-?\d)$/u.exec(name)!;
    return 12 * (Number(octave) + 1) + "C D EF G A B".indexOf(letter!) + (sign === "#" ? 1 : sign === "b" ? -1 : 0);
  };
  const pitches = kit
    ? DRUMS
    : [0.25, 0.5, 0.75].map((share) => Math.round(midi(low) + share * (midi(high) - midi(low))));
  const velocities = Array.from({ length: 9 }, (_, n) => 0.2 + 0.1 * n);
  const centroids: number[][] = velocities.map(() => []);
  const [airs, attacks, likes, decays, levels]: number[][] = [[], [], [], [], []];
  for (const pitch of pitches) {
    const force = await played(
      instrument,
      velocities.map((velocity, n) => ({ beat: 4 * n, beats: 2, pitch, velocity })),
      40,
    );
    for (const [n] of velocities.entries()) {
      const from = onset(force, 4 * n * BEAT, (4 * n + 2) * BEAT);
      centroids[n]!.push(Math.log2(centroid(spectrum(force, from - 64, 8192), 8192)));
      if (n !== 6) continue;
      const above = (size: number): number => {
        const power = spectrum(force, Math.max(0, from - 64), size);
        return decibel(sum(power, Math.round((8000 * size) / RATE)) / (sum(power) + 1e-12));
      };
      airs!.push(above(16_384));
      attacks!.push(above(2700));
      const level = (second: number): number => {
        const at = from + Math.round(second * RATE);
        return decibel(sum(force.subarray(at, at + 4410).map((value) => value * value)));
      };
      decays!.push((level(0.2) - level(0.8)) / 0.6);
      levels!.push(decibel(force.subarray(from, from + RATE).reduce((top, value) => Math.max(top, value * value), 0)));
    }
    const equal = await played(
      instrument,
      Array.from({ length: 8 }, (_, n) => ({ beat: 2 * n, beats: 0.5, pitch, velocity: 0.8 })),
      18,
    );
    const starts = Array.from({ length: 8 }, (_, n) =>
      onset(equal, Math.max(0, 2 * n * BEAT - 900), (2 * n + 1) * BEAT),
    );
    for (let n = 1; n < 8; n++) likes!.push(alike(equal, starts[n - 1]!, starts[n]!));
  }
  const spectra: number[][] = [];
  for (let seed = 1; seed <= 6; seed++) {
    const all: number[] = [];
    for (const pitch of pitches) {
      const firm = await played(instrument, [{ beat: 0, beats: 2, pitch, velocity: 0.8 }], 3, seed);
      all.push(...thirds(spectrum(firm, onset(firm, 0, BEAT), 32_768), 32_768));
    }
    spectra.push(all);
  }
  const differences: number[] = [];
  for (const [n, a] of spectra.entries())
    for (const b of spectra.slice(n + 1)) differences.push(mean(a.map((value, k) => Math.abs(value - b[k]!))));
  const brightness = centroids.map((values) => Math.round(2 ** mean(values)));
  const rising = mean(brightness.slice(1).map((value, n) => Number(value > brightness[n]!)));
  const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
  return {
    instrument,
    brightness,
    ...{ rising: round(rising, 2), octaves: round(Math.log2(brightness[8]! / brightness[1]!), 2) },
    air_db: [round(mean(attacks!)), round(mean(airs!))],
    ...{ alike: round(mean(likes!), 3), decay: round(mean(decays!)), patches_db: round(mean(differences), 2) },
    level_db: round(mean(levels!)),
  };
}

const asked = process.argv.slice(2) as Instrument[];
for (const instrument of asked.length > 0 ? asked : instruments())
  console.log(JSON.stringify(await measured(instrument)));
