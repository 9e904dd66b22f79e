/** Which kit a clip's drums are of, and whether they are drums at all. */
import { isWord } from "../../../language/meaning/mod.ts";
import type { Ask } from "../../../language/mod.ts";
import { type Brief, calledOn, genrePack, type Instrument, instrumentOf, instruments } from "../../compose/mod.ts";
import { anyIn, natureOf } from "./clip.ts";
import { HITS, piecesIn } from "./drum_words.ts";

/** The kit that words call, of those that have single drums. */
function kitCalled(said: string, wanted: readonly Instrument[]): Instrument | undefined {
  const turn = (one: Instrument): number => instrumentOf(one).single_drum!.turn;
  const [called] = instruments()
    .filter((one) => {
      const { single_drum, family } = instrumentOf(one);
      const named = family !== "kit" && wanted.includes(one);
      return single_drum !== undefined && (named || anyIn(said, single_drum.words));
    })
    .sort((a, b) => turn(a) - turn(b));
  return called;
}

/** Words decide; a genre does where it was named; a kit that a genre was only guessed for says nothing. */
export function kitOf(said: string, { wanted, genre, explicit }: Brief): Instrument {
  const called = kitCalled(said, wanted);
  if (called !== undefined) return called;
  const [usual] = calledOn("lend_drums");
  if (!explicit.includes("genre")) return usual!;
  // Not all that drums has the pieces of a kit.
  const { drums = usual! } = genrePack(genre).means ?? {};
  return [...wanted, drums].find((one) => instrumentOf(one).family === "kit") ?? usual!;
}

/** Whether words, or the genre that they name, say whose drum it is. */
export function isKitSaid(said: string, { wanted, explicit, traits }: Brief): boolean {
  return explicit.includes("genre") || traits.includes("acoustic") || kitCalled(said, wanted) !== undefined;
}

/** What only musicians say beside a drum. */
const STUDIO = /^(?:quality:short|clip:(?!several|whole)|genre:(?!metal)|trait:)/u;

/**
 * Whether the drums that were understood are none: a car crash, a thunder clap, a bike ride. What is wanted is a sound,
 * if anybody knows it.
 */
export function isElsewhere({ mentions, unknown }: Ask, { wanted, scene, explicit }: Brief): boolean {
  const heard = mentions.filter(({ polarity }) => polarity === "wanted");
  const pieces = piecesIn(heard);
  if (pieces.length === 0 || !pieces.every((piece) => piece.also_a_sound) || explicit.includes("bpm")) return false;
  if (!wanted.every((one) => natureOf(one).drums)) return false;
  if (heard.some(({ concepts, count }) => count === 1 || concepts.some((one) => STUDIO.test(one)))) return false;
  if (kitCalled(` ${heard.map(({ phrase }) => phrase).join(" ")} `, []) !== undefined) return false;
  return scene.length > 0 || unknown.some(({ word }) => !HITS.includes(word) && isWord(word, ["noun"]));
}
