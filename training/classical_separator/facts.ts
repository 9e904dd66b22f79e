/**
 * What the separator's networks learn from: evidence of single bands and frames of mixes, beside each stem's true share of them.
 *
 *   bun training/classical_separator/facts.ts --out FILE [--first WEIGHTS] [--singers FOLDER OF FOLDERS] [--voices FOLDER] [--variants 2] [--anew]
 *     [--points 40000] [--seed 1] FOLDER...
 *
 * Each folder holds vocals, drums, bass and other as FLAC, as training/material/make.ts and studio.ts write them. With
 * --first, evidence is what the second network takes, from the first one's opinions. Each variant mixes them anew:
 * other levels, another piece's singer, higher or lower, sides exchanged, some in mono, some without a singer or drums,
 * other tone, rooms, some driven into a limiter. The first variant of a piece is nearly as it was, unless --anew.
 * Voices are files of nothing else, as training/voices.py makes them.
 */
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Cascade, highShelf, lowShelf } from "../../runners/signal/dsp/biquad.ts";
import { random } from "../../runners/signal/dsp/random.ts";
import { Evidence, INPUTS } from "../../runners/signal/separate/evidence.ts";
import { BANDS, EDGES, SIZE } from "../../runners/signal/separate/grid.ts";
import { Opinions, SECOND_INPUTS } from "../../runners/signal/separate/opinions.ts";
import { picture } from "../../runners/signal/separate/picture.ts";
import { unpacked } from "../../runners/signal/separate/weights.ts";
import { type Channels, readChannels, readStem, readStems, STEMS } from "../material/stems.ts";
import { Spectra } from "./spectra.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    first: { type: "string" },
    singers: { type: "string" },
    voices: { type: "string" },
    variants: { type: "string", default: "2" },
    anew: { type: "boolean", default: false },
    points: { type: "string", default: "40000" },
    seconds: { type: "string", default: "26" },
    seed: { type: "string", default: "1" },
  },
});
const wanted = Number(values.points);
const first = values.first === undefined ? undefined : unpacked(JSON.parse(readFileSync(values.first, "utf8")), INPUTS);
const inputs = first === undefined ? INPUTS : SECOND_INPUTS;
const fixed = inputs.fixed!;
const OWN = inputs.words.length + fixed.planes.length / BANDS;
/** Floats of a point: which mix, its evidence, each stem's share, each stem's weight. */
const ROW = 1 + inputs.shared + OWN + 4 + 4;
const file = openSync(values.out ?? "facts.bin", "w");
writeSync(file, new Uint8Array(Float32Array.of(ROW, inputs.shared + OWN, inputs.shared, 0).buffer));

/** Whose voices replace others. */
const singing = [
  ...positionals,
  ...(values.singers === undefined ? [] : readdirSync(values.singers).map((name) => join(values.singers!, name))),
];
const voices = values.voices === undefined ? [] : readdirSync(values.voices).map((name) => join(values.voices!, name));
let mixes = 0;
for (const folder of positionals) {
  const whole = await readStems(folder);
  for (let variant = 0; variant < Number(values.variants); variant++) {
    const next = random(Number(values.seed) * 7919 + mixes * 31 + 5);
    const gauss = () => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
    // Long pieces give another excerpt each time.
    const length = whole.bass[0]!.length;
    const frames = Math.min(length, Math.floor(Number(values.seconds) * 44_100));
    const from = Math.floor(next() * (length - frames));
    const cut = (channels: Channels, at = from): Channels => channels.map((channel) => channel.slice(at, at + frames));
    const anew = values.anew || variant > 0;
    const singers = anew && next() < 0.7 ? singing[Math.floor(next() * singing.length)]! : undefined;
    const voice = singers !== undefined && next() < 0.5 ? voices[Math.floor(next() * voices.length)] : undefined;
    const swap = next() < 0.5;
    const mono = next() < 0.1;
    const parts: Float32Array[][] = [];
    for (const name of STEMS) {
      let stem = cut(whole[name]);
      if (name === "vocals" && anew) {
        const other =
          voice !== undefined
            ? await readChannels(voice)
            : singers === undefined
              ? whole.vocals
              : await readStem(singers, "vocals");
        stem = sungAt(
          other,
          singers === undefined ? from : Math.floor(next() * other[0]!.length),
          2 ** (0.35 * (2 * next() - 1)),
          frames,
        );
      }
      const missing = anew && ((name === "vocals" && next() < 0.1) || (name === "drums" && next() < 0.1));
      const gain = missing ? 0 : 10 ** (Math.max(-8, Math.min(8, (anew ? 4 : 1.5) * gauss())) / 20);
      // Half of all stems stand in a room; singers nearly always do.
      const wet =
        next() < (name === "vocals" ? 0.6 : name === "bass" ? 0.1 : 0.3) ? 10 ** (-(3 + 17 * next()) / 20) : 0;
      const wide = name === "other" ? 1 + 2 * next() ** 2 : 1;
      const toned = anew ? tone(stem, 6 * (2 * next() - 1), 6 * (2 * next() - 1), next) : stem;
      const placed = widened(toned, wide);
      const heard = wet > 0 && gain > 0 ? room(placed, wet, 0.3 + 2 * next() ** 2, next) : placed;
      parts.push(prepared(heard, gain, swap, mono));
    }
    // Singers of some pieces are soft and of others loud: each is brought near where singers are in mixes, 0 to -9 dB of the rest.
    settle(parts, -4.5 + 4.5 * (2 * next() - 1));
    if (anew && next() < 0.4) limit(parts, 1 + 4 * next() ** 2);
    const mix = parts[0]!.map((_, c) => {
      const sum = new Float32Array(parts[0]![0]!.length);
      for (const part of parts) for (let n = 0; n < sum.length; n++) sum[n]! += part[c]![n]!;
      return sum;
    });
    await gather(mix, parts, mixes++, next);
  }
  console.log(folder);
}
closeSync(file);

/** A voice from `at` on, round about, read at another speed: higher with smaller formants, or lower. */
function sungAt(voice: Channels, at: number, speed: number, frames: number): Float32Array[] {
  return voice.map((channel) => {
    const out = new Float32Array(frames);
    const size = channel.length;
    for (let n = 0; n < frames; n++) {
      const place = (at + n * speed) % size;
      const k = Math.floor(place);
      const a = channel[k]!;
      out[n] = a + (place - k) * (channel[(k + 1) % size]! - a);
    }
    return out;
  });
}

function tone(stem: Channels, low_db: number, high_db: number, next: () => number): Float32Array[] {
  const filter = new Cascade([
    lowShelf(100 * 5 ** next(), 44_100, low_db),
    highShelf(1500 * 4 ** next(), 44_100, high_db),
  ]);
  const [left, right] = stem.map((channel) => Float64Array.from(channel));
  filter.run(left!, right, left!.length);
  return [Float32Array.from(left!), Float32Array.from(right!)];
}

/** Brings the singer to `db` of the rest, where there are both. */
function settle(parts: readonly Float32Array[][], db: number): void {
  const power = (part: readonly Float32Array[]) =>
    part.reduce((sum, channel) => sum + channel.reduce((s, x) => s + x * x, 0), 0);
  const [voice, ...rest] = parts.map(power);
  const others = rest.reduce((a, b) => a + b, 0);
  if (voice! < 1e-6 || others < 1e-6) return;
  const gain = Math.sqrt((others * 10 ** (db / 10)) / voice!);
  for (const channel of parts[0]!) for (let n = 0; n < channel.length; n++) channel[n]! *= gain;
}

/** Bends the mix's peaks by a curve, `drive` times as loud as its peaks would be; every stem takes its part of it. */
function limit(parts: readonly Float32Array[][], drive: number): void {
  const size = parts[0]![0]!.length;
  let peak = 1e-9;
  for (const [c] of parts[0]!.entries()) {
    for (let n = 0; n < size; n++) peak = Math.max(peak, Math.abs(parts.reduce((sum, part) => sum + part[c]![n]!, 0)));
  }
  for (const [c] of parts[0]!.entries()) {
    for (let n = 0; n < size; n++) {
      const x = (drive * parts.reduce((sum, part) => sum + part[c]![n]!, 0)) / peak;
      const gain = Math.abs(x) < 1e-6 ? 1 : Math.tanh(x) / x;
      for (const part of parts) part[c]![n]! *= gain;
    }
  }
}

function widened([left, right]: Channels, factor: number): Channels {
  const side = (l: number, r: number) => (0.5 * (factor - 1) * (l - r)) / Math.sqrt(factor);
  return [
    left!.map((value, n) => value / Math.sqrt(factor) + side(value, right![n]!)),
    right!.map((value, n) => value / Math.sqrt(factor) - side(left![n]!, value)),
  ];
}

/** Eight delays that feed each other (Jot 1991), of unlike lengths and dull echoes: four on the left, four on the right. */
function room([left, right]: Channels, wet: number, seconds: number, next: () => number): Channels {
  const size = 0.6 + next();
  const lines = [1031, 1327, 1523, 1801, 2111, 2437, 2789, 3083].map(
    (base) => new Float32Array(Math.floor(base * size)),
  );
  const feedback = lines.map(({ length }) => 10 ** ((-3 * length) / 44_100 / seconds));
  const dull = 0.2 + 0.4 * next();
  const lows = new Float64Array(8);
  const [to_left, to_right] = [new Float32Array(left!.length), new Float32Array(left!.length)];
  const out = new Float64Array(8);
  let [dry_energy, wet_energy] = [1e-9, 1e-9];
  for (let n = 0; n < left!.length; n++) {
    let sum = 0;
    for (let k = 0; k < 8; k++) {
      const line = lines[k]!;
      const value = line[n % line.length]! * feedback[k]!;
      lows[k] = value + dull * (lows[k]! - value);
      out[k] = lows[k]!;
      sum += out[k]!;
    }
    const l = left![n]!;
    const r = right![n]!;
    for (let k = 0; k < 8; k++) {
      const line = lines[k]!;
      line[n % line.length] = (k % 2 === 0 ? l : r) + out[k]! - sum / 4;
    }
    const a = out[0]! + out[2]! - out[4]! - out[6]!;
    const b = out[1]! + out[3]! - out[5]! - out[7]!;
    to_left[n] = a;
    to_right[n] = b;
    dry_energy += l * l + r * r;
    wet_energy += a * a + b * b;
  }
  const gain = wet * Math.sqrt(dry_energy / wet_energy);
  return [to_left.map((value, n) => left![n]! + gain * value), to_right.map((value, n) => right![n]! + gain * value)];
}

function prepared(stem: Channels, gain: number, swap: boolean, mono: boolean): Float32Array[] {
  const [left, right] = swap ? [stem[1]!, stem[0]!] : [stem[0]!, stem[1]!];
  if (mono) return [left.map((value, n) => 0.5 * gain * (value + right[n]!))];
  return [left.map((value) => gain * value), right.map((value) => gain * value)];
}

async function gather(mix: Float32Array[], parts: Float32Array[][], id: number, next: () => number): Promise<void> {
  const audio = (channels: readonly Float32Array[]) => ({ sample_rate: 44_100, channels });
  const seen = await picture(audio(mix), () => undefined);
  const evidence = new Evidence(seen);
  await evidence.listen(() => undefined);
  const { frames } = seen;
  const energies = parts.map((part) => part.reduce((sum, channel) => sum + channel.reduce((s, x) => s + x * x, 0), 0));
  const whole = energies.reduce((a, b) => a + b, 0) + 1e-9;
  const scales = energies.map((energy) => 1 / Math.max(energy, 0.03 * whole));
  const spectra = [mix, ...parts].map(() => new Spectra());
  const out: number[] = [];
  const shared = new Float32Array(inputs.shared);
  const own = new Int16Array(inputs.words.length * BANDS);
  const opinions = first === undefined ? undefined : new Opinions(first, evidence, seen, 1);
  const share = new Float64Array(4);
  // Every seventh frame or so; of those, points by how much they matter, and fewer, weighted more, of those that hardly do.
  const step = 5;
  const total = Math.ceil(frames / step) * BANDS;
  const scale = wanted / total;
  const phase = Math.floor(next() * step);
  for (let frame = 0; frame < frames; frame++) {
    opinions?.move(frame);
    if (frame % step !== phase) continue;
    for (const [k, one] of spectra.entries()) one.forward(audio(k === 0 ? mix : parts[k - 1]!), frame);
    if (opinions === undefined) {
      evidence.share(frame, shared);
      evidence.fill(frame, own);
    } else opinions.fill(frame, shared, own);
    for (let band = 0; band < BANDS; band++) {
      let energy = 0;
      share.fill(0);
      const { real: xr, imaginary: xi } = spectra[0]!;
      for (let bin = EDGES[band]!; bin < EDGES[band + 1]!; bin++) {
        for (const k of [bin, (SIZE - bin) & (SIZE - 1)]) {
          energy += xr[k]! ** 2 + xi[k]! ** 2;
          for (let j = 0; j < 4; j++)
            share[j]! += xr[k]! * spectra[j + 1]!.real[k]! + xi[k]! * spectra[j + 1]!.imaginary[k]!;
        }
      }
      if (energy < 1e-7) continue;
      let mean = 0;
      for (let j = 0; j < 4; j++) mean += energy * scales[j]!;
      // The mean of `mean` over all points is about SIZE² / total; its square root decides.
      const chance = Math.min(1, scale * (0.08 + 4 * Math.sqrt((mean / 4) * (total / SIZE)) * 0.1));
      if (next() >= chance) continue;
      out.push(id, ...shared);
      for (const [k, { step }] of inputs.words.entries()) {
        if (k === fixed.behind) for (let at = band; at < fixed.planes.length; at += BANDS) out.push(fixed.planes[at]!);
        out.push(step * own[2 * ((k >> 1) * BANDS + band) + (k & 1)]!);
      }
      if (fixed.behind === inputs.words.length)
        for (let at = band; at < fixed.planes.length; at += BANDS) out.push(fixed.planes[at]!);
      for (let j = 0; j < 4; j++) out.push(Math.max(-0.2, Math.min(1.2, share[j]! / energy)));
      for (let j = 0; j < 4; j++) out.push((energy * scales[j]!) / SIZE / chance);
    }
  }
  writeSync(file, new Uint8Array(Float32Array.from(out).buffer));
  console.log(`  mix ${id}: ${out.length / ROW} points of ${total}`);
}
