/** Ends of operations, those that come in the same moment in one commit. */
import type { End } from "../../ports/mod.ts";
import { createBatcher, togetherOrEach } from "./batch.ts";
import type { Pool } from "./pool.ts";
import { arrayOf } from "./values.ts";

/** True: this end won. False: the operation had ended, or another attempt holds it. */
export function createTerminate(pool: Pool): (end: End) => Promise<boolean> {
  return createBatcher<End, boolean>({
    run: (batch) => togetherOrEach(batch, (ends) => terminateAll(pool, ends)),
    max: BATCH_MAX,
    flights_max: FLIGHTS_MAX,
    waiting_max: WAITING_MAX,
  });
}

async function terminateAll(pool: Pool, ends: readonly End[]): Promise<readonly boolean[]> {
  const column = (pick: (end: End) => string | number | boolean | null) => arrayOf(ends.map(pick));
  const objects = ends.flatMap(({ objects }, index) => objects.map((key) => ({ key, place: index + 1 })));
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
    column(({ webhook }) => webhook?.id ?? null),
    column(({ webhook }) => webhook?.type ?? null),
    column(({ webhook }) => webhook?.url ?? null),
    column(({ webhook }) => webhook?.host ?? null),
    column(({ webhook }) => webhook?.body ?? null),
    column(({ outputs_listed }) => outputs_listed),
  ]);
  const won = new Set(rows.map(({ place }) => place));
  return ends.map((_, index) => won.has(index + 1));
}

export const TERMINATE =
  "SELECT * FROM terminate($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";

/** Their ids go into one notification, which may have 8,000 bytes. */
const BATCH_MAX = 100;
const FLIGHTS_MAX = 2;
const WAITING_MAX = 20_000;
