/** Numbers in words, where beats a minute follow. */
const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety";
const WORDED = new RegExp(
  `\\b(?:(one|a|two) hundred(?:(?: and)? |(?= ?b)))?(?:(${TENS.slice(4).replaceAll(" ", "|")})(?:[ -](${ONES.split(" ").slice(1, 10).join("|")}))?|(${ONES.replaceAll(" ", "|")}))?(?= ?(?:bpm|beats (?:per|a) minute))`,
  "giu",
);

/** "One hundred and twenty bpm" in figures; places stay. */
export function inFigures(cleaned: string): string {
  if (!/[a-z] ?(?:bpm|beats (?:per|a) minute)/iu.test(cleaned)) return cleaned;
  return cleaned.replace(WORDED, (all: string, hundreds?: string, tens?: string, ones?: string, small?: string) => {
    const place = (list: string, word: string | undefined): number =>
      word === undefined ? 0 : Math.max(0, list.split(" ").indexOf(word.toLowerCase()));
    const hundred = hundreds === undefined ? 0 : hundreds.toLowerCase() === "two" ? 200 : 100;
    const value = hundred + 10 * place(TENS, tens) + place(ONES, ones ?? small);
    return value === 0 ? all : `${value} `.padEnd(all.length);
  });
}
