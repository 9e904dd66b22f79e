/** Words of one language: those that steer the reading of a sentence, and those that name something. */
import { type Static, Type } from "@sinclair/typebox";
import { section } from "./common.ts";

const Words = Type.Array(Type.String({ minLength: 1 }));
const Numbers = Type.Record(Type.String(), Type.Number());

export type WordsPack = Static<typeof WordsPack>;
export const WordsPack = section({
  $schema: Type.Optional(Type.String()),
  /** As ISO 639-1 names it. */
  language: Type.String({ pattern: "^[a-z]{2}$" }),
  grammar: Type.Optional(Type.Record(Type.String({ pattern: "^[a-z_]+$" }), Type.Union([Words, Numbers]))),
  /** What forms of a word end with, by what its base form ends with: "ar" of Spanish verbs, "" of any word. Lists hold base forms. */
  endings: Type.Optional(Type.Record(Type.String(), Words)),
  /** What joins the parts of a compound ("", "s", "en"); absent where words are not written in one. */
  joints: Type.Optional(Type.Array(Type.String())),
  /** By concept: "mood:calm". */
  words: Type.Optional(Type.Record(Type.String({ pattern: "^[a-z]+:.+$" }), Words)),
});
