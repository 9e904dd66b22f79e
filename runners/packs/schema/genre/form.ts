/** How pieces of a genre are laid out. */
import { type Static, Type } from "@sinclair/typebox";
import { Share, section } from "../common.ts";

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

export type Form = Static<typeof Form>;
export const Form = section({
  /** The seed chooses one. */
  templates: Type.Array(Type.Array(FormSection, { minItems: 1 }), { minItems: 1 }),
  /** Kinds of section that other genres take this form for, where a prompt asks for one and their own forms have none: "drop". */
  answers: Type.Optional(Type.Array(SectionKind)),
});
