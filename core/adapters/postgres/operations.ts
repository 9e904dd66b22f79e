/** Reads of operations, and what they cost less than was debited. */
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import {
  type Clock,
  type Operation,
  type OperationsStore,
  type Snapshot,
  type SourceBinding,
  type Status,
  WAITING_MAX,
} from "../../ports/mod.ts";
import { EXACT_MAX } from "../shared/queue_order.ts";
import { likePatterns } from "../shared/word_patterns.ts";
import { createBatcher } from "./batch.ts";
import type { Row } from "./link.ts";
import type { Pool } from "./pool.ts";
import { createPositions } from "./positions.ts";
import { REPEATABLE, statementsOn } from "./statements.ts";
import { createSubmit } from "./submit.ts";
import { arrayOf } from "./values.ts";

/** Reads that wait at the same moment go as one. */
const createReader = <Item, Answer>(run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>) =>
  createBatcher({ run, max: BATCH_MAX, flights_max: READ_FLIGHTS_MAX, waiting_max: WAITING_MAX });

export function operationVerbs(pool: Pool, clock: Pick<Clock, "now">) {
  const positionOf = createPositions(pool, clock);
  const { one, all } = statementsOn(pool);
  const tagged = all<{ readonly operation_id: string }>(TAGGED_IDS);
  const firstResponse = one<{ readonly response: string }>(FIRST_RESPONSE);
  const snapshots = createReader(async (ids: readonly string[]) => {
    const found = new Map((await readSnapshots([...new Set(ids)])).map((snapshot) => [snapshot.id, snapshot]));
    return ids.map((id) => found.get(id));
  });
  const operations = createReader(async (ids: readonly string[]) => {
    const rows = await pool.query(OPERATIONS, [arrayOf([...new Set(ids)])], REPEATABLE);
    const found = new Map(rows.map(toOperation).map((operation) => [operation.id, operation]));
    return ids.map((id) => found.get(id));
  });

  async function readSnapshots(ids: readonly string[], reports = true): Promise<readonly Snapshot[]> {
    if (ids.length === 0) return [];
    return complete(await pool.query(reports ? SNAPSHOTS : SNAPSHOTS_LISTED, [arrayOf(ids)], REPEATABLE));
  }

  /** Adds the places in the queue. */
  async function complete(rows: readonly Row[]): Promise<readonly Snapshot[]> {
    return Promise.all(
      (rows as unknown as readonly SnapshotRow[]).map(async ({ queue_work, queue_turn, near, state, ...row }) => ({
        ...row,
        running: state === "leased",
        queue_position:
          state === "queued"
            ? await positionOf({ work: queue_work ?? "", turn: queue_turn ?? 0, id: row.id }, near ?? 0)
            : // `exhausted`: nobody is before what core is about to end.
              state === "exhausted"
              ? 0
              : null,
      })),
    );
  }

  return {
    submit: createSubmit(pool),

    operation: operations,
    firstResponse: async (id) => (await firstResponse(id))?.response,
    snapshot: snapshots,
    snapshots: readSnapshots,
    endedAfter: async (account_id, { completed_at, id }, limit) =>
      complete(await pool.query(ENDED_AFTER, [account_id, completed_at, id, limit], REPEATABLE)),
    async rebate({ id, attempt, cost, at }) {
      const [row] = await pool.query(REBATE, [id, attempt, cost, at], REPEATABLE);
      return (row?.cost as number | null) ?? undefined;
    },
    tagged: async (account_id, key, value, { before = AFTER_ALL_IDS, after = "", skip, limit }) =>
      (await tagged(account_id, key, value, before, after, limit, skip)).map(({ operation_id }) => operation_id),
    async list(account_id, filter) {
      const { actions, statuses = STATUSES, before = AFTER_ALL_IDS, after = "", limit, reports = false } = filter;
      if (filter.metadata !== undefined) {
        const [[key, value] = ["", ""], ...others] = Object.entries(filter.metadata);
        const given = [account_id, key, value, before, after, actions === undefined ? null : arrayOf(actions)];
        const more = [arrayOf(statuses), JSON.stringify(Object.fromEntries(others)), limit];
        return complete(await pool.query(reports ? TAGGED : TAGGED_LISTED, [...given, ...more], REPEATABLE));
      }
      const parameters = [account_id, before, limit, after, ...(actions === undefined ? [] : [arrayOf(actions)])];
      return complete(await pool.query(listOf(actions !== undefined, statuses, reports), parameters, REPEATABLE));
    },
    async search(account_id, { actions, statuses = STATUSES, before = AFTER_ALL_IDS, after = "", limit }, words) {
      const parameters = [account_id, before, limit, after, ...(actions === undefined ? [] : [arrayOf(actions)])];
      const looked = await pool.query(idsOf(actions !== undefined, statuses), parameters, REPEATABLE);
      const ids = looked.map(({ wanted }) => wanted as string);
      const found = await pool.query(HAVING, [arrayOf(ids), arrayOf(likePatterns(words))], REPEATABLE);
      return { found: await complete(found), reached: ids.length < limit ? null : ids.at(-1)! };
    },
  } satisfies Partial<OperationsStore>;
}

const REBATE = "SELECT rebate($1, $2, $3, $4) AS cost";
const FIRST_RESPONSE = "SELECT response FROM operations WHERE id = $1";

// -------------------------------------------------------------------------------------------------------------------- Reads

interface SnapshotRow extends Omit<Snapshot, "running" | "queue_position"> {
  readonly state: "queued" | "leased" | "exhausted" | null;
  readonly queue_work: string | null;
  readonly queue_turn: number | null;
  /** Jobs before it, up to one more than are told exactly; null when it is not queued. */
  readonly near: number | null;
}

/** While there is a job, it has the newer state. `o` and `j` are the aliases of the two tables. */
const STATE_COLUMNS = `o.id, o.account_id, o.action, o.status, o.idempotency_key, o.cost, o.request, o.callback_url, o.created_at, o.completed_at,
  o.expires_at, o.outputs, o.error, CASE WHEN j.operation_id IS NULL THEN o.started_at ELSE j.started_at END AS started_at,
  CASE WHEN j.operation_id IS NULL THEN o.progress ELSE j.progress END AS progress, j.stage`;

const SNAPSHOT_COLUMNS = `${STATE_COLUMNS}, j.state, j.work AS queue_work, j.turn AS queue_turn, ahead.near`;
const LISTED_COLUMNS = SNAPSHOT_COLUMNS.replace("o.outputs,", "o.outputs_listed AS outputs,");
const SNAPSHOT_JOINS = `LEFT JOIN jobs j ON j.operation_id = o.id
  LEFT JOIN LATERAL (SELECT count(*) AS near FROM (SELECT 1 FROM jobs b WHERE b.work = j.work AND b.state = 'queued'
    AND (b.turn, b.operation_id) < (j.turn, j.operation_id) AND j.state = 'queued'
    ORDER BY b.turn, b.operation_id LIMIT ${EXACT_MAX + 1}) counted) ahead ON true`;

const byId = (columns: string): string => `SELECT ${columns} FROM operations o ${SNAPSHOT_JOINS} WHERE o.id = ANY ($1)`;
export const SNAPSHOTS = byId(SNAPSHOT_COLUMNS);
const SNAPSHOTS_LISTED = byId(LISTED_COLUMNS);

export const ENDED_AFTER = `SELECT ${LISTED_COLUMNS} FROM operations o ${SNAPSHOT_JOINS} WHERE o.account_id = $1
  AND (o.completed_at, o.id) > ($2, $3) AND o.completed_at IS NOT NULL ORDER BY o.completed_at, o.id LIMIT $4`;

/** An account's operations, newest first. */
export function listOf(of_actions: boolean, statuses: readonly Status[] = STATUSES, reports = false): string {
  const columns = reports ? SNAPSHOT_COLUMNS : LISTED_COLUMNS;
  return `SELECT ${columns} FROM (${idsOf(of_actions, statuses)}) chosen
    JOIN operations o ON o.id = chosen.wanted ${SNAPSHOT_JOINS} ORDER BY o.id DESC`;
}

/**
 * Their ids. Each status has its index, and each of its actions a part of one, from which ids come in order and
 * stop at the limit; those in progress have it in `jobs`, by action, of which there are few.
 */
export function idsOf(of_actions: boolean, statuses: readonly Status[] = STATUSES): string {
  const newest = (id: string, from: string, where: string): string =>
    `SELECT ${id} AS id FROM ${from} WHERE account_id = $1 AND ${where} ${id} < $2 AND ${id} > $4 ORDER BY ${id} DESC LIMIT $3`;
  const ofEach = (id: string, from: string, where: string): string =>
    `(SELECT one.id FROM actions CROSS JOIN LATERAL (${newest(id, from, `${where} action = actions.action AND`)}) one)`;
  const ended = (status: Status): string =>
    (of_actions ? ofEach : (...its: [string, string, string]) => `(${newest(...its)})`)(
      "id",
      "operations",
      `status = '${status}' AND`,
    );
  const parts = statuses.map((one) => (one === "processing" ? ofEach("operation_id", "jobs", "") : ended(one)));
  const actions = of_actions
    ? "WITH actions AS (SELECT unnest($5::text[]) AS action)"
    : statuses.includes("processing")
      ? `WITH RECURSIVE ${ACTIONS_IN_PROGRESS}`
      : "";
  return `${actions} SELECT id AS wanted FROM (${parts.join(" UNION ALL ")}) found ORDER BY id DESC LIMIT $3`;
}

/** Those of some that have all words, which are patterns. */
export const HAVING = `SELECT ${LISTED_COLUMNS} FROM operations o ${SNAPSHOT_JOINS}
  WHERE o.id = ANY ($1) AND o.request ILIKE ALL ($2::text[]) ORDER BY o.id DESC`;

const STATUSES: readonly Status[] = ["processing", "ready", "failed"];

/** The actions that the account has jobs of, each found by one step in the index. */
const ACTIONS_IN_PROGRESS = `actions AS (
    (SELECT action FROM jobs WHERE account_id = $1 ORDER BY action LIMIT 1)
    UNION ALL
    SELECT n.action FROM actions a CROSS JOIN LATERAL (
      SELECT j.action FROM jobs j WHERE j.account_id = $1 AND j.action > a.action ORDER BY j.action LIMIT 1) n
  )`;

export const TAGGED_IDS = `SELECT operation_id FROM operation_metadata WHERE account_id = $1 AND key = $2 AND value = $3
  AND operation_id < $4 AND operation_id > $5 ORDER BY operation_id DESC LIMIT $6 OFFSET $7`;

const taggedIn = (columns: string): string => `SELECT ${columns}
  FROM (SELECT o.id AS wanted FROM operation_metadata m JOIN operations o ON o.id = m.operation_id
    WHERE m.account_id = $1 AND m.key = $2 AND m.value = $3 AND m.operation_id < $4 AND m.operation_id > $5
      AND ($6::text[] IS NULL OR o.action = ANY ($6)) AND o.status = ANY ($7)
      AND NOT EXISTS (SELECT 1 FROM json_each_text($8::text::json) x WHERE NOT EXISTS (SELECT 1 FROM operation_metadata n
        WHERE n.account_id = $1 AND n.key = x.key AND n.value = x.value AND n.operation_id = o.id))
    ORDER BY m.operation_id DESC LIMIT $9) chosen
  JOIN operations o ON o.id = chosen.wanted ${SNAPSHOT_JOINS} ORDER BY o.id DESC`;
export const TAGGED = taggedIn(SNAPSHOT_COLUMNS);
const TAGGED_LISTED = taggedIn(LISTED_COLUMNS);

/** The columns of `Operation`, `sources` as JSON. `o` is the operation, `j` its job where it has one. */
export const OPERATION_COLUMNS = `${STATE_COLUMNS}, o.work, o.sources,
  CASE WHEN j.operation_id IS NULL THEN o.attempt ELSE j.attempt END AS attempt, coalesce(j.state = 'leased', false) AS running`;

export const OPERATIONS = `SELECT ${OPERATION_COLUMNS} FROM operations o LEFT JOIN jobs j ON j.operation_id = o.id WHERE o.id = ANY ($1)`;

export function toOperation(row: Row): Operation {
  const { sources, ...rest } = row as unknown as Omit<Operation, "sources"> & { readonly sources: string };
  return { ...rest, sources: JSON.parse(sources) as SourceBinding[] };
}

// A batch of 200 is on its way for some 10 ms; twice as many hardly cost less for each.
const BATCH_MAX = 200;
const READ_FLIGHTS_MAX = 4;
