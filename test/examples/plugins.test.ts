/** examples/plugins as an author tests and an operator adds them, away from the repository: one packed as a tarball, one as a folder. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPlugin, LIMITS } from "../../cli/plugins/check.ts";
import { addPackage } from "../../cli/plugins/place.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { packPlugin } from "../../scripts/plugin_package.ts";
import { wav } from "../audio.ts";
import { installPlugin } from "../packages/project.ts";
import { startTestService, type TestService } from "../service.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;
let tonwerk: TestService;

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tonwerk-examples-plugins-")));
  const kit = await packPlugin(folder);
  for (const name of ["tremolo", "bands"]) {
    await cp(join(root, "examples/plugins", name), join(folder, name), { recursive: true });
    await installPlugin(kit, join(folder, name));
  }
  const place = join(folder, "data/plugins");
  const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}` };
  const typeRoots = join(root, "node_modules/@types");
  // As `npm pack` does by `prepack`, with types of node from here: tests ask no registry.
  const project = join(folder, "tremolo");
  await run("tsc", ["-p", join(project, "tsconfig.build.json"), "--typeRoots", typeRoots], { cwd: project, env });
  const { stdout } = await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: project,
  });
  await addPackage(place, join(folder, stdout.trim()), ["./plugins"]);
  await addPackage(place, join(folder, "bands"), ["./plugins"]);
  tonwerk = await startTestService({ data: join(folder, "data") });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly output?: { readonly duration: number; readonly engine: string; readonly report: unknown };
  readonly outputs?: readonly { readonly kind: string; readonly url: string }[];
}

async function perform(action: string, fields: object, channels = 1): Promise<Ended> {
  const audio = tone(440, 2, { channels });
  const { body } = await tonwerk.json("PUT", "/v1/files", wav(audio.channels));
  const request = { idempotency_key: randomUUID(), source: { url: body.file.url }, ...fields };
  const submitted = await tonwerk.json("PUT", `/v1/${action}`, request);
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body));
  const [{ id }] = Object.values(submitted.body) as [{ id: string }];
  const ended = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
  return Object.values(ended.body)[0] as Ended;
}

for (const name of ["tremolo", "bands"]) {
  test(`${name} passes check where the package is installed from its tarball`, async () => {
    const lines: string[] = [];
    const code = await checkPlugin(join(folder, name), ["./plugins"], LIMITS, (line) => lines.push(line));
    assert.equal(code, 0, lines.join("\n"));
  });
}

test("acme.tremolo is served from a tarball, and fails with its own code", async () => {
  const done = await perform("acme.tremolo", { rate_hz: 4 });
  assert.equal(done.status, "ready", JSON.stringify(done));
  assert.deepEqual([done.output!.engine, done.output!.duration, done.output!.report], ["tremolo", 2, { falls: 8 }]);
  const failed = await perform("acme.tremolo", { rate_hz: 4 }, 2);
  assert.deepEqual([failed.status, failed.error?.code], ["failed", "mono_expected"]);
});

test("acme.bands is served from a folder of TypeScript, with a runner in a process", async () => {
  const done = await perform("acme.bands", { hertz: 300 });
  assert.equal(done.status, "ready", JSON.stringify(done));
  assert.deepEqual(
    done.outputs!.map(({ kind }) => kind),
    ["low", "high"],
  );
  const { body } = await tonwerk.json("GET", "/v1/capabilities");
  const whose = body.actions.filter(({ plugin }: { plugin: { name: string } }) =>
    plugin.name.startsWith("tonwerk-acme"),
  );
  assert.deepEqual(
    whose.map(({ name, plugin }: { name: string; plugin: object }) => [name, plugin]),
    [
      ["acme.bands", { name: "tonwerk-acme-bands", version: "1.0.0" }],
      ["acme.tremolo", { name: "tonwerk-acme-tremolo", version: "1.0.0" }],
    ],
  );
});
