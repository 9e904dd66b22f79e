/** What the shared reading says of a prompt's words: what is denied is taken out, "not too loud" becomes its contrary. */
import {
  type Entry,
  type Kind,
  type Lexicon,
  lexiconOf,
  type Mention,
  readAsk,
  type Span,
  tonguesOf,
} from "../../language/mod.ts";
import { packs, type WordsPack } from "../../packs/mod.ts";
import { RECIPES } from "../recipes/all.ts";
import { fold, tokens } from "./fold.ts";
import { isWord } from "./meaning.ts";
import { anyOf, ENVIRONMENTS, FILLERS, listed, MATERIALS, MOSTLY, PLACES, SHADES, THINGS, wordFor } from "./words.ts";

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
  const { text, languages, mentions, unknown, foreign } = readAsk(prompt, lexicon);
  const denied: string[] = [];
  let rest = text;
  const said: Said[] = [
    ...mentions,
    ...unknown.map((some) => ({ ...some, phrase: some.word })),
    ...foreign.map((some) => ({ ...some, phrase: "", polarity: "wanted" as const })),
  ];
  const shades_softened = mentions.some(
    (mention) => mention.polarity === "softened" && SHADES.get(fold(mention.phrase)) !== undefined,
  );
  for (const some of said.sort((one, other) => other.from - one.from)) {
    const { from, to, phrase, polarity } = some;
    // "Less loud than the wind": the wind sounds, too.
    if (polarity === "compared" && SHADES.get(fold(phrase)) === undefined)
      rest = `${rest.slice(0, from)} ${WITH} ${rest.slice(from)}`;
    if (polarity === "wanted" || polarity === "compared") {
      rest = `${rest.slice(0, from)}${inOwnWords(some, rest)}${rest.slice(to)}`;
      continue;
    }
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
    text: ` ${fold(rest).replace(/ {2,}/gu, " ")} `,
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

interface Said extends Span {
  readonly phrase: string;
  readonly polarity: Mention["polarity"];
  readonly concepts?: Mention["concepts"];
  readonly listed?: string;
  /** Of grammar: what it is in English. */
  readonly words?: string;
}

/** What is said in another language: how a sound is, where and when in English, the sound itself as its name is listed. */
function inOwnWords({ from, to, phrase, concepts, listed, words }: Said, text: string): string {
  const written = text.slice(from, to);
  if (words !== undefined) return ` ${words} `;
  if (listed !== undefined) return ` ${concepts![0]!.startsWith("sound:") ? listed : phrase} `;
  return written;
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

/** English by itself, and the words of other languages beside it: which of them count is for the prompt to tell. */
function soundLexicon(): Lexicon {
  const english = packs("words").get("en")?.words ?? {};
  const tables = { trait: [SHADES], material: [MATERIALS, MOSTLY], place: [ENVIRONMENTS, PLACES] } as const;
  const own = lexiconOf([
    ...RECIPES.map(({ name, names: { en = [], symbols = [] } }) => {
      return [`sound:${name}`, [name.replaceAll("_", " "), ...en, ...symbols]] as const;
    }),
    ...[...THINGS.keys()].map((thing) => [`sound:${thing}`, [thing]] as const),
    ...Object.entries(tables).flatMap(([kind, words]) =>
      words.flatMap((some) =>
        some.keys("en").map((word) => [`${kind as keyof typeof tables}:${word}`, [word]] as const),
      ),
    ),
  ]);
  const entryOf = (concept: string): Entry | null => {
    const [kind, name] = concept.split(":") as [string, string];
    const phrase = kind === "sound" ? name.replaceAll("_", " ") : english[concept]?.[0];
    if (phrase === undefined || !(kind in SAID_OF_SOUNDS)) return null;
    return { phrase, concepts: [`${SAID_OF_SOUNDS[kind]!}:${name}`] };
  };
  return { ...own, tongues: tonguesOf([...foreignNames(), ...foreignPacks()], entryOf) };
}

/** Kinds of concepts that are said of sounds, and what they are here. */
const SAID_OF_SOUNDS: Readonly<Record<string, Kind>> = {
  ...{ sound: "sound", material: "material", place: "place" },
  ...{ quality: "trait", dynamics: "trait", motion: "trait", direction: "trait" },
};

function foreignPacks(): WordsPack[] {
  return [...packs("words").values()].filter(({ language }) => language !== "en");
}

/** Names of recipes in other languages than English, as packs of words. */
function* foreignNames(): Generator<Pick<WordsPack, "language" | "words">> {
  for (const { name, names } of RECIPES)
    for (const [language, list] of Object.entries(names))
      if (language !== "en" && language !== "symbols") yield { language, words: { [`sound:${name}`]: [...list] } };
}
