/** What an action's `output` says: one shape or another, and which kinds of outputs come together. */
import { type AnyAction, type Shape, STEMS } from "../../contract/mod.ts";

export type ShapeName = Extract<Shape, string> | "named";

/** `named`: the declaration has names of its own. */
export const shapeOf = ({ output }: Pick<AnyAction, "output">): ShapeName =>
  typeof output === "string" ? output : "named";

/**
 * Kinds of outputs that come together, in the order of delivery, each with what it is; undefined: outputs have none.
 */
export function kindsOf({ output }: Pick<AnyAction, "output">): ReadonlyMap<string, string> | undefined {
  if (output === "stems") return new Map(STEMS.map((stem) => [stem, stem]));
  return typeof output === "string" ? undefined : new Map(Object.entries(output));
}
