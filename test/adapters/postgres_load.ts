/** Clients that submit and end operations without pause, and remember what they were told. */
import assert from "node:assert/strict";
import type { Store } from "../../core/ports/mod.ts";
import { assertBalance, endOf, FAILED, isUnavailable, nextId, submission } from "./store/fixtures.ts";

export interface Load {
  /** Resolves when so many further calls were acknowledged. */
  more(count: number): Promise<void>;
  /** Resolves when so many further calls were refused as unavailable. */
  refused(count: number): Promise<void>;
  /** Ends when every client has its last answer. */
  stop(): Promise<void>;
  /** The longest that a call took until it was answered or refused. */
  slowest_ms(): number;
  /** Calls so far. */
  counts(): { readonly acknowledged: number; readonly refused: number };
  /** Everything acknowledged is there, and what is there is whole. */
  verify(store: Store): Promise<void>;
}

const CREDITS = 1_000_000_000;

export async function startLoad(store: Store, clients: number): Promise<Load> {
  const accounts = Array.from({ length: 4 }, () => nextId("acc"));
  for (const id of accounts) await store.createAccount({ id, name: "Ada", credits: CREDITS, created_at: Date.now() });
  const submitted = new Set<string>();
  const ended = new Set<string>();
  let acknowledged = 0;
  let refusals = 0;
  let slowest = 0;
  let stopping = false;
  const mistakes: unknown[] = [];

  /** Undefined: refused. */
  async function timed<T>(call: () => Promise<T>): Promise<T | undefined> {
    const began = performance.now();
    try {
      const answer = await call();
      acknowledged += 1;
      return answer;
    } catch (error) {
      if (!isUnavailable(error)) mistakes.push(error);
      refusals += 1;
      // A client that is refused at once comes again after a moment.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return undefined;
    } finally {
      slowest = Math.max(slowest, performance.now() - began);
    }
  }

  async function client(index: number): Promise<void> {
    for (let round = 0; !stopping; round++) {
      const sent = submission(accounts[index % accounts.length] ?? "", Date.now());
      // As a client of the service does: the same key until there is an answer, a new id each time.
      for (let tries = 0; ; tries++) {
        const mine = tries === 0 ? sent : { ...sent, id: nextId("op"), response: sent.response };
        const answer = await timed(() => store.submit(mine));
        if (answer?.kind === "accepted") submitted.add(mine.id);
        else if (answer?.kind === "replayed") submitted.add(sent.id);
        else if (answer !== undefined) mistakes.push(answer);
        if (answer !== undefined || stopping) break;
      }
      if (round % 2 === 0 || !submitted.has(sent.id)) continue;
      const won = await timed(() => store.terminate(endOf(sent.id, 0, Date.now(), FAILED)));
      if (won === true) ended.add(sent.id);
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  const reach = async (count: () => number, target: number) => {
    while (count() < target) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  return {
    more: (count) => reach(() => acknowledged, acknowledged + count),
    refused: (count) => reach(() => refusals, refusals + count),
    async stop() {
      stopping = true;
      await running;
    },
    slowest_ms: () => slowest,
    counts: () => ({ acknowledged, refused: refusals }),
    async verify(fresh) {
      assert.deepEqual(mistakes, []);
      assert.ok(submitted.size > 0);
      const found = new Map((await fresh.snapshots([...submitted])).map((operation) => [operation.id, operation]));
      // A replay answers for an earlier try of the same key, whose id only the store knows: it is one of those that are there.
      const missing = [...submitted].filter((id) => !found.has(id));
      assert.deepEqual(missing, []);
      for (const id of ended) assert.equal(found.get(id)?.status, "failed", id);
      for (const account_id of accounts) {
        let spent = 0;
        for (let before: string | undefined; ; ) {
          const page = await fresh.list(account_id, { limit: 101, ...(before === undefined ? {} : { before }) });
          for (const { status, cost } of page) if (status !== "failed") spent += cost;
          before = page.at(-1)?.id;
          if (page.length < 101) break;
        }
        await assertBalance(fresh, account_id, CREDITS - spent);
      }
    },
  };
}
