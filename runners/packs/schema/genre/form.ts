/** How pieces of a genre are laid out. */
import { type Static, Type } from "@sinclair/typebox";
import { Share, section, Weight } from "../common.ts";

export const SectionKind = Type.Union(
  (
    [
      "intro",
      "verse",
      "prechorus",
      "chorus",
      "bridge",
      "solo",
      "break",
      "build",
      "drop",
      "theme",
      "outro",
      "loop",
    ] as const
  ).map((kind) => Type.Literal(kind)),
);

export type FormSection = Static<typeof FormSection>;
export const FormSection = section({
  kind: SectionKind,
  /** Sections of one label share their chords and tune; absent: the kind. */
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  bars: Type.Integer({ minimum: 1, maximum: 64 }),
  /** Absent: by kind and turn. */
  energy: Type.Optional(Share),
  /** What a shorter piece leaves out, the highest first; absent: it stays. */
  spare: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
});

/**
 * How words are laid out where they come again:
 * - `verse_chorus`: verses that lead to a refrain, which closes the song twice;
 * - `strophes`: one strophe after another, with interludes;
 * - `head_and_solos`: sung, played over the same chords, sung again;
 * - `build_drop`: what is sung builds up to what is played;
 * - `spans`: hardly any words, with long stretches that are played.
 */
export type SongForm = Static<typeof SongForm>;
export const SongForm = Type.Union(
  (["verse_chorus", "strophes", "head_and_solos", "build_drop", "spans"] as const).map((name) => Type.Literal(name)),
);

export type Form = Static<typeof Form>;
export const Form = section({
  /** Seconds that a piece usually lasts; the seed chooses between. Absent: 105 to 200. */
  length_s: Type.Optional(
    section({
      low: Type.Number({ minimum: 10, maximum: 300 }),
      usual: Type.Number({ minimum: 10, maximum: 300 }),
      high: Type.Number({ minimum: 10, maximum: 300 }),
    }),
  ),
  /** Absent: `verse_chorus`. */
  song: Type.Optional(SongForm),
  /** Bars of a sung line: in blues four, the band answers in the last two. Absent: as the tempo has it. */
  line_bars: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
  /** Share of its songs whose last chorus is in a higher key; absent: none. */
  lift: Type.Optional(Share),
  /**
   * How its pieces end, as weights: the last chord rings over quiet bars, the whole band stops on one stroke, comes
   * back to the hook for a tag, turns around as blues and jazz do, closes by way of the subdominant, or as grand as it
   * can. Absent: as in most music of its kind.
   */
  endings: Type.Optional(
    section({
      ring: Type.Optional(Weight),
      cold: Type.Optional(Weight),
      tag: Type.Optional(Weight),
      turnaround: Type.Optional(Weight),
      jazz_tag: Type.Optional(Weight),
      amen: Type.Optional(Weight),
      grand: Type.Optional(Weight),
    }),
  ),
  /** The seed chooses one. */
  templates: Type.Array(Type.Array(FormSection, { minItems: 1 }), { minItems: 1 }),
  /** Kinds of section that other genres take this form for, where a prompt asks for one and their own forms have none: "drop". */
  answers: Type.Optional(Type.Array(SectionKind)),
});
