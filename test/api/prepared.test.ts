/** What actions set up once in each thread or process, and give back: shared by its jobs, made by nobody else, and a bug where it fails. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Audio, defineAction, Type } from "../../contract/mod.ts";
import { setUp } from "../../core/adapters/thread/prepared.ts";
import { runAction, silence, tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

let folder: string;
let notes: string;
let tonwerk: TestService;
let url: string;

before(async () => {
  folder = await pluginFolder(["files"]);
  notes = join(folder, "notes.txt");
  await writeFile(notes, "");
  const note = (what: string, id: string) =>
    `(await import("node:fs")).appendFileSync(${JSON.stringify(notes)}, "${what} " + ${id} + "\\n");`;
  const shares = {
    config: 'Type.Object({ word: Type.String({ env: "ACME_PREPARED", description: "x" }) })',
    setup: `async ({ config, signal }) => {
      const made = { id: crypto.randomUUID(), pid: process.pid, word: config.word, given: signal.aborted, uses: 0 };
      ${note("made", "made.id")}
      return made;
    }`,
    dispose: `async ({ id }) => { ${note("gone", "id")} }`,
    process: `({ sources, prepared }) => {
      prepared.uses++;
      return { audio: sources.source, report: { ...prepared } };
    }`,
  };
  await addAction(folder, "acme.shares", shares);
  const apart = { isolation: '"process"', permissions: `{ write: [${JSON.stringify(folder)}] }` };
  await addAction(folder, "acme.apart", { ...shares, ...apart });
  await addAction(folder, "acme.fails", {
    ...shares,
    setup: `async () => {
      const { readFileSync } = await import("node:fs");
      if (!readFileSync(${JSON.stringify(notes)}, "utf8").includes("mended")) throw new Error("no table");
      return { uses: 0, id: "late" };
    }`,
    dispose: '() => { throw new Error("will not go"); }',
  });
  await addAction(folder, "acme.plain", {
    process: "({ sources, prepared }) => ({ audio: sources.source, report: { is: typeof prepared } })",
  });
  process.env.ACME_PREPARED = "hello";
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "2" } });
  url = (await tonwerk.json("PUT", "/v1/files", wav(tone(440, 0.2).channels))).body.file.url;
});
after(() => rm(folder, { recursive: true, force: true }));

async function run(action: string): Promise<Answer["body"]> {
  const body = { idempotency_key: randomUUID(), source: { url } };
  const submitted = await tonwerk.json("PUT", `/v1/${action}`, body);
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
  const [[wrapper, { id }]] = Object.entries(submitted.body) as [[string, { id: string }]];
  await until(async () => (await tonwerk.service.store.operation(id))?.status !== "processing");
  return (await tonwerk.json("GET", `/v1/${action}?id=${id}`)).body[wrapper];
}

const noted = async (what: string): Promise<readonly string[]> =>
  [...(await readFile(notes, "utf8")).matchAll(new RegExp(`^${what} (.+)$`, "gmu"))].map(([, id]) => id!).toSorted();

const faults = (kind: string) =>
  tonwerk.logged.map((line) => JSON.parse(line)).filter((line) => line.event === "plugin.error" && line.kind === kind);

test("jobs of a process share what was set up there, isolated or not", async () => {
  for (const action of ["acme.shares", "acme.apart"]) {
    const before = await noted("made");
    const reports = [];
    for (let job = 0; job < 3; job++) {
      const { status, error, output } = await run(action);
      assert.equal(status, "ready", JSON.stringify(error));
      reports.push(output.report);
    }
    const made = (await noted("made")).filter((id) => !before.includes(id));
    assert.deepEqual([...new Set(reports.map(({ id }) => id))].toSorted(), made);
    assert.ok(made.length < 3, "at least two of three jobs, one after the other, had the same");
    assert.ok(reports.some(({ uses }) => uses > 1));
    assert.ok(reports.every(({ word, given, pid }) => word === "hello" && !given && pid !== process.pid));
  }
  assert.equal((await run("acme.plain")).output.report.is, "undefined");
});

test("a set-up that fails is a bug of the plugin, refunded, and is tried anew by the next job", async () => {
  const failed = await run("acme.fails");
  assert.deepEqual([failed.status, failed.error.code, failed.refunded], ["failed", "internal_error", 1]);
  const [fault] = faults("setup");
  assert.equal(fault.id, failed.id);
  assert.match(fault.error, /^acme\.fails: setup threw "Error: no table", expected/u);
  await appendFile(notes, "mended\n");
  assert.equal((await run("acme.fails")).status, "ready");
});

test("a set-up that does not end is a bug, and its signal aborts", async () => {
  let signal: AbortSignal | undefined;
  const action = defineAction({
    ...(await copy()),
    setup: (given) => {
      signal = given.signal;
      return new Promise(() => undefined);
    },
  });
  const waiting = setUp(action, {}, new AbortController().signal, 20);
  await assert.rejects(waiting, {
    name: "PluginFault",
    code: "setup",
    message: /^test\.copy: setup did not end within 0\.02 s$/u,
  });
  assert.equal(signal?.aborted, true);
});

test("the kit sets up and gives back as a thread does", async () => {
  const steps: string[] = [];
  const action = defineAction({
    ...(await copy()),
    setup: async () => {
      steps.push("made");
      return { gain: 0.5 };
    },
    dispose: ({ gain }) => void steps.push(`gone ${gain}`),
    process: ({ sources: { source }, prepared: { gain } }) => {
      steps.push(`used ${gain}`);
      return {
        audio: { ...source, channels: source.channels.map((channel) => channel.map((sample) => sample * gain)) },
      };
    },
  });
  const request = { source: { url: "https://example.com/a.wav" } };
  await runAction(action, { request, sources: { source: silence(1) } });
  assert.deepEqual(steps, ["made", "used 0.5", "gone 0.5"]);
});

// The last: it stops the service.
test("what was set up is given back when its thread or process ends, and a fault of that is told", async () => {
  await tonwerk.stop();
  assert.deepEqual(await noted("gone"), await noted("made"));
  assert.deepEqual(
    faults("dispose").map(({ error }) => error),
    ['acme.fails: dispose threw "Error: will not go", expected it to serve every valid request'],
  );
});

async function copy() {
  const source = { seconds_min: 0.1, seconds_max: 60, bytes_max: 1_000_000 };
  return {
    name: "test.copy",
    wrapper: "copy",
    summary: "Return the source as it came",
    request: Type.Object({}),
    sources: { source },
    echo: [],
    output: "single",
    work: "dsp",
    seeded: false,
    level: "source",
    engine: "copy",
    loudness: "never",
    failures: [],
    examples: [{ source: { url: "https://example.com/a.wav" } }],
    cost: () => 1,
    process: ({ sources }: { sources: { source: Audio } }) => ({ audio: sources.source }),
  } as const;
}
