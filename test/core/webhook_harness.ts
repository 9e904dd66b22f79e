/** A deliverer on a real store, with a clock that moves when told to and receivers that the test plays. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAudit } from "../../core/accounts/audit.ts";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { createSecrets, newSigningSecret, type Secrets } from "../../core/base/secrets.ts";
import type { AccountSettings, Store, Webhook } from "../../core/ports/mod.ts";
import type { Outbound } from "../../core/ports/outbound.ts";
import { startWebhooks, type WebhookServices, type Webhooks } from "../../core/webhooks/deliver.ts";
import { accept, endOf, newWebhook, nextId } from "../adapters/store/fixtures.ts";
import { type FakeClock, fakeClock } from "../clock.ts";

export type Post = Outbound["post"];
export type Answer = Awaited<ReturnType<Post>>;

export interface Harness {
  readonly clock: FakeClock;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly logged: readonly string[];
  /** A fresh account with one signing secret. */
  account(settings?: Partial<AccountSettings>): Promise<{ readonly id: string; readonly secret: string }>;
  addSecret(account_id: string): Promise<string>;
  /** Ends an operation of the account with a webhook to `url`; resolves to its row. */
  end(account_id: string, url?: string, body?: string): Promise<Webhook>;
  row(webhook: Webhook): Promise<Webhook>;
  start(post: Post, changes?: Partial<WebhookServices>, random?: () => number): Webhooks;
  /** Lets everything happen that can without time passing. */
  settle(): Promise<void>;
  /** Moves time to `seconds` after the start of the test and lets everything happen. */
  until(seconds: number): Promise<void>;
  /** Stops what was started, and leaves nothing. */
  close(): Promise<void>;
}

export async function openHarness(): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-webhooks-"));
  // Of today: official libraries compare with the real time.
  const clock = fakeClock(Date.now());
  const began = clock.now();
  const store = await openSqliteStore({ file: join(folder, "tonwerk.db"), clock });
  const secrets = createSecrets({ secret: Buffer.alloc(32, 7).toString("base64") });
  const logged: string[] = [];
  const started: Webhooks[] = [];

  const addSecret = async (account_id: string): Promise<string> => {
    const secret = newSigningSecret();
    const id = nextId("sec");
    const sealed = secrets.seal(secret, id);
    await store.createSecret({ id, account_id, label: "", sealed, created_at: clock.now() });
    return secret;
  };
  const settle = async (): Promise<void> => {
    // The store answers in order: what was asked before is done when this is. An attempt takes a few such steps.
    for (let step = 0; step < 5; step++) {
      clock.advance(0);
      await store.health();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  return {
    clock,
    store,
    secrets,
    logged,
    addSecret,
    settle,
    async account(settings = {}) {
      const id = nextId("acc");
      await store.createAccount({ id, name: "Ada", credits: 1_000_000, created_at: clock.now(), settings });
      return { id, secret: await addSecret(id) };
    },
    async end(account_id, url = "https://example.com/hook", body = '{"song":{}}') {
      const h = { store, now: clock.now, advance: async () => {}, close: async () => {} };
      const id = await accept(h, account_id);
      const webhook = newWebhook({ url, host: new URL(url).host, body });
      await store.terminate(endOf(id, 0, clock.now(), { webhooks: [webhook] }));
      const [row] = await store.webhooks(id);
      return row ?? assert.fail("the end wrote a webhook");
    },
    async row({ operation_id }) {
      const [row] = await store.webhooks(operation_id!);
      return row ?? assert.fail("there is a webhook");
    },
    start(post, changes = {}, random = () => 0) {
      const log = (event: string, fields = {}) => void logged.push(JSON.stringify({ event, ...fields }));
      const webhooks = startWebhooks(
        {
          store,
          clock,
          secrets,
          log,
          audit: createAudit({ store, clock, log, days: 1 }),
          outbound: { post },
          ...changes,
        },
        { name: `node-${started.length}`, user_agent: "Tonwerk/test", random },
      );
      started.push(webhooks);
      return webhooks;
    },
    async until(seconds) {
      const ms = began + seconds * 1000 - clock.now();
      assert.ok(ms >= 0, "time goes on");
      clock.advance(ms);
      await settle();
    },
    async close() {
      for (const webhooks of started) {
        const drained = webhooks.drain(0);
        clock.advance(0);
        await drained;
      }
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function withHarness(run: (h: Harness) => Promise<void>): Promise<void> {
  const h = await openHarness();
  try {
    await run(h);
  } finally {
    await h.close();
  }
}
