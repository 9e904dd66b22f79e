import type { Instrument } from "../instruments.ts";

/** Words of a scene that a texture can paint. */
const SCENES: readonly (readonly [words: RegExp, texture: Instrument])[] = [
  [/vinyl|record|crackle|turntable|dusty/u, "vinyl_noise"],
  [/tape|cassette|hiss|vhs/u, "tape_hiss"],
  [/rain|storm|drizzle|thunder/u, "rain_texture"],
  [/sea|ocean|wave|beach|shore|water|river|underwater|lake|coast|island/u, "sea_texture"],
  [/wind|mountain|desert|winter|snow|arctic|ice|tundra|sky/u, "wind_texture"],
  [/crowd|cafe|café|coffee|bar|party|stadium|people|club|market|festival|audience/u, "crowd_texture"],
  [/fire|camp|hearth|flame/u, "fire_texture"],
  [/bird|forest|morning|garden|meadow|spring|jungle|nature|wood|park|dawn|sunrise/u, "birds_texture"],
  [/night|cricket|summer|moon|swamp|insect|midnight/u, "night_texture"],
  [/city|street|traffic|urban|train|subway|metro/u, "city_texture"],
  [/space|star|cosm|galax|planet|orbit|void|sci/u, "space_texture"],
];

/** Textures for the words, without repetition, at most `most`. */
export function texturesOf(scene: readonly string[], most: number): Instrument[] {
  const found: Instrument[] = [];
  for (const word of scene) {
    const texture = SCENES.find(([words]) => words.test(word.toLowerCase()))?.[1];
    if (texture && !found.includes(texture)) found.push(texture);
  }
  return found.slice(0, most);
}
