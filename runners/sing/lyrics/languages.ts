/** Which language a text is in, by its letters and commonest words, and the spelling of those that are not English. */
import { isVowel, type Phoneme, phonemes, type Sound } from "../phonemes.ts";
import { SPELLINGS } from "./spellings.ts";

export type Language = "english" | "spanish" | "french" | "german" | "italian" | "portuguese";
type Foreign = Exclude<Language, "english">;

const COMMON: Readonly<Record<Language, string>> = {
  english:
    "the and you i to a in my me of it is on that we your for be with all so this are was but don't i'm can no love when will up just now like know down oh out what if do not have they she he never from time away let go come take by there's where how one hold more day night heart under over through",
  spanish:
    "el la los las de que y en un una por con para es no mi tu te me se lo como más pero si sin yo cuando corazón amor vida eres está soy tengo quiero sólo solo siempre nunca noche aquí al del su hay ya porque donde todo nada vamos mañana sol cielo ti fue",
  french:
    "le la les de des et un une que qui je tu il elle nous vous dans pour pas ne est sur avec mon ma mes ton ta tes ce cette mais où on au aux du en se sans plus suis es sont c'est j'ai t'aime comme toi moi tout rien jamais toujours nuit jour coeur vie amour quand",
  german:
    "der die das und ich du ist nicht ein eine in den dem zu mit auf für von wir sie er es so wie was mir mich dir dich dein mein wenn nur noch auch war bin bist hat haben kein immer nie nacht herz liebe leben wo im am aus bei nach doch schon alles nichts",
  italian:
    "il lo la gli le di che e un una per non con sono mi ti si ma come più se io tu è nel della del dei al alla questo quando amore cuore vita sei ho hai solo sempre mai notte cielo sole mare anche dove tutto niente voglio senza noi voi ci",
  portuguese:
    "o a os as de que e em um uma por com para não meu minha teu você eu tu te me se no na do da mais mas como quando coração amor vida é está sou tenho quero só sempre nunca noite aqui ao sem tudo nada onde vou foi seu sua nos pra são",
};
const LETTERS: Readonly<Record<Foreign, RegExp>> = {
  spanish: /[ñ¿¡]|ción\b/gu,
  french: /[èêëîïœûù]|ç[aou]|\b[cdjlmnst]'[aeiouhéêè]/gu,
  german: /[äöüß]|\bsch/gu,
  italian: /[ìò]|\bperch[eé]|zione\b|gli\b|cch/gu,
  portuguese: /[ãõ]|ção\b|lh[aeo]|nh[aeo]/gu,
};

/** By distinct stop words and letters of the whole text; English unless another has clearly more. "La la la" is no Spanish. */
export function languageOf(text: string): Language {
  const lower = text.toLowerCase().normalize("NFC").replace(/’/gu, "'");
  const words = new Set(lower.match(/[\p{L}']+/gu) ?? []);
  let best: Language = "english";
  let most = Math.max(1.9, count(words, "english") + 0.5);
  for (const language of Object.keys(LETTERS) as Foreign[]) {
    const marks = new Set(lower.match(LETTERS[language]) ?? []).size;
    const score = 0.95 * count(words, language) + 1.2 * Math.min(3, marks);
    if (score > most) {
      best = language;
      most = score;
    }
  }
  return best;
}

function count(words: ReadonlySet<string>, language: Language): number {
  return COMMON[language].split(" ").filter((word) => words.has(word)).length;
}

/** Sounds of a lower-case word by the spelling of `language`; null where it has none of its letters. */
export function foreign(word: string, language: Foreign): Sound[] | null {
  const { rules, stress } = compiled(language);
  const found: Phoneme[] = [];
  let accented = -1;
  for (let at = 0; at < word.length; ) {
    const rule = rules.find(({ pattern }) => {
      pattern.lastIndex = at;
      return pattern.test(word);
    });
    if (rule === undefined) {
      // Letters that the language has not are taken without their marks.
      const bare = word[at]!.normalize("NFD").replace(/\p{M}/gu, "");
      if (bare !== word[at] && /^[a-z]$/u.test(bare))
        return foreign(word.slice(0, at) + bare + word.slice(at + 1), language);
      at++;
      continue;
    }
    if (rule.accent && rule.sounds.some(isVowel)) accented = found.length + rule.sounds.findLastIndex(isVowel);
    found.push(...rule.sounds);
    at = Math.max(at + 1, rule.pattern.lastIndex);
  }
  const kept = found.filter((phoneme, n) => isVowel(phoneme) || phoneme !== found[n - 1]);
  if (kept.length === 0) return null;
  const nuclei = kept.flatMap((phoneme, n) => (isVowel(phoneme) ? [n] : []));
  const counted = found.slice(0, accented + 1).filter(isVowel).length - 1;
  const plain =
    stress === "first"
      ? 0
      : stress === "last"
        ? nuclei.length - 1
        : endsOpen(word)
          ? nuclei.length - 2
          : nuclei.length - 1;
  const held =
    nuclei[Math.max(0, accented >= 0 && stress !== "last" ? counted : stress === "penult" ? nuclei.length - 2 : plain)];
  return kept.map((phoneme, n) => ({ phoneme, stress: n === held ? 1 : 0 }));
}

/** Spanish and Portuguese stress the last syllable but one of what ends in a vowel, n, s or m. */
function endsOpen(word: string): boolean {
  return /[aeonsm]$/u.test(word);
}

interface Rule {
  readonly pattern: RegExp;
  readonly sounds: readonly Phoneme[];
  readonly accent: boolean;
}

interface Spelling {
  readonly rules: readonly Rule[];
  readonly stress: "first" | "last" | "penult" | "ending";
}

const made = new Map<Foreign, Spelling>();

function compiled(language: Foreign): Spelling {
  let spelling = made.get(language);
  if (spelling === undefined) {
    const { stress, rules } = SPELLINGS[language];
    spelling = {
      stress,
      rules: rules
        .trim()
        .split(/\s*[;\n]\s*/u)
        .map((text) => {
          const at = text.lastIndexOf("=");
          const [pattern, sounds] = [text.slice(0, at), text.slice(at + 1)];
          return {
            pattern: new RegExp(
              pattern
                .trim()
                .replace(/V/gu, "[aeiouyáéíóúàèìòùâêîôûäöüãõœ]")
                .replace(/C/gu, "[bcdfghjklmnpqrstvwxzçñß]"),
              "vy",
            ),
            sounds: phonemes(sounds.trim()),
            accent: /[áéíóúàèìòùâêô]/u.test(pattern),
          };
        }),
    };
    made.set(language, spelling);
  }
  return spelling;
}
