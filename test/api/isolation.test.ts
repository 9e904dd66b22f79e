/** Actions in processes of their own: what they get and give, what they cannot take from others, and what becomes of those that try. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { describeLooseness } from "../../core/actions/isolation.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { howConfined } from "../../runners/pool/confined.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";

const HOME = new URL("../../", import.meta.url).href;
/** What keeps files and network away: Deno's permissions, or bubblewrap. Elsewhere memory, time and the size of files are kept to. */
const KEEPING = howConfined();

let tonwerk: TestService;
let folder: string;
/** Files that actions may use, and the service's own. */
let shared: string;
let server: Server;
let source: { readonly url: string };

/** Answers whether something could be done, and what was said. */
const attempt = (work: string): string => `async ({ sources }) => {
  let said = "done";
  try { ${work} } catch (error) { said = String(error); }
  return { audio: sources.source, report: { said } };
}`;

before(async () => {
  folder = await pluginFolder(["files"]);
  shared = await realpath(await mkdtemp(join(tmpdir(), "tonwerk-isolation-")));
  for (const name of ["read", "write", "data"]) await mkdir(join(shared, name));
  await writeFile(join(shared, "read/given"), "given");
  server = createServer((_, response) => response.end());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const apart = { isolation: '"process"' };
  // What tells a job's process from one of its own is how the pool starts it.
  const PID = "report: { pid: process.pid, is_job: process.argv.at(-1) === 'job' }";
  const part =
    "(channels, gain) => ({ audio: { sample_rate: 44100, channels: channels.map((c) => c.map((s) => s * gain)) } })";
  await addAction(folder, "acme.thread", { process: `({ sources }) => ({ audio: sources.source, ${PID} })` });
  await addAction(folder, "acme.apart", {
    ...apart,
    config: 'Type.Object({ word: Type.String({ env: "ACME_WORD", description: "x" }) })',
    process: `({ sources, progress, config, request }) => {
      progress(0.5, "half");
      return { audio: sources.source, report: { pid: process.pid, word: config.word, note: request.note ?? null } };
    }`,
  });
  await addAction(folder, "acme.fails", {
    ...apart,
    failures: '["too_plain"]',
    process: '({ fail }) => fail("too_plain", "It is too plain")',
  });
  await addAction(folder, "acme.bug", { ...apart, process: '() => { throw new Error("no luck"); }' });
  await addAction(folder, "acme.wrong", {
    ...apart,
    process: "({ sources }) => ({ audio: { ...sources.source, sample_rate: 8000 } })",
  });
  await addAction(folder, "acme.two", {
    ...apart,
    output: '{ soft: "Softer", streamed: "As it is read" }',
    process: `({ sources: { source } }) => ({
      soft: (${part})(source.channels, 0.5),
      streamed: { audio: { sample_rate: 44100, channels: 1, frames: 44100, peak: 0.5, samples: (from, to, out) => out[0].fill(0.25, 0, to - from) } },
    })`,
  });
  await addAction(folder, "acme.takes", {
    ...apart,
    output: '"variations"',
    seeded: "true",
    process: "({ sources, seeds }) => seeds.map((seed) => () => ({ audio: sources.source, report: { seed } }))",
  });
  await addAction(folder, "acme.engine", {
    ...apart,
    process: "async ({ sources, engines }) => ({ audio: await engines.master(sources.source, { target_lufs: -30 }) })",
  });
  await addAction(folder, "acme.memory", {
    ...apart,
    permissions: "{ memory_mb: 700 }",
    process: `async () => {
      const held = [];
      for (;;) { held.push(new Float64Array(4_000_000).fill(held.length)); await new Promise((done) => setTimeout(done, 5)); }
    }`,
  });
  await addAction(folder, "acme.loops", { ...apart, permissions: "{ seconds: 2 }", process: "() => { for (;;); }" });
  await addAction(folder, "acme.exits", { ...apart, process: "() => { process.exit(3); }" });
  await addAction(folder, "acme.writes", {
    ...apart,
    process: attempt('(await import("node:fs")).writeFileSync("/tmp/tonwerk-written", "x".repeat(9000));'),
  });
  await addAction(folder, "acme.reads", {
    ...apart,
    process: attempt('(await import("node:fs")).readFileSync("/etc/hostname");'),
  });
  const { port } = server.address() as AddressInfo;
  const asks = attempt(`await fetch("http://127.0.0.1:${port}/");`);
  await addAction(folder, "acme.asks", { ...apart, process: asks });
  await addAction(folder, "acme.may_ask", { ...apart, permissions: `{ hosts: ["127.0.0.1:${port}"] }`, process: asks });
  await addAction(folder, "acme.may", {
    ...apart,
    permissions: `{ read: ["${shared}/read"], write: ["${shared}/write"] }`,
    process: attempt(`
      const { readFileSync, writeFileSync } = await import("node:fs");
      writeFileSync("${shared}/write/made", readFileSync("${shared}/read/given") + "!");
      try { writeFileSync("${shared}/read/made", "x"); said = "wrote"; } catch {}
    `),
  });
  await addAction(folder, "acme.spies", {
    ...apart,
    process: attempt(`
      const { readdirSync, readFileSync } = await import("node:fs");
      said = "nothing";
      try { readdirSync("${shared}/data"); said = "data"; } catch {}
      try { readFileSync("/proc/${process.pid}/environ"); said = "the server"; } catch {}
    `),
  });
  await addAction(folder, "acme.starts", {
    ...apart,
    process: attempt('(await import("node:child_process")).execFileSync("true");'),
  });
  await addAction(folder, "acme.seen", {
    ...apart,
    permissions: '{ env: ["ACME_SEEN"] }',
    process:
      "({ sources }) => ({ audio: sources.source, report: { env: [process.env.ACME_SEEN ?? null, process.env.ACME_HIDDEN ?? null] } })",
  });
  Object.assign(process.env, { ACME_WORD: "hello", ACME_SEEN: "seen", ACME_HIDDEN: "hidden" });
  const env = { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "2" };
  tonwerk = await startTestService({ data: join(shared, "data"), env });
  source = await tonwerk.upload(wav(tone(440, 1).channels));
});
after(async () => {
  await tonwerk.stop();
  server.close();
  for (const made of [folder, shared]) await rm(made, { recursive: true, force: true });
});

const run = (action: string, fields: object = {}, on = tonwerk) => on.perform(action, { source, ...fields });

const faultOf = ({ id }: { readonly id: string }) =>
  tonwerk.logged.map((line) => JSON.parse(line)).filter((line) => line.event === "plugin.error" && line.id === id);

test("process runs in a process of its own, with request, sources, settings and progress", async () => {
  const { report } = (await run("acme.thread")).output;
  assert.equal(report.is_job, true);
  const apart = (await run("acme.apart", { note: "x" })).output;
  assert.notEqual(apart.report.pid, report.pid);
  assert.deepEqual([apart.report.word, apart.report.note], ["hello", "x"]);
  assert.equal((await run("acme.apart")).output.report.pid, apart.report.pid, "the process is kept for the next job");
});

test("outputs of every shape cross, and engines serve there", async () => {
  const two = await run("acme.two");
  assert.deepEqual([two.status, two.outputs.map(({ kind }: Answer["body"]) => kind)], ["ready", ["soft", "streamed"]]);
  const takes = await run("acme.takes", { n_variations: 2, seed: 4 });
  assert.deepEqual(
    takes.outputs.map(({ report }: Answer["body"]) => report.seed),
    [4, 5],
  );
  assert.ok(Math.abs((await run("acme.engine")).output.loudness.lufs + 30) < 0.1);
});

test("failures and bugs are told as those of a thread", async () => {
  assert.deepEqual((await run("acme.fails")).error, { code: "too_plain", message: "It is too plain" });
  for (const [action, kind, says] of [
    ["acme.bug", "process", /process threw "Error: no luck"/u],
    ["acme.wrong", "output", /Cannot deliver a sample rate of 8000 Hz/u],
  ] as const) {
    const ended = await run(action);
    assert.equal(ended.error.code, "internal_error");
    const [told] = faultOf(ended);
    assert.equal(told.kind, kind);
    assert.match(told.error, says);
  }
});

test("memory without end, a loop without end and an exit end their process at once, and nobody else's work", async () => {
  const others = Promise.all([run("acme.apart"), run("acme.thread")]);
  const memory = await run("acme.memory");
  assert.deepEqual([memory.status, memory.error.code, memory.refunded], ["failed", "internal_error", 1]);
  const told = faultOf(memory);
  assert.equal(told.length, 1, "once: it is not tried again");
  assert.match(told[0].error, /its process ended: .*it held \d+ MB of memory, and may hold 700/u);
  const loop = await run("acme.loops");
  assert.equal(loop.error.code, "generation_timeout");
  const exit = await run("acme.exits");
  assert.match(faultOf(exit)[0].error, /its process ended: .*exit code 3/u);
  for (const { status } of await others) assert.equal(status, "ready");
  assert.equal((await run("acme.apart")).status, "ready");
});

test("a start says which actions nothing keeps to hosts and paths, or is refused with them", async () => {
  const loose = tonwerk.logged.map((line) => JSON.parse(line)).filter(({ event }) => event === "plugin.not_confined");
  const names = loose.map(({ action }) => action);
  if (KEEPING.by === "runtime") assert.deepEqual(names, []);
  if (KEEPING.by === "sandbox") assert.deepEqual(names, ["acme.may_ask"]);
  if (KEEPING.by === null) assert.ok(names.includes("acme.reads") && !names.includes("acme.thread"));
  const strict = startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_ISOLATE_STRICT: "on" } });
  if (KEEPING.by === "runtime") await (await strict).stop();
  else
    await assert.rejects(strict, /Cannot start with "acme\.\w+" in a process of its own \(TONWERK_ISOLATE_STRICT\): /u);
});

test("what is loose is said by what keeps", () => {
  const [none, some] = [{ hosts: [] }, { hosts: ["a.example.com", "b.example.com:8443"] }];
  for (const [keeping, of_none, of_some] of [
    [{ by: "runtime" }, undefined, undefined],
    [{ by: "sandbox" }, undefined, /all hosts or none: with permission for a\.example\.com, b\.example\.com:8443/u],
    [{ by: null, why: "bwrap: it is not installed" }, /bwrap: it is not installed/u, /nothing here keeps it to files/u],
  ] as const) {
    for (const [wanted, says] of [
      [none, of_none],
      [some, of_some],
    ] as const) {
      const said = describeLooseness(wanted, keeping);
      if (says === undefined) assert.equal(said, undefined);
      else assert.match(said!, says);
    }
  }
});

test("a process sees the variables that it may see, and no others", async () => {
  assert.deepEqual((await run("acme.seen")).output.report.env, ["seen", null]);
});

const saidBy = async (action: string): Promise<string> => (await run(action)).output.report.said;

test("files, network and the server's own are out of reach where something keeps them away", {
  skip: KEEPING.by === null && KEEPING.why,
}, async () => {
  const denied =
    KEEPING.by === "runtime"
      ? /NotCapable|Requires (?:read|write|net) access/u
      : /ENOENT|EROFS|ENETUNREACH|Unable to connect/u;
  for (const action of ["acme.reads", "acme.writes", "acme.asks"]) assert.match(await saidBy(action), denied, action);
  assert.equal(await saidBy("acme.spies"), "nothing");
});

test("programs are not started where the runtime has permissions; in a sandbox they have no more than who starts them", {
  skip: KEEPING.by === null && KEEPING.why,
}, async () => {
  const said = await saidBy("acme.starts");
  if (KEEPING.by === "runtime") assert.match(said, /NotCapable|Requires run access|Command failed: true/u);
  else assert.equal(said, "done");
});

test("what it may use it can use: paths and hosts", async () => {
  assert.equal(await saidBy("acme.may"), KEEPING.by === null ? "wrote" : "done");
  assert.equal(await readFile(join(shared, "write/made"), "utf8"), "given!");
  assert.equal(await saidBy("acme.may_ask"), "done");
});

test("an operator may demand it of any action", async () => {
  const { sha256 } = (await run("acme.thread")).output;
  for (const [isolate, is_apart] of [
    ["acme.thread", true],
    ["acme.*", true],
    ["*", true],
    ["other.*,acme.apart", false],
  ] as const) {
    const service = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_ISOLATE: isolate } });
    try {
      const { body } = await service.json("PUT", "/v1/files", wav(tone(440, 1).channels));
      assert.ok(body.file, JSON.stringify(body));
      const { output } = await run("acme.thread", { source: { url: body.file.url } }, service);
      assert.equal(output.report.is_job, !is_apart, isolate);
      assert.equal(output.sha256, sha256, "samples cross unchanged");
    } finally {
      await service.stop();
    }
  }
  await assert.rejects(
    startTestService({ env: { TONWERK_ISOLATE: "Acme" } }),
    /TONWERK_ISOLATE must be names of actions, groups such as acme\.\*, or \*/u,
  );
});

test("permissions are checked, and are nothing without a process", async () => {
  const refused = async (changes: Record<string, string>, says: RegExp) => {
    const other = await pluginFolder([]);
    await addAction(other, "acme.other", changes);
    await assert.rejects(loadRegistry([other], HOME), says);
    await rm(other, { recursive: true });
  };
  await refused({ permissions: "{ memory_mb: 512 }" }, /permissions need isolation "process"/u);
  const apart = (permissions: string) => ({ isolation: '"process"', permissions });
  await refused(apart("{ memory_mb: 1 }"), /"permissions\.memory_mb" must be a whole number of 64 to 65536: it is 1/u);
  await refused(apart('{ hosts: ["https://x"] }'), /"permissions\.hosts\.0" must be a host such as .*: it is "https/u);
  await refused(
    apart('{ read: ["data"] }'),
    /"permissions\.read\.0" must be an absolute path without a comma: it is "data"/u,
  );
  await refused(apart("{ network: true }"), /"permissions\.network" is unknown, expected an object of hosts/u);
  await refused({ isolation: '"thread"' }, /"isolation" must be process or absent: it is "thread"/u);
});
