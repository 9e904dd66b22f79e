/** How what a prompt mentions is meant: denied, softened, counted, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, type Concept, lexiconOf, readAsk } from "../../../runners/language/mod.ts";
import { DENIALS } from "./negations.ts";

const words = (kind: string, list: string): [Concept, string[]][] =>
  list.split(", ").map((word) => [`${kind}:${word.replaceAll(" ", "_")}` as Concept, [word]]);

const LEXICON = lexiconOf([
  ...words("instrument", "drum, piano, cello, violin, bass, guitar, flute, harp, trumpet, synth, timpani"),
  ...words("genre", "jazz, rock, ambient, house, folk, funk, techno, swing"),
  ...words("mood", "calm, dark, happy, sad, dreamy, loud, soft, heavy"),
  ...words("tempo", "slow, fast"),
  ...words("sound", "thunder, lightning, rain, wind, footsteps, bird, knock, door"),
  ...words("trait", "solo"),
]);

const read = (prompt: string): Ask => readAsk(prompt, LEXICON);
const said = ({ mentions, text }: Ask, polarity: string): string =>
  mentions
    .filter((one) => one.polarity === polarity)
    .map(({ from, to }) => text.slice(from, to).toLowerCase())
    .join(" ");

for (const { prompt, denied, wanted, softened = "" } of DENIALS) {
  test(`"${prompt}" denies "${denied}"`, () => {
    const ask = read(prompt);
    const has = (polarity: string): string[] => said(ask, polarity).split(" ");
    for (const word of wanted.split(" ")) if (word !== "") assert.ok(has("wanted").includes(word), `wants ${word}`);
    for (const word of denied.split(" ")) if (word !== "") assert.ok(has("unwanted").includes(word), `denies ${word}`);
    for (const word of softened.split(" "))
      if (word !== "") assert.ok(has("softened").includes(word), `softens ${word}`);
    for (const word of has("unwanted"))
      if (wanted !== "") assert.ok(!wanted.split(" ").includes(word), `denies ${word}`);
  });
}
