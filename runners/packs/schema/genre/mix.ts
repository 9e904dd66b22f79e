/** How a genre sounds on the desk. */
import { type Static, Type } from "@sinclair/typebox";
import { Share, section } from "../common.ts";

const Decibel = Type.Number({ minimum: -60, maximum: 24 });

export type Mix = Static<typeof Mix>;
export const Mix = section({
  space: Share,
  brightness: Share,
  drive: Share,
  /** How little the level moves. */
  density: Share,
  /** How far the bass drum pushes the others down. */
  pump: Share,
  width: Share,
  /** Worn tape. */
  age: Share,
  /** Power in each octave, by its middle; only differences count. */
  octaves_db: section({
    "31 Hz": Decibel,
    "63 Hz": Decibel,
    "125 Hz": Decibel,
    "250 Hz": Decibel,
    "500 Hz": Decibel,
    "1 kHz": Decibel,
    "2 kHz": Decibel,
    "4 kHz": Decibel,
    "8 kHz": Decibel,
    "16 kHz": Decibel,
  }),
  /** Power of the side against the middle in three octaves, at a `width` of 0.6; absent: as most records have it. */
  side_db: Type.Optional(section({ "250 Hz": Decibel, "2 kHz": Decibel, "8 kHz": Decibel })),
  /** Highest peak over loudness before mastering, at a `density` of 0.6; absent: as most records have it. */
  peak_over_loudness_db: Type.Optional(Type.Number({ minimum: 6, maximum: 24 })),
  /** From the faintest section to the fullest; absent: as most records have it. */
  contrast_lu: Type.Optional(Type.Number({ minimum: 0, maximum: 20 })),
  /** How much of the ends of sung phrases goes to the echo. */
  phrase_echo: Type.Optional(Share),
  /** Loudness that a role is set to, against the lead's of most genres. */
  loudness_lu: section({
    vocal: Decibel,
    backing: Decibel,
    lead: Decibel,
    drums: Decibel,
    bass: Decibel,
    chords: Decibel,
    pad: Decibel,
    arpeggio: Decibel,
    counter: Decibel,
    percussion: Decibel,
    texture: Decibel,
    transition: Decibel,
  }),
  /**
   * A lead voice above the whole band, dry, while it sings. Its harmonies and its space come on top, the band's space
   * on the band's side: where a sub-bass is most of what is weighed, the voice needs less to be as far in front.
   */
  voice_over_band_lu: Type.Number({ minimum: -10, maximum: 10 }),
  /** Players shade by themselves: the whole is glued less. */
  natural: Type.Boolean(),
  /** Single players are not compressed. */
  uncompressed: Type.Boolean(),
  /** All sit in the same hall, and not each in a space of his own. */
  one_hall: Type.Boolean(),
  /** Low notes belong to whoever plays them. */
  open_lows: Type.Boolean(),
  /** More space than the usual. */
  reverb_db: Decibel,
  /** How long the hall rings, against the usual. */
  hall_length: Type.Number({ minimum: 0.25, maximum: 4 }),
  /** In time with the beat; a single short slap; in time, coming back for long. */
  echo: Type.Union([Type.Literal("in_time"), Type.Literal("slap"), Type.Literal("long")]),
  echo_db: Decibel,
});
