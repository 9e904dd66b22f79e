/** How an operation ends: finished, failed or cancelled, each through one verb of the store. */
import type { Principal } from "../accounts/keyring.ts";
import type { Registry } from "../actions/registry.ts";
import {
  hasAudio,
  isRefunded,
  type StoredError,
  type StoredOutput,
  type StoredReport,
  withoutReport,
} from "../actions/render.ts";
import type { Config } from "../base/config.ts";
import type { Failure } from "../base/errors.ts";
import { type Clock, DAY_MS, type Operation, type OperationsStore, type Queue, type Snapshot } from "../ports/mod.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { Reading } from "./read.ts";
import type { OperationWebhooks } from "./webhook.ts";

export interface EndServices {
  readonly config: Pick<Config, "retention_days">;
  readonly store: OperationsStore;
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

export function createEndings(
  services: EndServices,
  { read }: Pick<Reading, "read">,
  { webhooksOf }: Pick<OperationWebhooks, "webhooksOf">,
): Endings {
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
      webhooks: await webhooksOf({ ...operation, ...end, running: false }, end.status, completed_at),
    });
    if (won) telemetry.metrics?.ended(operation.action, failed ? how.error.code : null, refund ? operation.cost : 0);
    return won;
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
