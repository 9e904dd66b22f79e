/** Words that no table of ours has are known by what WordNet says they are, and words without a near relative by nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import anchors from "../../../runners/language/meaning/anchors.json" with { type: "json" };
import { senseAt } from "../../../runners/language/meaning/anchors.ts";
import { meaningOf, thingOf } from "../../../runners/language/meaning/mod.ts";
import { packs } from "../../../runners/packs/mod.ts";

/** What is asked, of which kinds, and what would do; an empty list for nothing. */
const WORDS: readonly (readonly [words: string, kinds: string, concepts: readonly string[]])[] = [
  ["beagle", "sound", ["sound:dog"]],
  ["poodles", "sound", ["sound:dog"]],
  ["adder", "sound", ["sound:hiss"]],
  ["bittern", "sound", ["sound:birds"]],
  ["crypt", "place", ["place:cave"]],
  ["steppe", "place", ["place:outdoors"]],
  ["my neighbour's bloodhound", "sound", ["sound:dog"]],
  ["mare", "sound", ["sound:horse", "sound:neigh"]],
  ["viper", "sound", ["sound:hiss", "sound:rattlesnake"]],
  ["thrush", "sound", ["sound:birds"]],
  ["hornets", "sound", ["sound:insect"]],
  ["lawn mower", "sound", ["sound:small_motor"]],
  ["lawnmower", "sound", ["sound:small_motor"]],
  ["convertible", "sound", ["sound:engine", "sound:car_pass"]],
  ["jeep", "sound", ["sound:engine", "sound:truck", "sound:car_pass"]],
  ["old grandfather clock", "sound", ["sound:clock"]],
  ["maul", "sound", ["sound:impact"]],
  ["scimitar", "sound", ["sound:sword"]],
  ["derringer", "sound", ["sound:gunshot"]],
  ["torrent", "sound", ["sound:rain", "sound:stream", "sound:waterfall"]],
  ["mistral", "sound", ["sound:wind"]],
  ["snickered", "sound", ["sound:laugh"]],
  ["detonating", "sound", ["sound:explosion"]],
  ["balalaika", "instrument", ["instrument:mandolin", "instrument:steel_guitar"]],
  ["violoncello", "instrument", ["instrument:cello"]],
  ["amati", "instrument", ["instrument:violin"]],
  ["basset oboe", "instrument", ["instrument:oboe"]],
  ["serene", "mood", ["mood:calm", "mood:peaceful"]],
  ["doleful", "mood", ["mood:mournful", "mood:sad"]],
  ["dauntless", "mood", ["mood:heroic"]],
  ["teak", "material", ["material:wood"]],
  ["basilica", "place", ["place:church"]],
  ["philosophy", "sound", []],
  ["tuesday", "sound", []],
  ["chaching", "sound", []],
  ["zzyzx", "sound instrument mood", []],
];

test("meaningOf() goes up from a word to what is known", () => {
  const wrong = WORDS.flatMap(([words, kinds, concepts]) => {
    const found = meaningOf(words, { kinds: kinds.split(" ") });
    const is_right = concepts.length === 0 ? found === undefined : concepts.includes(found?.concept ?? "");
    return is_right ? [] : [`${words}: ${JSON.stringify(found)}, not ${concepts}`];
  });
  assert.deepEqual(wrong, []);
});

test("meaningOf() tells the way and how far it is", () => {
  const found = meaningOf("corgi", { kinds: ["sound"] });
  assert.deepEqual(found?.via, ["corgi", "dog"]);
  const hound = meaningOf("dog", { kinds: ["sound"] });
  assert.ok(hound !== undefined && found !== undefined && hound.distance < found.distance);
});

test("meaningOf() lets the words around decide between senses", () => {
  const kinds = ["sound"];
  assert.equal(meaningOf("bat", { kinds, context: ["nocturnal", "wings"] })?.concept, "sound:wings");
});

test("meaningOf() knows what a caller knows by lemma", () => {
  const known = (lemma: string) => (lemma === "dog" ? "sound:our_dog" : undefined);
  assert.equal(meaningOf("corgi", { kinds: ["voice"], known: () => undefined }), undefined);
  assert.equal(
    meaningOf("corgi", { kinds: ["own"], known: (lemma) => known(lemma)?.replace("sound", "own") })?.concept,
    "own:our_dog",
  );
});

test("thingOf() tells kind, material and size", () => {
  const bucket = thingOf("stockpot");
  assert.equal(bucket?.class, "container");
  assert.equal(thingOf("skillet")?.material, "metal");
  assert.equal(thingOf("wardrobe")?.material, "wood");
  assert.equal(thingOf("hummingbird")?.class, "bird");
  assert.ok((thingOf("hummingbird")?.size ?? 0) < 0);
  assert.equal(thingOf("outboard motor")?.powered, true);
  assert.equal(thingOf("zzyzx"), undefined);
});

test("every anchor is of something that we can make", () => {
  const made = { sound: packs("effects"), instrument: packs("instruments"), genre: packs("genres") };
  for (const concept of Object.keys(anchors)) {
    const [kind, name] = concept.split(":") as [string, string];
    if (Object.hasOwn(made, kind)) assert.ok(made[kind as keyof typeof made].has(name), concept);
  }
});

test("every anchor names a sense that WordNet has", () => {
  for (const [concept, senses] of Object.entries(anchors)) {
    for (const sense of senses) assert.doesNotThrow(() => senseAt(sense), concept);
  }
});
