/** What the shared reading says of a prompt's words: what is denied is taken out, "not too loud" becomes its contrary. */
import { type Lexicon, lexiconOf, readAsk } from "../../language/mod.ts";
import { RECIPES } from "../recipes/all.ts";
import { fold, tokens } from "./fold.ts";
import { isWord } from "./meaning.ts";
import {
  anyOf,
  conceptWords,
  ENVIRONMENTS,
  FILLERS,
  listed,
  MATERIALS,
  MOSTLY,
  PLACES,
  SHADES,
  THINGS,
  wordFor,
} from "./words.ts";

export interface Affirmed {
  /** Folded, without what was denied. */
  readonly text: string;
  /** What was denied, as the reading spells it. */
  readonly denied: readonly string[];
  /** The dictionary of meanings is of English alone: whether that is what the prompt is in. */
  readonly english: boolean;
  /** Words that the reading knows nothing of. */
  readonly unknown: ReadonlySet<string>;
}

export function affirm(prompt: string): Affirmed {
  lexicon ??= soundLexicon();
  const { text, languages, mentions, unknown } = readAsk(prompt, lexicon);
  const denied: string[] = [];
  let rest = text;
  const said = [...mentions, ...unknown.map((some) => ({ ...some, phrase: some.word }))];
  const shades_softened = mentions.some(
    (mention) => mention.polarity === "softened" && SHADES.get(fold(mention.phrase)) !== undefined,
  );
  for (const { from, to, phrase, polarity } of said.sort((one, other) => other.from - one.from)) {
    // "Less loud than the wind": the wind sounds, too.
    if (polarity === "compared" && SHADES.get(fold(phrase)) === undefined)
      rest = `${rest.slice(0, from)} ${WITH} ${rest.slice(from)}`;
    if (polarity === "wanted" || polarity === "compared") continue;
    // "Not too loud footsteps": said of the footsteps already.
    if (polarity === "softened" && SHADES.get(fold(phrase)) === undefined && shades_softened) continue;
    const shade = SHADES.get(fold(phrase));
    // "Doesn't light" is a verb.
    const contrary = shade === undefined || VERB_DENIED.test(rest.slice(0, from)) ? "" : wordFor(shade.opposite);
    if (polarity === "unwanted" && shade === undefined) denied.unshift(phrase);
    // Little of a sound is a soft one.
    const kept =
      polarity === "unwanted" || shade !== undefined ? contrary : `${wordFor("soft")} ${rest.slice(from, to)}`;
    rest = `${rest.slice(0, from).replace(DENIAL, " ")} ${kept} ${rest.slice(to)}`;
  }
  return {
    text: ` ${fold(rest)} `,
    denied,
    english:
      (languages[0] ?? "en") === "en" &&
      isMostlyEnglish(
        fold(text),
        unknown.map(({ word }) => fold(word)),
      ),
    unknown: new Set(unknown.map(({ word }) => fold(word))),
  };
}

/** Whether the dictionary has what our names have not: "pies szczeka" is no English, though "pies" is. */
function isMostlyEnglish(text: string, unknown: readonly string[]): boolean {
  const foreign = unknown.filter((word) => !FILLERS.has(word) && !isWord(word)).length;
  return foreign === 0 || foreign < FOREIGN_SHARE * tokens(text).length;
}

const FOREIGN_SHARE = 0.4;
const WITH = "with";

/** What denies, and is a sound by itself: French "pas" are footsteps. */
const DENIAL = new RegExp(`(?:${anyOf(listed("denials"))})\\s+(?:\\p{L}{1,3}['’ ]\\s*)?$`, "iu");

const VERB_DENIED = /\b(?:do|does|did|ca|wo|would|could|should|must)n['’]?t\s+$/iu;

let lexicon: Lexicon | undefined;

function soundLexicon(): Lexicon {
  const tables = { trait: [SHADES], material: [MATERIALS, MOSTLY], place: [ENVIRONMENTS, PLACES] } as const;
  return lexiconOf([
    ...RECIPES.map(({ name, names }) => {
      return [`sound:${name}`, [name.replaceAll("_", " "), ...Object.values(names).flat()]] as const;
    }),
    ...[...conceptWords("sound")].map(([, name, written]) => [`sound:${name}`, [written]] as const),
    ...[...THINGS.keys()].map((thing) => [`sound:${thing}`, [thing]] as const),
    ...Object.entries(tables).flatMap(([kind, words]) =>
      words.flatMap((some) => some.keys().map((word) => [`${kind as keyof typeof tables}:${word}`, [word]] as const)),
    ),
  ]);
}
