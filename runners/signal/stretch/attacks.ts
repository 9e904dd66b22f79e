/** Where sounds are struck: places that a change of tempo must move as they are. */

/** Samples in which the level is taken: 2.9 ms at 44.1 kHz. */
const HOP = 128;
/**
 * An attack rises this much over the loudest of the hops before it, and lies within this of the loudest hop of all.
 * Ratios of power: 7 and 40 dB.
 */
const RISE = 5;
const AUDIBLE = 1e-4;
/** Hops before an attack that it must rise over: 23 ms. */
const BEFORE = 8;
/** Hops that two attacks are apart at least: 40 ms. */
const APART = 14;

/**
 * Samples at which something is struck, ascending. Power of the first difference (which weighs high frequencies as
 * attacks have them) in hops of 2.9 ms, a rise over what came before, its steepest hop within 40 ms.
 */
export function attacksOf(channels: readonly Float32Array[]): number[] {
  const frames = channels[0]?.length ?? 0;
  const hops = Math.floor(frames / HOP);
  const powers = new Float64Array(hops);
  let top = 0;
  for (const channel of channels) {
    let before = 0;
    for (let hop = 0; hop < hops; hop++) {
      let sum = 0;
      for (let n = hop * HOP; n < (hop + 1) * HOP; n++) {
        const step = channel[n]! - before;
        before = channel[n]!;
        sum += step * step;
      }
      powers[hop] = powers[hop]! + sum;
    }
  }
  for (const power of powers) top = Math.max(top, power);
  const attacks: number[] = [];
  let last = -APART;
  let strongest = 0;
  for (let hop = 0; hop < hops; hop++) {
    const power = powers[hop]!;
    if (power < AUDIBLE * top) continue;
    let most = 0;
    for (let k = Math.max(0, hop - BEFORE); k < hop; k++) most = Math.max(most, powers[k]!);
    const rise = power / (most + 1e-4 * power);
    if (rise < RISE) continue;
    if (hop - last >= APART) {
      attacks.push(hop * HOP);
      last = hop;
      strongest = power;
    } else if (power > 4 * strongest) {
      // What was taken for the attack only led into it.
      attacks[attacks.length - 1] = hop * HOP;
      last = hop;
      strongest = power;
    }
  }
  return attacks;
}
