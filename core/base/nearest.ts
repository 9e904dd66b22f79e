/** The one of `known` that takes the fewest edits to make of `word`; `bare` leaves out of both what says nothing. */
export function findNearest(
  word: string,
  known: readonly string[],
  bare: (text: string) => string = (text) => text,
): string {
  const edits = known.map((one) => countEdits(bare(word), bare(one)));
  return known[edits.indexOf(Math.min(...edits))]!;
}

/** The one of `known` that `word` is perhaps a misspelling of: at most `edits_max` away. */
export function findMisspelt(word: string, known: readonly string[], edits_max: number): string | undefined {
  // Others need more edits. Nobody makes us compare long words.
  const near = known.filter((one) => Math.abs(one.length - word.length) <= edits_max);
  if (near.length === 0) return undefined;
  const nearest = findNearest(word, near);
  return countEdits(word, nearest) <= edits_max ? nearest : undefined;
}

/** Levenshtein: characters to insert, delete or replace. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j]! + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
