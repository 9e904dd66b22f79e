/** The worker with the real pool: every way a job can go, seen through the front door. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { silence, tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, hastyClock, scratchOf, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
let folder: string;

before(async () => {
  folder = await pluginFolder();
  await addAction(folder, "test.copy");
  await addAction(folder, "test.refuse", {
    failures: '["too_plain"]',
    process: '({ fail }) => fail("too_plain", "It is too plain")',
  });
  await addAction(folder, "test.bug", { process: '() => { throw new TypeError("secret detail"); }' });
  await addAction(folder, "test.undeclared", { process: '({ fail }) => fail("internal_error", "secret detail")' });
  await addAction(folder, "test.wrong_rate", {
    process: '({ sources }) => ({ audio: { ...sources.source, sample_rate: 48000 }, engine: "x" })',
  });
  await addAction(folder, "test.not_finite", {
    process: '() => ({ audio: { sample_rate: 44100, channels: [new Float32Array(100).fill(NaN)] }, engine: "x" })',
  });
  // Waits for its signal, as a well-behaved engine does.
  await addAction(folder, "test.slow", {
    process: `async ({ sources, signal, progress }) => {
      progress(0.5, "dreaming");
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
      return { audio: sources.source, engine: "x" };
    }`,
  });
  // Dies with its thread at every attempt: an error outside any promise of the job's.
  await addAction(folder, "test.crash", {
    process:
      '({ progress }) => { progress(0.5, "dying"); setTimeout(() => { throw new Error("crash"); }, 0); return new Promise(() => {}); }',
  });
  await addAction(folder, "test.song", {
    request: "Type.Object({ prompt: Type.String({ minLength: 1, maxLength: 100 }) })",
    sources: "{}",
    echo: '["prompt"]',
    output: '"variations"',
    work: '"generation"',
    seeded: "true",
    level: '"loudness"',
    loudness: '"optional"',
    policy: '{ fields: ["prompt"], code: "content_policy" }',
    examples: '[{ prompt: "calm" }]',
    cost: "({ n_variations }) => 3 * n_variations",
    process: `({ seeds }) => seeds.map((seed) => ({
      audio: { sample_rate: 44100, channels: [Float32Array.from({ length: 44100 }, (_, at) => 0.3 * Math.sin(at * (0.02 + (seed % 97) / 1000)))] },
      engine: "sine",
      report: { seed },
    }))`,
  });
  await addAction(folder, "test.priceless", {
    cost: '({ note }) => (note === undefined ? 1 : note === "nothing" ? Number.NaN : -1)',
  });
  await addAction(folder, "test.effect", {
    request: "Type.Object({})",
    sources: "{}",
    echo: "[]",
    work: '"generation"',
    seeded: "true",
    level: '"peak"',
    examples: "[{}]",
    process: `() => ({ audio: { sample_rate: 44100, channels: [Float32Array.from({ length: 8820 }, (_, at) => 0.1 * Math.sin(at / 20))] }, engine: "sine" })`,
  });
  await addAction(folder, "test.split", {
    output: '"stems"',
    process: `({ sources }) => {
      const part = (gain) => ({ audio: { sample_rate: 44100, channels: sources.source.channels.map((c) => c.map((s) => s * gain)) }, engine: "gain" });
      return { instrumental: part(1.5), vocals: part(0.5), drums: part(0.5), bass: part(0.5), other: part(-0.5) };
    }`,
  });
  await addAction(folder, "test.pair", {
    sources:
      "{ music: { seconds_min: 0.1, seconds_max: 60, bytes_max: 1_000_000 }, voice: { seconds_min: 0.1, seconds_max: 60, bytes_max: 1_000_000 } }",
    distinct_sources: '["music", "voice"]',
    examples: '[{ music: { url: "https://example.com/a.wav" }, voice: { url: "https://example.com/b.wav" } }]',
    process: '({ sources }) => ({ audio: sources.music, engine: "copy" })',
  });
  tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: `./plugins,${folder}`, TONWERK_WORKERS: "2" },
    // Lost jobs are looked for every 0.1 s instead of every 2 s.
    clock: hastyClock(20),
  });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function upload(bytes: Uint8Array): Promise<string> {
  const { status, body } = await tonwerk.json("PUT", "/v1/files", bytes);
  assert.equal(status, 200, JSON.stringify(body));
  return body.file.url;
}

const mono = (hertz = 440, seconds = 0.5) => wav(tone(hertz, seconds, { channels: 1 }).channels);
async function submit(action: string, fields: object): Promise<string> {
  const { status, body } = await tonwerk.json("PUT", `/v1/${action}`, { idempotency_key: randomUUID(), ...fields });
  assert.equal(status, 200, JSON.stringify(body));
  return body[action.replace(".", "_")]?.id ?? body.normalised_audio.id;
}

/** The ended operation, without its wrapper. */
async function ended(action: string, id: string): Promise<Answer["body"]> {
  for (;;) {
    const { body } = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
    const operation = Object.values(body)[0] as Answer["body"];
    if (operation.status !== "processing") return operation;
  }
}

const run = async (action: string, fields: object) => ended(action, await submit(action, fields));

test("a failure that the action declares ends the operation with its code, and gives the credits back", async () => {
  const before = await tonwerk.credits();
  const { status, error, output } = await run("test.refuse", { source: { url: await upload(mono()) } });
  assert.equal(status, "failed");
  assert.deepEqual(error, { code: "too_plain", message: "It is too plain" });
  assert.equal(output, null);
  assert.equal(await tonwerk.credits(), before);
});

for (const action of ["test.bug", "test.undeclared", "test.wrong_rate", "test.not_finite"]) {
  test(`a bug of the action's own (${action}) is an internal_error that tells nothing, refunded`, async () => {
    const before = await tonwerk.credits();
    const { error } = await run(action, { source: { url: await upload(mono()) } });
    assert.deepEqual(error, { code: "internal_error", message: "Internal failure" });
    assert.equal(await tonwerk.credits(), before);
  });
}

test("progress and stage show while it works, and cancelling stops the engine and keeps the credits", async () => {
  const before = await tonwerk.credits();
  const id = await submit("test.slow", { source: { url: await upload(mono()) } });
  let seen: Answer["body"];
  do {
    await new Promise((resolve) => setTimeout(resolve, 20));
    seen = (await tonwerk.json("GET", `/v1/test.slow?id=${id}`)).body.test_slow;
  } while (seen.stage !== "dreaming");
  assert.ok(seen.progress > 0.1 && seen.progress < 1);
  assert.equal(seen.queue_position, null);
  await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id });
  assert.equal((await ended("test.slow", id)).error.code, "canceled");
  assert.equal(await tonwerk.credits(), before - 1);
  while (tonwerk.service.pool.stats().busy > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});

test("work above the time limit ends as generation_timeout, refunded", async () => {
  // One of its own, for nothing else is to be done within a second.
  const hurried = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_WORK_SECONDS: "1" } });
  try {
    const creditsNow = async () => (await hurried.json("GET", "/v1/account")).body.account.credits;
    const { url } = (await hurried.json("PUT", "/v1/files", mono())).body.file;
    const before = await creditsNow();
    const request = { idempotency_key: randomUUID(), source: { url } };
    const { id } = (await hurried.json("PUT", "/v1/test.slow", request)).body.test_slow;
    let seen: Answer["body"];
    do seen = (await hurried.json("GET", `/v1/test.slow?id=${id}&wait=true`)).body.test_slow;
    while (seen.status === "processing");
    assert.equal(seen.error.code, "generation_timeout");
    assert.ok(Date.parse(seen.completed_at) - Date.parse(seen.started_at) >= 900);
    assert.equal(await creditsNow(), before);
  } finally {
    await hurried.stop();
  }
});

test("a job that kills its worker three times ends as internal_error, and good ones beside it are ready", async () => {
  const url = await upload(mono());
  const before = await tonwerk.credits();
  const bad = await submit("test.crash", { source: { url } });
  const good = await Promise.all(Array.from({ length: 5 }, () => submit("test.copy", { source: { url } })));
  for (const id of good) assert.equal((await ended("test.copy", id)).status, "ready");
  assert.equal((await ended("test.crash", bad)).error.code, "internal_error");
  assert.equal((await tonwerk.service.store.operation(bad))?.attempt, 3);
  assert.equal(await tonwerk.credits(), before - 5);
});

test("a price that is no whole number of at least 0 charges nothing and creates nothing", async () => {
  const source = { url: await upload(mono()) };
  const before = await tonwerk.credits();
  for (const note of ["nothing", "a gift"]) {
    const body = { idempotency_key: randomUUID(), source, note };
    for (const query of ["", "?dry_run=true"]) {
      const refused = await tonwerk.json("PUT", `/v1/test.priceless${query}`, body);
      assert.equal(refused.status, 500, "the plugin's bug, not the client's");
      assert.deepEqual(Object.keys(refused.body), ["detail", "code", "doc_url"]);
    }
  }
  assert.equal(await tonwerk.credits(), before);
  const { body: listed } = await tonwerk.json("GET", "/v1/operations?action=test.priceless");
  assert.deepEqual(listed.operations, []);
});

test("variations have a seed each, the same seed the same samples, and a loudness report", async () => {
  const { outputs, seed, n_variations, loudness } = await run("test.song", {
    prompt: "calm",
    n_variations: 3,
    seed: 2 ** 32 - 1,
  });
  assert.deepEqual(
    outputs.map((output: { seed: number }) => output.seed),
    [2 ** 32 - 1, 0, 1],
  );
  assert.deepEqual(
    outputs.map((output: { report: object }) => output.report),
    [{ seed: 2 ** 32 - 1 }, { seed: 0 }, { seed: 1 }],
  );
  assert.deepEqual([seed, n_variations, loudness], [2 ** 32 - 1, 3, null]);
  for (const { loudness: measured } of outputs) {
    assert.ok(Math.abs(measured.lufs + 14) <= 0.05, String(measured.lufs));
    assert.ok(measured.true_peak_dbtp <= -1);
  }
  const again = await run("test.song", { prompt: "calm", n_variations: 1, seed: 0, loudness: { preset: "broadcast" } });
  assert.equal(again.outputs.length, 1);
  assert.ok(Math.abs(again.outputs[0].loudness.lufs + 23) <= 0.05);
  assert.deepEqual(again.loudness, { preset: "broadcast", target_lufs: -23, allow_compression: true });
  const same = await run("test.song", { prompt: "calm", n_variations: 1, seed: 0 });
  assert.equal(same.outputs[0].sha256, outputs[1].sha256);
  const chosen = await run("test.song", { prompt: "calm" });
  assert.ok(Number.isInteger(chosen.seed) && chosen.outputs[0].seed === chosen.seed);
});

test("a generated effect peaks at the ceiling", async () => {
  const { output } = await run("test.effect", {});
  assert.ok(
    output.loudness.true_peak_dbtp <= -1 && output.loudness.true_peak_dbtp > -1.05,
    String(output.loudness.true_peak_dbtp),
  );
  assert.equal(output.loudness.lufs, null);
  assert.equal(output.duration, 0.2);
});

test("the content policy ends the operation with the action's code and names the rule only", async () => {
  const { error } = await run("test.song", { prompt: "I'm going to shoot up the school tomorrow" });
  assert.equal(error.code, "content_policy");
  assert.match(error.message, /'prompt' breaks the content rule "threats"/);
  assert.doesNotMatch(error.message, /shoot/);
});

test("stems come in order, at the source's level, one common gain where one is above full scale", async () => {
  const quiet = await run("test.split", {
    source: { url: await upload(wav(tone(300, 0.5, { amplitude: 0.5 }).channels)) },
  });
  assert.deepEqual(
    quiet.outputs.map(({ kind, gain_db, loudness }: { kind: string; gain_db: number; loudness?: object }) => [
      kind,
      gain_db,
      loudness,
    ]),
    ["vocals", "drums", "bass", "other", "instrumental"].map((kind) => [kind, 0, undefined]),
  );
  const loud = await run("test.split", {
    source: { url: await upload(wav(tone(300, 0.5, { amplitude: 0.9 }).channels)) },
  });
  const gains = loud.outputs.map(({ gain_db }: { gain_db: number }) => gain_db);
  assert.equal(new Set(gains).size, 1);
  assert.ok(Math.abs(gains[0] + 20 * Math.log10(1.35)) < 0.01, String(gains[0]));
});

test("same_source: one URL, one stored file, and equal content behind two uploads", async () => {
  const [one, twin, other] = [await upload(mono()), await upload(mono()), await upload(mono(330))];
  const refusals = [
    [one, one],
    ["https://Example.com:443/a.wav", "https://example.com/a.wav#t=1"],
  ];
  for (const [music, voice] of refusals) {
    const { status, body } = await tonwerk.json("PUT", "/v1/test.pair", {
      idempotency_key: randomUUID(),
      music: { url: music },
      voice: { url: voice },
    });
    assert.equal(status, 422);
    assert.equal(body.code, "same_source");
    assert.deepEqual(body.detail[0].loc, ["body", "voice", "url"]);
    assert.equal(body.detail[0].type, "same_source");
  }
  const before = await tonwerk.credits();
  assert.equal((await run("test.pair", { music: { url: one }, voice: { url: twin } })).error.code, "same_source");
  assert.equal(await tonwerk.credits(), before);
  assert.equal((await run("test.pair", { music: { url: one }, voice: { url: other } })).status, "ready");
});

test("sources: limits, silence and what cannot be reached have their codes, and name the input where there are several", async () => {
  const codes: readonly [action: string, fields: object, code: string, source: string | undefined][] = [
    ["adapt.normalise_loudness", { source: { url: await upload(mono(440, 0.3)) } }, "source_too_short", undefined],
    [
      "adapt.normalise_loudness",
      { source: { url: await upload(wav(silence(1).channels)) } },
      "source_silent",
      undefined,
    ],
    [
      "adapt.normalise_loudness",
      { source: { url: "https://example.invalid/song.wav" } },
      "source_unreachable",
      undefined,
    ],
    [
      "test.pair",
      { music: { url: await upload(mono()) }, voice: { url: await upload(mono(330, 0.05)) } },
      "source_too_short",
      "voice",
    ],
    [
      "test.pair",
      { music: { url: "https://example.invalid/a.wav" }, voice: { url: await upload(mono()) } },
      "source_unreachable",
      "music",
    ],
  ];
  const before = await tonwerk.credits();
  for (const [action, fields, code, source] of codes) {
    const { error } = await run(action, fields);
    assert.equal(error.code, code, JSON.stringify(error));
    assert.equal(error.source, source);
  }
  assert.equal(await tonwerk.credits(), before);
});

test("results chain: an output's URL is a source, of its own account and while its signature holds", async () => {
  const first = await run("test.copy", { source: { url: await upload(mono()) } });
  const second = await run("adapt.normalise_loudness", { source: { url: first.output.url } });
  assert.equal(second.status, "ready");
  assert.ok(Math.abs(second.output.loudness.lufs + 14) <= 0.05);
  const { status, body } = await tonwerk.json("PUT", "/v1/adapt.normalise_loudness", {
    idempotency_key: randomUUID(),
    source: { url: `${first.output.url}x` },
  });
  assert.deepEqual([status, body.detail[0].type], [422, "url_invalid"]);
});

test("a finished job leaves nothing in the work folder, and its objects alone in the bucket", async () => {
  const { output, id } = await run("test.copy", { source: { url: await upload(mono()) } });
  // The folder is cleared after the end is committed, so a client may be quicker.
  const folder = await scratchOf(tonwerk.data);
  for (let tries = 0; tries < 3000 && (await readdir(folder)).length > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(await readdir(folder), []);
  const keys = [];
  for await (const { key, bytes } of tonwerk.service.bucket.list(`op/${id}/`)) keys.push([key, bytes]);
  assert.deepEqual(keys, [[`op/${id}/1/0.flac`, output.bytes]]);
});
