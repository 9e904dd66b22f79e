/** How a genre is sung. */
import { type Static, Type } from "@sinclair/typebox";
import { section } from "../common.ts";

export type Singing = Static<typeof Singing>;
export const Singing = section({
  /** Who sings where a prompt leaves it open: the seed chooses one; who stands there twice comes twice as often. */
  singers: Type.Array(
    Type.Union((["soprano", "alto", "tenor", "baritone"] as const).map((name) => Type.Literal(name))),
    { minItems: 1 },
  ),
  /** Verses are spoken in rhythm. */
  rapped: Type.Optional(Type.Boolean()),
  /** Long last syllables turn through neighbouring notes more often than not. */
  melismas: Type.Optional(Type.Boolean()),
});
