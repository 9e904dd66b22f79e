/**
 * Drums of recorded kits, one by one, as the orchestra plays them in a genre; beside them those of a SoundFont with recorded layers of force.
 *
 *   bun bench/kits.ts [kit/genre …] [--peer=FILE.sf2 …]        a line of JSON for each drum, then how far kits are from each other
 *
 * - `brightness`: spectral centroid at five forces, Hz, and `octaves` between the second and the last.
 * - `seconds`: until 20 dB below the height, at forces of 0.3 and 0.95.
 * - `alike`: highest correlation of a stroke with the one before, within 2 ms, mean of seven equal ones.
 * - `forces_alike`: the same between strokes of neighbouring forces. Of a peer, which recorded each force once, it is all there is.
 * - `apart_db`: mean difference of third-octave spectra of the same drums of two kits, levels left out.
 */
import { readFile } from "node:fs/promises";
import { BasicSoundBank, SoundBankLoader } from "spessasynth_core";
import type { Instrument } from "../runners/music/compose/instruments.ts";
import { RATE } from "../runners/music/play/performance.ts";
import { alike, BEAT, centroid, mean, onset, played, spectrum, thirds } from "./instruments/strikes.ts";

const DRUMS = { kick: 36, snare: 38, closed_hat: 42, open_hat: 46, tom: 45, ride: 51, crash: 49 } as const;
const FORCES = [0.3, 0.45, 0.6, 0.8, 0.95];
const KITS =
  "acoustic_kit/pop acoustic_kit/funk acoustic_kit/reggae rock_kit/rock rock_kit/metal jazz_kit/jazz brush_kit/jazz brush_kit/singer_songwriter";

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Seconds until 5 ms of it are 20 dB below the loudest 5 ms. */
function seconds(samples: Float32Array): number {
  const step = Math.round(0.005 * RATE);
  const levels = Array.from({ length: Math.floor(samples.length / step) }, (_, n) =>
    samples.subarray(n * step, (n + 1) * step).reduce((sum, value) => sum + value * value, 0),
  );
  const top = levels.indexOf(Math.max(...levels));
  const end = levels.findIndex((level, n) => n > top && level < levels[top]! / 100);
  return ((end < 0 ? levels.length : end) - top) * 0.005;
}

function described(strokes: readonly Float32Array[], equal: readonly Float32Array[]) {
  const hertz = strokes.map((stroke) => Math.round(centroid(spectrum(stroke, 0, 8192), 8192)));
  const pairs = (some: readonly Float32Array[]): number =>
    mean(some.slice(1).map((stroke, n) => alike(joined(some[n]!, stroke), GAP, some[n]!.length + 2 * GAP)));
  return {
    brightness: hertz,
    octaves: round(Math.log2(hertz.at(-1)! / hertz[1]!), 2),
    seconds: [round(seconds(strokes[0]!), 2), round(seconds(strokes.at(-1)!), 2)],
    ...(equal.length > 0 ? { alike: round(pairs(equal), 2) } : {}),
    forces_alike: round(pairs(strokes), 2),
  };
}

const GAP = 200;
function joined(a: Float32Array, b: Float32Array): Float32Array {
  const out = new Float32Array(a.length + b.length + 3 * GAP);
  out.set(a, GAP);
  out.set(b, a.length + 2 * GAP);
  return out;
}

async function strokesOf(kit: Instrument, genre: string, pitch: number, forces: readonly number[], seed = 1) {
  const all = await played(
    kit,
    forces.map((velocity, n) => ({ beat: 8 * n + 1, beats: 0.5, pitch, velocity })),
    8 * forces.length + 2,
    seed,
    genre,
  );
  return forces.map((_, n) => {
    const from = onset(all, Math.round((8 * n + 0.9) * BEAT), (8 * n + 2) * BEAT);
    return all.slice(Math.max(0, from - 20), Math.round((8 * n + 8.8) * BEAT));
  });
}

const colours = new Map<string, number[][]>();
async function measureKit(name: string): Promise<void> {
  const [kit, genre = "pop"] = name.split("/") as [Instrument, string];
  const spectra: number[][] = [];
  for (const [drum, pitch] of Object.entries(DRUMS)) {
    const strokes = await strokesOf(kit, genre, pitch, FORCES);
    const equal = await strokesOf(
      kit,
      genre,
      pitch,
      Array.from({ length: 8 }, () => 0.8),
    );
    spectra.push(thirds(spectrum(strokes[3]!, 0, 32_768), 32_768));
    console.log(JSON.stringify({ kit: name, drum, ...described(strokes, equal) }));
  }
  colours.set(name, spectra);
}

async function measurePeer(file: string): Promise<void> {
  await BasicSoundBank.isSF3DecoderReady;
  const bytes = await readFile(file);
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const [preset] = SoundBankLoader.fromArrayBuffer(whole as ArrayBuffer).presets;
  const spectra: number[][] = [];
  for (const [drum, pitch] of Object.entries(DRUMS)) {
    const strokes = FORCES.map((force) => {
      const { sample } = preset!.getVoiceParameters(pitch, Math.round(102 * (force / 0.8) ** 0.75))[0]!;
      const data = sample.getAudioData();
      return data.slice(Math.max(0, onset(data, 0, data.length) - 20));
    });
    spectra.push(thirds(spectrum(strokes[3]!, 0, 32_768), 32_768));
    console.log(JSON.stringify({ kit: preset!.name, drum, ...described(strokes, []) }));
  }
  colours.set(preset!.name, spectra);
}

const asked = process.argv.slice(2);
const peers = asked.filter((word) => word.startsWith("--peer=")).map((word) => word.slice(7));
const kits = asked.filter((word) => !word.startsWith("--"));
for (const kit of kits.length > 0 || peers.length > 0 ? kits : KITS.split(" ")) await measureKit(kit);
for (const peer of peers) await measurePeer(peer);
const names = [...colours.keys()];
for (const [n, one] of names.entries())
  for (const other of names.slice(n + 1)) {
    const apart = colours
      .get(one)!
      .map((a, drum) => mean(a.map((value, band) => Math.abs(value - colours.get(other)![drum]![band]!))));
    console.log(
      JSON.stringify({ between: [one, other], apart_db: round(mean(apart), 2), each: apart.map((db) => round(db, 1)) }),
    );
  }
