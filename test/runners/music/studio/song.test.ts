import assert from "node:assert/strict";
import { test } from "node:test";
import { clockOf, composer } from "../../../../runners/music/compose/mod.ts";
import { loadSinger } from "../../../../runners/music/sing/mod.ts";
import { singerFor } from "../../../../runners/music/studio/singer.ts";
import { vocals } from "../../../../runners/music/studio/song.ts";

const LYRICS = `[Verse]
Walking down the river in the morning light
Every little shadow has a place to hide
[Chorus]
Sing it out, we are alive
Carry me over to the other side`;

test("choruses grow: the first of several has no harmonies, and the last has a third voice", async () => {
  const [{ compose, readPrompt, understand }, engine] = await Promise.all([composer.load(), loadSinger()]);
  const brief = understand("rock song");
  const singer = singerFor(readPrompt("rock song"), brief, 3, engine);
  const partsOf = (lyrics: string) => {
    const words = engine.readLyrics(lyrics);
    const score = compose(brief, { sections: engine.outlineOf(words), singer: singer.voice }, 3);
    return vocals(words, score, singer, 3, engine).guests.map(({ part }) => part.name);
  };
  assert.ok(partsOf(LYRICS).includes("harmony left") && !partsOf(LYRICS).includes("harmony last"));
  assert.ok(partsOf(`${LYRICS}\n${LYRICS}`).includes("harmony last"));
});

test("the desk is told when the lead sings, and who only stands behind it", async () => {
  const [{ compose, readPrompt, understand }, engine] = await Promise.all([composer.load(), loadSinger()]);
  const brief = understand("rock song");
  const words = engine.readLyrics(LYRICS);
  const singer = singerFor(readPrompt("rock song"), brief, 3, engine);
  const score = compose(brief, { sections: engine.outlineOf(words), singer: singer.voice }, 3);
  const { guests, lines } = vocals(words, score, singer, 3, engine);
  const [lead, ...others] = guests.map(({ part }) => part);
  assert.equal(lead!.role, "vocal");
  const seconds = (beat: number): number => clockOf(score).seconds(beat);
  assert.equal(lines.length, 4);
  for (const { start, end } of lines as readonly { start: number; end: number }[]) {
    const middle = (start + end) / 2;
    assert.ok(
      lead!.notes.some(({ beat, beats }) => seconds(beat) < middle && seconds(beat + beats) > middle),
      `nothing is said of the line at ${start} s`,
    );
  }
  assert.ok(others.length >= 3);
  for (const part of others) assert.ok(part.role === "backing" && part.notes.length === 0, part.name);
  for (const part of others) assert.ok(part.level_db <= 3, part.name);
});
