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
 * @param process gives for each block its results, channel by channel, each of `block` frames, which are given back afterwards
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
  const sums = Array.from({ length: channels }, () => new Float64Array(plan.block));
  const weights = new Float64Array(plan.block);
  /** Frame of the piece that the sums begin at. */
  let begin = places[0]!.write;
  for (let at = 0; at < places.length; at += plan.batch) {
    const now = places.slice(at, at + plan.batch);
    const results = await process(now.map((place) => read(place.read)));
    for (const [index, place] of now.entries()) {
      addUp(plan, place, results[index]!, sums, weights, place.write - begin);
      // Nothing that comes adds to what lies before the next block.
      const until = places[at + index + 1]?.write ?? plan.frames + plan.tail;
      flush(plan, begin, until, sums, weights, emit);
      begin = until;
    }
    // Not before the whole batch is added up: its results may be parts of one array.
    for (const channels_of_block of results) release(...channels_of_block);
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

function addUp(
  { weight }: BlockPlan,
  { skip, length }: Place,
  result: readonly Float32Array[],
  sums: readonly Float64Array[],
  weights: Float64Array,
  to: number,
): void {
  for (const [channel, sum] of sums.entries()) {
    const from = result[channel]!;
    for (let n = 0; n < length; n++) sum[to + n]! += from[skip + n]! * weight[n]!;
  }
  for (let n = 0; n < length; n++) weights[to + n]! += weight[n]!;
}

/** Hands on the frames from `begin` to `until`, and moves the rest to the front. */
function flush(
  { frames, block }: BlockPlan,
  begin: number,
  until: number,
  sums: readonly Float64Array[],
  weights: Float64Array,
  emit: (from: number, channels: readonly Float32Array[]) => void,
): void {
  const ready = Math.min(until - begin, block);
  // What lies before the piece is nobody's.
  const first = Math.max(0, -begin);
  const last = Math.min(ready, frames - begin);
  if (last > first) {
    const made = sums.map((sum) => {
      const out = new Float32Array(last - first);
      for (let n = first; n < last; n++) out[n - first] = weights[n]! > 0 ? sum[n]! / weights[n]! : 0;
      return out;
    });
    emit(begin + first, made);
    release(...made);
  }
  for (const sum of [...sums, weights]) {
    sum.copyWithin(0, ready);
    sum.fill(0, block - ready);
  }
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
