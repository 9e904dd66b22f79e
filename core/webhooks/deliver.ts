/**
 * Delivers webhooks: claims the rows that `store.terminate` wrote, sends each, and records what came of it. The store
 * says what is due and keeps hosts and accounts at their caps, so whatever is claimed runs at once. Each is delivered
 * at least once: an attempt that was not recorded (a killed process, a store away) is made again after its lease, under
 * the same id.
 */

import type { StoredRequest } from "../actions/render.ts";
import { liveAccountOf } from "../base/ids.ts";
import { describeError } from "../base/log.ts";
import { every, pause } from "../base/timers.ts";
import {
  type AccountsStore,
  type Clock,
  type EndpointSign,
  type OperationsStore,
  PING,
  type Webhook,
  type WebhookCaps,
  type WebhookState,
  type WebhooksStore,
} from "../ports/mod.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { disableIfWorn, type EndpointHealthServices } from "./endpoint_health.ts";
import { nextAttemptAt } from "./schedule.ts";
import { type SendResult, type SendServices, sendWebhook } from "./send.ts";

export interface WebhookServices extends SendServices, EndpointHealthServices {
  readonly store: SendServices["store"] &
    EndpointHealthServices["store"] &
    WebhooksStore &
    Pick<OperationsStore, "operation" | "onEnded"> &
    Pick<AccountsStore, "account">;
  readonly clock: Clock;
  readonly telemetry?: Telemetry;
}

export interface WebhookOptions {
  /** Name of this deliverer, unique among all nodes. */
  readonly name: string;
  readonly user_agent: string;
  /** In [0, 1): spreads the attempts. */
  readonly random?: () => number;
}

export interface Webhooks {
  /** Begins no more attempts. Those under way have `ms`; then they are given up and due again at once. */
  drain(ms: number): Promise<void>;
}

/**
 * A host that hangs holds this many connections of an account and no more, while the rest of its account and everybody
 * else go on, at that host too. Enough for a receiver that answers in 100 ms to take 80 a second.
 */
const CAPS: WebhookCaps = { lane_max: 8, host_max: 128, account_max: 64 };
/** Attempts of this node at a time: one socket and one body each. */
const ATTEMPTS_MAX = 256;
/** No account takes more than one in so many of the free slots, so that a few hanging ones do not fill a node. */
const SHARE = 4;
const CLAIM_MAX = 64;
/** Above the 15 s that a POST may take, and some for the store. */
const LEASE_MS = 30_000;
/** Ends and own retries wake the deliverer by themselves; this finds what other nodes left, and redeliveries. */
const POLL_MS = 1_000;
/** How long the deliverer leaves a store alone that was away. */
const AWAY_MS = 1_000;
/** Retries that have a timer; polling finds the others. */
const TIMERS_MAX = 10_000;
/** Characters of an answer: enough for what a receiver says of a body that it did not take. */
const DETAIL_MAX = 4_000;

export function startWebhooks(services: WebhookServices, options: WebhookOptions): Webhooks {
  const { store, clock, log, telemetry: { metrics, traces } = {} } = services;
  const { name, user_agent, random = Math.random } = options;
  const stopping = new AbortController();
  const leaving = new AbortController();
  const running = new Set<Promise<void>>();
  let slots = ATTEMPTS_MAX;
  let timers = 0;
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

  const wakeUpAt = (at: number): void => {
    if (timers >= TIMERS_MAX) return;
    timers++;
    void pause(clock, Math.max(0, at - clock.now()), stopping.signal).then(() => {
      timers--;
      void wakeUp();
    });
  };

  const startAttempt = (webhook: Webhook): void => {
    slots--;
    const attempt = trace(webhook, () => attemptOnce(webhook)).finally(() => running.delete(attempt));
    running.add(attempt);
  };

  /** An attempt may come hours after the operation's trace: it has one of its own, which points there. */
  const trace = async (webhook: Webhook, attempt: () => Promise<void>): Promise<void> => {
    if (traces === undefined) return attempt();
    const { operation_id } = webhook;
    const operation = operation_id === null ? undefined : await store.operation(operation_id).catch(() => undefined);
    const link = operation === undefined ? null : ((JSON.parse(operation.request) as StoredRequest).trace ?? null);
    const attributes = {
      ...(operation_id === null ? {} : { "tonwerk.operation": operation_id }),
      "tonwerk.webhook": webhook.id,
      "tonwerk.type": webhook.type,
      "tonwerk.attempt": webhook.attempts,
    };
    return traces.run("webhook", { link, kind: "client", attributes }, attempt);
  };

  const attemptOnce = async (webhook: Webhook): Promise<void> => {
    const started_at = clock.now();
    const post = () => sendWebhook(webhook, started_at, services, user_agent, leaving.signal);
    const result = (await isOutdated(webhook)) ? OUTDATED : await (traces?.inside("POST", {}, post) ?? post());
    const ended_at = clock.now();
    slots++;
    const due_at = webhook.next_attempt_at ?? webhook.created_at;
    metrics?.webhook(result.outcome, (started_at - due_at) / 1000, (ended_at - started_at) / 1000);
    for (;;) {
      try {
        return await record(webhook, result, started_at, ended_at);
      } catch (error) {
        log("webhook.store_away", { id: webhook.id, error: describeError(error) });
        // Once the lease is over, the attempt is another's to make again.
        if (stopping.signal.aborted || clock.now() + AWAY_MS >= started_at + LEASE_MS) return;
        await pause(clock, AWAY_MS, stopping.signal);
      }
    }
  };

  /** A start is no news any more once the end may have been told. Where the store does not say, it is sent. */
  const isOutdated = async ({ type, operation_id }: Webhook): Promise<boolean> => {
    if (operation_id === null || !type.endsWith(".started")) return false;
    const operation = await store.operation(operation_id).catch(() => undefined);
    return operation !== undefined && operation.status !== "processing";
  };

  const record = async (webhook: Webhook, result: SendResult, started_at: number, ended_at: number): Promise<void> => {
    const { id: webhook_id, attempts: attempt, operation_id: operation, type, host } = webhook;
    const { outcome, status } = result;
    const next = await findNext(webhook, result, started_at, ended_at);
    const state: WebhookState = outcome === "delivered" ? "delivered" : next === null ? "failed" : "pending";
    const ms = ended_at - started_at;
    const detail = storableText(result.detail.slice(0, DETAIL_MAX));
    const exchange = result.exchange === null ? null : storableText(JSON.stringify(result.exchange));
    const attempted = { webhook_id, attempt, started_at, duration_ms: ms, status, detail, exchange };
    const sign = webhook.endpoint_id === null ? undefined : signOf(result, state);
    const recording = store.recordWebhook(attempted, state, next, sign);
    // In the same turn: what waited for this attempt's slot is claimed in the same commit.
    void wakeUp();
    // False: another node has taken it over, or it was sent again meanwhile.
    const held = await recording;
    if (held && next !== null) wakeUpAt(next);
    if (held && sign === "given_up") {
      // What is missed here is made up for by the next delivery that is given up.
      await disableIfWorn(services, webhook.endpoint_id!, status, ended_at).catch((error: unknown) =>
        log("webhook.store_away", { id: webhook_id, error: describeError(error) }),
      );
    }
    log(`webhook.${state === "pending" ? outcome : state}`, {
      ...{ id: webhook_id, ...(operation === null ? {} : { operation }), type, host, attempt, status, ms },
      ...(status === null ? { detail } : {}),
      ...(held ? {} : { held }),
    });
  };

  /** When to attempt again; null: no more. */
  const findNext = async (
    { first_attempt_at, account_id, type }: Webhook,
    { outcome, retry_after_seconds }: SendResult,
    started_at: number,
    ended_at: number,
  ): Promise<number | null> => {
    if (outcome === "delivered" || outcome === "refused") return null;
    if (type === PING && outcome === "retried") return null;
    if (outcome === "interrupted") return ended_at;
    const long_retries = (await store.account(liveAccountOf(account_id)))?.webhook_long_retries ?? false;
    const first = first_attempt_at ?? started_at;
    return nextAttemptAt({ first_attempt_at: first, started_at, ended_at, retry_after_seconds, long_retries }, random);
  };

  const stopEnded = store.onEnded(() => void wakeUp());
  const stopPolling = every(clock, POLL_MS, wakeUp);
  void wakeUp();

  return {
    async drain(ms) {
      stopping.abort();
      stopEnded();
      stopPolling();
      const cancel = clock.after(ms, () => leaving.abort());
      // A claim on its way still brings rows; they are leased, so they get their attempt.
      await claiming;
      await Promise.all(running);
      cancel();
    },
  };
}

const OUTDATED: SendResult = {
  outcome: "refused",
  status: null,
  unwanted: true,
  exchange: null,
  retry_after_seconds: null,
  detail: "Not sent: the operation has ended",
};

/** What an attempt says of its endpoint's health; undefined: nothing. */
function signOf({ outcome, unwanted }: SendResult, state: WebhookState): EndpointSign | undefined {
  if (outcome === "interrupted" || unwanted === true) return undefined;
  if (outcome === "delivered") return "succeeded";
  return state === "failed" ? "given_up" : "failed";
}

/** A receiver's text as every store takes it: no NUL, no halves of surrogate pairs. */
function storableText(detail: string): string {
  return detail.replaceAll("\0", "\u{FFFD}").toWellFormed();
}
