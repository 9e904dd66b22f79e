/** Surfaces come and go as folders: one that a test makes is served, and a service without dashboard and operator is one too. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findCommands, groupsOf, runTyped } from "../../cli/typed_commands.ts";
import { loadConfig } from "../../core/base/config.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { startTestService, type TestService } from "../service.ts";

const CONTRACT = new URL("../../core/surface.ts", import.meta.url).href;

/** One line of JSON in: key, action and request. One out: the operation once it has ended, or why not. */
const SUBMITTER = `
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Refusal, refuse } from "${CONTRACT}";

export default async function submitter(facade) {
  const answer = async ({ key, action, request }) => {
    const peer = { address: "127.0.0.1" };
    const account = await facade.authenticate({ authorization: "Bearer " + key, forwarded_for: null, peer });
    const to = facade.actions.get(action);
    if (to === undefined) throw refuse.notFound();
    const { body } = await facade.submit({ account, to, read: () => request });
    const { id } = JSON.parse(body)[to.action.wrapper];
    const ended = await facade.wait(account, action, id, AbortSignal.timeout(20_000));
    return { operation: facade.render(ended), listed: (await facade.list(account, { limit: 5 })).map((one) => one.id) };
  };
  const path = join(facade.config.data, "submit.sock");
  const server = createServer((socket) => {
    socket.once("data", (line) => {
      answer(JSON.parse(String(line)))
        .catch((error) => ({ refused: error instanceof Refusal ? error.status : String(error) }))
        .then((said) => socket.end(JSON.stringify(said)));
    });
  });
  await new Promise((resolve) => server.listen(path, resolve));
  return {
    name: "submitter",
    owns: (path) => path === "/submitter",
    answer: async () => Response.json({ socket: path }),
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await rm(path, { force: true });
    },
  };
}
`;

async function addSurface(folder: string, name: string, code: string): Promise<void> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, "surface.ts"), code);
}

async function ask(path: string, line: object): Promise<Record<string, unknown>> {
  const socket = createConnection(path);
  socket.write(JSON.stringify(line));
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return JSON.parse(text);
}

async function withService(
  folder: string,
  run: (tonwerk: TestService) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder, ...env } });
  try {
    await run(tonwerk);
  } finally {
    await tonwerk.stop();
  }
}

async function uploadTone(tonwerk: TestService): Promise<{ url: string }> {
  const { body } = await tonwerk.json("PUT", "/v1/files", wav(tone(440, 1).channels));
  return { url: body.file.url };
}

test("a fourth surface is one folder: a Unix socket that submits, waits and lists", async () => {
  const folder = await pluginFolder();
  try {
    await addAction(folder, "test.copy");
    await addSurface(folder, "submitter", SUBMITTER);
    let path = "";
    await withService(folder, async (tonwerk) => {
      assert.deepEqual(
        tonwerk.service.surfaces.map(({ name }) => name),
        ["capabilities", "dashboard", "files", "operator", "submitter"],
      );
      path = (await tonwerk.json("GET", "/submitter")).body.socket;
      const { key } = tonwerk;
      const request = { idempotency_key: randomUUID(), source: await uploadTone(tonwerk) };
      const made = await ask(path, { key, action: "test.copy", request });
      const { id, status } = (made.operation as { test_copy: { id: string; status: string } }).test_copy;
      assert.deepEqual([status, made.listed], ["ready", [id]]);
      const { body } = await tonwerk.json("GET", `/v1/test.copy?id=${id}`);
      assert.equal(body.test_copy.status, "ready");
      // Refused as the API refuses it.
      assert.deepEqual(await ask(path, { key: "wrong", action: "test.copy", request }), { refused: 401 });
      assert.deepEqual(await ask(path, { key, action: "test.copy", request: {} }), { refused: 422 });
      assert.deepEqual(await ask(path, { key, action: "test.none", request }), { refused: 404 });
    });
    assert.equal(existsSync(path), false, "it was stopped");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("with the folder of uploads alone the service serves its actions, and no document of them", async () => {
  const folder = await pluginFolder(["files"]);
  try {
    await addAction(folder, "test.copy");
    await withService(folder, async (tonwerk) => {
      assert.equal(tonwerk.service.surfaces.length, 1);
      assert.equal(existsSync(join(tonwerk.data, "operator")), false);
      const request = { idempotency_key: randomUUID(), source: await uploadTone(tonwerk) };
      const { id } = (await tonwerk.json("PUT", "/v1/test.copy", request)).body.test_copy;
      const ended = await tonwerk.json("GET", `/v1/test.copy?id=${id}&wait=true`);
      assert.equal(ended.body.test_copy.status, "ready");
      for (const path of ["/dashboard", "/dashboard/sign-in", "/docs", "/docs/errors", "/openapi.json", "/leaks"]) {
        assert.equal((await tonwerk.json("GET", path)).status, 404, path);
      }
      assert.equal((await tonwerk.json("POST", "/leaks", [])).status, 404);
      const front = await tonwerk.call("GET", "/", undefined, { accept: "text/html" });
      assert.equal(front.status, 404);
    });
    assert.deepEqual(groupsOf(await findCommands([folder])), []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("with the folder of docs alone the document has the actions, and of no other surface", async () => {
  const folder = await pluginFolder(["docs"]);
  try {
    await addAction(folder, "test.copy");
    await withService(folder, async (tonwerk) => {
      const { paths } = (await tonwerk.json("GET", "/openapi.json")).body;
      assert.deepEqual([paths["/leaks"], typeof paths["/v1/test.copy"].put], [undefined, "object"]);
      const absent = Object.keys(paths).filter((path) => /capabilities|files|upload/u.test(path));
      assert.deepEqual([absent, (await tonwerk.json("PUT", "/v1/files", wav([]))).status], [[], 404]);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("commands are those of the surfaces that are there", async () => {
  const [both, operator] = [await pluginFolder(), await pluginFolder(["operator"])];
  const data = await mkdtemp(join(tmpdir(), "tonwerk-commands-"));
  try {
    const groups = ["accounts", "audit", "backups", "credits", "keys", "secrets", "settings"];
    assert.deepEqual(groupsOf(await findCommands([operator])).toSorted(), groups);
    assert.deepEqual(groupsOf(await findCommands([both])).toSorted(), [...groups, "leaks", "users"].toSorted());
    const said: string[] = [];
    const all = await findCommands([operator]);
    const print = { out: (line: string) => said.push(line), err: (line: string) => said.push(line) };
    assert.equal(await runTyped(all, "users", ["list"], () => loadConfig({ TONWERK_DATA: data }), print), 2);
    assert.match(said[0] ?? "", /There is no command "users list"/);
  } finally {
    for (const folder of [both, operator, data]) await rm(folder, { recursive: true, force: true });
  }
});

test("without a dashboard neither the start nor a new account has a link to sign in with", async () => {
  const folder = await pluginFolder(["operator"]);
  try {
    await withService(folder, async ({ service, data }) => {
      const greetings = await Promise.all(service.surfaces.map(({ greet }) => greet?.(service.first)));
      assert.deepEqual(greetings, [undefined]);
      const said: string[] = [];
      const print = { out: (line: string) => said.push(line), err: (line: string) => said.push(line) };
      const words = ["create", "Second", "--credits", "5"];
      const all = await findCommands([folder]);
      assert.equal(await runTyped(all, "accounts", words, () => loadConfig({ TONWERK_DATA: data }), print), 0);
      assert.match(said.join("\n"), /API key {9}tonwerk_/);
      assert.doesNotMatch(said.join("\n"), /link/i);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a surface that cannot start stops the start, by name, unless its folder may fail", async () => {
  const wrong: readonly [code: string, why: RegExp][] = [
    [
      "export const nothing = 1;",
      /Cannot start the surface "odd" from .*: expected a default export that is a function/,
    ],
    ['export default () => ({ name: "other" });', /its name is "other", expected that of its folder/],
    ['export default () => { throw new Error("no socket"); };', /no socket/],
    ['import "./missing.ts";', /Cannot start the surface "odd"/],
  ];
  for (const [code, why] of wrong) {
    const folder = await pluginFolder([]);
    try {
      await addSurface(folder, "odd", code);
      await assert.rejects(
        withService(folder, async () => undefined),
        why,
      );
      await withService(`?${folder}`, async (tonwerk) => {
        assert.ok(tonwerk.logged.some((line) => line.includes("plugin.failed") && why.test(JSON.parse(line).reason)));
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const [one, two] = [await pluginFolder([]), await pluginFolder([])];
  try {
    for (const folder of [one, two]) await addSurface(folder, "twin", 'export default () => ({ name: "twin" });');
    await assert.rejects(
      withService(`${one},${two}`, async () => undefined),
      /Cannot start the surface "twin" from .*: the name is taken/,
    );
    await withService(`${one},${one}`, async ({ service }) => assert.equal(service.surfaces.length, 1));
  } finally {
    for (const folder of [one, two]) await rm(folder, { recursive: true, force: true });
  }
});
