/** Chords of a genre, as numerals: "I | V/3 | vi | IV", bars parted by "|", chords of a bar by blanks. */
import { type Static, Type } from "@sinclair/typebox";
import { section } from "../common.ts";

/**
 * Degrees count from the major scale on the tonic, whatever the mode, with b and #; small numerals are minor. "V7>ii"
 * is the dominant of ii, "/3" puts the chord's third in the bass, "@5" the key's fifth degree.
 */
const Chord = "[b#]?[IViv]+[^ |]*";
const Line = Type.String({ pattern: `^${Chord}( (\\| )?${Chord})*$` });
const Lines = Type.Array(Line, { minItems: 1 });

export type Shelf = Static<typeof Shelf>;
/** For verses and first themes; for choruses, drops and second themes; for bridges and breaks. */
export const Shelf = section({ verse: Lines, chorus: Lines, bridge: Lines });

/** By the third above the tonic. */
const ByThird = section({ major: Type.String(), minor: Type.String() });

export type Progressions = Static<typeof Progressions>;
export const Progressions = section({
  /** What is hung on plain triads, one of these a piece. */
  dress: Type.Array(
    Type.Union([
      Type.Literal("triad"),
      Type.Literal("add"),
      Type.Literal("seventh"),
      Type.Literal("ninth"),
      Type.Literal("open"),
      Type.Literal("power"),
    ]),
    { minItems: 1 },
  ),
  /** A loop stays as it is; cadences are written into functional harmony, and modal harmony closes by bVII. */
  cadence: Type.Union([Type.Literal("functional"), Type.Literal("modal"), Type.Literal("loop")]),
  /** The chord that a piece rests on; absent: the triad. */
  home: Type.Optional(ByThird),
  /** The chord before it; absent: the dominant. */
  leads_home: Type.Optional(ByThird),
  /** Known by its chords, as twelve bars of blues are: nothing is mended, packed or closed. */
  as_written: Type.Optional(Type.Boolean()),
  /** Most chords last twice as long as written. */
  slow: Type.Optional(Type.Boolean()),
  /** Whether IV may turn minor on its way home; absent: it may. */
  minor_fourth: Type.Optional(Type.Boolean()),
  /** Over a phrygian scale the tonic is major, as in the south and east. */
  phrygian_rests_on_major: Type.Optional(Type.Boolean()),
  /** For keys whose third is major, and for those whose third is minor. */
  major: Shelf,
  minor: Shelf,
});
