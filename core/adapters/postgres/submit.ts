/** Submissions: group commit, and one call of a SQL function for each batch. */
import { type Submission, type Submitted, WAITING_MAX } from "../../ports/mod.ts";
import { createLanes, togetherOrEach } from "./batch.ts";
import type { Parameter } from "./link.ts";
import type { Pool } from "./pool.ts";
import { marks, REPEATABLE } from "./statements.ts";
import { arrayOf } from "./values.ts";

export function createSubmit(pool: Pool): (submission: Submission) => Promise<Submitted> {
  // An account's submissions go one way, so that they are judged in the order of their arrival; the two ways run side
  // by side.
  return createLanes<Submission, Submitted>({
    run: (batch) => togetherOrEach(batch, (some) => judge(pool, some)),
    max: BATCH_MAX,
    waiting_max: WAITING_MAX,
    lanes: LANES,
    laneOf: ({ account_id }) => laneOf(account_id),
    together_max: TOGETHER_MAX,
    spread_ms: SPREAD_MS,
    company_min: COMPANY_MIN,
    company_max: COMPANY_MAX,
  });
}

interface Verdict {
  readonly place: number;
  readonly verdict: "replayed" | "key_reused" | "insufficient_credits" | "key_budget_exceeded" | "unknown_account";
  readonly first_response: string | null;
  readonly balance: number | null;
}

async function judge(pool: Pool, batch: readonly Submission[]): Promise<readonly (Submitted | Error)[]> {
  const belonging = together(batch);
  const rows = await pool.query(
    belonging === undefined ? SUBMIT_EACH : SUBMIT,
    belonging === undefined ? parametersOfEach(batch) : [...belonging, ...parametersOfAll(batch)],
    // The same ids again: what was committed although its answer was lost is recognised as its own.
    REPEATABLE,
  );
  const outcomes: (Submitted | Error)[] = batch.map(() => ACCEPTED);
  for (const row of rows as unknown as readonly Verdict[])
    outcomes[row.place - 1] = toOutcome(row, batch[row.place - 1]);
  return outcomes;
}

/** An account's submissions of one kind of work in a batch. */
interface Lane {
  /** From 1, in the order of accounts and kinds: rows are locked in that order. */
  place: number;
  readonly account_id: string;
  readonly work: string;
  /** Place of its last submission: 1 and the weights before it. */
  size: number;
  last_weight: number;
}

/**
 * The first eight parameters of `submit`; undefined where it is not for this batch: one key comes twice, a key has a
 * budget, or a client wrote what ends a text.
 */
function together(batch: readonly Submission[]): readonly Parameter[] | undefined {
  const lanes = new Map<string, Lane>();
  const spent = new Map<string, number>();
  const keys = new Set<string>();
  const lane_of: Lane[] = [];
  const turns: number[] = [];
  for (const { account_id, work, cost, weight, idempotency_key, callback_url, budget } of batch) {
    if (budget !== undefined || callback_url?.includes(END)) return undefined;
    keys.add(`${account_id} ${idempotency_key.toLowerCase()}`);
    spent.set(account_id, (spent.get(account_id) ?? 0) + cost);
    const name = `${account_id} ${work}`;
    let lane = lanes.get(name);
    if (lane === undefined) {
      lane = { place: 0, account_id, work, size: 1, last_weight: 0 };
      lanes.set(name, lane);
    }
    lane.size += lane.last_weight;
    lane.last_weight = weight;
    lane_of.push(lane);
    turns.push(lane.size);
  }
  if (keys.size < batch.length) return undefined;
  const each = [...lanes.keys()].sort().map((name, index) => {
    const lane = lanes.get(name) as Lane;
    lane.place = index + 1;
    return lane;
  });
  const spenders = [...spent.keys()].sort();
  return [
    arrayOf(spenders),
    arrayOf(spenders.map((id) => spent.get(id) ?? 0)),
    arrayOf(each.map((lane) => lane.account_id)),
    arrayOf(each.map((lane) => lane.work)),
    arrayOf(each.map((lane) => lane.size)),
    arrayOf(each.map((lane) => lane.last_weight)),
    arrayOf(lane_of.map(({ place }) => place)),
    arrayOf(turns),
  ];
}

/**
 * The other parameters of `submit`: an entry for each submission, then files, objects and pairs of metadata, which name
 * their submission by its place.
 */
function parametersOfAll(batch: readonly Submission[]): readonly Parameter[] {
  const texts = (pick: (submission: Submission) => string) => batch.map(pick).join(END) + END;
  return [
    texts((s) => s.id),
    texts((s) => s.action),
    arrayOf(batch.map((s) => s.idempotency_key)),
    texts((s) => s.fingerprint),
    arrayOf(batch.map((s) => s.cost)),
    texts((s) => s.request),
    texts(sourcesOf),
    texts((s) => s.response),
    texts((s) => s.callback_url ?? ""),
    arrayOf(batch.map((s) => s.created_at)),
    arrayOf(batch.map((s) => s.deadline_at)),
    ...listsOf(batch),
    arrayOf(batch.map((s) => s.weight)),
  ];
}

/** Those of `submit_each`. */
function parametersOfEach(batch: readonly Submission[]): readonly Parameter[] {
  const column = (pick: (submission: Submission) => string | number | null) => arrayOf(batch.map(pick));
  return [
    column((s) => s.id),
    column((s) => s.account_id),
    column((s) => s.action),
    column((s) => s.work),
    column((s) => s.idempotency_key),
    column((s) => s.fingerprint),
    column((s) => s.cost),
    column((s) => s.request),
    column(sourcesOf),
    column((s) => s.response),
    column((s) => s.callback_url),
    column((s) => s.created_at),
    column((s) => s.deadline_at),
    ...listsOf(batch),
    column((s) => s.budget?.key_id ?? null),
    column((s) => s.budget?.credits ?? null),
    column((s) => s.budget?.since ?? null),
    column((s) => s.weight),
  ];
}

function listsOf(batch: readonly Submission[]): readonly Parameter[] {
  const files = batch.flatMap((s, index) => s.files.map((id) => ({ id, until: s.files_until, place: index + 1 })));
  const bound = batch.flatMap((s, index) =>
    s.sources.flatMap(({ object }) => (object === null ? [] : [{ object, place: index + 1 }])),
  );
  const pairs = batch.flatMap((s, index) =>
    s.metadata === null ? [] : Object.entries(s.metadata).map(([key, value]) => ({ key, value, place: index + 1 })),
  );
  return [
    arrayOf(files.map(({ place }) => place)),
    arrayOf(files.map(({ id }) => id)),
    arrayOf(files.map(({ until }) => until)),
    arrayOf(bound.map(({ place }) => place)),
    arrayOf(bound.map(({ object }) => object)),
    arrayOf(pairs.map(({ place }) => place)),
    arrayOf(pairs.map(({ key }) => key)),
    arrayOf(pairs.map(({ value }) => value)),
  ];
}

const sourcesOf = ({ sources }: Submission): string => (sources.length === 0 ? "[]" : JSON.stringify(sources));

/** After each of the texts that go as one. JSON has it escaped, and ids and URLs have no control characters. */
const END = "\u001f";

const ACCEPTED = { kind: "accepted" } as const;

function toOutcome(row: Verdict, submission: Submission | undefined): Submitted | Error {
  switch (row.verdict) {
    case "replayed":
      return { kind: "replayed", response: row.first_response ?? "" };
    case "key_reused":
      return { kind: "key_reused" };
    case "insufficient_credits":
      return { kind: "insufficient_credits", balance: row.balance ?? 0 };
    case "key_budget_exceeded":
      return { kind: "key_budget_exceeded", left: row.balance ?? 0 };
    case "unknown_account":
      return new Error(`Cannot submit for account "${submission?.account_id}": there is no such account`);
  }
}

export const SUBMIT = `SELECT * FROM submit(${marks(28)})`;
const SUBMIT_EACH = `SELECT * FROM submit_each(${marks(25)})`;

/** FNV-1a: spreads ids that differ in their last characters only. */
function laneOf(account_id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < account_id.length; index++) {
    hash = Math.imul(hash ^ account_id.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % LANES;
}

const LANES = 2;
// A batch of 200 is on its way for some 10 ms; twice as many hardly cost less for each.
const BATCH_MAX = 200;
// One call for all that wait is cheaper than two side by side. But while it is under way this process has nothing to
// do: above this, the server and this process work at the same time, each on one half.
const TOGETHER_MAX = 100;
// Fewer calls, so less of the database's time: see docs/performance.md.
const SPREAD_MS = 5;
const COMPANY_MIN = 4;
const COMPANY_MAX = 40;
