import { type Instrument, instrumentOf, instruments } from "../instruments.ts";

/** Textures that paint these scenes, without repetition, at most `most`. */
export function texturesOf(scenes: readonly string[], most: number): Instrument[] {
  const found = scenes.flatMap((scene) => instruments().find((id) => instrumentOf(id).texture === scene) ?? []);
  return [...new Set(found)].slice(0, most);
}
