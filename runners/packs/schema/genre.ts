/** A genre: one file, in sections of which each has a file of its own here. */
import type { Static } from "@sinclair/typebox";
import { section } from "./common.ts";
import { identity } from "./genre/identity.ts";
import { music } from "./genre/music.ts";

export type GenrePack = Static<typeof GenrePack>;
export const GenrePack = section({ ...identity, ...music });
