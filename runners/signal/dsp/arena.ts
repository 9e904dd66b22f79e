import { type Simd, simd } from "./simd.ts";

/**
 * One stretch of the kernels' memory that all callers of a thread share: whoever calls a kernel copies its input in and its result out
 * before anything else runs, so nobody's contents need to last.
 */
export interface Arena {
  readonly kernels: Simd;
  /** Bytes from the arena's start on; larger by as much as was ever asked. */
  readonly address: number;
  /** `length` float32 values at `offset` bytes from the arena's start; good until the next call of `arena`. */
  floats(offset: number, length: number): Float32Array;
  doubles(offset: number, length: number): Float64Array;
}

let allowed = true;
let address = 0;
let size = 0;
let view: Arena | undefined;
let buffer: ArrayBuffer | undefined;

/** Whether kernels are used where they run; for tests and benchmarks of the plain forms. What was made before keeps its form. */
export function useKernels(use: boolean): void {
  allowed = use;
}

export function kernelsAllowed(): boolean {
  return allowed;
}

/** At least `bytes` of the shared stretch; undefined where the kernels cannot run. */
export function arena(bytes: number): Arena | undefined {
  const kernels = allowed ? simd() : undefined;
  if (kernels === undefined) return undefined;
  if (bytes > size) {
    // Doubled, so that what was handed out before and is lost adds up to less than what is in use.
    size = Math.max(2 * size, 2 ** Math.ceil(Math.log2(bytes)), 1 << 18);
    address = kernels.reserve(size);
  }
  // A growing memory takes its views along.
  if (view === undefined || buffer !== kernels.memory.buffer || view.address !== address) {
    const start = address;
    const memory = kernels.memory.buffer as ArrayBuffer;
    buffer = memory;
    view = {
      kernels,
      address: start,
      floats: keeping((offset, length) => new Float32Array(memory, start + offset, length)),
      doubles: keeping((offset, length) => new Float64Array(memory, start + offset, length)),
    };
  }
  return view;
}

/** A view takes 133 ns to make and 12 to find again on Bun, 65 and 44 on Deno, and callers ask for the same few block after block. */
function keeping<View extends ArrayLike<number>>(
  make: (offset: number, length: number) => View,
): (offset: number, length: number) => View {
  const kept = new Map<number, View>();
  return (offset, length) => {
    const known = kept.get(offset);
    if (known !== undefined && known.length === length) return known;
    if (kept.size >= KEPT_MAX) kept.clear();
    const made = make(offset, length);
    kept.set(offset, made);
    return made;
  };
}

const KEPT_MAX = 256;
