/** What a clause leaves unsaid: the sound that "one near" stands for, and the place that is a sound of its own. Folded text in and out. */
import { forms } from "./fold.ts";
import { match, wordsOf } from "./lexicon.ts";
import { AGAIN, AT, MATERIALS, MORE, NUMBERS, SEQUENCE, SHADES, TOGETHER } from "./words.ts";

const JOINT = new RegExp(`(${SEQUENCE.source}|${TOGETHER.source}|[,،、，])`, "gu");
/** More words than this say something of their own. */
const WORDS_MAX = 6;

/** "Two explosions far and one near" becomes "two explosions far then one near explosions". */
export function spelledOut(text: string): string {
  const pieces = text.split(JOINT);
  let named: string | undefined;
  for (let at = 0; at < pieces.length; at += 2) {
    const words = wordsOf(pieces[at]!);
    const found = match(words);
    if (found !== null) named = found.recipe.kind === "bed" ? undefined : found.places.map((n) => words[n]).join(" ");
    else if (named !== undefined && at > 0 && refersBack(pieces[at]!, words)) {
      pieces[at] = ` ${pieces[at]} ${named} `;
      pieces[at - 1] = " then ";
    }
  }
  return pieces.join("");
}

/** A number or "another", with how it is: near, loud, of metal, or more. */
function refersBack(piece: string, words: readonly string[]): boolean {
  if (words.length === 0 || words.length > WORDS_MAX) return false;
  if (AGAIN.test(piece)) return true;
  const counted = words.slice(0, 2).some((word) => NUMBERS.has(word) || /^\d+$/u.test(word));
  return (
    counted &&
    words.some((word) => {
      const spelt = forms(word);
      return MORE.has(word) || SHADES.find(spelt) !== undefined || MATERIALS.find(spelt) !== undefined;
    })
  );
}

/** A name has to be plain for its sound to be a place's: what only leans towards a sound ("night", "restaurant") is none. */
const PLAIN = 0.95;

/** "A cat by the fireplace" is a cat, and a fire behind it. */
export function placed(piece: string): readonly { readonly text: string; readonly behind: boolean }[] {
  const whole = match(wordsOf(piece));
  for (const { index, 0: word } of piece.matchAll(AT)) {
    const [text, place] = [piece.slice(0, index), piece.slice(index + word.length)];
    const [sound, around] = [match(wordsOf(text)), match(wordsOf(place))];
    if (sound === null || around === null || around.recipe.kind !== "bed" || around.recipe === sound.recipe) continue;
    // "Hit in the background of a machine shop" and the like: a name of several words that lies on both sides.
    if (whole?.recipe !== sound.recipe && whole?.recipe !== around.recipe) continue;
    if (around.score < PLAIN) continue;
    return [
      { text, behind: false },
      { text: place, behind: true },
    ];
  }
  return [{ text: piece, behind: false }];
}
