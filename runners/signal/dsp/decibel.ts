/** 20 log10 of an amplitude ratio; -Infinity for 0. */
export function toDecibel(ratio: number): number {
  return 20 * Math.log10(ratio);
}

/** Amplitude ratio of a level in decibels. */
export function fromDecibel(decibel: number): number {
  return 10 ** (decibel / 20);
}
