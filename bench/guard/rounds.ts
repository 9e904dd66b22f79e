/** Rounds of a measurement within a share of the guard's time. */

/**
 * As many rounds as are asked for, one at least; no further one where it would not end within `seconds`, judged by the longest so far. So a slow
 * or busy machine has fewer rounds, not a longer run.
 */
export async function rounds<Round>(
  most: number,
  seconds: number,
  round: () => Promise<Round>,
  now: () => number = () => performance.now() / 1000,
): Promise<readonly Round[]> {
  const found: Round[] = [];
  const began = now();
  let longest = 0;
  for (let before = began; found.length < most; ) {
    if (found.length > 0 && before - began + longest > seconds) break;
    found.push(await round());
    const after = now();
    longest = Math.max(longest, after - before);
    before = after;
  }
  return found;
}
