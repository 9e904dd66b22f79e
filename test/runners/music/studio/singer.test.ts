/** Who a prompt wants to sing, and how. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING } from "../../../../runners/language/mod.ts";
import { readPrompt } from "../../../../runners/music/compose/composer.ts";
import { readVoice, sungAs } from "../../../../runners/music/studio/singer.ts";

const SAID: readonly (readonly [prompt: string, singers: string, manner: string, who?: string])[] = [
  ["pop, female voice", "alto soprano", "", "woman"],
  ["a man sings, raspy", "tenor baritone", "sung raspy", "man"],
  ["no female vocals, a man", "tenor baritone", "", "man"],
  ["tenor sax ballad", "", ""],
  ["soft piano, a woman sings", "alto soprano", "sung", "woman"],
  ["softly sung by a contralto", "alto", "soft sung"],
  ["no choir, only a single tenor", "tenor", "sung"],
  ["rather than shouting, let him whisper", "tenor baritone", "whispered", "man"],
  ["ein Lied für Frauenstimme, sanft", "alto soprano", "soft", "woman"],
  ["женский голос", "alto soprano", "", "woman"],
  ["a song about a boy who lost his dog, sung by an old woman", "alto soprano", "sung", "old woman"],
  ["woman with a deep voice, half spoken", "alto", "deep spoken", "woman"],
  ["swing song for my sister's wedding, a crooner", "tenor baritone", "crooning", "man"],
  ["ein Lied für meine Mutter, Männerstimme", "tenor baritone", "", "man"],
  ["my sister's voice, a woman, soft", "alto soprano", "soft", "woman"],
  ["male and female duet, country", "tenor alto", "", "duet"],
  ["voix rauque d'un vieil homme", "tenor baritone", "raspy", "old man"],
  ["voz ronca de hombre, bolero, sin coros", "tenor baritone", "raspy", "man"],
  ["低沉的男声，不要合唱", "baritone", "deep", "man"],
  ["허스키한 여성 보컬, 랩 없이", "alto soprano", "raspy", "woman"],
  ["gerappt, mit Männerchor", "baritone tenor", "rap", "men male choir"],
];

test("readVoice() tells who sings and how, not who must not, and takes no player for a voice", () => {
  for (const [prompt, singers, manner, who = ""] of SAID) {
    const voice = readVoice(readPrompt(prompt));
    assert.deepEqual([voice?.singers.join(" ") ?? "", voice?.manner.join(" ") ?? ""], [singers, manner], prompt);
    assert.equal([...(voice?.who ?? []), voice?.ensemble ?? []].flat().join(" "), who, prompt);
  }
  assert.equal(readVoice(readPrompt("no women")), null);
});

test("sungAs() says what is sung instead of what our singers cannot do, and what was denied", () => {
  const { guessed, without } = sungAs(NOTHING, readPrompt("rap by a woman, no autotune, no male vocals"));
  assert.deepEqual(guessed, [{ field: "voice", value: "singing", from: "rap" }]);
  assert.deepEqual(without, ["autotuned", "man's voice"]);
});
