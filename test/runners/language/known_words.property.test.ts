/** Whatever words the readers know, in any order and with any breaks between them, something is read of them. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { understand as hearEffect } from "../../../runners/effects/text/understand.ts";
import { reportOf } from "../../../runners/music/compose/brief/report.ts";
import { understand } from "../../../runners/music/compose/brief/understand.ts";
import { readSample } from "../../../runners/music/studio/read_sample.ts";
import { random } from "../../../runners/signal/dsp/random.ts";

const WORDS = new URL("../../../runners/packs/words/", import.meta.url);
const BREAKS = [" ", " ", " ", " ", ", ", ", ", ". ", ": ", " - ", "; ", "\n", "", "... ", " ("];
const FIGURES = "1|2|10|1.5|0|1000|4/4|120 bpm|1s|8 bars|2:30|A minor|Hz|440 Hz|x3|50%|-14".split("|");
/** A fault of one prompt in two hundred is found by so many in 49 runs of 50. */
const PROMPTS = 800;
const LENGTH_MAX = 14;

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Groups of words that do the same: rare groups are drawn as often as large ones. */
const groupsOf = (value: object): readonly (readonly string[])[] =>
  Object.values(value)
    .map(textsOf)
    .filter(({ length }) => length > 0);

test("any known words in any order make a brief, an effect and a sample", async () => {
  const names = (await readdir(WORDS)).filter((name) => name.endsWith(".json")).sort();
  const languages = await Promise.all(
    names.map(async (name) => {
      const { grammar, words } = JSON.parse(await readFile(new URL(name, WORDS), "utf8"));
      return { grammar: groupsOf(grammar), words: groupsOf(words) };
    }),
  );
  const draw = random(20_261_129);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(draw() * all.length)]!;
  for (let n = 0; n < PROMPTS; n++) {
    const [own, other] = [pick(languages), pick(languages)];
    const pieces = Array.from({ length: 1 + Math.floor(draw() * LENGTH_MAX) }, () => {
      const { grammar, words } = draw() < 0.9 ? own : other;
      const kind = draw();
      const word = kind < 0.5 ? pick(pick(grammar)) : kind < 0.85 ? pick(pick(words)) : pick(FIGURES);
      return word + pick(BREAKS);
    });
    const prompt = pieces.join("");
    try {
      reportOf(understand(prompt));
      hearEffect(prompt);
      await readSample(prompt, 4, false);
    } catch (error) {
      assert.fail(`${JSON.stringify(prompt)}: ${(error as Error).stack}`);
    }
  }
});
