/** A mode: vamps that show its colour, played beside or instead of a genre's progressions where a key is in it. */
import type { Static } from "@sinclair/typebox";
import { section } from "./common.ts";
import { Shelf } from "./genre/progressions.ts";

export type ModePack = Static<typeof ModePack>;
export const ModePack = section({ progressions: Shelf });
