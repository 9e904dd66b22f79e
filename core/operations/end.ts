/** How an operation ends: finished, failed or cancelled, each through one verb of the store. */
import type { Registry } from "../actions/registered.ts";
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
import {
  type Clock,
  DAY_MS,
  type KeyedCall,
  type NewWebhook,
  type Operation,
  type OperationsStore,
  type Queue,
  type Snapshot,
} from "../ports/mod.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { Reading } from "./read.ts";
import { fateOfNew, type OperationWebhooks } from "./webhook.ts";

export interface EndServices {
  readonly config: Pick<Config, "retention_days">;
  readonly store: OperationsStore;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly telemetry: Telemetry;
}

export interface Endings {
  /**
   * Ends it as `canceled`, and binds the call's key with that, answered as returned. Undefined: it had ended, or the
   * key was taken meanwhile.
   */
  cancel(id: string, call: Omit<KeyedCall, "response">): Promise<string | undefined>;
  /** Ends it as `ready`. False when it had ended otherwise: the caller deletes what it wrote. */
  finish(operation: Operation, outputs: readonly (StoredOutput | StoredReport)[]): Promise<boolean>;
  /** Ends it as `failed` and gives the credits back. False when it had ended otherwise. */
  fail(operation: Operation, failure: Failure): Promise<boolean>;
}

export function createEndings(
  services: EndServices,
  { render }: Pick<Reading, "render">,
  { webhooksOf }: Pick<OperationWebhooks, "webhooksOf">,
): Endings {
  const { config, store, queue, clock, telemetry } = services;

  /** `callOf`: the call that ends it, by what it is answered. */
  const end = async (
    operation: Operation,
    how: { outputs: readonly (StoredOutput | StoredReport)[] } | { error: StoredError },
    callOf?: (ended: Snapshot, webhooks: readonly NewWebhook[]) => KeyedCall,
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
    const ended: Snapshot = { ...operation, ...end, running: false, queue_position: null };
    const webhooks = await webhooksOf(ended, end.status, completed_at);
    const call = callOf?.(ended, webhooks);
    const won = await store.terminate({
      ...end,
      id: operation.id,
      attempt: operation.attempt,
      cost: operation.cost,
      outputs_listed: failed ? null : JSON.stringify(how.outputs.map(withoutReport)),
      refund,
      objects: failed ? [] : how.outputs.filter(hasAudio).map(({ object }) => object),
      webhooks,
      ...(call === undefined ? {} : { call }),
    });
    if (won) telemetry.metrics?.ended(operation.action, failed ? how.error.code : null, refund ? operation.cost : 0);
    return won;
  };

  return {
    async cancel(id, call) {
      const operation = await store.operation(id);
      if (operation?.status !== "processing") return undefined;
      let body: string | undefined;
      // Whether credits come back depends on what was read. A claim between that and the end raises the attempt: the
      // end loses.
      const won = await end(
        operation,
        { error: { code: "canceled", message: "The operation was canceled" } },
        (ended, webhooks) => {
          body = JSON.stringify(render(ended, fateOfNew(ended, webhooks)));
          return { ...call, response: body };
        },
      );
      if (!won) return undefined;
      if (operation.started_at === null) queue.taken(operation.work, id);
      return body;
    },

    finish: (operation, outputs) => end(operation, { outputs }),

    fail(operation, { code, message, source }) {
      // Where there is one alone, which it was needs no word.
      const named = source !== undefined && (operation.sources.length > 1 || source.includes("."));
      return end(operation, { error: named ? { code, message, source } : { code, message } });
    },
  };
}
