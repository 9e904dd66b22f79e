/**
 * What authors do wrong that a service meets while it serves: it stays up, its clients learn nothing of it, and the work of others goes on.
 * plugin_mistakes.test.ts has what stops the start.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, hastyClock, startTestService, type TestService } from "../service.ts";

type Changes = Readonly<Record<string, string>>;

/** What an action does wrong while it serves, the kind that it is counted as, and what its operator is told. */
const faults: readonly [action: string, mistake: string, kind: string, changes: Changes, says: RegExp][] = [
  [
    "throws",
    "that throws",
    "process",
    { process: '() => { throw new TypeError("no luck"); }' },
    /process threw "TypeError: no luck"/,
  ],
  [
    "throws_text",
    "that throws a text",
    "process",
    { process: '() => { throw "no luck"; }' },
    /process threw "no luck"/,
  ],
  [
    "forges",
    "that throws a failure of its own make",
    "process",
    { process: '() => { throw Object.assign(new Error("no luck"), { name: "Failure", code: "canceled" }); }' },
    /process threw "Failure: no luck"/,
  ],
  [
    "undeclared",
    "that fails with a code it does not declare",
    "failure",
    { failures: '["too_plain"]', process: '({ fail }) => fail("too_loud", "no luck")' },
    /Cannot fail with "too_loud", expected a code it declares: too_plain/,
  ],
  [
    "nothing",
    "that returns nothing",
    "output",
    { process: "() => undefined" },
    /output 1: Cannot deliver nothing, expected { audio }/,
  ],
  [
    "bare",
    "that returns audio as it is",
    "output",
    { process: "({ sources: { source } }) => source" },
    /output 1: Cannot deliver { sample_rate, channels.* }, expected { audio }/,
  ],
  [
    "wrong_rate",
    "at another rate",
    "output",
    { process: "({ sources }) => ({ audio: { ...sources.source, sample_rate: 48000 } })" },
    /output 1: Cannot deliver a sample rate of 48000 Hz, expected 44100/,
  ],
  [
    "three_channels",
    "of three channels",
    "output",
    {
      process:
        "({ sources: { source } }) => ({ audio: { ...source, channels: [0, 0, 0].map(() => source.channels[0]) } })",
    },
    /Cannot deliver 3 channels, expected 1 or 2/,
  ],
  [
    "unequal",
    "of unequal channels",
    "output",
    {
      process:
        "({ sources: { source: { channels: [one] } } }) => ({ audio: { sample_rate: 44100, channels: [one, one.subarray(9)] } })",
    },
    /Channel 2 has \d+ samples, expected \d+/,
  ],
  [
    "no_samples",
    "of no samples",
    "output",
    { process: "() => ({ audio: { sample_rate: 44100, channels: [new Float32Array(0)] } })" },
    /Cannot deliver 0 samples/,
  ],
  [
    "nan",
    "with a sample that is none",
    "output",
    { process: "() => ({ audio: { sample_rate: 44100, channels: [new Float32Array(100).fill(NaN)] } })" },
    /Sample 0 of channel 1 is NaN, expected a finite number/,
  ],
  [
    "doubles",
    "of another kind of numbers",
    "output",
    { process: "() => ({ audio: { sample_rate: 44100, channels: [new Float64Array(100)] } })" },
    /Channel 1 must be a Float32Array/,
  ],
  [
    "streams_nan",
    "that streams a sample that is none",
    "output",
    {
      process: `() => ({ audio: { sample_rate: 44100, channels: 1, frames: 44100, peak: 1,
        samples: (from, to, out) => out[0].fill(NaN, 0, to - from) } })`,
    },
    /not finite/,
  ],
  [
    "streams_badly",
    "whose stream throws",
    "output",
    {
      process: `() => ({ audio: { sample_rate: 44100, channels: 1, frames: 44100, peak: 1,
        samples: () => { throw new Error("no luck"); } } })`,
    },
    /output threw "Error: no luck"/,
  ],
  [
    "reports_nan",
    "with NaN in its report",
    "report",
    { process: "({ sources }) => ({ audio: sources.source, report: { levels: [1, { peak: NaN }] } })" },
    /Cannot keep its report: report\.levels\[1\]\.peak is NaN, expected a finite number or null/,
  ],
  [
    "reports_map",
    "with a Map in its report",
    "report",
    { process: "({ sources }) => ({ audio: sources.source, report: { levels: new Map([[1, 2]]) } })" },
    /report\.levels is a Map, expected what JSON can carry/,
  ],
  [
    "reports_much",
    "with 5 MB of report",
    "report",
    { process: '({ sources }) => ({ audio: sources.source, report: { text: "x".repeat(5_000_000) } })' },
    /Cannot keep its report: it has 5000011 bytes as JSON, expected at most 2000000/,
  ],
  [
    "reports_itself",
    "whose report holds itself",
    "report",
    {
      process:
        "({ sources }) => { const report = {}; report.report = report; return { audio: sources.source, report }; }",
    },
    /lies more than 32 levels deep/,
  ],
  [
    "reports_other",
    "whose report is not what it declares",
    "report",
    {
      output: '"report"',
      report: "Type.Object({ bpm: Type.Number() })",
      process: '() => ({ report: { bpm: "fast" } })',
    },
    /Cannot deliver its report: bpm is "fast", expected as declared/,
  ],
  [
    "exits",
    "that exits",
    "crash",
    { process: "() => { process.exit(3); }" },
    /process\.exit\(3\)|exit code 3|Cannot exit from within|its thread ended/,
  ],
  [
    "rejects",
    "that rejects where nobody looks",
    "crash",
    { process: '() => { void Promise.reject(new Error("no luck")); return new Promise(() => {}); }' },
    /no luck/,
  ],
  [
    "throws_later",
    "that throws outside of its promise",
    "crash",
    { process: '() => { setTimeout(() => { throw new Error("no luck"); }, 0); return new Promise(() => {}); }' },
    /no luck/,
  ],
];

let folder: string;
let tonwerk: TestService;
let source: { readonly url: string };

before(async () => {
  folder = await pluginFolder();
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "@acme/mistakes", version: "4.5.6" }));
  for (const [action, , , changes] of faults) await addAction(folder, `acme.${action}`, changes);
  await addAction(folder, "acme.copy");
  await addAction(folder, "acme.writes", {
    process:
      "({ sources: { source } }) => { for (const channel of source.channels) channel.fill(0.5); return { audio: source }; }",
  });
  await addAction(folder, "acme.priceless", {
    cost: '({ note }) => { if (note === "throw") throw new Error("no luck"); return note === undefined ? 1 : Number(note); }',
    check: '({ note }) => (note === "check" ? [7] : [])',
  });
  await addAction(folder, "acme.forgets", {
    understand: "{ schema: Type.Object({ words: Type.Integer() }), read: () => ({ words: 0.5 }) }",
  });
  // Yields to nobody, and lets the processor go. Ends when nobody holds it any more: on Deno a thread outlives its end
  // (denoland/deno#35657).
  await addAction(folder, "acme.loops", {
    process: `() => {
      const never = new Int32Array(new SharedArrayBuffer(4));
      for (const end = Date.now() + 20_000; Date.now() < end; ) Atomics.wait(never, 0, 0, 20);
    }`,
  });
  tonwerk = await startTestService({
    env: {
      TONWERK_PLUGINS: folder,
      TONWERK_WORKERS: "2",
      TONWERK_METRICS_PORT: "9464",
      TONWERK_WORK_SECONDS: "10",
    },
    // Lost jobs are looked for every 0.1 s instead of every 2 s.
    clock: hastyClock(20),
  });
  source = await tonwerk.upload(wav(tone(440, 0.5, { channels: 1 }).channels));
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

for (const [action, mistake, kind, , says] of faults) {
  test(`an action ${mistake} is its own fault and nobody else's`, async () => {
    const name = `acme.${action}`;
    const counted = await countOf(name, kind);
    const before = await tonwerk.credits();
    // Beside it, and after it.
    const [operation, other] = await Promise.all([run(name), run("acme.copy")]);
    assert.deepEqual([operation.status, operation.error.code], ["failed", "internal_error"]);
    assert.doesNotMatch(JSON.stringify(operation), /no luck|NaN|acme\.[a-z_]+:/u, "its client learns nothing of it");
    assert.equal(operation.refunded, 1);
    assert.equal(other.status, "ready", "work beside it ends well");
    assert.equal(await tonwerk.credits(), before - 1, "and alone is paid for");
    const told = tonwerk.logged
      .map((line) => JSON.parse(line))
      .filter(({ event, id }) => event === "plugin.error" && id === operation.id);
    assert.ok(told.length > 0, "the operator is told");
    for (const { action, origin, version, kind: logged, error } of told) {
      assert.deepEqual([action, version, logged], [name, "4.5.6", kind]);
      assert.match(origin, new RegExp(`^file:.*/${name}/action\\.ts$`, "u"));
      assert.match(error, says);
    }
    assert.equal(await countOf(name, kind), counted + told.length, "and it is counted");
    assert.equal((await run("acme.copy")).status, "ready", "work after it ends well");
  });
}

test("a price or a check that fails while it serves answers 500, creates nothing and is told", async () => {
  const before = await tonwerk.credits();
  for (const [note, kind, says] of [
    ["throw", "cost", /cost threw "Error: no luck"/],
    ["-1", "cost", /cost returned -1, expected a whole number of at least 0/],
    ["0.5", "cost", /cost returned 0\.5/],
    ["NaN", "cost", /cost returned NaN/],
    ["check", "check", /check returned \[7\], expected a list of issues/],
  ] as const) {
    for (const query of ["", "?dry_run=true"]) {
      const counted = await countOf("acme.priceless", kind);
      const logged = tonwerk.logged.length;
      const { status, body } = await submit("acme.priceless", { note }, query);
      assert.deepEqual([status, body.code, body.detail], [500, "internal_error", "Internal error"], note);
      const [told, ...more] = tonwerk.logged.slice(logged).map((line) => JSON.parse(line));
      assert.deepEqual([told.event, told.kind, told.version, more], ["plugin.error", kind, "4.5.6", []]);
      assert.match(told.error, says);
      assert.equal(await countOf("acme.priceless", kind), counted + 1);
    }
  }
  assert.equal(await tonwerk.credits(), before);
  assert.equal((await submit("acme.priceless", {})).status, 200);
});

test("what is understood and is not as declared costs the price nothing", async () => {
  const { status, body } = await submit("acme.forgets", {}, "?dry_run=true");
  assert.deepEqual([status, body.cost, body.understood], [200, 1, null]);
  assert.ok(
    tonwerk.logged.some((line) => line.includes("plugin.error") && line.includes("Cannot tell what was understood")),
  );
  assert.equal(await countOf("acme.forgets", "understand"), 1);
});

test("an action that writes to its sources harms none but itself", async () => {
  const [, copy] = await Promise.all([run("acme.writes"), run("acme.copy")]);
  const bytes = async (url: string) =>
    Buffer.from(await (await tonwerk.call("GET", new URL(url).pathname + new URL(url).search)).arrayBuffer());
  const again = await run("acme.copy");
  assert.ok(
    (await bytes(copy.output.url)).equals(await bytes(again.output.url)),
    "others get the source as it was sent",
  );
});

test("an action that never ends is ended with its thread, and nobody waits for it", async () => {
  const [operation, ...others] = await Promise.all([run("acme.loops"), run("acme.copy"), run("acme.copy")]);
  assert.deepEqual([operation.status, operation.error.code, operation.refunded], ["failed", "generation_timeout", 1]);
  assert.deepEqual(
    others.map(({ status }) => status),
    ["ready", "ready"],
  );
  const [told] = tonwerk.logged
    .map((line) => JSON.parse(line))
    .filter(({ id, event }) => id === operation.id && event === "plugin.error");
  assert.match(told.error, /it exceeded \d+ ms, and was ended by force, for it went on/u);
  assert.equal(await countOf("acme.loops", "hang"), 1);
  assert.equal((await run("acme.copy")).status, "ready");
});

async function submit(action: string, fields: object, query = ""): Promise<Answer> {
  return tonwerk.json("PUT", `/v1/${action}${query}`, { idempotency_key: randomUUID(), source, ...fields });
}

/** The ended operation, without its wrapper. */
const run = (action: string): Promise<Answer["body"]> => tonwerk.perform(action, { source });

async function countOf(action: string, kind: string): Promise<number> {
  const text = (await tonwerk.service.telemetry.metrics?.text()) ?? "";
  const line = text
    .split("\n")
    .find((line) => line.startsWith(`tonwerk_plugin_errors_total{action="${action}",kind="${kind}"}`));
  return Number(line?.split(" ").at(-1) ?? 0);
}
