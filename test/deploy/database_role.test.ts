/** deploy/postgres-role.sh on a real server: the nodes' role is no superuser, owns its database alone, and that is enough for them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newApiKey } from "../../core/base/keys.ts";
import { freePort, startProcess } from "../process.ts";
import { openTestLink, POSTGRES_BIN, POSTGRES_MISSING, sharedPostgres } from "../services/postgres.ts";
import { whenThere } from "../services/services.ts";

const SCRIPT = fileURLToPath(new URL("../../deploy/postgres-role.sh", import.meta.url));

whenThere("the database role of compose.yaml", POSTGRES_MISSING, () => {
  test("a node migrates and works as a role without rights beyond its database", async () => {
    const { port: at, url } = await sharedPostgres();
    const data = mkdtempSync(join(tmpdir(), "tonwerk-role-"));
    after(() => rmSync(data, { recursive: true, force: true }));
    // The test server's superuser has the role's name; everything else is as the image runs it.
    const role = `role_${process.pid}`;
    const made = spawnSync("sh", ["-s"], {
      input: readFileSync(SCRIPT, "utf8").replaceAll(/\btonwerk\b/g, role),
      encoding: "utf8",
      env: {
        ...{ PATH: `${POSTGRES_BIN}:${process.env.PATH}`, PGHOST: "127.0.0.1", PGPORT: String(at) },
        ...{ POSTGRES_USER: "tonwerk", TONWERK_DATABASE_PASSWORD: 'it\'s "one" \\ with signs' },
      },
    });
    assert.equal(made.status, 0, made.stderr);

    const key = newApiKey();
    const port = await freePort();
    const service = await startProcess(
      {
        ...{ TONWERK_DATA: data, TONWERK_FIRST_KEY: key, DATABASE_URL: `postgres://${role}@127.0.0.1:${at}/${role}` },
        TONWERK_SECRET: randomBytes(32).toString("base64"),
      },
      port,
    );
    try {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({ idempotency_key: crypto.randomUUID(), prompt: "a short beep", duration: 0.5 });
      const answer = await fetch(`${service.url}/v1/create.new_fx`, { method: "PUT", headers, body });
      const submitted = (await answer.json()) as Record<string, { id: string; status: string }>;
      assert.equal(answer.status, 200, JSON.stringify(submitted));
      let [operation] = Object.values(submitted);
      while (operation?.status === "processing") {
        const read = await fetch(`${service.url}/v1/create.new_fx?id=${operation.id}&wait=true`, { headers });
        [operation] = Object.values((await read.json()) as Record<string, { id: string; status: string }>);
      }
      assert.equal(operation?.status, "ready", JSON.stringify(operation));
    } finally {
      service.kill("SIGTERM");
      await service.exited;
    }

    const link = await openTestLink(url());
    try {
      const [rights] = await link.query(
        "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = $1",
        [role],
      );
      assert.deepEqual(Object.values(rights ?? { none: true }), [false, false, false, false, false]);
      const may = async (database: string) =>
        (await link.query("SELECT has_database_privilege($1, $2, 'CONNECT') AS may", [role, database]))[0]?.may;
      assert.deepEqual([await may(role), await may("postgres")], [true, false]);
    } finally {
      await link.close();
    }
  });
});
