/** Prompts of other languages are read as their English twins. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readEffect } from "../../../runners/effects/understood.ts";
import { readAsk, tonguesOf } from "../../../runners/language/mod.ts";
import { lexicon } from "../../../runners/music/compose/brief/lexicon.ts";
import { understand } from "../../../runners/music/compose/brief/mod.ts";
import { packs } from "../../../runners/packs/mod.ts";
import { TWINS } from "./twins.ts";

/** What a reader takes from a prompt, without what is guessed. */
function taken(prompt: string): Record<string, unknown> {
  const { genre, moods, wanted, unwanted, traits, explicit, scene, metre, seconds } = understand(prompt);
  return {
    ...{ genre: explicit.includes("genre") ? genre : null, moods: moods.toSorted(), wanted: wanted.toSorted() },
    ...{ without: unwanted.roles.toSorted(), instruments: unwanted.instruments.toSorted() },
    ...{
      traits: traits.toSorted(),
      scene: scene.toSorted(),
      metre: explicit.includes("metre") ? metre : null,
      seconds,
    },
  };
}

for (const [language, pairs] of Object.entries(TWINS)) {
  test(`prompts in ${language} are read as their English twins`, () => {
    for (const [own, english] of pairs) assert.deepEqual(taken(own), taken(english), `${own} = ${english}`);
  });
}

test("every concept of the words of other languages is one that English has", () => {
  assert.deepEqual(lexicon().untranslated(), []);
  const english = new Set(Object.keys(packs("words").get("en")!.words!));
  for (const [language, { words }] of packs("words"))
    for (const concept of Object.keys(words ?? {}))
      if (/^(?:mood|scene|trait|tempo|voice|material|place|quality|dynamics|motion|direction):/u.test(concept))
        assert.ok(english.has(concept), `${language}: ${concept}`);
});

test("a stem stands for all that begins with it, in the language that the prompt is in", () => {
  const tongues = lexicon().speak!("latin");
  assert.ok(tongues.stems.get("ruhig")?.some(({ language }) => language === "de"));
  assert.deepEqual(understand("eine ruhigere Ballade mit Klavier").moods, ["calm"]);
  // "Hell" is German for bright, and "grave" is how slow it is; in English they are neither.
  assert.deepEqual(understand("helle Flöte und Klavier, hell und freundlich").moods.toSorted(), ["bright", "positive"]);
  assert.ok(!understand("techno with footsteps on gravel").moods.includes("deep"));
  assert.equal(tonguesOf([], () => null).exact.size, 0);
});

test("a word is read as what it is a form of, and a compound as its parts", () => {
  const phrases = (prompt: string) => readAsk(prompt, lexicon()).mentions.map(({ phrase }) => phrase);
  assert.deepEqual(phrases("ein Orchester mit Waldhörnern und Klarinetten"), ["orchestral", "french horn", "clarinet"]);
  assert.deepEqual(phrases("een rustige wals met gitaren"), phrases("een rustige wals met gitaar"));
  assert.deepEqual(phrases("Akkordeonwalzer mit Trompetensolo"), ["accordion", "waltz", "trumpet", "solo"]);
  assert.deepEqual(phrases("harpwals met een hobosolo"), ["harp", "waltz", "oboe", "solo"]);
  // Of parts that nobody knows nothing is made.
  assert.deepEqual(phrases("ein Walzer mit Quastenflosser"), ["waltz"]);
});

test("what sounds, how often, of what, where and how it moves is read in six languages", () => {
  for (const [prompts, expected] of [
    [
      [
        [
          "Ein Hund bellt dreimal, dann fällt eine Tür ins Schloss",
          "Een hond blaft drie keer, daarna slaat een deur dicht",
        ],
        ["Un chien aboie trois fois puis une porte claque", "Un perro ladra tres veces y luego se cierra una puerta"],
        ["Un cane abbaia tre volte, poi una porta sbatte", "Um cachorro late três vezes, depois uma porta bate"],
      ],
      "dog 3, door slam",
    ],
    [
      [
        ["Schritte im Schnee kommen näher", "Voetstappen in de sneeuw komen dichterbij"],
        ["Des pas dans la neige qui se rapprochent", "Pasos en la nieve que se acercan"],
        ["Passi nella neve che si avvicinano", "Passos na neve se aproximando"],
      ],
      "footsteps snow approaching",
    ],
    [
      [
        ["Regen, aber kein Wind", "Regen, geen wind"],
        ["La pluie, sans vent", "Lluvia, sin viento"],
        ["Pioggia, senza vento", "Chuva, sem vento"],
      ],
      "rain",
    ],
  ] as const)
    for (const prompt of prompts.flat()) assert.equal(heard(prompt), expected, prompt);
});

/** Sounds of an effect with their material, count and motion. */
function heard(prompt: string): string {
  const { sounds } = readEffect(prompt).understood;
  return sounds
    .map(({ sound, material, count, motion }) =>
      [sound, material, count, motion].filter((one) => one !== null).join(" "),
    )
    .join(", ");
}
