import assert from "node:assert/strict";
import { test } from "node:test";
import { clockOf, composer } from "../../../../runners/music/compose/mod.ts";
import { loadSinger, type SungPhrase } from "../../../../runners/music/sing/mod.ts";
import { singerFor } from "../../../../runners/music/studio/singer.ts";
import { vocals } from "../../../../runners/music/studio/song.ts";
import { turnsOf } from "../../../../runners/music/studio/turns.ts";
import type { Vocalist } from "../../../../runners/music/studio/vocalist.ts";

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

test("turnsOf() hears who of two sings which section, and takes no manner for a name", async () => {
  const [{ readPrompt }, engine] = await Promise.all([composer.load(), loadSinger()]);
  const isKnown = (said: string): boolean => readPrompt(said).mentions.some(({ guessed }) => guessed === null);
  const turns = (markers: readonly string[], prompt = "pop"): string =>
    turnsOf(
      engine.readLyrics(markers.map((marker) => `[${marker}]\nWalking down the river`).join("\n")),
      readPrompt(prompt),
      isKnown,
    ).join(" ");
  assert.equal(turns(["Verse 1 - Him", "Verse 2 - Her", "Chorus - Both"]), "man woman both");
  assert.equal(turns(["Verse 1: Anna", "Verse 2: Ben", "Chorus: Anna", "Chorus: together"]), "first second first both");
  assert.equal(turns(["Verse 1: Anna", "Verse 2: Ben", "Chorus: Anna & Ben"]), "first second both");
  assert.equal(turns(["Strophe 1: Frau", "Strophe 2: Mann", "Refrain: beide"]), "woman man both");
  assert.equal(turns(["Куплет 1: он", "Куплет 2: она", "Припев: вместе"]), "man woman both");
  assert.equal(
    turns(["Verse 1", "Verse 2", "Chorus"], "duet: male sings verse 1, female sings verse 2, both in the chorus"),
    "man woman ",
  );
  assert.equal(turns(["Verse 1: loud", "Bridge: spoken", "Chorus: softly"]), "");
  assert.equal(turns(["Verse 1: Anna", "Verse 2", "Chorus"]), "", "one name is no duet");
});

test("in a duet each sings own sections in an octave of theirs, and both where it says so", async () => {
  const [{ compose, readPrompt, understand }, engine] = await Promise.all([composer.load(), loadSinger()]);
  const brief = understand("soul duet");
  const words = engine.readLyrics(`[Verse 1 - Him]
Walking down the river in the morning light
[Verse 2 - Her]
Every little shadow has a place to hide
[Chorus - Both]
Sing it out, we are alive`);
  const ask = readPrompt("soul");
  const turns = turnsOf(words, ask, () => false);
  const singer = singerFor(ask, brief, 3, engine, turns.length > 0);
  assert.ok(singer.second !== undefined);
  const score = compose(brief, { sections: engine.outlineOf(words), singer: singer.voice }, 3);
  const heard: { readonly voice: object; readonly from: number; readonly to: number; readonly pitch: number }[] = [];
  const who = {
    perform: (phrases: readonly SungPhrase[], frames: number, { voice }: { readonly voice: object }) => {
      for (const phrase of phrases) {
        const last = phrase.at(-1)!;
        heard.push({
          voice,
          from: phrase[0]!.frame,
          to: last.frame + last.frames,
          pitch: phrase[0]!.pitches[0]!.pitch,
        });
      }
      return Promise.resolve(new Float32Array(frames));
    },
  } as unknown as Vocalist;
  const { guests, lines } = vocals(words, score, singer, 3, engine, who, turns);
  const frames = Math.ceil(clockOf(score).seconds(score.beats) * 44_100) + 44_100;
  await guests[0]!.perform(frames);
  const singing = (lines as readonly { start: number; end: number }[]).map(({ start, end }) => {
    const middle = (44_100 * (start + end)) / 2;
    return heard.filter(({ from, to }) => from < middle && to > middle).map(({ voice }) => voice);
  });
  const man = singer.name === "tenor" || singer.name === "baritone" ? singer : singer.second!;
  const woman = man === singer ? singer.second! : singer;
  assert.deepEqual(singing.slice(0, 2), [[man.voice], [woman.voice]]);
  assert.equal(singing[2]!.length, 2);
  for (const { voice, pitch } of heard) {
    const [low, high] = (voice as { readonly range: readonly [number, number] }).range;
    assert.ok(pitch >= low - 4 && pitch <= high + 4, `${pitch} is out of reach`);
  }
  const alone = vocals(words, score, singer, 3, engine);
  assert.ok(alone.guests.length >= 2, "without turns the first sings all of it");
});
