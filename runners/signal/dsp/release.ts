/**
 * Gives back the memory of arrays that nobody reads again, at once: the collectors see how small the objects are and
 * not what hangs on them, and let gigabytes of stems stand. The arrays are empty afterwards. Views of a part of a
 * buffer are left alone.
 */
export function release(...arrays: readonly (Float32Array | Float64Array | undefined)[]): void {
  for (const array of arrays) {
    if (array === undefined) continue;
    const { buffer } = array;
    if (array.byteLength > 0 && array.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) {
      buffer.transfer(0);
    }
  }
}
