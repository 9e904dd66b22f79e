/** The action of CONTRIBUTING.md, as a newcomer writes it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { startTestService, type TestService } from "../service.ts";

const root = new URL("../../", import.meta.url);
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
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: `./plugins,${folder}` } });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the first change of CONTRIBUTING.md passes its own tests and is served", async () => {
  const { tests } = (await import(`file://${join(folder, "check.ts")}`)) as { tests: (() => unknown)[] };
  assert.equal(tests.length, 2);
  for (const run of tests) await run();
  const { body } = await tonwerk.json("PUT", "/v1/files", wav(tone(440, 2).channels));
  const request = { idempotency_key: randomUUID(), source: { url: body.file.url }, fade_seconds: 1 };
  const submitted = await tonwerk.json("PUT", "/v1/adapt.fade_out", request);
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
  const { id } = submitted.body.faded_audio;
  const ended = await tonwerk.json("GET", `/v1/adapt.fade_out?id=${id}&wait=true`);
  assert.equal(ended.body.faded_audio.status, "ready", JSON.stringify(ended.body));
});
