/** Who a prompt wants to sing, and how. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readVoice } from "../../../../runners/music/studio/singer.ts";

const SAID: readonly (readonly [prompt: string, singers: string, manner: string])[] = [
  ["pop, female voice", "alto soprano", ""],
  ["a man sings, raspy", "tenor baritone", "bright"],
  ["no female vocals, a man", "tenor baritone", ""],
  ["tenor sax ballad", "", ""],
  ["soft piano, a woman sings", "alto soprano", ""],
  ["softly sung by a contralto", "alto", "breathy"],
  ["no choir, only a single tenor", "tenor", ""],
  ["rather than shouting, let him whisper", "tenor baritone", "breathy"],
  ["ein Lied für Frauenstimme, sanft", "alto soprano", "breathy"],
  ["женский голос", "alto soprano", ""],
];

test("readVoice() tells who sings and how, not who must not, and takes no player for a voice", () => {
  for (const [prompt, singers, manner] of SAID) {
    const voice = readVoice(prompt);
    assert.deepEqual([voice?.singers.join(" ") ?? "", voice?.manner.join(" ") ?? ""], [singers, manner], prompt);
  }
  assert.equal(readVoice("no women"), null);
});
