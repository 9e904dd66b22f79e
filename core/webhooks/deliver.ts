/**
 * Delivers webhooks: claims the rows that `store.terminate` wrote, sends each as one signed POST, and records what came of it. The store
 * says what is due and keeps hosts and accounts at their caps, so whatever is claimed runs at once and nothing waits here.
 * At least once: an attempt that was not recorded (a killed process, a store away) is made again after its lease, under the same id.
 */

import type { StoredRequest } from "../actions/render.ts";
import { describeError, type Log } from "../base/log.ts";
import { type Secrets, signingKey } from "../base/secrets.ts";
import { every, pause } from "../base/timers.ts";
import type {
  AccountsStore,
  Clock,
  OperationsStore,
  Webhook,
  WebhookCaps,
  WebhookState,
  WebhooksStore,
} from "../ports/mod.ts";
import { type Outbound, OutboundError } from "../ports/outbound.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { nextAttemptAt, timestampOf } from "./schedule.ts";
import { signWebhook } from "./signature.ts";

export interface WebhookServices {
  readonly store: WebhooksStore &
    Pick<OperationsStore, "operation" | "onEnded"> &
    Pick<AccountsStore, "account" | "secrets">;
  readonly clock: Clock;
  readonly outbound: Pick<Outbound, "post">;
  readonly secrets: Pick<Secrets, "open">;
  readonly telemetry?: Telemetry;
  readonly log: Log;
}

export interface WebhookOptions {
  /** Name of this deliverer, unique among all nodes. */
  readonly name: string;
  readonly user_agent: string;
  /** In [0, 1): spreads the attempts. */
  readonly random?: () => number;
}

export interface Webhooks {
  /** Begins no more attempts and lets those under way go on for `ms`; what is left then is given up and due again at once. */
  drain(ms: number): Promise<void>;
}

/**
 * A host that hangs holds this many connections of an account and no more, while the rest of its account and everybody else go on, at that
 * host too. Enough for a receiver that answers in 100 ms to take 80 a second.
 */
const CAPS: WebhookCaps = { lane_max: 8, host_max: 128, account_max: 64 };
/** Attempts of this node at a time: one socket and one body each. */
const ATTEMPTS_MAX = 256;
/** No account takes more than one in so many of the places that are left, so that a few whose hosts all hang do not fill a node. */
const SHARE = 4;
const CLAIM_MAX = 64;
/** Above the 15 s that a POST may take, and some for the store. */
const LEASE_MS = 30_000;
/** Ends and own retries wake the deliverer by themselves; this finds what other nodes left, and redeliveries. */
const POLL_MS = 1_000;
/** How long the deliverer leaves a store alone that was away. */
const AWAY_MS = 1_000;
/** Retries that wake by themselves; more are found by looking. */
const ALARMS_MAX = 10_000;
const DETAIL_MAX = 1_000;

/** What came of one POST. `refused` ends the schedule, `retried` and `interrupted` go on with it. */
interface Result {
  readonly outcome: "delivered" | "retried" | "refused" | "interrupted";
  readonly status: number | null;
  readonly detail: string;
  readonly retry_after_seconds: number | null;
}

export function startWebhooks(services: WebhookServices, options: WebhookOptions): Webhooks {
  const { store, clock, outbound, secrets, log, telemetry: { metrics, traces } = {} } = services;
  const { name, user_agent, random = Math.random } = options;
  const stopping = new AbortController();
  const leaving = new AbortController();
  const running = new Set<Promise<void>>();
  const alarms = new Set<() => void>();
  let slots = ATTEMPTS_MAX;
  let claiming: Promise<void> = Promise.resolve();
  let busy = false;
  let again = false;

  /** Claims what is due until nothing more is, or no slot is free: an attempt that ends wakes again. */
  const claimDue = async (): Promise<void> => {
    try {
      do {
        again = false;
        const limit = Math.min(slots, CLAIM_MAX);
        if (limit === 0 || stopping.signal.aborted) return;
        const account_max = Math.min(CAPS.account_max, Math.ceil(slots / SHARE));
        const claimed = await store.claimWebhooks(name, limit, LEASE_MS, { ...CAPS, account_max });
        for (const webhook of claimed) startAttempt(webhook);
        again ||= claimed.length === limit;
      } while (again);
    } catch (error) {
      log("webhook.store_away", { error: describeError(error) });
    } finally {
      // Here and not in a later turn: a wake-up in between would find nobody.
      busy = false;
    }
  };

  const wakeUp = (): Promise<void> => {
    again = true;
    if (!busy) {
      busy = true;
      claiming = claimDue();
    }
    return claiming;
  };

  const startAttempt = (webhook: Webhook): void => {
    slots--;
    const attempt = trace(webhook, () => deliver(webhook)).finally(() => running.delete(attempt));
    running.add(attempt);
  };

  /** An attempt may come hours after the operation's trace: it has one of its own, which points there. */
  const trace = async (webhook: Webhook, attempt: () => Promise<void>): Promise<void> => {
    if (traces === undefined) return attempt();
    const operation = await store.operation(webhook.operation_id).catch(() => undefined);
    const link = operation === undefined ? null : ((JSON.parse(operation.request) as StoredRequest).trace ?? null);
    const { operation_id, id, type, attempts } = webhook;
    const attributes = {
      "tonwerk.operation": operation_id,
      "tonwerk.webhook": id,
      "tonwerk.type": type,
      "tonwerk.attempt": attempts,
    };
    return traces.run("webhook", { link, kind: "client", attributes }, attempt);
  };

  const deliver = async (webhook: Webhook): Promise<void> => {
    const started_at = clock.now();
    const post = () => send(webhook, started_at);
    const result = await (traces?.inside("POST", {}, post) ?? post());
    const ended_at = clock.now();
    slots++;
    const due_at = webhook.next_attempt_at ?? webhook.created_at;
    metrics?.webhook(result.outcome, (started_at - due_at) / 1000, (ended_at - started_at) / 1000);
    for (;;) {
      try {
        await record(webhook, result, started_at, ended_at);
        return;
      } catch (error) {
        log("webhook.store_away", { id: webhook.id, error: describeError(error) });
        // Once the lease is over, the attempt is another's to make again.
        if (stopping.signal.aborted || clock.now() + AWAY_MS >= started_at + LEASE_MS) return;
        await pause(clock, AWAY_MS, stopping.signal);
      }
    }
  };

  const send = async (webhook: Webhook, started_at: number): Promise<Result> => {
    try {
      const body = Buffer.from(webhook.body, "utf8");
      const timestamp = timestampOf(webhook.first_attempt_at ?? started_at, started_at);
      const answer = await outbound.post(webhook.url, {
        account_id: webhook.account_id,
        headers: {
          "content-type": "application/json",
          "user-agent": user_agent,
          "webhook-id": webhook.id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signWebhook(await keysOf(webhook), { id: webhook.id, timestamp, body }),
          "webhook-type": webhook.type,
        },
        body,
        signal: leaving.signal,
      });
      return { ...answer, outcome: outcomeOf(answer.status) };
    } catch (error) {
      return withoutAnswer(webhook, error);
    }
  };

  /** Keys of all live secrets. Throws where one does not open: a delivery that some receivers cannot verify is none. */
  const keysOf = async ({ account_id }: Webhook): Promise<readonly Uint8Array[]> => {
    const live = (await store.secrets(account_id)).filter(({ retired_at }) => retired_at === null);
    const keys = live.map(({ id, sealed }) => signingKey(secrets.open(sealed, id)));
    if (keys.length === 0 || keys.includes(undefined)) {
      throw new Error(`Cannot sign for account "${account_id}": it has no usable signing secret`);
    }
    return keys as readonly Uint8Array[];
  };

  const withoutAnswer = ({ id }: Webhook, error: unknown): Result => {
    const none = { status: null, retry_after_seconds: null };
    if (!(error instanceof OutboundError)) {
      log("webhook.error", { id, error: describeError(error) });
      return { ...none, outcome: "retried", detail: "Internal failure" };
    }
    if (error.code === "aborted") return { ...none, outcome: "interrupted", detail: "The service was shutting down" };
    return { ...none, outcome: error.code === "forbidden_address" ? "refused" : "retried", detail: error.message };
  };

  const record = async (webhook: Webhook, result: Result, started_at: number, ended_at: number): Promise<void> => {
    const { outcome, status } = result;
    const next = await nextOf(webhook, result, started_at, ended_at);
    const state: WebhookState = outcome === "delivered" ? "delivered" : next === null ? "failed" : "pending";
    const duration_ms = ended_at - started_at;
    const attempt = {
      webhook_id: webhook.id,
      attempt: webhook.attempts,
      started_at,
      duration_ms,
      status,
      detail: storableText(result.detail),
    };
    const recording = store.recordWebhook(attempt, state, next);
    // In the same turn: what waited for this attempt's place is claimed in the same commit.
    void wakeUp();
    const held = await recording;
    if (held && next !== null) setAlarm(next);
    log(`webhook.${state === "pending" ? outcome : state}`, {
      id: webhook.id,
      operation: webhook.operation_id,
      type: webhook.type,
      host: webhook.host,
      attempt: webhook.attempts,
      status,
      ms: duration_ms,
      ...(status === null ? { detail: attempt.detail } : {}),
      // Another worker has taken it over, or it was sent again meanwhile.
      ...(held ? {} : { held }),
    });
  };

  const nextOf = async (
    { first_attempt_at, account_id }: Webhook,
    { outcome, retry_after_seconds }: Result,
    started_at: number,
    ended_at: number,
  ): Promise<number | null> => {
    if (outcome === "delivered" || outcome === "refused") return null;
    if (outcome === "interrupted") return ended_at;
    const long_retries = (await store.account(account_id))?.webhook_long_retries ?? false;
    const first = first_attempt_at ?? started_at;
    return nextAttemptAt({ first_attempt_at: first, started_at, ended_at, retry_after_seconds, long_retries }, random);
  };

  const setAlarm = (at: number): void => {
    if (stopping.signal.aborted || alarms.size >= ALARMS_MAX) return;
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      alarms.delete(cancel);
      void wakeUp();
    });
    alarms.add(cancel);
  };

  const stopEnded = store.onEnded(() => void wakeUp());
  const stopPolling = every(clock, POLL_MS, wakeUp);
  void wakeUp();

  return {
    async drain(ms) {
      stopping.abort();
      stopEnded();
      stopPolling();
      for (const cancel of alarms) cancel();
      const idle = new AbortController();
      const late = pause(clock, ms, idle.signal).then(() => leaving.abort());
      // A claim on its way still brings rows; they are leased, so they get their attempt.
      await claiming;
      await Promise.all(running);
      idle.abort();
      await late;
    },
  };
}

/** 2xx counts. The receiver's or the network's trouble passes; everything else it will say again. */
function outcomeOf(status: number): Result["outcome"] {
  if (status >= 200 && status < 300) return "delivered";
  return status === 429 || status >= 500 ? "retried" : "refused";
}

/** A receiver's text as every store takes it: no NUL, no halves of surrogate pairs, short. */
function storableText(detail: string): string {
  return detail.slice(0, DETAIL_MAX).replaceAll("\0", "\u{FFFD}").toWellFormed();
}
