/** What drummers call the parts of a kit (drum: in packs of words), and the plain rhythm of each: `drums.json`. */
import type { Mention } from "../../../language/mod.ts";
import { DRUM_KEYS, type Drum } from "../../../packs/mod.ts";
import type { Instrument } from "../../compose/mod.ts";
import data from "./drums.json" with { type: "json" };

export interface DrumWord {
  readonly name: string;
  readonly key: number;
  /** All keys that belong to the piece, `key` among them. */
  readonly keys: readonly number[];
  /** Only a rhythm of it makes sense in a clip, unless one stroke is asked for: a shaker. */
  readonly only_in_rhythm: boolean;
  /** Other things are called so as well: a crash, a clap of thunder. */
  readonly also_a_sound: boolean;
  /** Who alone has it. */
  readonly kit?: Instrument;
  /** Whose it is where it is to be tuned and nobody says whose: recorded ones ring too short for a clear pitch. */
  readonly tuned_kit?: Instrument;
  /** Hz between which it rings on a pitch that can be tuned; absent: on none. */
  readonly rings?: readonly [low: number, high: number];
}

interface Written {
  readonly drum: Drum;
  readonly all?: readonly Drum[];
  readonly only_in_rhythm?: boolean;
  readonly also_a_sound?: boolean;
  readonly kit?: string;
  readonly rings?: readonly number[];
  readonly tuned_kit?: string;
}

const DRUMS: ReadonlyMap<string, DrumWord> = new Map(
  Object.entries(data.drums as Readonly<Record<string, Written>>).map(
    ([name, { drum, all = [drum], only_in_rhythm = false, also_a_sound = false, kit, rings, tuned_kit }]) => [
      `drum:${name}`,
      {
        ...{
          name: name.replaceAll("_", " "),
          key: DRUM_KEYS[drum],
          keys: all.map((one) => DRUM_KEYS[one]),
          only_in_rhythm,
          also_a_sound,
        },
        ...(kit === undefined ? {} : { kit: kit as Instrument }),
        ...(tuned_kit === undefined ? {} : { tuned_kit: tuned_kit as Instrument }),
        ...(rings === undefined ? {} : { rings: rings as unknown as readonly [number, number] }),
      },
    ],
  ),
);

/** "Hi-hat, closed": how it is struck stands apart from its name. */
export const CLOSED_HAT: DrumWord = DRUMS.get("drum:closed_hi_hat")!;

/** The drum of a name in `drums.json`. */
export function drumNamed(name: string): DrumWord {
  return DRUMS.get(`drum:${name}`)!;
}

/** What single sounds are called after: "thunk". */
export const HITS: readonly string[] = data.hits;

/** Semiquavers of a bar of four: `X` accented, `x` firm, `s` soft. Other bars take as many as they have. */
export function rhythmOf(key: number): string {
  const rhythms: Readonly<Record<string, string>> = data.rhythms;
  const drum = Object.keys(rhythms).find((name) => DRUM_KEYS[name as Drum] === key) ?? "closed_hat";
  return rhythms[drum]!;
}

/** Pieces that are named, each once: of "a splash, a cymbal" the splash. */
export function piecesIn(mentions: readonly Mention[]): readonly DrumWord[] {
  // A word of several meanings is one drum.
  const named = new Set(
    mentions.flatMap(({ concepts }) => DRUMS.get(concepts.findLast((one) => DRUMS.has(one)) ?? "") ?? []),
  );
  return [...named].filter(
    (piece) => ![...named].some((other) => other.keys.length < piece.keys.length && piece.keys.includes(other.key)),
  );
}
