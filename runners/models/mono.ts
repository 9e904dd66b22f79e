/** The middle of the channels: what models that hear one are given. */
export function monoOf(channels: readonly Float32Array[]): Float32Array {
  const [left, right] = channels;
  if (right === undefined) return left!;
  const middle = new Float32Array(left!.length);
  for (let n = 0; n < middle.length; n++) middle[n] = (left![n]! + right[n]!) / 2;
  return middle;
}
