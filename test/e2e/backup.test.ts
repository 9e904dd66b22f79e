/** The commands of docs/deploying.md bring an installation back: every answer, every balance, every sound. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { promisify } from "node:util";
import { newApiKey } from "../../core/base/keys.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";
import { POSTGRES_MISSING, sharedPostgres } from "../services/postgres.ts";
import { findProgram } from "../services/programs.ts";
import { whenThere } from "../services/services.ts";
import { leaseStack, STACK_MISSING } from "../services/stack.ts";
import { quickActions } from "../telemetry/harness.ts";

async function ready(tonwerk: TestService, body: object): Promise<Answer["body"]> {
  const submitted = await tonwerk.json("PUT", "/v1/test.tone", body);
  const { id } = submitted.body.test_tone;
  for (;;) {
    const { test_tone } = (await tonwerk.json("GET", `/v1/test.tone?id=${id}&wait=true`)).body;
    if (test_tone.status !== "processing") return test_tone;
  }
}

/** What this submission is answered, its sound, and the balance. */
async function look(tonwerk: TestService, body: object): Promise<readonly unknown[]> {
  const replay = await tonwerk.call("PUT", "/v1/test.tone", body);
  const text = await replay.text();
  assert.equal(replay.headers.get("idempotent-replayed"), "true");
  const { id } = JSON.parse(text).test_tone;
  const { output } = (await tonwerk.json("GET", `/v1/test.tone?id=${id}`)).body.test_tone;
  const audio = await tonwerk.call("GET", output.url);
  assert.equal(audio.status, 200);
  const sha256 = createHash("sha256")
    .update(new Uint8Array(await audio.arrayBuffer()))
    .digest("hex");
  assert.equal(sha256, output.sha256);
  return [text, sha256, (await tonwerk.json("GET", "/v1/account")).body];
}

test("an embedded installation that was copied while it ran comes back whole", async () => {
  const folder = await quickActions();
  const [data, copy] = [await mkdtemp(join(tmpdir(), "tonwerk-live-")), await mkdtemp(join(tmpdir(), "tonwerk-copy-"))];
  const env = { TONWERK_PLUGINS: folder, TONWERK_FIRST_KEY: newApiKey() };
  try {
    const live = await startTestService({ data, env });
    const body = { idempotency_key: randomUUID() };
    await ready(live, body);
    const before = await look(live, body);
    // Somebody goes on working meanwhile.
    const busy = ready(live, { idempotency_key: randomUUID() });
    // First the rows, then what they name: an object too many is swept, one too few would be missed.
    const db = new DatabaseSync(join(data, "tonwerk.db"), { readOnly: true });
    db.exec(`VACUUM INTO '${join(copy, "tonwerk.db")}'`);
    db.close();
    await cp(join(data, "objects"), join(copy, "objects"), { recursive: true });
    await cp(join(data, "secret"), join(copy, "secret"));
    await busy;
    await live.stop();

    const restored = await startTestService({ data: copy, env });
    assert.equal(restored.service.first, undefined);
    const [text, sha256, account] = await look(restored, body);
    assert.deepEqual([text, sha256], before.slice(0, 2));
    const { credits } = (account as Answer["body"]).account;
    const id = (account as Answer["body"]).account.id as string;
    const ledger = await restored.service.store.ledger(id, { limit: 10 });
    assert.equal(
      credits,
      ledger.reduce((sum, line) => sum + line.credits, 0),
    );
    await restored.stop();
  } finally {
    for (const path of [data, copy, folder]) await rm(path, { recursive: true, force: true });
  }
});

const missing =
  STACK_MISSING ?? POSTGRES_MISSING ?? (findProgram("pg_dump") === undefined ? "pg_dump is not installed" : undefined);

whenThere("a dump of Postgres comes back", missing, () => {
  test("a dump of Postgres, restored into an empty database, comes back whole beside the same bucket", async () => {
    const folder = await quickActions();
    const stack = await leaseStack();
    const scratch = await mkdtemp(join(tmpdir(), "tonwerk-dump-"));
    const run = promisify(execFile);
    const env = { ...stack.env, TONWERK_PLUGINS: folder, TONWERK_FIRST_KEY: newApiKey(), S3_PUBLIC_ENDPOINT: "none" };
    const server = await sharedPostgres();
    let database: string | undefined;
    try {
      const live = await startTestService({ env });
      const body = { idempotency_key: randomUUID() };
      await ready(live, body);
      const before = await look(live, body);
      const dump = join(scratch, "tonwerk.dump");
      await run(findProgram("pg_dump")!, ["--format=custom", `--file=${dump}`, stack.env.DATABASE_URL!]);
      await live.stop();

      database = await server.createDatabase();
      const url = server.url(database);
      await run(findProgram("pg_restore")!, ["--no-owner", "--exit-on-error", `--dbname=${url}`, dump]);
      const restored = await startTestService({ env: { ...env, DATABASE_URL: url } });
      assert.equal(restored.service.first, undefined);
      assert.deepEqual(await look(restored, body), before);
      const more = await ready(restored, { idempotency_key: randomUUID() });
      assert.equal(more.status, "ready");
      await restored.stop();
    } finally {
      await stack.giveBack();
      if (database !== undefined) await server.dropDatabase(database);
      await rm(scratch, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    }
  });
});
