import type { ScenePack } from "../../../packs/mod.ts";

/** What `Brief.scene` may hold. */
export type Texture = NonNullable<ScenePack["textures"]>[number];

export const TEXTURES: readonly Texture[] = [
  ...(["vinyl", "rain", "wind", "tape", "sea", "crowd", "fire", "birds", "night", "city", "space"] as const),
];
