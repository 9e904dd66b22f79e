import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Account,
  type End,
  type KeyedCall,
  type LedgerEntry,
  type NewWebhook,
  type Operation,
  type Store,
  type StoredFile,
  type Submission,
  WEIGHT_MAX,
  type Work,
} from "../../../core/ports/mod.ts";

/** A store of its own for one test, empty, and the clock that is the store's now. */
export interface StoreHarness {
  readonly store: Store;
  now(): number;
  /** Moves the store's now forward by `ms`. */
  advance(ms: number): Promise<void>;
  /** Closes the store and removes what it kept. */
  close(): Promise<void>;
}

/** Registers one test on a fresh store. */
export type Check = (title: string, run: (harness: StoreHarness) => Promise<void>) => void;

export function checksOn(name: string, open: () => Promise<StoreHarness>): Check {
  return (title, run) => {
    test(`${name}: ${title}`, async () => {
      const harness = await open();
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });
  };
}

let count = 0;
/** Ids that sort by the order in which they were made, like ULIDs. */
export function nextId(prefix: string): string {
  count += 1;
  return `${prefix}_${String(count).padStart(10, "0")}`;
}

/** A lower-case UUID, another one each time. */
export function nextKey(): string {
  return crypto.randomUUID();
}

export function submission(account_id: string, created_at: number, changes: Partial<Submission> = {}): Submission {
  const id = nextId("op");
  return {
    id,
    account_id,
    action: "create.new_song",
    idempotency_key: nextKey(),
    fingerprint: "f".repeat(64),
    cost: 3,
    work: "generation",
    weight: Math.min(WEIGHT_MAX, Math.max(1, changes.cost ?? 3)),
    request: '{"prompt":"waltz"}',
    sources: [],
    callback_url: null,
    response: `{"song":{"id":"${id}"}}`,
    created_at,
    metadata: null,
    deadline_at: null,
    files: [],
    files_until: created_at,
    ...changes,
  };
}

/** A call of `operations.*` under a fresh key. */
export function keyedCall(account_id: string): KeyedCall {
  const fingerprint = "c".repeat(64);
  return { account_id, idempotency_key: nextKey(), fingerprint, response: "called", expires_at: 9e12 };
}

export async function addAccount({ store, now }: StoreHarness, credits = 1_000): Promise<string> {
  const id = nextId("acc");
  await store.createAccount({ id, name: "Ada", credits, created_at: now() });
  return id;
}

/** Submits and expects it to be accepted; resolves to the id. */
export async function accept(h: StoreHarness, account_id: string, changes: Partial<Submission> = {}): Promise<string> {
  const sent = submission(account_id, h.now(), changes);
  assert.deepEqual(await h.store.submit(sent), { kind: "accepted" });
  return sent.id;
}

export const LEASE_MS = 30_000;

/** Claims and expects a job. */
export async function claim({ store }: StoreHarness, work: Work = "generation"): Promise<Operation> {
  const claimed = await store.claim(work, "worker-1", LEASE_MS);
  assert.ok(claimed !== undefined, "there is a job to claim");
  return claimed;
}

/** An end as `ready` without objects or webhook. */
export function endOf(id: string, attempt: number, completed_at: number, changes: Partial<End> = {}): End {
  return {
    id,
    attempt,
    status: "ready",
    outputs: "[]",
    outputs_listed: "[]",
    error: null,
    refund: false,
    completed_at,
    expires_at: completed_at + RETENTION_MS,
    objects: [],
    webhooks: [],
    ...changes,
  };
}

export const RETENTION_MS = 1_000_000;
export const FAILED = {
  status: "failed",
  outputs: null,
  outputs_listed: null,
  error: '{"code":"canceled"}',
  refund: true,
} as const;

export function newWebhook(changes: Partial<NewWebhook> = {}): NewWebhook {
  return {
    id: nextId("evt"),
    endpoint_id: null,
    type: "create.new_song.ready",
    url: "https://example.com/hook",
    host: "example.com",
    body: '{"song":{}}',
    ...changes,
  };
}

export function newFile(account_id: string, created_at: number, changes: Partial<StoredFile> = {}): StoredFile {
  const id = nextId("file");
  return {
    id,
    account_id,
    name: null,
    object: `upload/${id}`,
    content_type: "audio/flac",
    bytes: 1_234,
    seconds: 2.5,
    created_at,
    expires_at: created_at + 1_000,
    ...changes,
  };
}

/** All lines of the account's ledger, newest first, read page by page. */
export async function wholeLedger(store: Store, account_id: string): Promise<LedgerEntry[]> {
  const lines: LedgerEntry[] = [];
  for (;;) {
    const before = lines.at(-1)?.id;
    const page = await store.ledger(account_id, before === undefined ? { limit: 500 } : { before, limit: 500 });
    lines.push(...page);
    if (page.length < 500) return lines;
  }
}

/** Asserts that the balance is `credits` and the sum of the ledger's lines. */
export async function assertBalance(store: Store, account_id: string, credits: number): Promise<void> {
  assert.equal((await getAccount(store, account_id)).credits, credits);
  const lines = await wholeLedger(store, account_id);
  assert.equal(
    lines.reduce((sum, line) => sum + line.credits, 0),
    credits,
  );
}

export async function getAccount(store: Store, id: string): Promise<Account> {
  const account = await store.account(id);
  assert.ok(account !== undefined, `account ${id} exists`);
  return account;
}

export async function getOperation(store: Store, id: string): Promise<Operation> {
  const operation = await store.operation(id);
  assert.ok(operation !== undefined, `operation ${id} exists`);
  return operation;
}

/** What a programming mistake must reject with: an error, and not the one that says "ask again". */
export function isMistake(error: unknown): boolean {
  return error instanceof Error && error.name !== "StoreUnavailable";
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === "StoreUnavailable";
}

export async function endedWithWebhook(h: StoreHarness, account_id: string): Promise<{ id: string; event: string }> {
  const id = await accept(h, account_id);
  const event = nextId("evt");
  await h.store.terminate(endOf(id, 0, h.now(), { ...FAILED, refund: false, webhooks: [newWebhook({ id: event })] }));
  return { id, event };
}
