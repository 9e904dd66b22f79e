/** A long piece through a model that takes blocks: cut, run, weighted, added up, handed on in order. Memory is that of a few blocks. */
import { release } from "./tensor.ts";

export interface BlockPlan {
  /** Frames of the piece. */
  readonly frames: number;
  /** Frames that the model takes and gives. */
  readonly block: number;
  readonly stride: number;
  /** Frames before the piece that the first block begins with. */
  readonly lead: number;
  /** Frames after the piece that the last block reaches to at least. */
  readonly tail: number;
  /** Weight of each frame of a block in the sum; what overlaps is divided by the sum of weights. */
  readonly weight: Float64Array;
  /** What is read beside a last block that is shorter: 0 reads nothing to its left, 0.5 puts it into the middle. */
  readonly centre: number;
  /** Blocks given to `process` at once. */
  readonly batch: number;
  /** What `process` gives stays its own, and may be the same arrays for the next block. */
  readonly reuses?: boolean | undefined;
}

/** One place in the piece. */
interface Place {
  /** First frame that is read; may lie outside the piece, where there is silence. */
  readonly read: number;
  /** Where the block's part of the result begins. */
  readonly write: number;
  /** Frames of the block before that part. */
  readonly skip: number;
  readonly length: number;
}

/**
 * @param read fills a block with the frames from `from` on, silence outside the piece
 * @param process gives for each block its results, channel by channel, each of `block` frames, which are written to and, but for `reuses`, given back afterwards
 * @param emit takes finished frames in order, in arrays that are valid until it returns
 */
export async function throughBlocks<Block>(
  plan: BlockPlan,
  channels: number,
  read: (from: number) => Block,
  process: (blocks: readonly Block[]) => Promise<readonly (readonly Float32Array[])[]>,
  emit: (from: number, channels: readonly Float32Array[]) => void,
): Promise<void> {
  const places = placesOf(plan);
  // What blocks before gave for frames that the next one gives as well.
  const overlap = Math.max(0, plan.block - plan.stride);
  const sums = Array.from({ length: channels }, () => new Float64Array(overlap));
  const weights = new Float64Array(overlap);
  let ahead = 0;
  for (let at = 0; at < places.length; at += plan.batch) {
    const now = places.slice(at, at + plan.batch);
    const results = await process(now.map((place) => read(place.read)));
    for (const [index, place] of now.entries()) {
      const { write, skip, length } = place;
      // Nothing that comes adds to what lies before the next block.
      const next = places[at + index + 1]?.write ?? plan.frames + plan.tail;
      const ready = Math.min(next - write, length);
      const parts = sums.map((_, channel) => results[index]![channel]!.subarray(skip, skip + length));
      for (const [channel, part] of parts.entries()) join(part, sums[channel]!, weights, plan.weight, ahead, ready);
      for (let n = ready; n < length; n++) weights[n - ready] = plan.weight[n]! + (n < ahead ? weights[n]! : 0);
      ahead = length - ready;
      // What lies before the piece is nobody's.
      const first = Math.max(0, -write);
      const last = Math.min(ready, plan.frames - write);
      if (last > first)
        emit(
          write + first,
          parts.map((part) => part.subarray(first, last)),
        );
    }
    // Not before the whole batch is added up: its results may be parts of one array.
    if (plan.reuses !== true) for (const channels_of_block of results) release(...channels_of_block);
  }
  release(...sums, weights);
}

function placesOf({ frames, block, stride, lead, tail, centre }: BlockPlan): readonly Place[] {
  const places: Place[] = [];
  const end = frames + tail;
  for (let write = -lead; write < end; write += stride) {
    const length = Math.min(block, end - write);
    const skip = Math.floor((block - length) * centre);
    places.push({ read: write - skip, write, skip, length });
  }
  return places;
}

/**
 * Makes a block's part up to `ready` the mean with what blocks before gave for its first `ahead` frames, and puts the rest into `sum`, from its
 * begin on. Where it is alone it stays as it is.
 */
function join(
  part: Float32Array,
  sum: Float64Array,
  weights: Float64Array,
  weight: Float64Array,
  ahead: number,
  ready: number,
): void {
  const both = Math.min(ahead, ready);
  for (let n = 0; n < both; n++) {
    const whole = weights[n]! + weight[n]!;
    part[n] = whole > 0 ? (sum[n]! + part[n]! * weight[n]!) / whole : 0;
  }
  for (let n = both; n < ready; n++) if (weight[n] === 0) part[n] = 0;
  for (let n = ready; n < part.length; n++) sum[n - ready] = part[n]! * weight[n]! + (n < ahead ? sum[n]! : 0);
}

/** `length` frames of a channel from `from` on, silence outside. */
export function cut(channel: Float32Array, from: number, length: number): Float32Array {
  const out = new Float32Array(length);
  const first = Math.max(0, from);
  const last = Math.min(channel.length, from + length);
  if (last > first) out.set(channel.subarray(first, last), first - from);
  return out;
}

/** Symmetric Hann window without its zeros: what is read alone somewhere is heard there. */
export function hannWeight(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, n) => Math.sin((Math.PI * (n + 0.5)) / size) ** 2);
}

/** Rises to the middle and falls, as Demucs weights its blocks. */
export function triangle(size: number): Float64Array {
  const half = Math.floor(size / 2);
  return Float64Array.from({ length: size }, (_, n) => (n < half ? n + 1 : size - n) / (size - half));
}
