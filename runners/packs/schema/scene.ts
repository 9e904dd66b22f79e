/** A place or a purpose that music is for: what it does to a piece. Which genres serve it stands in theirs (`suggested_by`). */
import { type Static, Type } from "@sinclair/typebox";
import { ByLanguage, section } from "./common.ts";
import { Change } from "./genre/identity.ts";
import { anyOf } from "./instrument/note.ts";

export type ScenePack = Static<typeof ScenePack>;
export const ScenePack = section({
  $schema: Type.Optional(Type.String()),
  names: ByLanguage,
  change: Type.Optional(Change),
  /** What is heard under the music. */
  textures: Type.Optional(
    Type.Array(anyOf("vinyl", "rain", "wind", "tape", "sea", "crowd", "fire", "birds", "night", "city", "space")),
  ),
});
