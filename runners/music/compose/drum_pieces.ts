/** Single pieces of a drum kit that a prompt may do without, while the rest of the kit plays. */
export type DrumPiece = "hi-hats" | "cymbals" | "snare" | "kick" | "toms" | "claps";

const WORDS: readonly (readonly [piece: DrumPiece, words: RegExp])[] = [
  ["hi-hats", /\b(?:hi ?hats?|hats?)\b/u],
  ["cymbals", /\bcymbals?\b/u],
  ["snare", /\bsnares?\b/u],
  ["kick", /\b(?:kicks?|bass drums?)\b/u],
  ["toms", /\btoms?\b/u],
  ["claps", /\bclaps?\b/u],
];

/** Keys of the General MIDI percussion map. */
export const PIECE_KEYS: Readonly<Record<DrumPiece, readonly number[]>> = {
  "hi-hats": [42, 44, 46],
  cymbals: [49, 51, 52, 53, 55, 57, 59],
  snare: [37, 38, 40],
  kick: [35, 36],
  toms: [41, 43, 45, 47, 48, 50],
  claps: [39],
};

/** The piece that a phrase of the lexicon names; undefined where it names more than that, or something else. */
export function pieceNamed(phrase: string): DrumPiece | undefined {
  return WORDS.find(([, words]) => words.test(phrase.replaceAll("-", " ")))?.[0];
}
