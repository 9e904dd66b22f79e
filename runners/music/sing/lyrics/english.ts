/** English words to sounds: what singers say, then the dictionary, then its words with endings and in compounds, then the rules of spelling. */
import { isVowel, phonemes, type Sound } from "../phonemes.ts";
import { lookUp, soundsOf } from "./dictionary.ts";
import { spell } from "./letters.ts";

/** Sounds of one word, lower case, of letters and inner apostrophes. Empty where it has no letter. `next` is the word after it. */
export function english(word: string, next = ""): Sound[] {
  if (word === "the")
    return soundsOf(/^[aeiou]/u.test(next) && !/^(?:u[nst]i|one|once|eu)/u.test(next) ? "DH IY0" : "DH AH0");
  return known(word) ?? lengthened(word) ?? ended(word) ?? compound(word) ?? spell(word);
}

/** Whether the dictionary, or the singer's own list, has it. */
export function isEnglish(word: string): boolean {
  return known(word) !== null;
}

/** Names of letters, for what is spelled out. */
export function letterNames(letters: string): Sound[] {
  return [...letters].flatMap((letter) => soundsOf(LETTERS[letter.charCodeAt(0) - 97] ?? ""));
}

const LETTERS =
  "EY1,B IY1,S IY1,D IY1,IY1,EH1 F,JH IY1,EY1 CH,AY1,JH EY1,K EY1,EH1 L,EH1 M,EH1 N,OW1,P IY1,K Y UW1,AA1 R,EH1 S,T IY1,Y UW1,V IY1,D AH1 B AH0 L Y UW0,EH1 K S,W AY1,Z IY1".split(
    ",",
  );

/** What lyrics have and the dictionary has not, or has first as something else that is rarely sung. */
const OWN: Readonly<Record<string, string>> = {
  a: "AH0",
  la: "L AA1",
  na: "N AA1",
  da: "D AA1",
  ba: "B AA1",
  sha: "SH AA1",
  tra: "T R AA1",
  fa: "F AA1",
  ra: "R AA1",
  hey: "HH EY1",
  ay: "EY1",
  ayy: "EY1",
  aye: "AY1",
  yeah: "Y EH1",
  yea: "Y EY1",
  yah: "Y AA1",
  ya: "Y AA1",
  ye: "Y IY1",
  yo: "Y OW1",
  woah: "W OW1",
  whoa: "W OW1",
  woo: "W UW1",
  wooh: "W UW1",
  hoo: "HH UW1",
  doo: "D UW1",
  dooby: "D UW1 B IY0",
  wop: "W AA1 P",
  shoop: "SH UW1 P",
  dum: "D AH1 M",
  dee: "D IY1",
  hmm: "HH M",
  hm: "HH M",
  mhm: "M HH M",
  shh: "SH",
  psst: "P S T",
  brr: "B ER1",
  grr: "G ER1",
  skrrt: "S K ER1 T",
  uh: "AH1",
  huh: "HH AH1",
  ugh: "AH1 G",
  ooh: "UW1",
  oo: "UW1",
  oh: "OW1",
  ah: "AA1",
  aw: "AO1",
  eh: "EH1",
  ha: "HH AA1",
  ho: "HH OW1",
  live: "L IH1 V",
  lives: "L IH1 V Z",
  wind: "W IH1 N D",
  winds: "W IH1 N D Z",
  tear: "T IH1 R",
  tears: "T IH1 R Z",
  read: "R IY1 D",
  lead: "L IY1 D",
  close: "K L OW1 S",
  bow: "B OW1",
  use: "Y UW1 Z",
  and: "AE1 N D",
  or: "AO1 R",
  on: "AA1 N",
  your: "Y AO1 R",
  our: "AW1 ER0",
  hour: "AW1 ER0",
  with: "W IH1 DH",
  wanna: "W AA1 N AH0",
  gonna: "G AA1 N AH0",
  gotta: "G AA1 T AH0",
  gimme: "G IH1 M IY0",
  lemme: "L EH1 M IY0",
  kinda: "K AY1 N D AH0",
  sorta: "S AO1 R T AH0",
  outta: "AW1 T AH0",
  oughta: "AO1 T AH0",
  dunno: "D AH0 N OW1",
  tryna: "T R AY1 N AH0",
  finna: "F IH1 N AH0",
  imma: "AY1 M AH0",
  ima: "AY1 M AH0",
  cuz: "K AH1 Z",
  coz: "K AH1 Z",
  cause: "K AO1 Z",
  til: "T IH1 L",
  em: "AH0 M",
  bae: "B EY1",
  boi: "B OY1",
  dawg: "D AO1 G",
  thru: "TH R UW1",
  tho: "DH OW1",
  luv: "L AH1 V",
  nite: "N AY1 T",
  lite: "L AY1 T",
  u: "Y UW1",
  ur: "Y AO1 R",
  r: "AA1 R",
  n: "AH0 N",
  "y'all": "Y AO1 L",
  "ain't": "EY1 N T",
  "o'er": "AO1 R",
  "ne'er": "N EH1 R",
  "e'er": "EH1 R",
  "ma'am": "M AE1 M",
  "o'": "AH0",
  o: "OW1",
};

function known(word: string): Sound[] | null {
  const own = Object.hasOwn(OWN, word) ? OWN[word] : undefined;
  if (own !== undefined) return soundsOf(own);
  const cry = CRIES.find(([pattern]) => pattern.test(word));
  if (cry !== undefined) return soundsOf(cry[1]);
  return lookUp(word) ?? dropped(word);
}

const CRIES: readonly (readonly [RegExp, string])[] = [
  [/^oh+$/u, "OW1"],
  [/^oo+h*$/u, "UW1"],
  [/^aa*h+$|^aaa*$/u, "AA1"],
  [/^m{2,}$/u, "M"],
  [/^h+m+$/u, "HH M"],
  [/^u+h+$/u, "AH1"],
  [/^e+h+$/u, "EH1"],
  [/^ye+a+h*$/u, "Y EH1"],
  [/^w+h*o+a+h*$/u, "W OW1"],
  [/^s?h{2,}$/u, "SH"],
  [/^(?:z{2,}|bz{2,})$/u, "Z"],
];

/** "lovin'", "'round", "dancin": an apostrophe, or the g, that stands for nothing sung. */
function dropped(word: string): Sound[] | null {
  if (word.length > 3 && /in'?$/u.test(word)) {
    const whole = lookUp(`${word.replace(/'$/u, "")}g`);
    if (whole !== null && (word.endsWith("'") || lookUp(word) === null)) return [...whole.slice(0, -1), ...sounds("N")];
  }
  if (word.startsWith("'") || word.endsWith("'")) return lookUp(word.replace(/^'+|'+$/gu, ""));
  return null;
}

/** "soooo", "loooove", "yessss": letters said at length are written more often than words have them. */
function lengthened(word: string): Sound[] | null {
  if (!/(.)\1\1/u.test(word) && !/([aeiouyh])\1$/u.test(word)) return null;
  const runs = word.match(/(.)\1*/gu) ?? [];
  // At the end of a word "e", "l", "s" and "f" are doubled, "o" and "y" single; elsewhere double vowels come first.
  const form = (swap: boolean): string =>
    runs
      .map((run, n) => {
        const letter = run[0]!;
        if (run.length === 1 || (run.length === 2 && !/[aiuyh]/u.test(letter))) return run;
        const double = n === runs.length - 1 ? /[elsf]/u.test(letter) && n > 0 : /[oe]/u.test(letter);
        return double !== swap ? letter + letter : letter;
      })
      .join("");
  const single = word.replace(/(.)\1+/gu, "$1");
  for (const guess of [form(false), form(true), single]) {
    const found = known(guess);
    if (found !== null) return found;
  }
  return /(.)\1\1/u.test(word) ? (ended(form(false)) ?? spell(form(false))) : null;
}

/** Endings put on words of the dictionary. The stem is tried as it stands, with an e, with a y for its i, and with a doubled letter undone. */
const ENDINGS: readonly (readonly [ending: string, sounds: string])[] = [
  ["'s", "s"],
  ["'", ""],
  ["'ll", "AX L"],
  ["'ve", "V"],
  ["'re", "ER"],
  ["'d", "d"],
  ["n't", "AX N T"],
  ["'m", "M"],
  ["iest", "IY AX S T"],
  ["ier", "IY ER"],
  ["ily", "AX L IY"],
  ["iness", "IY N AX S"],
  ["ness", "N AX S"],
  ["less", "L AX S"],
  ["ful", "F AX L"],
  ["ment", "M AX N T"],
  ["able", "AX B AX L"],
  ["ingly", "IH NG L IY"],
  ["ings", "IH NG Z"],
  ["ing", "IH NG"],
  ["in", "IH N"],
  ["ers", "ER Z"],
  ["er", "ER"],
  ["est", "AX S T"],
  ["ish", "IH SH"],
  ["ly", "L IY"],
  ["ed", "d"],
  ["es", "s"],
  ["s", "s"],
  ["y", "IY"],
  ["like", "L AY K"],
];

function ended(word: string): Sound[] | null {
  for (const [ending, tail] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    if (stem.length < (ending.includes("'") ? 1 : 3)) continue;
    const base = stemOf(stem, ending);
    if (base !== null) return [...base, ...endingAfter(base, tail)];
  }
  for (const prefix of ["un", "re", "over", "under", "out", "up", "non", "mid", "super", "anti", "ever", "never"]) {
    if (!word.startsWith(prefix) || word.length < prefix.length + 3) continue;
    const rest = lookUp(word.slice(prefix.length));
    const first = prefix === "re" ? soundsOf("R IY0") : (lookUp(prefix) ?? spell(prefix));
    if (rest !== null) return [...first.map(({ phoneme }) => ({ phoneme, stress: 0 as const })), ...rest];
  }
  return null;
}

function stemOf(stem: string, ending: string): Sound[] | null {
  const plain = lookUp(stem);
  if (plain !== null || ending.startsWith("'")) return plain ?? (ending.startsWith("'") ? english(stem) : null);
  if (ending.startsWith("i") && ending !== "ing" && ending !== "in" && ending !== "ings" && ending !== "ish") {
    return lookUp(`${stem}y`);
  }
  if (/^[aeiy]/u.test(ending)) {
    const doubled = /([bdgklmnprtvz])\1$/u.test(stem) ? lookUp(stem.slice(0, -1)) : null;
    return doubled ?? lookUp(`${stem}e`);
  }
  return null;
}

/** -s and -ed sound after what comes before them. */
function endingAfter(base: readonly Sound[], tail: string): Sound[] {
  const last = base.at(-1)?.phoneme ?? "AX";
  if (tail === "s") {
    if (["S", "Z", "SH", "ZH", "CH", "JH"].includes(last)) return sounds("AX Z");
    return sounds(VOICELESS.has(last) ? "S" : "Z");
  }
  if (tail === "d") return sounds(last === "T" || last === "D" ? "AX D" : VOICELESS.has(last) ? "T" : "D");
  if (tail === "V" || tail === "M") return sounds(isVowel(last) ? tail : `AX ${tail}`);
  return sounds(tail);
}

const VOICELESS: ReadonlySet<string> = new Set(["P", "T", "K", "F", "TH", "S", "SH", "CH"]);

function sounds(text: string): Sound[] {
  return phonemes(text).map((phoneme) => ({ phoneme, stress: 0 }));
}

/** Two words of the dictionary in one, the longer first part first: "heartstrings", "starlit". */
function compound(word: string): Sound[] | null {
  for (let at = word.length - 3; at >= 3; at--) {
    const rest = lookUp(word.slice(at));
    if (rest === null || !rest.some(({ phoneme }) => isVowel(phoneme))) continue;
    const first = lookUp(word.slice(0, at));
    if (first === null || !first.some(({ phoneme }) => isVowel(phoneme))) continue;
    return [
      ...first,
      ...rest.map(({ phoneme, stress }) => ({ phoneme, stress: stress === 1 ? (2 as const) : stress })),
    ];
  }
  return null;
}
