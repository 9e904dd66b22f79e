/** What holds of every Ask, whatever the words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, readAsk } from "../../../runners/language/mod.ts";
import { lexicon } from "../../../runners/music/compose/brief/lexicon.ts";
import { random } from "../../../runners/signal/dsp/random.ts";

const PIECES = [
  ..."no not without piano drums and or but , . : ; less very slightly only just then until than like two times".split(
    " ",
  ),
  ..."calm dark jazz blorp take out instead of rather free solo don't a the ( ) - / 3/4 120 bpm A minor in の なし 鼓".split(
    " ",
  ),
  ..."без барабанов keine Trommeln sans batterie 不要 피아노 없이 \u0000 \ud800 💀 ﷺ 𝕏".split(" "),
];

function assertSound(ask: Ask, prompt: string): void {
  let from = 0;
  for (const [n, one] of ask.mentions.entries()) {
    assert.ok(one.from >= from && one.to > one.from && one.to <= ask.text.length, prompt);
    assert.ok(one.concepts.length > 0 && one.degree > 0 && one.part >= 0, prompt);
    assert.ok(one.of === null || (one.of > n && one.of < ask.mentions.length), prompt);
    from = one.from;
  }
  for (const { who } of ask.form) for (const index of who) assert.ok(ask.mentions[index] !== undefined, prompt);
  for (const { word } of ask.unknown) assert.ok(word.length > 0, prompt);
  assert.ok(Number.isInteger(ask.colour) && ask.colour >= 0 && ask.colour < 2 ** 32, prompt);
}

test("any words make a sound Ask, and the same one again", () => {
  const draw = random(20_261_123);
  for (let n = 0; n < 3000; n++) {
    const words = Array.from({ length: Math.floor(draw() * 14) }, () => PIECES[Math.floor(draw() * PIECES.length)]!);
    const prompt = words.join(draw() < 0.1 ? "" : " ");
    const ask = readAsk(prompt, lexicon());
    assertSound(ask, prompt);
    if (n % 10 === 0) assert.deepEqual(readAsk(prompt, lexicon()), ask);
  }
});

test("time grows with the length of a prompt, not with its square", () => {
  // Processor time: others may have the machine meanwhile.
  const time = (prompt: string): number => {
    const begun = process.cpuUsage();
    readAsk(prompt, lexicon());
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  for (const piece of [...PIECES, "no drums, ", "piano and ", "no drums or ", "without a, ", "not too ", "悲しい"]) {
    const long = `${piece} `.repeat(2000).slice(0, 4000);
    time(long);
    // Sixteen times the square of what 1,024 characters may take would be 320 ms.
    assert.ok(Math.min(time(long), time(long), time(long)) < 250, piece);
  }
});
