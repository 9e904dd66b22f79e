/** An embedded installation with operations in every state moves to Postgres and S3, and goes on there as if nothing had been. */
import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { migrateStore } from "../../cli/migrate_store.ts";
import { loadConfig } from "../../core/base/config.ts";
import { newId } from "../../core/base/ids.ts";
import { hashApiKey, newApiKey } from "../../core/base/keys.ts";
import { newSigningSecret } from "../../core/base/secrets.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { addUser } from "../add_user.ts";
import { wav } from "../audio.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";
import { whenThere } from "../services/services.ts";
import { leaseStack, STACK_MISSING } from "../services/stack.ts";
import { quickActions, receiver } from "../telemetry/harness.ts";
import { until } from "../until.ts";

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function ended(tonwerk: TestService, action: string, id: string): Promise<Answer["body"]> {
  for (;;) {
    const { body } = await tonwerk.json("GET", `/v1/${action}?id=${id}&wait=true`);
    const operation = Object.values(body)[0] as Answer["body"];
    if (operation.status !== "processing") return operation;
  }
}

/** What signing adds depends on the moment; the rest of a URL does not. */
const unsigned = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/\?expires=\d+&signature=[\w-]+/g, "")
      .replaceAll(/"expires_at":"[^"]+"/g, '"expires_at":""'),
  );

interface Kept {
  readonly answers: ReadonlyMap<string, unknown>;
  readonly store: unknown;
}

/** Everything that an account can see, and what only the store knows. */
async function look(tonwerk: TestService, account_id: string, ids: readonly string[]): Promise<Kept> {
  const { store } = tonwerk.service;
  const paths = ["/v1/account", "/v1/operations", "/v1/operations?status=failed", "/v1/operations?action=test.tone"];
  const answers = new Map<string, unknown>();
  for (const path of paths) {
    const { status, body } = await tonwerk.json("GET", path);
    assert.equal(status, 200);
    answers.set(path, unsigned(body));
  }
  for (const id of ids) {
    const operation = (await store.operation(id))!;
    const { body } = await tonwerk.json("GET", `/v1/${operation.action}?id=${id}`);
    answers.set(id, unsigned(body));
  }
  const hooks = [];
  for (const id of ids) {
    for (const hook of await store.webhooks(id)) hooks.push({ hook, attempts: await store.webhookAttempts(hook.id) });
  }
  return {
    answers,
    store: {
      accounts: await store.account(account_id),
      ledger: await store.ledger(account_id, { limit: 100 }),
      keys: await store.keys(account_id),
      secrets: await store.secrets(account_id),
      users: await store.users(account_id),
      leaks: await store.leaks(account_id, { limit: 10 }),
      operations: await Promise.all(ids.map((id) => store.operation(id))),
      hooks,
    },
  };
}

whenThere("an installation moves", STACK_MISSING, () => {
  test("an embedded installation moves to Postgres and S3 without loss, and goes on there", async () => {
    const folder = await quickActions();
    const data = await mkdtemp(join(tmpdir(), "tonwerk-move-"));
    const gone = await receiver(() => 410);
    const stack = await leaseStack();
    const key = newApiKey();
    const env = {
      TONWERK_PLUGINS: folder,
      TONWERK_PRIVATE_HOSTS: "127.0.0.1",
      TONWERK_FIRST_KEY: key,
      TONWERK_FIRST_SECRET: newSigningSecret(),
    };
    try {
      // Operations that ended in every way, on a node that works; then some that wait, on one that does not.
      let tonwerk = await startTestService({ data, env });
      const upload = await tonwerk.json("PUT", "/v1/files", wav(tone(440, 0.5, { channels: 1 }).channels));
      const source = { url: upload.body.file.url as string };
      const bodies = [
        ["test.copy", { source, callback_url: `${gone.url}/hook` }],
        ["test.tone", { lyrics: 'two "lines"\nand \u{1F3B6} \\ ☃' }],
        ["test.refuse", {}],
        ["test.copy", { source: { url: "https://127.0.0.1:9/none.wav" } }],
      ] as const;
      const sent: { action: string; body: object; text: string; id: string }[] = [];
      const submit = async (action: string, body: object) => {
        const whole = { idempotency_key: randomUUID(), ...body };
        const response = await tonwerk.call("PUT", `/v1/${action}`, whole);
        const text = await response.text();
        assert.equal(response.status, 200, text);
        sent.push({ action, body: whole, text, id: (Object.values(JSON.parse(text))[0] as { id: string }).id });
        return sent.at(-1)!.id;
      };
      for (const [action, body] of bodies) await ended(tonwerk, action, await submit(action, body));
      await until(async () => (await tonwerk.service.store.webhooks(sent[0]!.id))[0]?.state === "failed");
      const account_id = (await tonwerk.json("GET", "/v1/account")).body.account.id as string;
      const { store } = tonwerk.service;
      const now = Date.now();
      const revoked = newApiKey();
      await store.createKey({
        id: newId("key_", now),
        account_id,
        label: "old",
        sha256: hashApiKey(revoked),
        last_four: revoked.slice(-4),
        created_at: now,
      });
      const user = {
        id: "usr_1",
        account_id,
        email: "a@example.com",
        role: "owner",
        password: "x",
        created_at: now,
      } as const;
      await addUser(store, user);
      const session = {
        sha256: "ab".repeat(32),
        user_id: user.id,
        created_at: now,
        expires_at: now + 1e9,
        seen_at: now,
      };
      assert.ok(await store.createSession(session, "x"));
      await store.createLink(
        {
          sha256: "cd".repeat(32),
          account_id,
          user_id: null,
          created_at: now,
          expires_at: now + 1e9,
        },
        5,
      );
      const key_id = (await store.keys(account_id)).find(({ label }) => label === "old")!.id;
      await store.reportLeak(
        {
          id: "leak_1",
          account_id,
          key_id,
          source: "repository",
          url: "https://example.com/x",
          created_at: now,
        } as never,
        null,
      );
      await store.revokeKey(account_id, key_id, now);
      await store.updateSettings(account_id, {
        webhook_body: "envelope",
        put_per_minute: 0,
        allowlist: ["127.0.0.0/8"],
      });
      const [output] = JSON.parse((await store.operation(sent[0]!.id))!.outputs!);

      const moving = {
        ...stack.env,
        TONWERK_DATA: data,
        TONWERK_SECRET: (await readFile(join(data, "secret"), "utf8")).trim(),
      };
      const lines: string[] = [];
      const migrate = (changes: Record<string, string> = {}, dry_run = false) =>
        migrateStore(loadConfig({ ...moving, ...changes }), { dry_run, say: (line) => lines.push(line) });
      await assert.rejects(migrate(), /Cannot use data folder .*process \d+ holds it/, "while the server runs");
      await tonwerk.stop();

      tonwerk = await startTestService({ data, env: { ...env, TONWERK_ROLE: "api" } });
      await submit("test.tone", {});
      await submit("test.copy", { source, callback_url: `${gone.url}/hook` });
      const canceled = await submit("test.tone", { lyrics: "never" });
      await tonwerk.json("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: canceled });
      const ids = sent.map(({ id }) => id);
      const before = await look(tonwerk, account_id, ids);
      await tonwerk.stop();

      const other = randomBytes(32).toString("base64");
      await assert.rejects(migrate({ TONWERK_SECRET: other }), /TONWERK_SECRET must be what/);
      await assert.rejects(migrate({ TONWERK_DATA: folder }), /there is no "/);
      assert.equal((await migrate({}, true)).rows.operations, ids.length);
      assert.equal(lines.at(-1), "Nothing was written.");
      for (const line of lines.slice(0, -1)) assert.match(line, /^[a-z][a-z_ ]*[a-zS] {2,}\d+$/u);
      // Breaks off at the bucket: the rows are there, the move is not done.
      await assert.rejects(migrate({ S3_ENDPOINT: "http://127.0.0.1:9" }), /Cannot use the bucket/);
      lines.length = 0;
      const moved = await migrate();
      assert.equal(lines[0], "Going on where the last try stopped.");
      assert.deepEqual(
        { operations: moved.rows.operations, jobs: moved.rows.jobs, objects: moved.objects },
        {
          operations: ids.length,
          jobs: 2,
          objects: 3,
        },
      );
      assert.ok(moved.bytes > 0);
      await assert.rejects(migrate(), /has accounts already/);

      function startMoved(role = "api"): Promise<TestService> {
        return startTestService({
          env: {
            ...env,
            ...stack.env,
            TONWERK_SECRET: moving.TONWERK_SECRET,
            TONWERK_ROLE: role,
            S3_PUBLIC_ENDPOINT: "none",
          },
        });
      }
      tonwerk = await startMoved();
      assert.equal(tonwerk.service.first, undefined);
      const after = await look(tonwerk, account_id, ids);
      assert.deepEqual(after.answers, before.answers);
      assert.deepEqual(after.store, before.store);
      const found = await tonwerk.service.store.findSession(session.sha256);
      assert.deepEqual([found?.session, found?.user.email], [session, user.email]);
      assert.ok(await tonwerk.service.store.findLink("cd".repeat(32)));
      assert.equal(
        (await tonwerk.call("GET", "/v1/account", undefined, { authorization: `Bearer ${revoked}` })).status,
        401,
      );
      for (const { action, body, text } of sent) {
        const replay = await tonwerk.call("PUT", `/v1/${action}`, body);
        assert.equal(await replay.text(), text);
        assert.equal(replay.headers.get("idempotent-replayed"), "true");
      }
      const copy = (await tonwerk.json("GET", `/v1/test.copy?id=${sent[0]!.id}`)).body.test_copy;
      const audio = await tonwerk.call("GET", copy.output.url);
      assert.equal(audio.status, 200);
      assert.equal(hash(new Uint8Array(await audio.arrayBuffer())), output.sha256);
      // A URL that was signed before the move is a source after it.
      await submit("test.copy", { source });
      await tonwerk.stop();

      tonwerk = await startMoved("all");
      for (const { action, id } of sent.slice(4)) {
        assert.equal((await ended(tonwerk, action, id)).status, id === canceled ? "failed" : "ready");
      }
      const ledger = await tonwerk.service.store.ledger(account_id, { limit: 100 });
      const { credits } = (await tonwerk.json("GET", "/v1/account")).body.account;
      assert.equal(
        credits,
        ledger.reduce((sum, line) => sum + line.credits, 0),
      );
      assert.equal(new Set(ledger.map(({ id }) => id)).size, ledger.length);
      await until(() => gone.got.length === 2);
      await tonwerk.stop();
    } finally {
      await stack.giveBack();
      await gone.close();
      await rm(data, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    }
  });
});
