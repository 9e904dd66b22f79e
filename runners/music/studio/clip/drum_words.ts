/** What drummers call the parts of a kit, in keys of the General MIDI percussion map. */

export interface DrumWord {
  /** Struck once where the word stands in the singular; absent where only a rhythm of it makes sense in a clip (a shaker). */
  readonly one?: RegExp;
  /** Singular or plural. */
  readonly words: RegExp;
  readonly key: number;
  /** All keys that belong to the piece, `key` among them. */
  readonly keys: readonly number[];
}

const word = (key: number, names: string, keys: readonly number[] = [key], rhythm = false): DrumWord => {
  const singular = new RegExp(`\\b(?:${names})\\b`, "u");
  return {
    ...(rhythm ? {} : { one: singular }),
    words: new RegExp(`\\b(?:${names})s?\\b`, "u"),
    key,
    keys,
  };
};

const HATS = [42, 44, 46];
const TOMS = [41, 43, 45, 47, 48, 50];

/** Narrower names before wider ones: an open hat is one of the hats. Text is in lower case, hyphens are blanks. */
export const DRUM_WORDS: readonly DrumWord[] = [
  word(36, "bass drum|kick ?drum|kick", [35, 36]),
  word(37, "rim ?shot|side ?stick|cross ?stick|rim"),
  word(38, "snare ?drum|snare", [37, 38, 40]),
  word(39, "hand ?clap|clap"),
  word(46, "open(?:ed)? (?:hi ?)?hat|(?:hi ?)?hat open"),
  word(44, "(?:pedal|foot) (?:hi ?)?hat"),
  word(42, "(?:hi ?)?hat", HATS),
  word(41, "floor tom|low tom", [41, 43]),
  word(50, "high tom|rack tom", [48, 50]),
  word(47, "tom ?tom|tom", TOMS),
  word(52, "china(?: cymbal)?|chinese cymbal"),
  word(55, "splash(?: cymbal)?"),
  word(49, "crash(?: cymbal)?", [49, 57]),
  word(53, "ride bell|bell of the ride"),
  word(51, "ride(?: cymbal)?", [51, 53, 59]),
  word(49, "cymbal", [49, 51, 52, 53, 55, 57, 59]),
  word(56, "cow ?bell"),
  word(60, "bongo", [60, 61]),
  word(63, "conga|tumbadora", [62, 63, 64]),
  word(64, "djembe|darbuka|doumbek|cajon|tabla|bodhran|frame drum|hand drum", [60, 61, 62, 63, 64]),
  word(36, "taiko(?: drum)?", [35, 36, 41, 43]),
  word(65, "timbale", [65, 66]),
  word(67, "agogo(?: bell)?", [67, 68]),
  word(75, "clave"),
  word(76, "wood ?block", [76, 77]),
  word(81, "triangle", [80, 81]),
  word(54, "tambourine", [54], true),
  word(69, "shaker|cabasa|shekere|caxixi", [69, 70], true),
  word(70, "maraca", [69, 70], true),
  word(73, "guiro|guira", [73, 74], true),
];

/** Pieces that `text` names, each once: of "open hi hat" the open hat alone. */
export function piecesIn(text: string): readonly DrumWord[] {
  const found: DrumWord[] = [];
  let rest = text;
  for (const piece of DRUM_WORDS) {
    if (!piece.words.test(rest)) continue;
    // "Ride … cymbal" is one.
    if (piece.keys.length > 5 && found.some(({ key }) => piece.keys.includes(key))) continue;
    found.push(piece);
    rest = rest.replace(new RegExp(piece.words.source, "gu"), " ");
  }
  return found;
}
