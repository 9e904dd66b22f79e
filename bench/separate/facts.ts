/**
 * What the separator's network learns from: evidence of single bands and frames of mixes, beside each stem's true share of them.
 *
 *   bun bench/separate/facts.ts --out FILE [--variants 2] [--points 40000] FOLDER...
 *
 * Each folder holds vocals, drums, bass and other as FLAC, as bench/material/make.ts writes them. Each variant mixes them anew: other levels,
 * sides exchanged, some in mono, some without a singer or drums.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { random } from "../../runners/dsp/random.ts";
import { Evidence, INPUTS, SHARED } from "../../runners/separate/evidence.ts";
import { BANDS, EDGES, SIZE } from "../../runners/separate/grid.ts";
import { picture } from "../../runners/separate/picture.ts";
import { Spectra } from "../../runners/separate/spectra.ts";
import { type Channels, readStems, STEMS } from "./stems.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    variants: { type: "string", default: "2" },
    points: { type: "string", default: "40000" },
    seed: { type: "string", default: "1" },
  },
});
const wanted = Number(values.points);
/** Floats of a point: which mix, its evidence, each stem's share, each stem's weight. */
const ROW = 1 + INPUTS + 4 + 4;
const file = openSync(values.out ?? "facts.bin", "w");
writeSync(file, new Uint8Array(Float32Array.of(ROW, INPUTS, SHARED, 0).buffer));

let mixes = 0;
for (const folder of positionals) {
  const stems = await readStems(folder);
  for (let variant = 0; variant < Number(values.variants); variant++) {
    const next = random(Number(values.seed) * 7919 + mixes * 31 + 5);
    const gauss = () => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
    const swap = next() < 0.5;
    const mono = next() < 0.12;
    const parts = STEMS.map((name) => {
      const missing = variant > 0 && ((name === "vocals" && next() < 0.12) || (name === "drums" && next() < 0.1));
      const gain = missing ? 0 : 10 ** (Math.max(-8, Math.min(8, (variant === 0 ? 1.5 : 4) * gauss())) / 20);
      const lift = name === "vocals" ? 1.3 : 1;
      // Half of all stems stand in a room; singers nearly always do.
      const wet =
        next() < (name === "vocals" ? 0.8 : name === "bass" ? 0.1 : 0.45) ? 10 ** (-(3 + 17 * next()) / 20) : 0;
      const wide = name === "other" ? 1 + 2 * next() ** 2 : 1;
      const placed = widened(stems[name], wide);
      const heard = wet > 0 && gain > 0 ? room(placed, wet, 0.3 + 2 * next() ** 2, next) : placed;
      return prepared(heard, gain * lift, swap, mono);
    });
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
  const shared = new Float32Array(SHARED);
  const own = new Float32Array((INPUTS - SHARED) * BANDS);
  const share = new Float64Array(4);
  // Every seventh frame or so; of those, points by how much they matter, and fewer, weighted more, of those that hardly do.
  const step = 5;
  const total = Math.ceil(frames / step) * BANDS;
  const scale = wanted / total;
  for (let frame = Math.floor(next() * step); frame < frames; frame += step) {
    for (const [k, one] of spectra.entries()) one.forward(audio(k === 0 ? mix : parts[k - 1]!), frame);
    evidence.share(frame, shared);
    evidence.fill(frame, own);
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
      for (let k = band; k < own.length; k += BANDS) out.push(own[k]!);
      for (let j = 0; j < 4; j++) out.push(Math.max(-0.2, Math.min(1.2, share[j]! / energy)));
      for (let j = 0; j < 4; j++) out.push((energy * scales[j]!) / SIZE / chance);
    }
  }
  writeSync(file, new Uint8Array(Float32Array.from(out).buffer));
  console.log(`  mix ${id}: ${out.length / ROW} points of ${total}`);
}
