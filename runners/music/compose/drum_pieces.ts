import { DRUM_KEYS, type Drum } from "../../packs/mod.ts";

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

const PIECES: Readonly<Record<DrumPiece, readonly Drum[]>> = {
  "hi-hats": ["closed_hat", "pedal_hat", "open_hat"],
  cymbals: ["crash", "ride", "china", "ride_bell", "splash", "second_crash", "second_ride"],
  snare: ["side_stick", "snare", "electric_snare"],
  kick: ["low_kick", "kick"],
  toms: ["floor_tom", "high_floor_tom", "low_tom", "low_mid_tom", "high_mid_tom", "high_tom"],
  claps: ["clap"],
};

/** Keys of a piece, as scores number drums. */
export function keysOfPiece(piece: DrumPiece): readonly number[] {
  return PIECES[piece].map((drum) => DRUM_KEYS[drum]);
}

/** The piece that a phrase of the lexicon names; undefined where it names more than that, or something else. */
export function pieceNamed(phrase: string): DrumPiece | undefined {
  return WORDS.find(([, words]) => words.test(phrase.replaceAll("-", " ")))?.[0];
}
