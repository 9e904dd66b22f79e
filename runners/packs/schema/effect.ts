/** Words of a sound effect. */
import { type Static, Type } from "@sinclair/typebox";

export type EffectPack = Static<typeof EffectPack>;
export const EffectPack = Type.Object({});
