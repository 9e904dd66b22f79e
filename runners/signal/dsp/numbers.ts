/** Rounded to so many decimals; never -0, which JSON would show as 0 and equality would not. */
export function roundTo(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals + 0;
}
