/** examples/plugin as an operator adds it, and the action of CONTRIBUTING.md as a newcomer writes it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import tremolo from "../../examples/plugin/acme.tremolo/action.ts";
import { checkAction, runAction, tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { startTestService, type TestService } from "../service.ts";

const root = new URL("../../", import.meta.url);
const source = { url: "https://example.com/song.wav" };
let folder: string;
let tonwerk: TestService;

const COLLECT = `
export const tests: (() => unknown)[] = [];
const test = (_title: string, run: () => unknown) => tests.push(run);`;

/** The two TypeScript blocks of CONTRIBUTING.md, with imports that work from another folder. */
async function writeFirstChange(): Promise<void> {
  const page = await readFile(new URL("CONTRIBUTING.md", root), "utf8");
  const [action = "", check = ""] = [...page.matchAll(/```ts\n([\s\S]*?)```/gu)].map(([, code = ""]) => code);
  await mkdir(join(folder, "adapt.fade_out"));
  await writeFile(
    join(folder, "adapt.fade_out/action.ts"),
    action.replace("../../packages/plugin/mod.ts", new URL("packages/plugin/mod.ts", root).href),
  );
  await writeFile(
    join(folder, "check.ts"),
    check
      // Its tests become a list, which this file runs.
      .replace('import { test } from "node:test";', COLLECT)
      .replace("../../packages/plugin/testing.ts", new URL("packages/plugin/testing.ts", root).href)
      .replace("../../plugins/", "./"),
  );
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-examples-"));
  await writeFirstChange();
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: `./plugins,./examples/plugin,${folder}` } });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

async function perform(action: string, fields: object, channels = 1) {
  const audio = tone(440, 2, { channels });
  const { body } = await tonwerk.json("PUT", "/v1/files", wav(audio.channels));
  const request = { idempotency_key: randomUUID(), source: { url: body.file.url }, ...fields };
  const submitted = await tonwerk.json("PUT", `/v1/${action}`, request);
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
  const [{ id }] = Object.values(submitted.body) as [{ id: string }];
  const ended = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
  return Object.values(ended.body)[0] as {
    status: string;
    error: { code: string };
    output: { duration: number; engine: string; report: unknown };
  };
}

test("acme.tremolo passes the author kit", async () => {
  checkAction(tremolo, {
    refuses: [
      [{ source }, [["rate_hz", "missing"]]],
      [{ source, rate_hz: 11, depth: 1 }, [["depth", "value_error"]]],
    ],
  });
  const before = tone(440, 1, { channels: 1 });
  const { outputs } = await runAction(tremolo, {
    request: { source, rate_hz: 1, depth: 1 },
    sources: { source: before },
  });
  const [after] = outputs[0]!.audio.channels;
  const [unchanged] = before.channels;
  assert.ok(Math.abs(after![22_050]!) < 1e-6, "silent in the middle of a second");
  assert.equal(after![0], unchanged![0]);
});

test("acme.tremolo is served, and fails with its own code", async () => {
  const done = await perform("acme.tremolo", { rate_hz: 4 });
  assert.equal(done.status, "ready", JSON.stringify(done));
  assert.deepEqual([done.output.engine, done.output.duration, done.output.report], ["tremolo", 2, { falls: 8 }]);
  const failed = await perform("acme.tremolo", { rate_hz: 4 }, 2);
  assert.equal(failed.status, "failed");
  assert.equal(failed.error.code, "mono_expected");
});

test("the first change of CONTRIBUTING.md passes its own tests and is served", async () => {
  const { tests } = (await import(`file://${join(folder, "check.ts")}`)) as { tests: (() => unknown)[] };
  assert.equal(tests.length, 2);
  for (const run of tests) await run();
  const done = await perform("adapt.fade_out", { fade_seconds: 1 });
  assert.equal(done.status, "ready", JSON.stringify(done));
});
