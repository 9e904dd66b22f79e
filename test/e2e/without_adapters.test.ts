/** A tree without adapters that nobody asks for starts and works; one that is asked for is named. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort, type ServiceProcess, startProcess } from "../process.ts";
import { POSTGRES_MISSING, sharedPostgres } from "../services/postgres.ts";
import { whenThere } from "../services/services.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const SECRET = Buffer.alloc(32, 7).toString("base64");
const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function treeWithout(...adapters: string[]): string {
  const tree = mkdtempSync(join(tmpdir(), "tonwerk-tree-"));
  made.push(tree);
  for (const part of ["contract", "core", "packages", "plugins", "runners", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(tree, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  for (const name of adapters) rmSync(join(tree, "core/adapters", name), { recursive: true });
  return tree;
}

const start = async (tree: string, env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
  startProcess(
    { TONWERK_DATA: join(tree, "data"), TONWERK_SECRET: SECRET, ...env },
    await freePort(),
    50,
    join(tree, "core/main.ts"),
  );

/** Takes an order with the key that the first start printed. */
async function works(service: ServiceProcess): Promise<void> {
  // What was printed may arrive after the first answer.
  const findKey = () => /tonwerk_[0-9A-Za-z]{36}/.exec(service.output())?.[0];
  for (let tries = 0; findKey() === undefined && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const key = findKey();
  assert.ok(key, service.output());
  const made = await fetch(`${service.url}/v1/create.new_fx`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ idempotency_key: crypto.randomUUID(), prompt: "a short beep" }),
  });
  const body = await made.text();
  assert.equal(made.status, 200, body);
  service.kill("SIGTERM");
  assert.equal(await service.exited, 0, service.output());
}

test("without Postgres, Redis, S3, metrics and traces the service starts on its data folder", async () => {
  await works(await start(treeWithout("postgres", "redis", "s3", "prometheus", "otel")));
});

test("what is asked for and missing is named, and nothing is left behind", async () => {
  const tree = treeWithout("postgres", "redis");
  for (const [name, tree_without, env] of [
    ["postgres", tree, { DATABASE_URL: "postgres://127.0.0.1:9/none" }],
    ["redis", tree, { REDIS_URL: "redis://127.0.0.1:9" }],
    ["outbound", treeWithout("outbound"), {}],
  ] as const) {
    const service = await start(tree_without, env);
    assert.equal(await service.exited, 1);
    assert.match(
      service.output(),
      new RegExp(`(_URL|_ROLE=all) needs the adapter "core/adapters/${name}", which is not there`),
    );
  }
  await works(await start(tree));
});

whenThere("without sqlite", POSTGRES_MISSING, () => {
  test("the service starts on Postgres", async () => {
    const server = await sharedPostgres();
    const name = await server.createDatabase();
    await works(await start(treeWithout("sqlite", "redis", "s3", "memory"), { DATABASE_URL: server.url(name) }));
    await server.dropDatabase(name);
  });
});
