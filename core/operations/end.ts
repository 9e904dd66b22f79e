/** How an operation ends: finished, failed or cancelled, each through one verb of the store. */
import type { Principal } from "../accounts/keyring.ts";
import type { Registry } from "../actions/registry.ts";
import {
  hasAudio,
  isRefunded,
  renderFailed,
  renderOperation,
  type StoredError,
  type StoredOutput,
  type StoredReport,
  withoutReport,
} from "../actions/render.ts";
import type { Config } from "../base/config.ts";
import type { Failure } from "../base/errors.ts";
import { newId } from "../base/ids.ts";
import {
  type AccountsStore,
  type Clock,
  DAY_MS,
  type EndpointsStore,
  type NewWebhook,
  type Operation,
  type OperationsStore,
  type Queue,
  type Snapshot,
} from "../ports/mod.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { Reading } from "./read.ts";
import { findReceivers } from "./receivers.ts";

export interface EndServices {
  readonly config: Pick<Config, "retention_days">;
  readonly store: OperationsStore & Pick<AccountsStore, "account"> & Pick<EndpointsStore, "endpoints">;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly telemetry: Telemetry;
}

export interface Endings {
  /** Ends it as `canceled`; what has ended already is returned unchanged. */
  cancel(account: Principal, id: string): Promise<Snapshot>;
  /** Ends it as `ready`. False when it had ended otherwise: the caller deletes what it wrote. */
  finish(operation: Operation, outputs: readonly (StoredOutput | StoredReport)[]): Promise<boolean>;
  /** Ends it as `failed` and gives the credits back. False when it had ended otherwise. */
  fail(operation: Operation, failure: Failure): Promise<boolean>;
}

export function createEndings(services: EndServices, { read, sign }: Pick<Reading, "read" | "sign">): Endings {
  const { config, store, queue, clock, registry, telemetry } = services;

  const end = async (
    operation: Operation,
    how: { outputs: readonly (StoredOutput | StoredReport)[] } | { error: StoredError },
  ): Promise<boolean> => {
    const failed = "error" in how;
    const completed_at = clock.now();
    const end = {
      status: failed ? "failed" : "ready",
      outputs: failed ? null : JSON.stringify(how.outputs),
      error: failed ? JSON.stringify(how.error) : null,
      completed_at,
      expires_at: completed_at + config.retention_days * DAY_MS,
    } as const;
    const refund = failed && isRefunded(how.error, operation.started_at);
    const won = await store.terminate({
      ...end,
      id: operation.id,
      attempt: operation.attempt,
      outputs_listed: failed ? null : JSON.stringify(how.outputs.map(withoutReport)),
      refund,
      objects: failed ? [] : how.outputs.filter(hasAudio).map(({ object }) => object),
      webhooks: await webhooksOf({ ...operation, ...end, running: false }, completed_at),
    });
    if (won) telemetry.metrics?.ended(operation.action, failed ? how.error.code : null, refund ? operation.cost : 0);
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

  const webhooksOf = async (ended: Operation, now: number): Promise<readonly NewWebhook[]> => {
    const receivers = await findReceivers(store, ended, ended.status === "ready" ? "ready" : "failed");
    if (receivers.length === 0) return [];
    const told = await documentOf({ ...ended, queue_position: null });
    if (told === undefined) return [];
    const account = await store.account(ended.account_id);
    const type = `${ended.action}.${ended.status}`;
    const body = JSON.stringify(account?.webhook_body === "envelope" ? { type, data: told } : told);
    return receivers.map((receiver) => ({ id: newId("evt_", now), type, ...receiver, body }));
  };

  return {
    async cancel(account, id) {
      for (;;) {
        const seen = await read(account, undefined, id);
        const operation = seen.status === "processing" ? await store.operation(id) : undefined;
        if (operation?.status !== "processing") return operation === undefined ? seen : read(account, undefined, id);
        // Whether credits come back depends on this read. A claim between it and the end raises the attempt: the end loses, look again.
        await end(operation, { error: { code: "canceled", message: "The operation was canceled" } });
        if (operation.started_at === null) queue.taken(operation.work, id);
      }
    },

    finish: (operation, outputs) => end(operation, { outputs }),

    fail(operation, { code, message, source }) {
      const sources = registry.actions.get(operation.action)?.action.sources ?? {};
      const named = source !== undefined && Object.keys(sources).length > 1;
      return end(operation, { error: named ? { code, message, source } : { code, message } });
    },
  };
}
