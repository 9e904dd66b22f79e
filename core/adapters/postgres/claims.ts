/** Claims, those that wait at the same moment in one statement and one commit. */
import { type Operation, WAITING_MAX, type Work } from "../../ports/mod.ts";
import { createBatcher } from "./batch.ts";
import { toOperation } from "./operations.ts";
import type { Pool } from "./pool.ts";
import { arrayOf } from "./values.ts";

type Claim = (worker: string) => Promise<Operation | undefined>;

/** What claims of one batch have in common. */
interface Question {
  readonly work: Work;
  readonly lease_ms: number;
  /** Null: any. */
  readonly actions: readonly string[] | null;
}

/**
 * Claims that pass over accounts go by themselves: each takes its own look at who has jobs. The others share a call
 * with those that ask the same.
 */
export function createClaims(pool: Pool) {
  const batchers = new Map<string, Claim>();

  async function claimOne({ work, lease_ms, actions }: Question, worker: string, passed: readonly string[]) {
    const known = actions === null ? null : arrayOf(actions);
    const [row] = await pool.query(CLAIM, [work, worker, lease_ms, known, arrayOf(passed)]);
    return row && toOperation(row);
  }

  async function claimMany(
    question: Question,
    workers: readonly string[],
  ): Promise<readonly (Operation | undefined)[]> {
    const { work, lease_ms, actions } = question;
    if (workers.length === 1) return [await claimOne(question, workers[0]!, [])];
    const rows = await pool.query(CLAIM_MANY, [
      ...[work, arrayOf(workers), lease_ms, actions === null ? null : arrayOf(actions)],
    ]);
    const claimed: (Operation | undefined)[] = workers.map(() => undefined);
    for (const { place, ...row } of rows) claimed[Number(place) - 1] = toOperation(row);
    if (rows.length === 0 || rows.length === workers.length) return claimed;
    // It may have stopped at an account with a cap, and each is to wait for that by itself.
    return Promise.all(claimed.map((operation, index) => operation ?? claimOne(question, workers[index]!, [])));
  }

  function batcherOf(question: Question): Claim {
    const name = JSON.stringify(question);
    const known = batchers.get(name);
    if (known !== undefined) return known;
    const batcher = createBatcher<string, Operation | undefined>({
      run: (workers) => claimMany(question, workers),
      max: BATCH_MAX,
      flights_max: FLIGHTS_MAX,
      waiting_max: WAITING_MAX,
    });
    batchers.set(name, batcher);
    return batcher;
  }

  return (question: Question, worker: string, passed: readonly string[]): Promise<Operation | undefined> =>
    passed.length > 0 ? claimOne(question, worker, passed) : batcherOf(question)(worker);
}

export const CLAIM = "SELECT * FROM claim($1, $2, $3, $4, $5)";
export const CLAIM_MANY = "SELECT * FROM claim_many($1, $2, $3, $4)";

const BATCH_MAX = 100;
/** What is asked while a call is under way shares the next one: two calls side by side cost the server twice as much. */
const FLIGHTS_MAX = 1;
