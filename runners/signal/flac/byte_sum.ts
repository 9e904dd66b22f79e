/** Odd and far from powers of two, so that each word reaches all higher bits of its lane. */
const FACTOR = 0x2c9277b5;
const MIXER = 0x1b_8735_93cc_9e2dn;
const LANES = 16;

/**
 * A sum by which bytes are told apart, signed, 64 bits. Their little-endian 32-bit words go round 16 lanes, each lane
 * multiplied before; then all lanes, and what fills no sixteen, go into one. One changed word always changes it. No
 * defence against design: for a program that looks for its own bytes again, several times faster than a digest.
 */
export function byteSum(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = bytes.length >> 2;
  const whole = words - (words % LANES);
  const lanes = new Int32Array(LANES);
  for (let n = 0; n < whole; n++) {
    const lane = n % LANES;
    lanes[lane] = Math.imul(lanes[lane]!, FACTOR) + view.getInt32(4 * n, true);
  }
  let sum = BigInt(bytes.length);
  const mix = (value: number): void => {
    sum = BigInt.asUintN(64, (sum ^ BigInt(value >>> 0)) * MIXER);
  };
  const turn = (bits: bigint): void => {
    sum = BigInt.asUintN(64, sum << bits) | (sum >> (64n - bits));
  };
  for (const [lane, value] of lanes.entries()) {
    mix(value);
    if (lane % 4 === 1) turn(29n);
    if (lane % 4 === 3) turn(31n);
  }
  for (let n = whole; n < words; n++) mix(view.getInt32(4 * n, true));
  for (let at = 4 * words; at < bytes.length; at++) mix(bytes[at]!);
  return BigInt.asIntN(64, sum);
}
