/** `tonwerk plugins`: a package from its first line to one that is served, and what is refused on the way. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describeChanges, tellBug } from "../../cli/plugins/dev.ts";
import { pluginsCommand } from "../../cli/plugins/mod.ts";
import { loadConfig } from "../../core/base/config.ts";
import { isInRange } from "../../core/base/versions.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { blocksOf } from "../packages/project.ts";
import { freePort } from "../process.ts";
import { startTestService, type TestService } from "../service.ts";
import { start } from "./run.ts";

const run = promisify(execFile);
let folder: string;
/** As `new` makes it. */
let echo: string;

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tonwerk-plugins-command-")));
  assert.equal((await plugins("new", "acme.echo", "--into", folder)).code, 0);
  echo = join(folder, "acme.echo");
});
after(() => rm(folder, { recursive: true, force: true }));

async function plugins(...rest: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const config = loadConfig({ TONWERK_DATA: join(folder, "data") });
  const code = await pluginsCommand(rest, config, (line) => lines.push(line));
  return { code, text: lines.join("\n") };
}

/** A copy of the package with other texts in its files; `undefined` removes one. */
async function variant(name: string, changes: Readonly<Record<string, (text: string) => string>>): Promise<string> {
  const made = join(folder, name);
  await cp(echo, made, { recursive: true, verbatimSymlinks: true });
  for (const [file, change] of Object.entries(changes)) {
    const path = join(made, file);
    await writeFile(path, change(await readFile(path, "utf8").catch(() => "")));
  }
  return made;
}

test("new makes a package that check finds green, and replaces nothing", async () => {
  const { code, text } = await plugins("check", echo);
  assert.equal(code, 0, text);
  assert.match(text, /^ok {4}acme\.echo: .*\nok {4}action\.test\.ts on (?:bun|deno)$/u);
  await assert.rejects(plugins("new", "acme.echo", "--into", folder), /there is something already/);
  await assert.rejects(plugins("new", "echo", "--into", folder), /expected "group\.action" in snake_case/);
  await assert.rejects(
    plugins("new", "acme.later", "--into", folder, "--kit", "no.tgz"),
    /Cannot make ".*acme\.later": there is no file ".*no\.tgz"/,
  );
  await assert.rejects(stat(join(folder, "acme.later")), /ENOENT/);
  assert.equal((await plugins("new", "--help")).code, 0);
  for (const verb of ["check", "dev"])
    await assert.rejects(plugins(verb, join(folder, "nowhere")), /There is no folder ".*nowhere"/);
  await assert.rejects(stat(join(folder, "nowhere")), /ENOENT/);
  for (const spec of ["nothing.tgz", "./nothing"])
    await assert.rejects(plugins("add", spec), /Cannot add ".*nothing.*": there is no such file or folder/);
  const files = (await readdir(echo, { recursive: true })).filter((file) => !file.startsWith("node_modules"));
  for (const file of [".github/workflows/ci.yml", "LICENSE", "README.md", "tsconfig.json"])
    assert.ok(files.includes(file), file);
});

test("check refuses what a server would, and ends tests that go too far", async () => {
  const wrong: readonly [changes: Parameters<typeof variant>[1], says: RegExp, ...options: string[]][] = [
    [{ "action.ts": (text) => text.replace("cost:", "csot:") }, /"csot" is unknown.*did you mean "cost"/],
    [{ "action.ts": (text) => text.replace("work:", "work") }, /SyntaxError.*action\.ts:\d+/],
    [{ "mod.ts": (text) => `while (true);\n${text}` }, /took longer than 2 s/, "--seconds", "2"],
    [
      { "package.json": (text) => text.replace(/"host": "[^"]*"/u, '"host": "^1.99"') },
      /"tonwerk-acme-echo" 0\.1\.0: it wants @tonwerk\/plugin \^1\.99, this installation has 1\.\d+\.\d+; upgrade/,
    ],
    [{ "action.test.ts": (text) => text.replace("0.125", "0.25") }, /bad {3}action\.test\.ts on/],
    [
      { "action.test.ts": () => "const all = [];\nfor (;;) all.push(new Uint8Array(1e7).fill(1));\n" },
      /took more than 500 MB of memory/,
      ...["--memory-mb", "500"],
    ],
  ];
  const told = wrong.map(async ([changes, says, ...options], index) => {
    const { code, text } = await plugins("check", await variant(`wrong_${index}`, changes), ...options);
    assert.equal(code, 1, text);
    assert.match(text, says);
  });
  await Promise.all(told);
  const bare = await variant("bare", {});
  await rm(join(bare, "action.test.ts"));
  const { code, text } = await plugins("check", bare);
  assert.equal(code, 1);
  assert.match(text, /none {2}no test: expected files such as action\.test\.ts/);
});

test("check takes what it runs with it when it is interrupted", async () => {
  const told = join(folder, "pid");
  const loop = (text: string): string =>
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(told)}, String(process.pid));\nwhile (true);\n${text}`;
  const made = await variant("endless", { "mod.ts": loop });
  const checking = start({ folder: made, env: {} }, ["plugins", "check", "--seconds", "100"]);
  let pid = 0;
  while (pid === 0) {
    await sleep(20);
    pid = Number(await readFile(told, "utf8").catch(() => "0"));
  }
  // On Deno, kill() of a child hides its exit code.
  process.kill(checking.child.pid!, "SIGINT");
  assert.equal((await checking.ended).code, 1);
  assert.throws(() => process.kill(pid, 0), /ESRCH/);
});

/** The package of docs/plugins/publishing.md under another name, as `npm pack` makes it: JavaScript, without sources. */
async function packGain(version: string): Promise<string> {
  const page = await readFile(new URL("../../docs/plugins/publishing.md", import.meta.url), "utf8");
  const [[manifest = ""], [module = ""]] = [blocksOf(page, "json"), blocksOf(page, "js")];
  const built = join(folder, `gain-${version}`, "package");
  await mkdir(join(built, "dist"), { recursive: true });
  await writeFile(
    join(built, "package.json"),
    JSON.stringify({ ...JSON.parse(manifest), name: "@acme/gain", version }),
  );
  await writeFile(join(built, "dist/mod.js"), module);
  const text = (await readFile(join(echo, "action.ts"), "utf8"))
    .replaceAll("acme.echo", "acme.gain")
    .replaceAll("acme_echo", "acme_gain")
    // What remains of TypeScript in it.
    .replaceAll(/(?<=\])!/gu, "");
  await writeFile(join(built, "dist/action.js"), text);
  const tarball = join(folder, `gain-${version}.tgz`);
  await run("tar", ["-czf", tarball, "-C", join(built, ".."), "package"]);
  return tarball;
}

test("add takes folders, tarballs and repositories; a server serves them, tells whose they are, and operations keep it", async () => {
  const place = join(folder, "data/plugins");
  const added = await plugins("add", echo);
  assert.equal(added.text.split("\n")[0], `Added tonwerk-acme-echo to ${place}: acme.echo`);
  assert.equal((await plugins("add", await packGain("1.0.0"))).code, 0);
  const before = await readFile(join(place, "current/package.json"), "utf8");
  // Nothing of what is refused stays.
  const rival = await variant("rival", { "package.json": (text) => text.replace("tonwerk-acme-echo", "rival") });
  await assert.rejects(plugins("add", rival), /Cannot add ".*rival": Cannot register "acme\.echo".*the name is taken/);
  await assert.rejects(plugins("add", "tonwerk-plugins-nowhere@file:../nowhere"), /Cannot install/);
  assert.equal(await readFile(join(place, "current/package.json"), "utf8"), before);

  const repository = await variant("acme.reverb", {
    "package.json": (text) => text.replace("tonwerk-acme-echo", "@acme/reverb"),
    "action.ts": (text) => text.replace("acme.echo", "acme.reverb").replace("acme_echo", "acme_reverb"),
  });
  const git = (...args: string[]) =>
    run("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "first");
  await run("git", ["clone", "--quiet", "--bare", repository, join(folder, "reverb.git")]);
  assert.equal((await plugins("add", `git+${pathToFileURL(join(folder, "reverb.git"))}`)).code, 0);
  // Another version takes the place of the first.
  assert.equal((await plugins("add", await packGain("1.1.0"))).code, 0);

  const { actions, failed } = JSON.parse((await plugins("list", "--json")).text);
  const whose = (name: string) => actions.find(({ action }: { action: string }) => action === name);
  assert.deepEqual(failed, []);
  assert.deepEqual([whose("acme.gain").package, whose("acme.gain").version], ["@acme/gain", "1.1.0"]);
  assert.deepEqual([whose("acme.reverb").package, whose("acme.reverb").version], ["@acme/reverb", "0.1.0"]);
  assert.equal(whose("adapt.auto_duck").package, "tonwerk");

  const tonwerk = await startTestService({ data: join(folder, "data") });
  try {
    const { body } = await tonwerk.json("GET", "/v1/capabilities");
    const { plugin } = body.actions.find(({ name }: { name: string }) => name === "acme.gain");
    assert.deepEqual(plugin, { name: "@acme/gain", version: "1.1.0" });
    for (const action of ["acme.echo", "acme.gain", "acme.reverb"]) {
      const id = await perform(tonwerk, action);
      const kept = JSON.parse((await tonwerk.service.store.operation(id))!.request);
      assert.deepEqual(kept.plugin, { name: whose(action).package, version: whose(action).version });
    }
    // A server that runs keeps the files that it began with.
    await plugins("remove", "tonwerk-acme-echo");
    await perform(tonwerk, "acme.echo");
  } finally {
    await tonwerk.stop();
  }
  assert.doesNotMatch((await plugins("list")).text, /acme\.echo/);
  await assert.rejects(
    plugins("remove", "tonwerk-acme-echo"),
    /it was not added to .*; added: @acme\/gain, @acme\/reverb/,
  );
  assert.deepEqual((await readdir(place)).filter((name) => /^\d+$/u.test(name)).length, 2);
});

async function perform(tonwerk: TestService, action: string): Promise<string> {
  const { body } = await tonwerk.json("PUT", "/v1/files", wav(tone(440, 1).channels));
  const request = { idempotency_key: randomUUID(), source: { url: body.file.url } };
  const [{ id }] = Object.values((await tonwerk.json("PUT", `/v1/${action}`, request)).body) as [{ id: string }];
  const ended = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
  assert.equal((Object.values(ended.body) as [{ status: string }])[0].status, "ready", JSON.stringify(ended.body));
  return id;
}

test("what is made for others may be read by them, as files of this user may", async () => {
  const shell = { folder, env: {} };
  const into = join(folder, "shared");
  for (const args of [
    ["new", "acme.open", "--into", into],
    ["add", join(into, "acme.open"), "--into", join(into, "plugins")],
  ]) {
    const { code, stderr } = await start(shell, ["plugins", ...args]).ended;
    assert.equal(code, 0, stderr);
  }
  const wanted = 0o666 & ~process.umask();
  for (const file of ["acme.open/action.ts", "plugins/current/package.json"])
    assert.equal((await stat(join(into, file))).mode & 0o777, wanted, file);
});

test("dev serves a save as a whole or not at all, and says what changed", async () => {
  const made = await variant("dev", {});
  const port = String(await freePort());
  const dev = start({ folder: made, env: {} }, ["plugins", "dev", "--port", port]);
  const cost = async () => {
    const key = await readFile(join(made, ".tonwerk/key"), "utf8");
    const answer = await fetch(`http://127.0.0.1:${port}/v1/capabilities`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { actions } = (await answer.json()) as { actions: { name: string; cost: number }[] };
    return actions.find(({ name }) => name === "acme.echo")!.cost;
  };
  try {
    await dev.said(`Served at http://127.0.0.1:${port}: acme.echo\nKey tonwerk_`);
    await dev.said("  tonwerk echo --help\n");
    await dev.said(`Dashboard       http://127.0.0.1:${port}/dashboard/link?token=`);
    assert.equal(await cost(), 1);
    const text = await readFile(join(made, "action.ts"), "utf8");
    await writeFile(join(made, "action.ts"), text.replace("=> 1,", "=> 1"));
    await dev.said("The last good one stays at work.");
    assert.equal(await cost(), 1);
    await writeFile(join(made, "action.ts"), text.replace("=> 1,", "=> 3,").replace("maximum: 2,", "maximum: 4,"));
    await dev.said("acme.echo: request.delay_seconds changed; cost changed");
    while ((await cost().catch(() => 0)) !== 3) await new Promise((later) => setTimeout(later, 50));
  } finally {
    // Deno says `null` of what `kill` of the child ended, however it ended.
    process.kill(dev.child.pid!, "SIGTERM");
  }
  const { code, stdout, stderr } = await dev.ended;
  assert.equal(code, 0, stdout + stderr);
});

test("dev tells a bug of the plugin with its stack, and all else as the log has it", () => {
  const bug = {
    event: "plugin.error",
    error: "acme.echo: process threw",
    where: "TypeError: x\n    at process (a.ts:4:2)",
  };
  assert.deepEqual(tellBug(JSON.stringify(bug)), ["Bug: acme.echo: process threw", "    at process (a.ts:4:2)"]);
  for (const line of ['{"event":"operation.ready"}', "mine"]) assert.deepEqual(tellBug(line), [line]);
});

test("what changed is told by action, key and field", () => {
  const described = (name: string, keys: Record<string, string>) => ({ name, summary: "", keys });
  const request = (...fields: string[]) =>
    JSON.stringify({ properties: Object.fromEntries(fields.map((field) => [field, {}])) });
  assert.deepEqual(
    describeChanges(
      [described("a.b", { request: request("x", "y"), cost: "() => 1" }), described("a.c", {})],
      [described("a.b", { request: request("x", "z"), cost: "() => 1", task: '"mix"' }), described("a.d", {})],
    ),
    ["a.c: gone", "a.b: request.y removed, request.z added; task added", "a.d: new"],
  );
});

test("ranges of versions", () => {
  const table: readonly [version: string, range: string, expected: boolean | undefined][] = [
    ["1.2.0", "^1.2", true],
    ["1.3.7", "^1.2", true],
    ["1.1.9", "^1.2", false],
    ["2.0.0", "^1.2", false],
    ["0.3.9", "^0.3", true],
    ["0.4.0", "^0.3", false],
    ["2.0.0", "^1.2 || ^2.0", true],
    ["2.5.0", ">=1.2", true],
    ["1.2.3", "1.2.3", true],
    ["1.2.4", "1.2.3", false],
    ["1.2.4", "latest", undefined],
    ["1.2.4", "", undefined],
  ];
  for (const [version, range, expected] of table)
    assert.equal(isInRange(version, range), expected, `${version} ${range}`);
});
