/** Tensors as they travel between a pool's thread and the process that holds the sessions: dense, row-major, by kind of element. */
export type Tensor =
  | { readonly type: "float32"; readonly dims: readonly number[]; readonly data: Float32Array }
  | { readonly type: "int64"; readonly dims: readonly number[]; readonly data: BigInt64Array }
  | { readonly type: "uint8"; readonly dims: readonly number[]; readonly data: Uint8Array }
  /** 0 or 1. */
  | { readonly type: "bool"; readonly dims: readonly number[]; readonly data: Uint8Array };

export type TensorType = Tensor["type"];
export type Tensors = Readonly<Record<string, Tensor>>;

export function count(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}

/** @throws RangeError where the number of values is not that of `dims` */
export function floats(data: Float32Array, dims: readonly number[]): Tensor {
  if (data.length !== count(dims)) throw new RangeError(`Cannot shape ${data.length} values as [${dims}]`);
  return { type: "float32", dims, data };
}

export function integers(values: readonly number[], dims: readonly number[]): Tensor {
  if (values.length !== count(dims)) throw new RangeError(`Cannot shape ${values.length} values as [${dims}]`);
  return { type: "int64", dims, data: BigInt64Array.from(values, BigInt) };
}

/** All equal to `value`. */
export function filled(type: TensorType, dims: readonly number[], value: number): Tensor {
  const length = count(dims);
  if (type === "float32") return { type, dims, data: new Float32Array(length).fill(value) };
  if (type === "int64") return { type, dims, data: new BigInt64Array(length).fill(BigInt(value)) };
  return { type, dims, data: new Uint8Array(length).fill(value) };
}

export function zeros(type: TensorType, dims: readonly number[]): Tensor {
  return filled(type, dims, 0);
}

/**
 * Gives the memory of arrays back at once, which are empty afterwards: a block's tensors are tens of megabytes, and a collector that sees
 * only their small heads lets many of them pile up (measured: 700 MB for a minute of HTDemucs).
 */
export function release(...arrays: readonly (Float32Array | Float64Array | Uint8Array | undefined)[]): void {
  for (const array of arrays) {
    const buffer = array?.buffer;
    if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
  }
}

/** The values of a tensor that must be of floats. */
export function floatsOf(tensors: Tensors, name: string): Float32Array {
  const tensor = tensors[name];
  if (tensor?.type !== "float32") throw new TypeError(`Cannot read "${name}": it is no tensor of float32`);
  return tensor.data;
}
