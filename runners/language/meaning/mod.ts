/**
 * Unknown words by meaning, as WordNet has it. English only.
 *
 * - `meaningOf("corgi", { kinds: ["sound"] })` is `{ concept: "sound:dog", via: ["corgi", "dog"], distance: 0.5 }`: the known thing that it is a kind
 *   of, and the way there. Distances up to 1 are sure, beyond 2 the word only shares a family with it. `anchors.json` says where the known things
 *   stand; `context`, the other words of the prompt, helps to tell senses apart.
 * - `thingOf("samovar")` tells what a thing is (a container), of what (metal) and how large, for those without a sound of their own.
 * - `isWord("supper")`: then it is no misspelling. `comesFrom("adder", "ad")`: whether an ending makes one of the other.
 *
 * Each is undefined or false where the dictionary says nothing; then nothing is to be guessed.
 */
export { type Meaning, type MeaningOptions, meaningOf } from "./meaning.ts";
export { comesFrom, isWord } from "./readings.ts";
export { type Thing, thingOf } from "./thing.ts";
export type { WordClass } from "./wordnet.ts";
