/** Two signals through one chain of filters and soft clippers: by kernels where they run, else in plain form, with the same samples. */
import { arena } from "./arena.ts";
import { warp } from "./exact.ts";

export type Link =
  | { readonly kind: "low" | "high"; readonly hertz: number; readonly q: number }
  /** Raises (or lowers) the surroundings of `hertz` by `db`, given as the factor `gain`. */
  | { readonly kind: "peak"; readonly hertz: number; readonly q: number; readonly gain: number }
  /**
   * `drive` times the input plus `bias`, clipped by 1.5 (x - x³/3) within ±1, what `bias` alone gives taken away. By first-order
   * antiderivative antialiasing: J. Parker, V. Zavalishin, E. Le Bivic, "Reducing the aliasing of nonlinear waveshaping using
   * continuous-time convolution", DAFx 2016.
   */
  | { readonly kind: "clip"; readonly drive: number; readonly bias: number };

/**
 * Runs of silence (0.7 s at 44.1 kHz) after which nothing rings on: then the chain rests, or its memory would dwindle
 * into subnormal numbers, whose sums take a hundred times as long.
 */
const IDLE_RUNS = 30;

/** Pairs that are worked on at once. */
const RUN = 1024;
const SETTINGS = 16 * RUN;
const STATE = SETTINGS + 96;
const BYTES = STATE + 64;

/** One link, or two filters that follow one another: a kernel runs both in the time of one. */
interface Stage {
  readonly clip: { readonly drive: number; readonly bias: number } | undefined;
  /** Six values a filter. */
  readonly settings: Float64Array;
  /** Two pairs a link. */
  readonly state: Float64Array;
  readonly rest: Float64Array;
}

/** In place; `left` and `right` are of equal length and may be the same array. Yields now and then. */
export function* pairChain(
  left: Float32Array,
  right: Float32Array,
  rate: number,
  chain: readonly Link[],
): Generator<undefined, void> {
  const stages = stagesOf(chain, rate);
  const pairs = new Float64Array(2 * RUN);
  let idle = 0;
  for (let from = 0; from < left.length; from += RUN) {
    const count = Math.min(RUN, left.length - from);
    idle = isSilent(left, from, count) && isSilent(right, from, count) ? idle + 1 : 0;
    if (idle > IDLE_RUNS) {
      if (idle === IDLE_RUNS + 1) for (const { state, rest } of stages) state.set(rest);
      continue;
    }
    const memory = arena(BYTES);
    const work = memory === undefined ? pairs : memory.doubles(0, 2 * RUN);
    for (let n = 0; n < count; n++) {
      work[2 * n] = left[from + n]!;
      work[2 * n + 1] = right[from + n]!;
    }
    for (const { clip, settings, state } of stages) {
      if (memory === undefined) {
        if (clip !== undefined) clipped(work, count, clip.drive, clip.bias, state);
        else filtered(work, count, settings, state);
        continue;
      }
      const { address, kernels } = memory;
      const kept = memory.doubles(STATE, state.length);
      kept.set(state);
      if (clip !== undefined) kernels.clipPair(address, count, clip.drive, clip.bias, address + STATE);
      else {
        memory.doubles(SETTINGS, settings.length).set(settings);
        const run = settings.length === 12 ? kernels.filterPairs : kernels.filterPair;
        run(address, count, address + SETTINGS, address + STATE);
      }
      state.set(kept);
    }
    for (let n = 0; n < count; n++) {
      left[from + n] = work[2 * n]!;
      right[from + n] = work[2 * n + 1]!;
    }
    if (from % (16 * RUN) === 0) yield undefined;
  }
}

function isSilent(samples: Float32Array, from: number, count: number): boolean {
  for (let n = from; n < from + count; n++) if (samples[n] !== 0) return false;
  return true;
}

function stagesOf(chain: readonly Link[], rate: number): Stage[] {
  const stages: Stage[] = [];
  for (let at = 0; at < chain.length; at++) {
    const link = chain[at]!;
    const next = chain[at + 1];
    const links = link.kind !== "clip" && next !== undefined && next.kind !== "clip" ? [link, next] : [link];
    at += links.length - 1;
    const rest = joined(links.map(resting));
    stages.push({
      clip: link.kind === "clip" ? link : undefined,
      settings: joined(links.map((one) => settingsOf(one, rate))),
      state: rest.slice(),
      rest,
    });
  }
  return stages;
}

function joined(parts: readonly Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

/** a1, a2, a3 of ./svf.ts, then what of the input, of the band and of the low goes out. */
function settingsOf(link: Link, rate: number): Float64Array {
  if (link.kind === "clip") return new Float64Array(6);
  const k = 1 / link.q;
  const g = warp(Math.min(0.46, link.hertz / rate));
  const a1 = 1 / (1 + g * (g + k));
  let mix = [0, 0, 1];
  if (link.kind === "high") mix = [1, -k, -1];
  else if (link.kind === "peak") mix = [1, k * (link.gain - 1), 0];
  return Float64Array.of(a1, g * a1, g * g * a1, ...mix);
}

function resting(link: Link): Float64Array {
  if (link.kind !== "clip") return new Float64Array(4);
  const rest = integral(link.bias);
  return Float64Array.of(link.bias, link.bias, rest, rest);
}

function filtered(pairs: Float64Array, count: number, settings: Float64Array, state: Float64Array): void {
  for (let at = 0; 6 * at < settings.length; at++)
    filteredBy(pairs, count, settings.subarray(6 * at, 6 * at + 6), state.subarray(4 * at, 4 * at + 4));
}

/** As the kernel sums it: products taken ahead. */
function filteredBy(pairs: Float64Array, count: number, settings: Float64Array, state: Float64Array): void {
  const [a1, a2, a3, direct, band, low] = settings as unknown as [number, number, number, number, number, number];
  const m11 = 2 * a1 - 1;
  const m21 = 2 * a2;
  const m22 = 1 - 2 * a3;
  const n2 = 2 * a3;
  const o0 = direct + band * a2 + low * a3;
  const o1 = band * a1 + low * a2;
  const o2 = low * (1 - a3) - band * a2;
  for (let side = 0; side < 2; side++) {
    let ic1 = state[side]!;
    let ic2 = state[2 + side]!;
    for (let n = side; n < 2 * count; n += 2) {
      const v0 = pairs[n]!;
      pairs[n] = o0 * v0 + (o1 * ic1 + o2 * ic2);
      const next = m11 * ic1 - m21 * ic2 + m21 * v0;
      ic2 = m21 * ic1 + m22 * ic2 + n2 * v0;
      ic1 = next;
    }
    state[side] = ic1;
    state[2 + side] = ic2;
  }
}

function clipped(pairs: Float64Array, count: number, drive: number, bias: number, state: Float64Array): void {
  const rest = shaped(bias);
  for (let side = 0; side < 2; side++) {
    let x0 = state[side]!;
    let f0 = state[2 + side]!;
    for (let n = side; n < 2 * count; n += 2) {
      const x1 = drive * pairs[n]! + bias;
      const f1 = integral(x1);
      const apart = x1 - x0;
      const y = Math.abs(apart) > 1e-4 ? (f1 - f0) / apart : shaped(0.5 * (x0 + x1));
      pairs[n] = 1.5 * (y - rest);
      x0 = x1;
      f0 = f1;
    }
    state[side] = x0;
    state[2 + side] = f0;
  }
}

/** x - x³/3 up to ±1, flat beyond. */
function shaped(x: number): number {
  const held = Math.max(-1, Math.min(1, x));
  return held - held * held * held * (1 / 3);
}

function integral(x: number): number {
  const square = x * x;
  return square < 1 ? square * (0.5 - square * (1 / 12)) : Math.abs(x) * (2 / 3) - 0.25;
}
