/** Odd and far from powers of two, so that each sample reaches all higher bits of its lane. */
const FACTOR = 0x2c9277b5;
const MIXER = 0x1b_8735_93cc_9e2dn;
const LANES = 16;

/**
 * A sum by which blocks of samples are told apart, signed, 64 bits. Sample n goes into lane n mod 16, which is multiplied before; then all
 * lanes, and what fills no sixteen, go into one. A single changed sample always changes it. No defence against design: for a
 * program that proves its own work, several times faster than a digest.
 *
 * @param channels whole numbers, `count` of each from index `from` on
 */
export function blockSum(channels: readonly (Int32Array | Float64Array)[], from: number, count: number): bigint {
  let sum = BigInt(count);
  const lanes = new Int32Array(LANES);
  const whole = count - (count % LANES);
  const mix = (value: number): void => {
    sum = BigInt.asUintN(64, (sum ^ BigInt(value >>> 0)) * MIXER);
  };
  const turn = (bits: bigint): void => {
    sum = BigInt.asUintN(64, sum << bits) | (sum >> (64n - bits));
  };
  for (const samples of channels) {
    lanes.fill(0);
    for (let n = 0; n < whole; n++) {
      const lane = n % LANES;
      lanes[lane] = Math.imul(lanes[lane]!, FACTOR) + samples[from + n]!;
    }
    for (const [lane, value] of lanes.entries()) {
      mix(value);
      if (lane % 4 === 1) turn(29n);
      if (lane % 4 === 3) turn(31n);
    }
    for (let n = whole; n < count; n++) mix(samples[from + n]!);
  }
  return BigInt.asIntN(64, sum);
}
