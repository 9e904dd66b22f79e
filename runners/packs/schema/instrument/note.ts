import { Type } from "@sinclair/typebox";

/** "C4" is the middle of a piano; "F#2", "Bb3". */
export const Note = Type.String({ pattern: "^[A-G][#b]?(?:-1|[0-9])$", description: "a note such as C4" });
/** Lowest and highest, inclusive. */
export const NoteRange = Type.Tuple([Note, Note]);

export const anyOf = <const Name extends string>(...names: readonly Name[]) =>
  Type.Unsafe<Name>(Type.Union(names.map((name) => Type.Literal(name))));

/** True or absent. */
export const flag = Type.Optional(Type.Literal(true));
