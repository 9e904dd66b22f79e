/** Sounds into syllables: as many consonants go to the vowel after them as a word may begin with (maximal onset). */
import { isVowel, type Phoneme, type Sound, type Stress } from "../phonemes.ts";

/** At least one sound; `phonemes[nucleus]` is the vowel that is held. */
export interface Syllable {
  readonly phonemes: readonly Phoneme[];
  readonly nucleus: number;
  readonly stress: Stress;
}

/** What English, Romance and German words begin with. Single consonants save NG always may. */
const ONSETS = new Set(
  [
    "P L,P R,P Y,P W,B L,B R,B Y,T R,T W,T Y,D R,D W,D Y,K L,K R,K W,K Y,G L,G R,G W,F L,F R,F Y,V Y,TH R,TH W,SH R",
    "S P,S T,S K,S M,S N,S L,S W,S F,S P L,S P R,S P Y,S T R,S K R,S K W,S K Y,HH Y,HH W,M Y,V R,V L",
    "P RR,B RR,T RR,D RR,K RR,G RR,F RR,P RX,B RX,T RX,D RX,K RX,G RX,F RX,V RX,S T RR,S P RR,S K RR",
    "SH L,SH M,SH N,SH V,SH P,SH T,SH T R,SH T RX,SH P R,SH P RX,SH P L,SH V,T S,P F,K N,K V,T S V",
  ].flatMap((group) => group.split(",")),
);

/** Every sound is in one syllable, in order; without a vowel the loudest consonant is the nucleus ("mm", "shh"). */
export function syllabify(sounds: readonly Sound[]): Syllable[] {
  const nuclei: number[] = [];
  for (let n = 0; n < sounds.length; n++) if (isVowel(sounds[n]!.phoneme)) nuclei.push(n);
  if (sounds.length === 0) return [];
  if (nuclei.length === 0) {
    const phonemes = sounds.map(({ phoneme }) => phoneme);
    const found = phonemes.findIndex((phoneme) => HUMMED.has(phoneme));
    const hummed = found >= 0 ? found : phonemes.findIndex((phoneme) => HISSED.has(phoneme));
    return [{ phonemes, nucleus: Math.max(0, hummed), stress: 1 }];
  }
  const starts = [0];
  for (let k = 1; k < nuclei.length; k++) starts.push(onsetBefore(sounds, nuclei[k - 1]! + 1, nuclei[k]!));
  return nuclei.map((nucleus, k) => {
    const from = starts[k]!;
    const to = starts[k + 1] ?? sounds.length;
    return {
      phonemes: sounds.slice(from, to).map(({ phoneme }) => phoneme),
      nucleus: nucleus - from,
      stress: sounds[nucleus]!.stress,
    };
  });
}

/** Held in "psst" and "pfft", where nothing has a voice. */
const HISSED: ReadonlySet<string> = new Set(["S", "SH", "F", "TH", "KH", "HH"]);
const HUMMED: ReadonlySet<string> = new Set(["M", "N", "NG", "L", "R", "NY", "RR", "Z", "V", "ZH"]);

function onsetBefore(sounds: readonly Sound[], from: number, nucleus: number): number {
  for (let at = from; at < nucleus; at++) {
    const cluster = sounds
      .slice(at, nucleus)
      .map(({ phoneme }) => phoneme)
      .join(" ");
    if (nucleus - at === 1 ? cluster !== "NG" : ONSETS.has(cluster)) return at;
  }
  return nucleus;
}
