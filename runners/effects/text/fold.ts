/** Lower case, without accents, ligatures or full-width forms: how text and lexicon meet. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/ß/gu, "ss")
    .replace(/œ/gu, "oe")
    .replace(/æ/gu, "ae")
    .replace(/ø/gu, "o")
    .replace(/ł/gu, "l")
    .replace(/ı/gu, "i")
    .replace(/[’'`´]/gu, " ");
}

/** Words, numbers, and every other symbol on its own; folded text in. Scripts without spaces stay one word. */
export function tokens(folded: string): string[] {
  return folded.match(/\d+(?:[.,]\d+)?|\p{L}[\p{L}\p{M}]*|\p{Extended_Pictographic}/gu) ?? [];
}

/** A word and what it may be a form of; `of` are the languages that form words so, null for all. */
export type Forms = readonly { readonly form: string; readonly of: readonly string[] | null }[];

const ENGLISH = ["en"];
const GERMAN = ["de", "nl", "sv", "da", "no"];
const LETTERS_MIN = 3;
/** What verbs end with in a sentence, and in a dictionary: "quietscht" is "quietschen". */
const VERBS: readonly (readonly [ending: string, instead: string, of: readonly string[]])[] = [
  ["t", "en", GERMAN],
  ["e", "er", ["fr"]],
  ["ent", "er", ["fr"]],
  ["a", "ar", ["es", "pt"]],
  ["an", "ar", ["es"]],
  ["ando", "ar", ["es", "pt"]],
  ["iendo", "er", ["es"]],
  ["a", "are", ["it"]],
  ["ano", "are", ["it"]],
  ["ando", "are", ["it"]],
];

/** A word and what it may be a form of. Endings that would make other words of a language's own are taken off in those that have them alone. */
export function forms(word: string): Forms {
  const out: { form: string; of: readonly string[] | null }[] = [{ form: word, of: null }];
  const push = (form: string, of: readonly string[] | null): void => {
    if (form.length >= LETTERS_MIN && !out.some((known) => known.form === form && known.of === of))
      out.push({ form, of });
  };
  if (word.endsWith("ies")) push(`${word.slice(0, -3)}y`, ENGLISH);
  if (word.endsWith("es")) push(word.slice(0, -2), null);
  if (word.endsWith("s") && !word.endsWith("ss")) push(word.slice(0, -1), null);
  for (const ending of ["ing", "ed"]) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    push(stem, ENGLISH);
    push(`${stem}e`, ENGLISH);
    if (/(.)\1$/u.test(stem)) push(stem.slice(0, -1), ENGLISH);
  }
  for (const ending of ["ender", "ende", "end", "er", "en", "e", "n"]) {
    if (!word.endsWith(ending)) continue;
    push(word.slice(0, -ending.length), GERMAN);
    if (ending.startsWith("end")) push(`${word.slice(0, -ending.length)}en`, GERMAN);
  }
  for (const [ending, instead, of] of VERBS)
    if (word.endsWith(ending)) push(word.slice(0, -ending.length) + instead, of);
  return out;
}
