/**
 * Unknown words by meaning. `meaningOf("corgi", { kinds: ["sound"] })` is `{ concept: "sound:dog", via: ["corgi", "dog"], distance: 1 }`. A thing
 * that has no sound of its own is told by `thingOf`: what it is, of what material and how large. Where both say nothing, nothing is known.
 */
export { type Meaning, type MeaningOptions, meaningOf } from "./meaning.ts";
export { isWord } from "./readings.ts";
export { type Thing, thingOf } from "./thing.ts";
export type { WordClass } from "./wordnet.ts";
