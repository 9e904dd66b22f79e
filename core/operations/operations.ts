/**
 * The life of an operation: submitted, read, waited for, cancelled, ended. Everything that moves credits or state goes through one verb of
 * the store; this file decides what it is told. It knows no HTTP and runs no work.
 */
import { hash } from "node:crypto";
import type { Principal } from "../accounts/accounts.ts";
import { createLimits } from "../accounts/limits.ts";
import { priceOf } from "../actions/declaration.ts";
import type { Registered, Registry } from "../actions/registry.ts";
import {
  renderFailed,
  renderOperation,
  type SignDownload,
  type StoredError,
  type StoredOutput,
  type StoredRequest,
  withoutReport,
} from "../actions/render.ts";
import type { Submittable } from "../actions/schema.ts";
import type { Config } from "../base/config.ts";
import { type Failure, issue, refuse } from "../base/errors.ts";
import { newId, operationId } from "../base/ids.ts";
import { canonicalJson } from "../base/json.ts";
import type { AnyAction } from "../plugin.ts";
import type {
  AccountsStore,
  Clock,
  End,
  FilesStore,
  NewWebhook,
  Operation,
  OperationsStore,
  Queue,
  Snapshot,
  SourceBinding,
  Submission,
  Submitted,
  Tallies,
  WebhooksStore,
  Work,
} from "../ports/mod.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { bindSources, namedSources, refuseSameSource } from "./sources.ts";
import type { UrlSigner } from "./urls.ts";
import { createUsedKeys } from "./used_keys.ts";
import type { Waiters } from "./waiters.ts";

export interface OperationServices {
  readonly config: Config;
  readonly store: OperationsStore &
    Pick<AccountsStore, "account"> &
    Pick<FilesStore, "owned"> &
    Pick<WebhooksStore, "redeliver">;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly signer: UrlSigner;
  readonly waiters: Waiters;
  readonly telemetry: Telemetry;
  /** What the nodes count together. */
  readonly tallies?: Tallies | undefined;
}

export interface Operations {
  /** The body of the first response, or of the original one when the key repeats. Refuses with 402 and 422. */
  submit(
    account: Principal,
    to: Registered,
    request: Submittable,
  ): Promise<{ readonly body: string; readonly replayed: boolean }>;
  /** What a submission would cost. */
  price(
    account: Principal,
    to: Registered,
    request: Submittable,
  ): Promise<{ cost: number; balance: number; sufficient: boolean }>;
  /** The account's own operation of this action (any action when undefined); refuses with one 404 for everything else. */
  read(account: Principal, action: string | undefined, id: string): Promise<Snapshot>;
  /** As `read`; where it is still processing, waits for its end for up to 20 s. */
  wait(account: Principal, action: string, id: string, signal: AbortSignal): Promise<Snapshot>;
  /** Ends it as `canceled`; what has ended already is returned unchanged. */
  cancel(account: Principal, id: string): Promise<Snapshot>;
  /** Sends its webhook again, as a new schedule. Refuses with 422 where it has none, with 429 where that was asked for too often. */
  redeliver(account: Principal, id: string): Promise<Snapshot>;
  /** Ends it as `ready`. False when it had ended otherwise: the caller deletes what it wrote. */
  finish(operation: Operation, outputs: readonly StoredOutput[]): Promise<boolean>;
  /** Ends it as `failed` and gives the credits back. False when it had ended otherwise. */
  fail(operation: Operation, failure: Failure): Promise<boolean>;
  /** `{ [wrapper]: operation }`, with signed URLs and its place in the queue. */
  render(operation: Snapshot): Record<string, unknown>;
  /** The same as JSON. */
  text(operation: Snapshot): string;
  readonly sign: SignDownload;
}

/** The specification's long-poll limit. */
const WAIT_MS = 20_000;
/** Uploads live this long after their last use. */
export const FILE_MS = 24 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Of one operation, and the time in which so many more are earned: each is up to ten requests to a host that the client chose. */
const REDELIVERIES_MAX = 10;
const REDELIVERIES_MS = 3_600_000;

export function createOperations(services: OperationServices): Operations {
  const { config, store, queue, clock, registry, signer, waiters, telemetry, tallies } = services;

  const redeliveries = createLimits({ clock, tallies, window_ms: REDELIVERIES_MS });
  const used = createUsedKeys();

  const sign: SignDownload = (object, since) => signer.sign({ key: object, seconds: config.url_seconds, since });

  const workOf = ({ task, work }: AnyAction): Work =>
    task !== undefined && config.gpu_tasks.includes(task) ? "gpu" : work;

  const render = (operation: Snapshot): Record<string, unknown> => {
    const registered = registry.actions.get(operation.action);
    if (registered === undefined) throw refuse.operationNotFound();
    return renderOperation(registered.action, operation, sign);
  };

  /** A store that hands out the same snapshot again says that nothing has changed. */
  const texts = new WeakMap<Snapshot, string>();
  const text = (operation: Snapshot): string => {
    const known = texts.get(operation);
    if (known !== undefined) return known;
    const made = JSON.stringify(render(operation));
    // What has ended is shown with URLs that are signed anew.
    if (operation.status === "processing") texts.set(operation, made);
    return made;
  };

  const read: Operations["read"] = async (account, action, id) => {
    const operation = await store.snapshot(id);
    if (operation === undefined || operation.account_id !== account.id) throw refuse.operationNotFound();
    if (action !== undefined && operation.action !== action) throw refuse.operationNotFound();
    if (!registry.actions.has(operation.action)) throw refuse.operationNotFound();
    // Retention is promised to the millisecond; the sweep that deletes the rows comes later.
    if (operation.expires_at !== null && operation.expires_at <= clock.now()) throw refuse.operationNotFound();
    return operation;
  };

  const end = async (
    operation: Operation,
    how: { outputs: readonly StoredOutput[] } | { error: StoredError; refund: boolean },
  ): Promise<boolean> => {
    const completed_at = clock.now();
    const failed = "error" in how;
    const ended: Operation = {
      ...operation,
      status: failed ? "failed" : "ready",
      outputs: failed ? null : JSON.stringify(how.outputs),
      error: failed ? JSON.stringify(how.error) : null,
      running: false,
      completed_at,
      expires_at: completed_at + config.retention_days * DAY_MS,
    };
    const written: End = {
      id: operation.id,
      attempt: operation.attempt,
      status: failed ? "failed" : "ready",
      outputs: ended.outputs,
      outputs_listed: failed ? null : JSON.stringify(how.outputs.map(withoutReport)),
      error: ended.error,
      refund: failed && how.refund,
      completed_at,
      expires_at: ended.expires_at as number,
      objects: failed ? [] : how.outputs.map(({ object }) => object),
      webhook: await webhookOf(ended),
    };
    const won = await store.terminate(written);
    if (won)
      telemetry.metrics?.ended(operation.action, failed ? how.error.code : null, written.refund ? operation.cost : 0);
    return won;
  };

  /** Undefined: it was forgotten meanwhile. */
  const documentOf = async (ended: Snapshot): Promise<Record<string, unknown> | undefined> => {
    const registered = registry.actions.get(ended.action);
    if (registered !== undefined) return renderOperation(registered.action, ended, sign);
    // An operation of an action that is not served here can still fail.
    const first = await store.firstResponse(ended.id);
    return first === undefined ? undefined : renderFailed(first, ended);
  };

  const webhookOf = async (ended: Operation): Promise<NewWebhook | null> => {
    if (ended.callback_url === null) return null;
    const body = await documentOf({ ...ended, queue_position: null });
    if (body === undefined) return null;
    const account = await store.account(ended.account_id);
    const type = `${ended.action}.${ended.status}`;
    return {
      id: newId("evt_", ended.completed_at as number),
      type,
      url: ended.callback_url,
      host: new URL(ended.callback_url).host,
      body: JSON.stringify(account?.webhook_body === "envelope" ? { type, data: body } : body),
    };
  };

  const replay = (found: Exclude<Submitted, { kind: "accepted" }>, cost: number, { name }: AnyAction) => {
    const answered = answer(found, cost);
    telemetry.metrics?.replayed(name);
    return answered;
  };

  return {
    sign,
    render,
    text,
    read,

    async price(account, { action }, { fields }) {
      const cost = priceOf(action, fields);
      const balance = (await store.account(account.id))?.credits ?? 0;
      return { cost, balance, sufficient: balance >= cost };
    },

    async submit(account, { action }, request) {
      const key = request.idempotency_key;
      if (key === null) throw new Error("A submission needs an idempotency key: only dry runs go without");
      const fingerprint = fingerprintOf(action, request);
      // Only where it may tell something: for a key that is new here `submit` judges alone.
      if (used.has(account.id, key)) {
        const known = await store.findReplay(account.id, key, fingerprint);
        if (known !== undefined) return replay(known, 0, action);
      }
      const named = namedSources(action, request.fields, signer);
      refuseSameSource(action, named);
      const bound = bindSources(named, account.id, store);
      const sources = bound instanceof Promise ? await bound : bound;
      const trace = telemetry.traces?.active();
      const submission = prepare(account, action, request, {
        key,
        fingerprint,
        sources,
        now: clock.now(),
        sign,
        workOf,
        trace,
      });
      const submitted = await store.submit(submission);
      used.add(account.id, key);
      if (submitted.kind !== "accepted") return replay(submitted, submission.cost, action);
      telemetry.metrics?.submitted(action.name, submission.cost);
      queue.wake(submission.work, submission.id);
      return { body: submission.response, replayed: false };
    },

    async wait(account, action, id, signal) {
      // Registered before the read: an end between the two is seen by one or the other.
      const waiting = waiters.wait(id, WAIT_MS, signal);
      try {
        const seen = await read(account, action, id);
        if (seen.status !== "processing") return seen;
        return (await waiting.ended) ?? (await read(account, action, id));
      } finally {
        waiting.leave();
      }
    },

    async cancel(account, id) {
      for (;;) {
        const seen = await read(account, undefined, id);
        const operation = seen.status === "processing" ? await store.operation(id) : undefined;
        if (operation?.status !== "processing") return operation === undefined ? seen : read(account, undefined, id);
        // Credits come back as long as no worker has begun. A claim between this read and the end raises the attempt: the end loses, look again.
        const refund = operation.started_at === null;
        await end(operation, { error: { code: "canceled", message: "The operation was canceled" }, refund });
        if (refund) queue.taken(operation.work, id);
      }
    },

    async redeliver(account, id) {
      const operation = await read(account, undefined, id);
      const taken = await redeliveries.take(`redeliver:${id}`, "put", REDELIVERIES_MAX);
      if (!taken.ok) throw refuse.tooManyRequests(taken.retry_seconds, "This webhook was sent again too often");
      if (await store.redeliver(id, clock.now())) return operation;
      const why =
        operation.status === "processing"
          ? "This operation has not ended yet; its webhook is sent when it does"
          : "This operation has no webhook: it was submitted without a callback_url";
      throw refuse.invalid([issue(["body", "id"], "value_error", why)]);
    },

    finish: (operation, outputs) => end(operation, { outputs }),

    fail(operation, { code, message, source }) {
      const sources = registry.actions.get(operation.action)?.action.sources ?? {};
      const named = source !== undefined && Object.keys(sources).length > 1;
      return end(operation, { error: named ? { code, message, source } : { code, message }, refund: true });
    },
  };
}

/** What a key that is taken, or a balance that is short, is answered. */
function answer(submitted: Exclude<Submitted, { kind: "accepted" }>, cost: number): { body: string; replayed: true } {
  switch (submitted.kind) {
    case "replayed":
      return { body: submitted.response, replayed: true };
    case "insufficient_credits":
      throw refuse.insufficientCredits(cost, submitted.balance);
    case "key_reused": {
      const why = "This key was used for another request; choose a new one";
      throw refuse.invalid([issue(["body", "idempotency_key"], "idempotency_key_reused", why)]);
    }
  }
}

/** The seed as it was sent: one that core chose must not tell a replay from its original. */
function fingerprintOf(action: AnyAction, { fields, loudness, seed, callback_url }: Submittable): string {
  return hash("sha256", canonicalJson([action.name, fields, loudness, seed, callback_url]), "hex");
}

interface Prepared {
  readonly key: string;
  readonly fingerprint: string;
  readonly sources: readonly SourceBinding[];
  readonly now: number;
  readonly sign: SignDownload;
  readonly workOf: (action: AnyAction) => Work;
  readonly trace: string | undefined;
}

/** Everything a submission writes, the first response included, before the store is asked. */
function prepare(
  account: Principal,
  action: AnyAction,
  { callback_url, loudness, seed, fields }: Submittable,
  { key, fingerprint, sources, now, sign, workOf, trace }: Prepared,
): Submission {
  const chosen = seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
  const request: StoredRequest =
    trace === undefined ? { fields, loudness, seed: chosen } : { fields, loudness, seed: chosen, trace };
  const id = operationId(now);
  const cost = priceOf(action, fields);
  const first: Snapshot = {
    id,
    account_id: account.id,
    action: action.name,
    idempotency_key: key,
    cost,
    // Parsed already; what is stored is below.
    request: "",
    created_at: now,
    status: "processing",
    started_at: null,
    completed_at: null,
    expires_at: null,
    running: false,
    progress: 0,
    stage: null,
    outputs: null,
    error: null,
    // Not known before the commit, and a replay repeats these very bytes.
    queue_position: null,
  };
  return {
    id,
    account_id: account.id,
    action: action.name,
    idempotency_key: key,
    fingerprint,
    cost,
    work: workOf(action),
    request: JSON.stringify(request),
    sources,
    callback_url,
    created_at: now,
    files: sources.flatMap(({ object }) => fileOf(object)),
    files_until: now + FILE_MS,
    response: JSON.stringify(renderOperation(action, first, sign, request)),
  };
}

/** Upload id of a bucket key such as `files/file_….wav`; outputs of operations have none. */
function fileOf(object: string | null): readonly string[] {
  const id = object === null ? undefined : /^files\/(file_[0-9a-z]{26})\./u.exec(object)?.[1];
  return id === undefined ? [] : [id];
}
