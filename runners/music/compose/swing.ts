/**
 * Where a written beat is played in swing: each beat is bent so that its middle falls on `swing`, and what lies between follows in proportion.
 * Whole beats stay. Parts are written straight; their writers bend every note's beginning, and end, through this once.
 *
 * @param beat any, negative too
 * @param swing 0.5 straight to 0.75; 0.67 makes triplets of quavers
 */
export function swung(beat: number, swing: number): number {
  if (swing === 0.5) return beat;
  const whole = Math.floor(beat);
  const part = beat - whole;
  return whole + (part < 0.5 ? part * 2 * swing : swing + (part - 0.5) * 2 * (1 - swing));
}
