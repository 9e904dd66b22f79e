/** Lower case, without accents, ligatures or full-width forms: how text and lexicon meet. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/gu, "ss")
    .replace(/œ/gu, "oe")
    .replace(/æ/gu, "ae")
    .replace(/ø/gu, "o")
    .replace(/ł/gu, "l")
    .replace(/[’'`´]/gu, " ");
}

/** Words, numbers, and every other symbol on its own; folded text in. Scripts without spaces stay one word: see `nearest`. */
export function tokens(folded: string): string[] {
  return folded.match(/\d+(?:[.,]\d+)?|\p{L}+|\p{Extended_Pictographic}/gu) ?? [];
}

/** A word and what it may be a form of: plurals, -ing, -ed. */
export function forms(word: string): string[] {
  const out = [word];
  const push = (stem: string): void => {
    if (stem.length >= 3 && !out.includes(stem)) out.push(stem);
  };
  if (word.endsWith("ies")) push(`${word.slice(0, -3)}y`);
  if (word.endsWith("es")) push(word.slice(0, -2));
  if (word.endsWith("s") && !word.endsWith("ss")) push(word.slice(0, -1));
  for (const ending of ["ing", "ed", "er", "en", "t", "y", "e", "n"]) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    // German third persons only: without the vowel, "start" would be a star.
    if (ending === "t") push(`${stem}en`);
    else push(stem);
    if (ending === "ing" || ending === "ed") {
      push(`${stem}e`);
      if (/(.)\1$/u.test(stem)) push(stem.slice(0, -1));
    }
  }
  return out;
}
