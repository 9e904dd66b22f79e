/** Ends of operations, those that come in the same moment in one commit. */
import { type End, StoreUnavailable, WAITING_MAX } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { createBatcher, togetherOrEach } from "./batch.ts";
import type { Ended } from "./ended.ts";
import type { Pool } from "./pool.ts";
import { marks } from "./statements.ts";
import { arrayOf } from "./values.ts";

/** True: this end won. False: the operation had ended, another attempt holds it, or its call's key is taken. */
export function createTerminate(pool: Pool, ended: Ended): (end: End) => Promise<boolean> {
  const send = createBatcher<End, boolean>({
    run: (batch) => togetherOrEach(batch, (ends) => terminateAll(pool, ends)),
    max: BATCH_MAX,
    flights_max: FLIGHTS_MAX,
    waiting_max: WAITING_MAX,
  });
  return async (end) => {
    ended.begin(end.id);
    try {
      const won = await send(end);
      // Not only by way of the server: waiters here need not depend on the connection that listens.
      if (won) ended.won(end.id);
      else ended.over(end.id);
      return won;
    } catch (error) {
      ended.over(end.id);
      // It may have been committed, and told while nobody here listened.
      if (error instanceof StoreUnavailable) ended.missed();
      throw error;
    }
  };
}

async function terminateAll(pool: Pool, ends: readonly End[]): Promise<readonly boolean[]> {
  const column = (pick: (end: End) => string | number | boolean | null) => arrayOf(ends.map(pick));
  const objects = ends.flatMap(({ objects }, index) => objects.map((key) => ({ key, place: index + 1 })));
  const webhooks = ends.flatMap(({ webhooks }, index) => webhooks.map((webhook) => ({ ...webhook, place: index + 1 })));
  const calls = ends.flatMap(({ call }, index) => (call === undefined ? [] : [{ ...call, place: index + 1 }]));
  const rows = await pool.query(TERMINATE, [
    column(({ id }) => id),
    column(({ attempt }) => attempt),
    column(({ status }) => status),
    column(({ outputs }) => outputs),
    column(({ error }) => error),
    column(({ refund }) => refund),
    column(({ completed_at }) => completed_at),
    column(({ expires_at }) => expires_at),
    arrayOf(objects.map(({ place }) => place)),
    arrayOf(objects.map(({ key }) => key)),
    arrayOf(webhooks.map(({ place }) => place)),
    ...WEBHOOK.map((name) => arrayOf(webhooks.map((webhook) => webhook[name]))),
    column(({ outputs_listed }) => outputs_listed),
    arrayOf(calls.map(({ place }) => place)),
    ...FIELDS.call.map((name) => arrayOf(calls.map((call) => call[name]))),
    column(({ cost }) => cost ?? null),
  ]);
  const won = new Set(rows.map(({ place }) => place));
  return ends.map((_, index) => won.has(index + 1));
}

export const TERMINATE = `SELECT * FROM terminate(${marks(25)})`;
const WEBHOOK = ["id", "endpoint_id", "type", "url", "host", "body"] as const;

/** Their ids go into one notification, which may have 8,000 bytes. */
const BATCH_MAX = 100;
const FLIGHTS_MAX = 2;
