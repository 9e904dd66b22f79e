/** Rounded to so many decimals; never -0, which JSON would show as 0 and equality would not. */
export function roundTo(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals + 0;
}

/** To a thousandth, as reports and briefs have it. */
export function rounded(value: number): number {
  return roundTo(value, 3);
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
