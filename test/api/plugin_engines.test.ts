/** `context.engines`, and steps with shares of the progress: through the front door, and with made-up engines in the kit. */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createSteps } from "../../core/adapters/thread/steps.ts";
import { defineAction, Type } from "../../packages/plugin/mod.ts";
import { runAction, tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { decodedFlac } from "../flac.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
let folder: string;
let source: { readonly url: string };
const SONG = new URL("../../examples/song.flac", import.meta.url);

before(async () => {
  folder = await pluginFolder(["files"]);
  const made = { sources: "{}", request: "Type.Object({})", echo: "[]", examples: "[{}]" };
  await addAction(folder, "acme.voice", {
    level: '"source"',
    process: `async ({ sources, engines }) => {
      const { vocals } = await engines.separate(sources.source, { share: 0.6, stage: "taking the voice out" });
      const report = await engines.analyse(sources.source, { share: 0.3 });
      return { ...vocals, report: { lufs: report.loudness.integrated_lufs, beats: report.beats.length } };
    }`,
  });
  await addAction(folder, "acme.loud", {
    process: `async ({ sources, engines }) => ({
      audio: await engines.master(sources.source, { target_lufs: -23 }),
    })`,
  });
  await addAction(folder, "acme.sting", {
    ...made,
    seeded: "true",
    process: `async ({ engines, seeds: [seed] }) => {
      const made = await engines.effect({ prompt: "a door bell", seconds: 1, seed }, { share: 0.2 });
      const again = await engines.effect({ prompt: "a door bell", seconds: 1, seed }, { share: 0.2 });
      const same = made.audio.channels.every((channel, at) => channel.every((sample, n) => sample === again.audio.channels[at][n]));
      return { ...made, report: { same } };
    }`,
  });
  await addAction(folder, "acme.tune", {
    ...made,
    seeded: "true",
    process: `({ engines, seeds: [seed] }) => engines.compose({ prompt: "calm solo piano", seconds: 10, seed }, { share: 1 })`,
  });
  await addAction(folder, "acme.silent", {
    process: `async ({ engines }) => ({
      audio: await engines.master({ sample_rate: 44100, channels: [new Float32Array(44100)] }, { target_lufs: -14 }),
    })`,
  });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder } });
  const song = decodedFlac(new Uint8Array(await readFile(SONG))).map((channel) => channel.subarray(0, 7 * 44_100));
  source = await tonwerk.upload(wav(song));
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (action: string, body: object = { source }) => tonwerk.perform(action, body);

test("an action has its source taken apart and analysed by our engines", async () => {
  const { status, error, output } = await run("acme.voice");
  assert.equal(status, "ready", JSON.stringify(error));
  assert.ok(output.report.lufs < 0 && output.report.beats > 10, JSON.stringify(output.report));
  assert.equal(typeof output.engine, "string");
});

test("an action has audio mastered, and what is silent fails as our own does", async () => {
  const { output } = await run("acme.loud");
  assert.ok(Math.abs(output.loudness.lufs + 23) < 0.1, `${output.loudness.lufs} LUFS`);
  const { status, error } = await run("acme.silent");
  assert.deepEqual([status, error.code], ["failed", "source_silent"]);
});

test("an action has effects and music made, equal ones for equal seeds", async () => {
  const sting = await run("acme.sting", { seed: 3 });
  assert.deepEqual([sting.status, sting.output.report.same, sting.output.duration], ["ready", true, 1]);
  const tune = await run("acme.tune", { seed: 3 });
  assert.equal(tune.status, "ready", JSON.stringify(tune.error));
  assert.ok(Math.abs(tune.output.duration - 10) < 3, `${tune.output.duration} s`);
  const { pathname, search } = new URL(tune.output.url);
  const bytes = new Uint8Array(await (await tonwerk.call("GET", pathname + search)).arrayBuffer());
  assert.ok(decodedFlac(bytes).some((channel) => channel.some((sample) => sample !== 0)));
});

test("steps with shares add up, one after another and side by side; one without tells the whole", async () => {
  const told: [number, string][] = [];
  const job = {
    signal: new AbortController().signal,
    progress: (fraction: number, stage: string) => void told.push([fraction, stage]),
  };
  const during = createSteps(job);
  await during({ share: 0.5 }, async ({ progress }) => progress(0.5, "one"));
  await Promise.all([
    during({ share: 0.25, stage: "both" }, async ({ progress }) => progress(1, "two")),
    during({ share: 0.25 }, async ({ progress }) => progress(0.4, "three")),
  ]);
  assert.deepEqual(
    told.map(([fraction, stage]) => [Number(fraction.toFixed(3)), stage]),
    [
      [0.25, "one"],
      [0.5, "one"],
      [0.75, "both"],
      [0.85, "three"],
      [0.85, "both"],
      [1, "three"],
    ],
  );
  told.length = 0;
  await during(undefined, async ({ progress }) => progress(0.3, "whole"));
  assert.deepEqual(told, [[0.3, "whole"]]);
  for (const share of [0, 1.5, Number.NaN])
    await assert.rejects(
      during({ share }, async () => undefined),
      /Cannot take a share of .*, expected above 0, to 1/u,
    );
});

test("a test makes up the engines that its action asks for, and no others", async () => {
  const action = defineAction({
    name: "acme.voice",
    wrapper: "voice",
    summary: "Give the voice of a recording",
    request: Type.Object({}),
    sources: { source: { seconds_min: 0.5, seconds_max: 60, bytes_max: 1_000_000 } },
    echo: [],
    output: "single",
    work: "dsp",
    seeded: false,
    level: "source",
    engine: "voice",
    loudness: "never",
    failures: [],
    examples: [{ source: { url: "https://example.com/a.wav" } }],
    cost: () => 1,
    process: async ({ sources, engines }) => (await engines.separate(sources.source)).vocals,
  });
  const given = { request: { source: { url: "https://example.com/a.wav" } }, sources: { source: tone(440, 1) } };
  const part = { audio: tone(220, 1), engine: "made up" };
  const separate = async () => ({ vocals: part, drums: part, bass: part, other: part, instrumental: part });
  const { outputs } = await runAction(action, { ...given, engines: { separate } });
  assert.equal(outputs[0]!.engine, "made up");
  await assert.rejects(
    runAction(action, given),
    /Give runAction an engine of this name: \{ engines: \{ separate \} \}/u,
  );
});
