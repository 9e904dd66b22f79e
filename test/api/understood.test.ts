/** What a dry run of a creating action tells of its words: the very object that the output's report holds later. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Errors } from "@sinclair/typebox/errors";
import { Understood } from "../../packages/plugin/mod.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without our types
type Json = any;

/** A promise of the contract, beside the schema: the kernel took it. */
async function understoodOf(action: string, request: object, service = tonwerk): Promise<Json> {
  const { status, body } = await service.json("PUT", `/v1/${action}?dry_run=true`, request);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(typeof body.cost, "number");
  // A busy machine took more than five seconds to load what reads words, which is no fault; those are logged.
  if (body.understood === null && !service.logged.some((line) => line.includes("understand.failed")))
    return understoodOf(action, request, service);
  assert.notEqual(body.understood, null, service.logged.at(-1) ?? "");
  assert.deepEqual([...Errors(Understood, body.understood)], [], JSON.stringify(body.understood));
  return body.understood;
}

/** The outputs of the operation when it is ready. */
async function outputsOf(action: string, request: object): Promise<Json[]> {
  const { status, error, outputs, output } = await tonwerk.perform(action, request);
  assert.equal(status, "ready", JSON.stringify(error));
  return outputs ?? [output];
}

const LYRICS = "[Verse]\nMorning on the river";
const SOURCE = { url: "https://example.com/song.flac" };

for (const [action, request] of [
  ["create.new_song", { lyrics: LYRICS, prompt: "a ten second folk tune, breathy female voice, no drums, fade out" }],
  ["create.new_instrumental", { prompt: "10 seconds of calm jazz in A minor, piano and double bass, zorble" }],
  ["create.new_sample", { prompt: "a single piano note, C4", duration: 1, loopable: false }],
  ["create.new_sample", { prompt: "soft piano chords, dreamy", duration: 2, loopable: true }],
  ["create.new_sample", { prompt: "heavy rain on a tin roof", duration: 1.5, loopable: false }],
  ["create.new_fx", { prompt: "three knocks on a wooden door, then it creaks open", duration: 2 }],
  ["create.new_fx", { prompt: "a single footstepp in a church" }],
] as const) {
  test(`${action}, "${request.prompt}": the dry run tells what the output's report tells`, async () => {
    const told = await understoodOf(action, request);
    assert.deepEqual(await understoodOf(action, { ...request, seed: 7 }), told, "the seed has no part in it");
    for (const { report } of await outputsOf(action, { ...request, seed: 7 }))
      assert.deepEqual(report.understood, told);
  });
}

test("every variation is told alike, for its words are the same", async () => {
  const request = { prompt: "ten seconds of techno", n_variations: 2, seed: 1 };
  const told = await understoodOf("create.new_instrumental", request);
  const reports = (await outputsOf("create.new_instrumental", request)).map(({ report }) => report.understood);
  assert.deepEqual(reports, [told, told]);
});

test("music: what was said is taken, the rest is guessed from it, and what means nothing is not understood", async () => {
  const told = await understoodOf("create.new_song", {
    lyrics: LYRICS,
    prompt: "calm jazz at 124 bpm in F major, piano, without drums, female voice, fade out, 2 minutes, zorble",
  });
  assert.deepEqual(
    [told.genre, told.tempo_bpm, told.key, told.seconds, told.form],
    ["jazz", 124, "F major", 120, ["fade out"]],
  );
  assert.ok(told.instruments.includes("piano"));
  assert.ok(told.without.includes("drums"));
  assert.ok(told.moods.includes("calm"));
  assert.deepEqual(told.voice, { singers: ["alto", "soprano"], manner: [], who: ["woman"], ensemble: null });
  assert.deepEqual(told.not_understood, ["zorble"]);
  assert.deepEqual(told.guessed, [{ field: "metre", value: "4/4", from: "genre" }]);

  const guessed = (await understoodOf("create.new_instrumental", { prompt: "sad cello" })).guessed;
  const fields = guessed.map(({ field }: { field: string }) => field);
  assert.deepEqual(fields, ["genre", "tempo_bpm", "key", "metre"]);
  assert.equal(guessed[0].from, "instruments, moods");
});

test("effects: sounds in order, with material, count and distance", async () => {
  const told = await understoodOf("create.new_fx", { prompt: "three knocks on a wooden door, then distant thunder" });
  assert.deepEqual(
    told.sounds.map(({ material, count, turn }: Json) => ({ material, count, turn })),
    [
      { material: "wood", count: 3, turn: 1 },
      { material: null, count: null, turn: 2 },
    ],
  );
  assert.equal(told.sounds[0].distance, 0);
  assert.ok(told.sounds[1].distance > 0.3);
  assert.equal(told.genre, null);
  const passing = await understoodOf("create.new_fx", { prompt: "a loud truck driving away from left to right" });
  assert.equal(passing.direction, "left to right");
  assert.equal(passing.sounds[0].motion, "receding");
  assert.ok(passing.sounds[0].intensity > 0.5);
  const [guess] = (await understoodOf("create.new_fx", { prompt: "a footstepp" })).guessed;
  assert.deepEqual([guess.field, guess.from], ["sounds", "footstepp"]);
  assert.match(guess.value, /^footsteps?$/u);
});

test("samples: which kind of clip it is, by its length and whether it repeats", async () => {
  const clip = async (prompt: string, duration: number, loopable = false) =>
    (await understoodOf("create.new_sample", { prompt, duration, loopable })).clip;
  assert.equal(await clip("snare", 0.5), "stroke");
  assert.equal(await clip("snare", 8, true), "drum pattern");
  assert.equal(await clip("funky bass line", 4), "phrase");
  assert.equal(await clip("applause of a crowd", 4), "sound");
});

test("samples: the note, the chord or the drums that a clip is of", async () => {
  const parts = async (prompt: string) =>
    (await understoodOf("create.new_sample", { prompt, duration: 2, loopable: false })).clip_of;
  assert.deepEqual(await parts("a single marimba note, F#2"), ["F#2"]);
  assert.deepEqual(await parts("one Cm7 chord on a Rhodes"), ["Cm7"]);
  assert.deepEqual(await parts("a single snare hit"), ["snare"]);
});

test("a single sound has neither genre nor beat, and a misspelt word says what it was taken for", async () => {
  const chord = await understoodOf("create.new_sample", {
    ...{ prompt: "a single piano chord in C major", duration: 2, loopable: false },
  });
  assert.deepEqual([chord.clip, chord.genre, chord.tempo_bpm, chord.metre], ["chord", null, null, null]);
  assert.deepEqual([chord.key, chord.guessed], ["C major", []]);
  const { instruments, guessed } = await understoodOf("create.new_instrumental", {
    prompt: "calm jazz with a saxophne",
  });
  assert.ok(
    instruments.some((name: string) => name.includes("sax")),
    JSON.stringify(instruments),
  );
  const taken = guessed.find(({ from }: { from: string }) => from === "saxophne");
  assert.equal(taken.field, "instruments");
  assert.match(taken.value, /^sax/u);
});

test("remixes and references: what the words alone ask, for no source is read", async () => {
  const remix = (prompt?: string) => understoodOf("create.remix_instrumental", { source: SOURCE, prompt });
  const plain = await remix("for music box and cello");
  assert.deepEqual([plain.genre, plain.tempo_bpm, plain.key, plain.metre], [null, null, null, null]);
  assert.deepEqual([plain.instruments.includes("cello"), plain.guessed], [true, []]);
  const dressed = await remix("dark synthwave at 100 bpm in a minor key");
  assert.deepEqual([dressed.genre, dressed.tempo_bpm, dressed.key, dressed.metre], ["synthwave", 100, "minor", null]);
  const words = { lyrics: LYRICS, source: SOURCE, prompt: "warm soul with horns, male voice" };
  const sung = await understoodOf("create.remix_song", words);
  assert.deepEqual([sung.genre, sung.voice.singers], ["soul", ["tenor", "baritone"]]);
  const nothing = await remix();
  assert.deepEqual([nothing.genre, nothing.instruments, nothing.guessed], [null, [], []]);
  assert.deepEqual(await understoodOf("create.new_instrumental", { reference: SOURCE }), nothing);
  assert.deepEqual(await understoodOf("create.new_song", { lyrics: "La", reference: SOURCE }), nothing);
});

test("what adapts tells nothing, and what is refused is refused before anything is read", async () => {
  const adapted = await tonwerk.json("PUT", "/v1/adapt.normalise_loudness?dry_run=true", { source: SOURCE });
  assert.deepEqual(Object.keys(adapted.body).sort(), ["balance", "cost", "sufficient"]);
  const refused = await tonwerk.json("PUT", "/v1/create.new_fx?dry_run=true", { prompt: "x".repeat(1025) });
  assert.equal(refused.status, 422);
});

test("it is free work: the account's budget of a day pays for it, and without budget the price alone is told", async () => {
  const poor = await startTestService({ env: { TONWERK_FREE_SECONDS: "60" } });
  try {
    const { facade, store, first } = poor.service;
    const now = facade.clock.now();
    const spent = async () => (await store.account(first!.account_id))!.free_ms;
    const ask = async () => (await poor.json("PUT", "/v1/create.new_fx?dry_run=true", { prompt: "knock" })).body;
    // Loading what it reads with takes some milliseconds at least.
    assert.equal((await understoodOf("create.new_fx", { prompt: "knock" }, poor)).sounds.length, 1);
    while ((await spent()) === 0) await pause(5);
    await store.addFreeWork(first!.account_id, now - (now % 86_400_000), 60_000);
    // Keys are known for some seconds before the store is asked again.
    for (;;) {
      const { cost, understood } = await ask();
      assert.equal(cost, 3);
      if (understood === null) break;
      await pause(100);
    }
  } finally {
    await poor.stop();
  }
});

test("a node that runs no jobs tells it, too", async () => {
  const api = await startTestService({ env: { TONWERK_ROLE: "api" } });
  try {
    assert.equal((await understoodOf("create.new_instrumental", { prompt: "jazz" }, api)).genre, "jazz");
  } finally {
    await api.stop();
  }
});

test("a plugin tells what its own schema says; what breaks that is null, and in the log", async () => {
  const folder = await pluginFolder([]);
  const schema = 'Type.Object({ letters: Type.Integer({ description: "How many" }) })';
  const understand = (read: string) => ({
    request: "Type.Object({ note: Type.String({ maxLength: 20 }) })",
    sources: "{}",
    echo: "[]",
    examples: '[{ note: "a" }]',
    understand: `{ schema: ${schema}, read: ${read} }`,
    process: "() => { throw new Error('never') }",
  });
  await addAction(folder, "test.counted", understand("async ({ request }) => ({ letters: request.note.length })"));
  await addAction(folder, "test.lying", understand('() => ({ letters: "many" })'));
  await addAction(folder, "test.failing", understand("() => { throw new Error('out of words') }"));
  const service = await startTestService({ env: { TONWERK_PLUGINS: folder } });
  try {
    const ask = async (action: string) =>
      (await service.json("PUT", `/v1/${action}?dry_run=true`, { note: "four" })).body.understood;
    assert.deepEqual(await ask("test.counted"), { letters: 4 });
    assert.equal(await ask("test.lying"), null);
    assert.equal(await ask("test.failing"), null);
    const said = service.logged.filter((line) => line.includes("plugin.error")).join("\n");
    assert.match(said, /test\.lying.*\/letters.*[\s\S]*test\.failing.*out of words/u);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
