/** Half precision: ONNX's element types of it, and its values in single precision. */

/** By onnx.proto3's number. */
const HALVES: Readonly<Record<number, string>> = { 10: "float16", 16: "bfloat16" };

export function isHalf(element: number): boolean {
  return element in HALVES;
}

/** Values of that type, by their 16 bits each, as a tensor's bytes in single precision. */
export function widen(element: number, halves: readonly number[]): Buffer {
  const values = Buffer.alloc(4 * halves.length);
  for (const [n, half] of halves.entries()) {
    // The upper half of a single's bits.
    if (HALVES[element] === "bfloat16") values.writeUInt32LE((half << 16) >>> 0, 4 * n);
    else values.writeFloatLE(singleOf(half), 4 * n);
  }
  return values;
}

/** Of a float16's bits. */
function singleOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
