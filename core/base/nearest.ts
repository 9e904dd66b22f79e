/** The one of `known` that takes the fewest edits to make of `word`; `bare` leaves out of both what says nothing. */
export function findNearest(
  word: string,
  known: readonly string[],
  bare: (text: string) => string = (text) => text,
): string {
  const edits = known.map((one) => countEdits(bare(word), bare(one)));
  return known[edits.indexOf(Math.min(...edits))]!;
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
