import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/**
 * The kernels of ./assembly, compiled to WebAssembly at set-up. Addresses are bytes within the module's memory, lengths count elements.
 * One instance a thread, loaded on first use.
 */
interface Kernels {
  survey(samples: number, runs: number, tops: number, bends: number): number;
  weighPair(
    left: number,
    right: number,
    count: number,
    room: number,
    bin: number,
    energies: number,
    coefficients: number,
    state: number,
  ): void;
  coarseGrid(samples: number, count: number, taps: number, out: number): void;
  render(samples: number, gains: number, count: number, factor: number, full: number, out: number): void;
  /** See assembly/gain_curve.ts. */
  gainCurve(cells: number, first: number, from: number, count: number, step: number, out: number): number;
  /** See assembly/hann_mean.ts. */
  hannMean(padded: number, count: number, reach: number, weights: number, out: number): void;
  polyphase(
    samples: number,
    taps: number,
    width: number,
    part: number,
    up: number,
    down: number,
    outputs: number,
    out: number,
  ): void;
  fft(real: number, imaginary: number, cos: number, sin: number, size: number): number;
  powerPair(
    real: number,
    imaginary: number,
    window: number,
    turns: number,
    size: number,
    count: number,
    first: number,
    second: number,
  ): void;
  /** See assembly/fold_half.ts. */
  foldHalf(
    left: number,
    right: number,
    count: number,
    taps: number,
    taps_count: number,
    room: number,
    out: number,
  ): void;
  /** See assembly/stereo_frames.ts. */
  stereoForward(
    left: number,
    right: number,
    hop: number,
    frames: number,
    window: number,
    turns: number,
    size: number,
    bins: number,
    packed: number,
    room: number,
    out: number,
  ): void;
  stereoInverse(
    spectra: number,
    left_mask: number,
    right_mask: number,
    mask_step: number,
    hop: number,
    frames: number,
    window: number,
    turns: number,
    size: number,
    bins: number,
    packed: number,
    room: number,
    left: number,
    right: number,
  ): void;
  convolveRows(
    samples: number,
    rows: number,
    taps: number,
    inputs: number,
    dilation: number,
    kernel: number,
    bias: number,
    groups: number,
    out: number,
  ): void;
  /** See assembly/bar_steps.ts. */
  barSteps(
    ring: number,
    rows: number,
    places: number,
    slot: number,
    before: number,
    row: number,
    begun: number,
    steps: number,
    plain: number,
    down: number,
    first_worth: number,
    likings: number,
    intervals: number,
    first: number,
    last: number,
    costs: number,
    padded: number,
    least: number,
    offsets: number,
    start: number,
    best: number,
    from: number,
    back: number,
    count: number,
  ): void;

  /** See assembly/median_rows.ts. */
  medianRows(rows: number, stride: number, count: number, width: number, room: number, out: number): void;

  /** See assembly/dense.ts. */
  dense(
    x: number,
    columns: number,
    inputs: number,
    weights: number,
    biases: number,
    units: number,
    out: number,
    rectify: number,
  ): void;
  /** See assembly/dense_words.ts. */
  denseWords(
    x: number,
    columns: number,
    pairs: number,
    weights: number,
    biases: number,
    fixed: number,
    units: number,
    out: number,
    shift: number,
  ): void;
  energyOf(values: number, count: number): number;
  /** See assembly/features.ts. */
  features(
    spectrum: number,
    bins: number,
    scale: number,
    least: number,
    steps: number,
    zero: number,
    floor: number,
    out: number,
  ): void;
  /** See assembly/see_bands.ts. */
  seeBands(
    spectrum: number,
    bins: number,
    groups: number,
    count: number,
    shares: number,
    bands: number,
    base: number,
    step: number,
    room: number,
    out: number,
  ): void;
  softmax(x: number, columns: number, outputs: number): void;
  cascadePair(left: number, right: number, count: number, settings: number, state: number, sections: number): void;
  filterPair(pairs: number, count: number, settings: number, state: number): void;
  filterPairs(pairs: number, count: number, settings: number, state: number): void;
  clipPair(pairs: number, count: number, drive: number, bias: number, state: number): void;
  hall(base: number, left: number, right: number, count: number, frame: number): void;
  voice(
    wave: number,
    position: number,
    steps: number,
    controls: number,
    filtered: number,
    state: number,
    room: number,
    left: number,
    gain_left: number,
    right: number,
    gain_right: number,
  ): number;

  // FLAC, in a workspace of its own: see runners/signal/flac/workspace.ts.
  flacBytes(): number;
  flacOpen(at: number): void;
  flacPlace(which: number): number;
  flacTake(count: number, channels: number, bits: number): number;
  flacEncode(count: number, channels: number, bits: number, head: number): number;
  flacReady(length: number): void;
  flacDecode(
    begin: number,
    body: number,
    length: number,
    count: number,
    channels: number,
    bits: number,
    assignment: number,
  ): number;
  flacProve(body: number, length: number, count: number, channels: number, bits: number, assignment: number): number;
  flacSumOf(place: number, begin: number, length: number): bigint;
  flacFloats(count: number, channels: number, bits: number): void;
  flacPack(count: number, channels: number, bits: number): void;
}

export interface Simd extends Kernels {
  /**
   * Sets `bytes` aside for as long as the thread lives; returns their address, a multiple of 16. Memory grows, so views
   * made before are void.
   */
  reserve(bytes: number): number;
  readonly memory: WebAssembly.Memory;
}

const PAGE = 65_536;
/** Below it lie the module's own constants (`--memoryBase` in scripts/kernels.mjs and what follows it). */
const FIRST = PAGE;

let loaded: Simd | undefined | null;

/**
 * The kernels, or undefined where they were not compiled from these sources or the engine lacks SIMD: callers then use
 * their plain form.
 */
export function simd(): Simd | undefined {
  if (loaded === undefined) loaded = load();
  return loaded ?? undefined;
}

const FOLDER = new URL("./assembly/", import.meta.url);

function load(): Simd | null {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(readFileSync(new URL("kernels.wasm", FOLDER)));
    if (!isOfTheseSources()) {
      process.emitWarning("The SIMD kernels are older than their sources and are not used: run `npm run setup`");
      return null;
    }
  } catch {
    return null;
  }
  if (!WebAssembly.validate(bytes)) return null;
  const memory = new WebAssembly.Memory({ initial: 1 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  let end = FIRST;
  const reserve = (wanted: number): number => {
    const start = end;
    end = (start + wanted + 15) & ~15;
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return start;
  };
  return { ...(instance.exports as unknown as Kernels), memory, reserve };
}

/**
 * After an update without set-up the compiled kernels lack functions, or have others of the same name.
 * scripts/setup.mjs wrote the stamp.
 */
function isOfTheseSources(): boolean {
  const hash = createHash("sha256").update(readFileSync(new URL("../../../../scripts/kernels.mjs", FOLDER)));
  const sources = readdirSync(FOLDER).filter((name) => name.endsWith(".ts"));
  for (const name of sources.sort()) hash.update(readFileSync(new URL(name, FOLDER)));
  return readFileSync(new URL(".compiled", FOLDER), "utf8").trim() === hash.digest("hex");
}
