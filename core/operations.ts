/**
 * The life of an operation: submitted, read, waited for, cancelled, ended. Everything that moves credits or state goes through one verb of
 * the store; this file decides what it is told. It knows no HTTP and runs no work.
 */
import { createHash } from "node:crypto";
import type { Config } from "./config.ts";
import { type Failure, refuse } from "./errors.ts";
import { newId, operationId } from "./ids.ts";
import { canonicalJson } from "./json.ts";
import type { AnyAction } from "./plugin.ts";
import type { Account, Clock, End, NewWebhook, Operation, Queue, SourceBinding, Store, Submission } from "./ports.ts";
import type { Registered, Registry } from "./registry.ts";
import {
  renderOperation,
  type SignDownload,
  type StoredError,
  type StoredOutput,
  type StoredRequest,
} from "./render.ts";
import type { Submittable } from "./schema.ts";
import { bindSources, refuseSameSource } from "./sources.ts";
import type { UrlSigner } from "./urls.ts";
import { issue } from "./validator.ts";
import type { Waiters } from "./waiters.ts";

export interface OperationServices {
  readonly config: Config;
  readonly store: Store;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly signer: UrlSigner;
  readonly waiters: Waiters;
}

export interface Operations {
  /** The body of the first response, or of the original one when the key repeats. Refuses with 402 and 422. */
  submit(
    account: Account,
    to: Registered,
    request: Submittable,
  ): Promise<{ readonly body: string; readonly replayed: boolean }>;
  /** What a submission would cost. */
  price(account: Account, to: Registered, request: Submittable): { cost: number; balance: number; sufficient: boolean };
  /** The account's own operation of this action (any action when undefined); refuses with one 404 for everything else. */
  read(account: Account, action: string | undefined, id: string): Promise<Operation>;
  /** As `read`; where it is still processing, waits for its end for up to 20 s. */
  wait(account: Account, action: string, id: string, signal: AbortSignal): Promise<Operation>;
  /** Ends it as `canceled`; what has ended already is returned unchanged. */
  cancel(account: Account, id: string): Promise<Operation>;
  /** Sends its webhook again, as a new schedule. Refuses with 422 where it has none. */
  redeliver(account: Account, id: string): Promise<Operation>;
  /** Ends it as `ready`. False when it had ended otherwise: the caller deletes what it wrote. */
  finish(operation: Operation, outputs: readonly StoredOutput[]): Promise<boolean>;
  /** Ends it as `failed` and gives the credits back. False when it had ended otherwise. */
  fail(operation: Operation, failure: Failure): Promise<boolean>;
  /** `{ [wrapper]: operation }`, with signed URLs and its place in the queue. */
  render(operation: Operation): Promise<Record<string, unknown>>;
  /** The place in the queue; null for what is not queued. */
  queuePosition(operation: Operation): Promise<number | null>;
  readonly sign: SignDownload;
}

/** The specification's long-poll limit. */
const WAIT_MS = 20_000;
/** Uploads live this long after their last use. */
export const FILE_MS = 24 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

export function createOperations(services: OperationServices): Operations {
  const { config, store, queue, clock, registry, signer, waiters } = services;

  const sign: SignDownload = (object, since) => signer.sign({ key: object, seconds: config.url_seconds, since });

  const actionOf = (operation: Operation): AnyAction => {
    const registered = registry.actions.get(operation.action);
    if (registered === undefined) throw refuse.operationNotFound();
    return registered.action;
  };

  const queuePosition = async (operation: Operation): Promise<number | null> =>
    operation.status === "processing" && !operation.running ? store.queuePosition(operation.id) : null;

  const render = async (operation: Operation): Promise<Record<string, unknown>> =>
    renderOperation(actionOf(operation), operation, sign, await queuePosition(operation));

  const read: Operations["read"] = async (account, action, id) => {
    const operation = await store.operation(id);
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
      error: ended.error,
      refund: failed && how.refund,
      completed_at,
      expires_at: ended.expires_at as number,
      objects: failed ? [] : how.outputs.map(({ object }) => object),
      webhook: await webhookOf(ended),
    };
    return store.terminate(written);
  };

  const webhookOf = async (ended: Operation): Promise<NewWebhook | null> => {
    // An operation of an action that is no longer served can still end; there is nobody to render it for.
    const registered = registry.actions.get(ended.action);
    if (ended.callback_url === null || registered === undefined) return null;
    const account = await store.account(ended.account_id);
    const type = `${ended.action}.${ended.status}`;
    const body = renderOperation(registered.action, ended, sign, null);
    return {
      id: newId("evt_", ended.completed_at as number),
      type,
      url: ended.callback_url,
      host: new URL(ended.callback_url).host,
      body: JSON.stringify(account?.webhook_body === "envelope" ? { type, data: body } : body),
    };
  };

  return {
    sign,
    render,
    queuePosition,
    read,

    price(account, { action }, { fields }) {
      const cost = action.cost(fields as never);
      return { cost, balance: account.credits, sufficient: account.credits >= cost };
    },

    async submit(account, { action }, request) {
      const now = clock.now();
      const sources = bindSources(action, request.fields, signer);
      refuseSameSource(action, sources);
      const submission = prepare(account, action, request, sources, now, sign);
      const submitted = await store.submit(submission);
      switch (submitted.kind) {
        case "accepted":
          queue.wake(action.work);
          return { body: submission.response, replayed: false };
        case "replayed":
          return { body: submitted.response, replayed: true };
        case "insufficient_credits":
          throw refuse.insufficientCredits(submission.cost, submitted.balance);
        case "key_reused":
          throw refuse.invalid([
            issue(
              ["body", "idempotency_key"],
              "idempotency_key_reused",
              "This key was used for another request; choose a new one",
            ),
          ]);
      }
    },

    async wait(account, action, id, signal) {
      const first = await read(account, action, id);
      if (first.status !== "processing") return first;
      // Registered before the second read: an end between the two reads is seen by one or the other.
      const left = new AbortController();
      const ended = waiters.wait(id, WAIT_MS, AbortSignal.any([signal, left.signal]));
      try {
        const second = await read(account, action, id);
        if (second.status !== "processing") return second;
        return (await ended) ?? (await read(account, action, id));
      } finally {
        left.abort();
      }
    },

    async cancel(account, id) {
      for (;;) {
        const operation = await read(account, undefined, id);
        if (operation.status !== "processing") return operation;
        // Credits come back as long as no worker has begun. A claim between this read and the end raises the attempt: the end loses, look again.
        const refund = operation.started_at === null;
        await end(operation, { error: { code: "canceled", message: "The operation was canceled" }, refund });
      }
    },

    async redeliver(account, id) {
      const operation = await read(account, undefined, id);
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

/** Everything a submission writes, the first response included, before the store is asked. */
function prepare(
  account: Account,
  action: AnyAction,
  { idempotency_key, callback_url, loudness, seed, fields }: Submittable,
  sources: readonly SourceBinding[],
  now: number,
  sign: SignDownload,
): Submission {
  if (idempotency_key === null) throw new Error("A submission needs an idempotency key: only dry runs go without");
  const request: StoredRequest = { fields, loudness, seed: seed ?? crypto.getRandomValues(new Uint32Array(1))[0]! };
  const submission = {
    id: operationId(now),
    account_id: account.id,
    action: action.name,
    idempotency_key,
    // The seed as it was sent: one that core chose must not tell a replay from its original.
    fingerprint: createHash("sha256")
      .update(canonicalJson([action.name, fields, loudness, seed, callback_url]))
      .digest("hex"),
    cost: action.cost(fields as never),
    work: action.work,
    request: JSON.stringify(request),
    sources,
    callback_url,
    created_at: now,
    files: sources.flatMap(({ object }) => fileOf(object)),
    files_until: now + FILE_MS,
  };
  const fresh: Operation = {
    ...submission,
    status: "processing",
    started_at: null,
    completed_at: null,
    expires_at: null,
    attempt: 0,
    running: false,
    progress: 0,
    stage: null,
    outputs: null,
    error: null,
  };
  // The place in the queue is not known before the commit, and a replay repeats these very bytes: the first snapshot leaves it open.
  return { ...submission, response: JSON.stringify(renderOperation(action, fresh, sign, null)) };
}

/** Upload id of a bucket key such as `files/file_….wav`; outputs of operations have none. */
function fileOf(object: string | null): readonly string[] {
  const id = object === null ? undefined : /^files\/(file_[0-9a-z]{26})\./u.exec(object)?.[1];
  return id === undefined ? [] : [id];
}
