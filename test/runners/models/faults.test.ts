/**
 * Models that hang, crash or fill memory: replaced, each by name, and the next run is served. What is said of wrong
 * files is in `wrong_files.test.ts`.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Audio } from "../../../contract/mod.ts";
import type { ModelSettings, Pool } from "../../../core/ports/mod.ts";
import type { Manifest } from "../../../runners/models/fields.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { until } from "../../until.ts";
import { file, MODELS, music, options, SETTINGS, separate, served, snr, stemsServed, withPool } from "./fixtures.ts";
import { MDX, MUSIC } from "./mdx.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "tonwerk-models-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const SILENCE: Audio = { sample_rate: 44_100, channels: [new Float32Array(44_100)] };

function run(pool: Pool, manifest: Manifest, request: Audio, settings: ModelSettings = SETTINGS) {
  return pool.run(separate, { manifest, settings, request }, options());
}

function withModel(path: string, changes: Partial<typeof MDX> & { tensors?: Record<string, string> } = {}): Manifest {
  return { ...MDX, id: path.replace(/\W/g, "-"), files: { model: file(path) }, ...changes };
}

const shared = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
after(() => shared.close());

test("weights beside a graph serve where they are named", async () => {
  const data = [file("mdx_outside.onnx_data")];
  const named = { ...withModel("mdx_outside.onnx"), id: "good", data };
  const [stem] = await run(shared, named, MUSIC);
  assert.ok(snr(stem![0]!, MUSIC.channels[0]!, 0.5) > 60);
});

test("a provider that is not here is passed over, and named where none is left", () =>
  withPool(async (pool) => {
    const nowhere = process.platform === "win32" ? "coreml" : "directml";
    const settings = { ...SETTINGS, providers: [nowhere, "cpu"] };
    const [stem] = await run(pool, MDX, MUSIC, settings);
    assert.ok(snr(stem![0]!, MUSIC.channels[0]!, 0.5) > 60);
    await assert.rejects(run(pool, { ...MDX, id: "none" }, MUSIC, { ...SETTINGS, providers: [nowhere] }), {
      message: new RegExp(`none of the providers ${nowhere} works here`),
    });
  }));

test("every provider of the machine gives the same stems; where there is no GPU, the CPU does", () =>
  withPool(async (pool) => {
    // CUDA where it is: elsewhere loading its libraries fails, and the next one serves.
    const settings = { ...SETTINGS, providers: ["cuda", "directml", "coreml", "cpu"] };
    const [stem] = await run(pool, { ...MDX, id: "any" }, MUSIC, settings);
    assert.ok(snr(stem![0]!, MUSIC.channels[0]!, 0.5) > 60);
  }));

test("a hung model is ended at its time limit, and its process replaced", () =>
  withPool(async (pool) => {
    const manifest = { ...withModel("mdx_hang.onnx"), ms_max: 1_000 };
    await assert.rejects(run(pool, manifest, MUSIC), { name: "ModelError", message: /it exceeded 1000 ms/ });
    // The same graph on silence does not loop; it may take its time.
    assert.equal((await run(pool, withModel("mdx_hang.onnx"), SILENCE)).length, 2);
    const [health] = pool.residents();
    assert.deepEqual([health!.name, health!.state], [manifest.id, "ready"]);
    assert.equal(pool.stats().replaced, 1);
  }));

test("a cancelled job ends at once though its model does not yield", () =>
  withPool(async (pool) => {
    const manifest = withModel("mdx_hang.onnx");
    const controller = new AbortController();
    const given = { manifest, settings: SETTINGS, request: MUSIC };
    const running = pool.run(separate, given, { signal: controller.signal, ms_max: 600_000 });
    running.catch(() => undefined);
    await until(() => pool.residents()[0]?.state === "busy");
    controller.abort();
    await assert.rejects(running, { code: "aborted" });
    assert.equal((await run(pool, manifest, SILENCE)).length, 2);
  }));

for (const signal of ["SIGKILL", "SIGABRT", "SIGSEGV"] as const) {
  test(`a process that ends by ${signal} in the middle of a run is replaced, and the next one is served`, () =>
    withPool(async (pool) => {
      const before = children();
      // On silence it does not loop: what its process has used after that is what loading takes.
      await run(pool, withModel("mdx_hang.onnx"), SILENCE);
      const loading = Math.max(...children().map((pid) => (before.includes(pid) ? 0 : ticksOf(pid))));
      const running = run(pool, withModel("mdx_hang.onnx"), MUSIC);
      running.catch(() => undefined);
      // The second try hangs as well, in another process, which ends the same way.
      const first = await endTheBusyOne(before, signal, loading + 10);
      const second = await endTheBusyOne([...before, first], signal, 1.5 * loading + 10);
      assert.notEqual(second, first);
      await assert.rejects(running, { name: "ModelError", message: new RegExp(`ended: .*(${signal}|exit code)`) });
      assert.equal((await run(pool, withModel("mdx_hang.onnx"), SILENCE)).length, 2);
    }));
}

test("a process that was killed while it was idle costs nothing: the next run starts another", () =>
  withPool(async (pool) => {
    const before = children();
    const first = await run(pool, MDX, MUSIC);
    for (const child of children()) if (!before.includes(child)) process.kill(child, "SIGKILL");
    assert.deepEqual(await run(pool, MDX, MUSIC), first);
  }));

test("a model that fills memory is ended at its bound, and its process replaced", () =>
  withPool(async (pool) => {
    const settings = { ...SETTINGS, model_mb: 700 };
    const manifest = withModel("mdx_glutton.onnx");
    await assert.rejects(run(pool, manifest, MUSIC, settings), (error: Error) => {
      assert.equal(error.name, "ModelError");
      assert.match(error.message, /held \d+ MB and may hold 700 MB|[Aa]llocat/);
      return true;
    });
    assert.equal((await run(pool, manifest, SILENCE, settings)).length, 2);
  }));

test("a graph of large constants fits where they are not computed beforehand", () =>
  withPool(async (pool) => {
    const settings = { ...SETTINGS, model_mb: 900 };
    const manifest = withModel("mdx_hoarder.onnx");
    await assert.rejects(run(pool, manifest, SILENCE, settings), /may hold 900 MB|[Aa]llocat/);
    const [stem] = await run(pool, { ...manifest, id: "thrifty", fold: false }, MUSIC, settings);
    assert.ok(snr(stem![0]!, MUSIC.channels[0]!, 0.5) > 60);
  }));

test("models of an ensemble share a process that holds as many of them as its memory takes", () =>
  withPool(async (pool) => {
    // Each keeps some 200 MB: three would not fit beside the runtime.
    const hoarder = { ...withModel("mdx_hoarder.onnx"), fold: false };
    const members = ["drums", "bass", "vocals"] as const;
    const folder = folderOf("ensemble", [
      ...members.map((stem) => ({ ...hoarder, id: stem, stem })),
      { id: "three", family: "ensemble", models: members.map((id) => ({ id })) },
    ]);
    const settings = { ...SETTINGS, models: folder, model_mb: 600 };
    for (let round = 0; round < 2; round++) {
      const made = await pool.run(stemsServed, { settings, audio: MUSIC }, options());
      for (const [kind, { engine, report }] of Object.entries(made)) {
        const by = kind === "other" ? "three" : kind === "instrumental" ? "vocals" : kind;
        assert.deepEqual([engine, report], [by, undefined], kind);
      }
    }
    const health = pool.residents().map(({ name, state }) => ({ name, state }));
    assert.deepEqual([health, pool.stats().replaced], [[{ name: "three", state: "ready" }], 0]);
  }));

test("an ensemble is one process, whose models are loaded again where it was killed", () =>
  withPool(async (pool) => {
    const vocals = { ...MDX, id: "vocals" };
    const drums = { ...MDX, id: "drums", stem: "drums" as const };
    const gone = { ...MDX, id: "gone", files: { model: { path: "gone.onnx", sha256: "0".repeat(64) } } };
    const folder = folderOf("pair", [
      vocals,
      drums,
      gone,
      {
        id: "pair",
        family: "ensemble",
        models: [{ id: "vocals", stems: { vocals: 1 } }, { id: "gone", stems: { vocals: 1 } }, { id: "drums" }],
      },
    ]);
    const settings = { ...SETTINGS, models: folder };
    const before = children();
    for (let round = 0; round < 2; round++) {
      const made = await pool.run(stemsServed, { settings, audio: MUSIC }, options());
      const engines = Object.entries(made).map(([kind, { engine }]) => [kind, engine]);
      assert.deepEqual(Object.fromEntries(engines), {
        vocals: "vocals",
        drums: "drums",
        bass: "separate",
        other: "separate",
        instrumental: "vocals",
      });
      for (const kind of ["vocals", "drums"]) assert.ok(Math.abs(made[kind]!.share - 0.5) < 0.01, kind);
      const { passed_over } = made.bass!.report as { passed_over: { model: string; reason: string }[] };
      assert.deepEqual(
        passed_over.map(({ model }) => model),
        ["gone"],
      );
      for (const child of children()) if (!before.includes(child)) process.kill(child, "SIGKILL");
    }
    assert.equal(pool.residents().length, 1);
  }));

test("two pieces share one process of a model", () =>
  withPool(async (pool) => {
    const [one, other] = await Promise.all([run(pool, MDX, MUSIC), run(pool, MDX, music(2))]);
    assert.equal(one[0]![0]!.length, 44_100);
    assert.equal(other[0]![0]!.length, 88_200);
    assert.equal(pool.stats().processes, 1);
    assert.deepEqual(
      pool.residents().map(({ name, state }) => ({ name, state })),
      [{ name: "good", state: "ready" }],
    );
  }));

test("the first model that can serves, and those passed over are named with the reason", () =>
  withPool(async (pool) => {
    const folder = folderOf("ordered", [
      {
        ...MDX,
        id: "broken",
        priority: 9,
        files: { model: { path: "gone.onnx", sha256: "0".repeat(64) } },
      },
      { ...MDX, id: "second" },
      { ...MDX, id: "third", priority: -1 },
      // Another task's is not asked.
      { id: "listener", family: "vad", licence: "MIT", priority: 10, files: { model: file("vad_v5.onnx") } },
    ]);
    const { made, engine, passed_over } = await pool.run(
      served,
      { settings: { ...SETTINGS, models: folder }, audio: MUSIC },
      options(),
    );
    assert.equal(engine, "second");
    assert.equal(made.length, 2);
    assert.equal(passed_over.length, 1);
    assert.equal(passed_over[0]!.model, "broken");
    assert.match(passed_over[0]!.reason, /"gone.onnx": there is no such file/);
  }));

test("the built-in engine serves where no model can, and where there are none", () =>
  withPool(async (pool) => {
    const folder = folderOf("hung", [{ ...withModel("mdx_hang.onnx"), id: "hung", ms_max: 500 }]);
    const hung = await pool.run(served, { settings: { ...SETTINGS, models: folder }, audio: MUSIC }, options());
    assert.equal(hung.engine, "built-in");
    assert.match(hung.passed_over[0]!.reason, /it exceeded 500 ms/);
    for (const models of [null, join(scratch, "no-such-folder")]) {
      const none = await pool.run(served, { settings: { ...SETTINGS, models }, audio: MUSIC }, options());
      assert.deepEqual([none.engine, none.passed_over], ["built-in", []]);
    }
  }));

test("without onnxruntime-node the built-in engine serves and the reason is told", () => {
  // The code in a place where the package is not installed.
  const home = join(scratch, "home");
  mkdirSync(join(home, "node_modules"), { recursive: true });
  for (const folder of ["contract", "core", "runners", "test/runners/models"]) {
    cpSync(join(root, folder), join(home, folder), { recursive: true });
  }
  symlinkSync(join(root, "node_modules/@sinclair"), join(home, "node_modules/@sinclair"));
  writeFileSync(
    join(home, "package.json"),
    JSON.stringify({ type: "module", dependencies: { "@sinclair/typebox": "*", "onnxruntime-node": "*" } }),
  );
  const folder = folderOf("bare", [MDX]);
  const settings = { ...SETTINGS, models: folder };
  writeFileSync(
    join(home, "bare.ts"),
    `import { withPool, served, music, options } from "./test/runners/models/fixtures.ts";
     const { engine, passed_over } = await withPool((pool) =>
       pool.run(served, { settings: ${JSON.stringify(settings)}, audio: music(1) }, options()));
     console.log(JSON.stringify({ engine, passed_over }));
     process.exit(0);`,
  );
  const is_deno = "Deno" in globalThis;
  const args = is_deno ? ["run", "-A", "--no-check", "--no-lock", "bare.ts"] : ["bare.ts"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: home, encoding: "utf8", timeout: 300_000 });
  const line = stdout.trim().split("\n").at(-1) ?? "";
  assert.ok(line.startsWith("{"), stdout + stderr);
  const { engine, passed_over } = JSON.parse(line) as { engine: string; passed_over: { reason: string }[] };
  assert.equal(engine, "built-in");
  assert.match(passed_over[0]!.reason, /onnxruntime-node cannot be loaded/);
});

/** A folder of models with these manifests and all miniatures. */
function folderOf(
  name: string,
  manifests: readonly { readonly id: string; readonly [field: string]: unknown }[],
): string {
  const folder = join(scratch, name);
  cpSync(MODELS, folder, { recursive: true, filter: (path) => !path.endsWith(".json") });
  for (const manifest of manifests) writeFileSync(join(folder, `${manifest.id}.json`), JSON.stringify(manifest));
  return folder;
}

/** Processes that this one started, by number. Linux. */
function children(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return state !== "Z" && Number(parent) === process.pid;
      } catch {
        return false;
      }
    });
}

/** Sends `signal` to the child that has worked for longer than loading takes: it is in the middle of a run. */
async function endTheBusyOne(before: readonly number[], signal: NodeJS.Signals, ticks: number): Promise<number> {
  const busy = (): number | undefined => children().find((pid) => !before.includes(pid) && ticksOf(pid) > ticks);
  await until(() => busy() !== undefined);
  const pid = busy()!;
  // More than once: V8's own handler takes a first SIGSEGV that no access to memory caused.
  await until(() => {
    if (!children().includes(pid)) return true;
    process.kill(pid, signal);
    return false;
  });
  return pid;
}

/** Processor time of a process in its own code, hundredths of a second (proc(5), field 14). */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[11]);
  } catch {
    return 0;
  }
}
