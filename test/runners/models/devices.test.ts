/** One model in several processes: who of them is asked, and what becomes of a device that is not there. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import { startMsMax } from "../../../runners/models/model.ts";
import { placesOf } from "../../../runners/models/places.ts";
import { checkModels } from "../../../runners/models.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { folderOf } from "./cases.ts";
import { MODELS, options, SETTINGS, separate } from "./fixtures.ts";
import { MDX, MUSIC } from "./mdx.ts";

const pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

test("placesOf() gives a model a process on each device, of which only the first may fall back to the CPU", () => {
  const providers = ["cuda", "coreml", "cpu"];
  assert.deepEqual(placesOf({}, { providers, devices: [] }, "mdx"), [
    { resident: "mdx", device: undefined, providers },
  ]);
  assert.deepEqual(placesOf({}, { providers, devices: [1, 0, 1] }, "mdx"), [
    { resident: "mdx", device: 1, providers },
    { resident: "mdx@0", device: 0, providers: ["cuda"] },
  ]);
  assert.deepEqual(placesOf({ devices: [3], providers: ["cpu"] }, { providers, devices: [0] }, "mdx"), [
    { resident: "mdx", device: 3, providers: ["cpu"] },
  ]);
});

test("startMsMax() gives a model whose runs may take long as long to load, for a load runs each graph once", () => {
  assert.equal(startMsMax({}, SETTINGS), 300_000);
  assert.equal(startMsMax({ ms_max: 900_000 }, SETTINGS), 900_000);
  assert.equal(startMsMax({}, { model_seconds: 600 }), 600_000);
});

test("two jobs at once have a process each, and the same samples", async () => {
  const manifest = { ...MDX, devices: [0, 1], session: { branches: 2, arena: false, memory_pattern: true } };
  const given = { manifest, settings: SETTINGS, request: MUSIC };
  const both = await Promise.all([pool.run(separate, given, options()), pool.run(separate, given, options())]);
  assert.deepEqual(both[0], both[1]);
  assert.deepEqual(
    pool
      .residents()
      .map(({ name }) => name)
      .sort(),
    [MDX.id, `${MDX.id}@1`],
  );
});

test("a second device that is not there is told and refused, and the first process serves", async () => {
  const nowhere = process.platform === "win32" ? "tensorrt" : "directml";
  const settings = { ...SETTINGS, providers: [nowhere, "cpu"], devices: [0, 7] };
  const manifest = { ...MDX, id: "fallen" };
  const models = folderOf(MODELS, [manifest]);
  const checks = await checkModels({ ...settings, models }, pool).finally(() => rmSync(models, { recursive: true }));
  const [first, second] = checks.filter(({ name }) => name.startsWith("fallen"));
  assert.deepEqual([first!.device, first!.skipped[0]!.provider], ["cpu", nowhere]);
  assert.equal(second!.name, "fallen on device 7");
  assert.match(second!.reason!, new RegExp(`none of the providers ${nowhere} works here`));
  // Both are tried: whichever the pool names first, one serves.
  const given = { manifest, settings, request: MUSIC };
  const both = await Promise.all([pool.run(separate, given, options()), pool.run(separate, given, options())]);
  assert.deepEqual(both[0], both[1]);
});
