import { StoreUnavailable } from "../../ports/mod.ts";

export interface BatcherOptions<Item, Answer> {
  /** Resolves to one answer for each item, in order; an error in its place is that item's alone. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;
  /** Most items in one call of `run`. */
  readonly max: number;
  /** Most calls of `run` under way. */
  readonly flights_max: number;
  /** Refuses an item that would wait behind so many. */
  readonly waiting_max: number;
}

export interface LanesOptions<Item, Answer> extends Omit<BatcherOptions<Item, Answer>, "flights_max"> {
  /**
   * Number of lanes. Each has at most one call of `run` under way, so that what is in one lane is judged in the order
   * of its arrival.
   */
  readonly lanes: number;
  /** The item's lane, from 0. */
  readonly laneOf: (item: Item) => number;
  /** So many that wait in all lanes go as one call while no other is under way. */
  readonly together_max: number;
  /** While items arrive during a call, the next one begins no sooner after its begin than this, ms. */
  readonly spread_ms: number;
  /** So many must have arrived during a call for the next one to be put off. */
  readonly company_min: number;
  /** So many are put off no longer: they make a call that is worth it, and the server has nothing else to do. */
  readonly company_max: number;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly promise: PromiseWithResolvers<Answer>;
}

/** Calls `run` for a batch and settles what waits for it; never rejects. */
async function settle<Item, Answer>(
  run: BatcherOptions<Item, Answer>["run"],
  batch: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await run(batch.map(({ item }) => item));
    for (const [index, { promise }] of batch.entries()) {
      const answer = answers[index];
      if (answer instanceof Error) promise.reject(answer);
      else promise.resolve(answer as Answer);
    }
  } catch (error) {
    for (const { promise } of batch) promise.reject(error);
  }
}

/**
 * One commit for all. A mistake in one rolls it back, and each is tried by itself, so that only the guilty one fails.
 */
export async function togetherOrEach<Item, Answer>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>,
): Promise<readonly (Answer | Error)[]> {
  try {
    return await run(items);
  } catch (error) {
    if (items.length === 1 || error instanceof StoreUnavailable) throw error;
    const answers: (Answer | Error)[] = [];
    for (const item of items) {
      const [answer] = await run([item]).catch((mistake: unknown) => [mistake as Error]);
      answers.push(answer as Answer | Error);
    }
    return answers;
  }
}

const tooMany = () => new StoreUnavailable("Cannot use the database: too many calls wait");

/** What comes while a round trip is under way waits and shares the next one, in order. No item waits for company. */
export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const { run, max, flights_max, waiting_max } = options;
  let waiting: Waiting<Item, Answer>[] = [];
  let flights = 0;
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    while (flights < flights_max && waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      flights += 1;
      void settle(run, batch).then(() => {
        flights -= 1;
        flush();
      });
    }
  }

  return (item) => {
    if (waiting.length >= waiting_max) return Promise.reject(tooMany());
    const promise = Promise.withResolvers<Answer>();
    waiting.push({ item, promise });
    if (!scheduled && flights < flights_max) {
      scheduled = true;
      // Not at once: what is called in the same turn of the event loop goes together.
      queueMicrotask(flush);
    }
    return promise.promise;
  };
}

/**
 * Group commit. A call costs the server as much as some twenty of its items, commit and round trip included, so calls
 * that follow each other as fast as they can take a whole core at any load, and everybody's latency is then the line
 * for that core. Two rules against it: what waits in all lanes goes together as long as it is few, and a stream of
 * items is collected for `spread_ms`. Whoever is alone waits for nothing.
 */
export function createLanes<Item, Answer>(options: LanesOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const { run, max, waiting_max, lanes: count, laneOf, together_max, spread_ms, company_min, company_max } = options;
  const lanes = Array.from({ length: count }, () => ({ waiting: [] as Waiting<Item, Answer>[], busy: false }));
  let scheduled = false;
  let held: ReturnType<typeof setTimeout> | undefined;

  const total = (): number => lanes.reduce((sum, { waiting }) => sum + waiting.length, 0);

  function flush(): void {
    scheduled = false;
    clearTimeout(held);
    held = undefined;
    const all = total();
    if (all === 0) return;
    if (all <= together_max && lanes.every(({ busy }) => !busy)) {
      fly(
        lanes,
        lanes.flatMap((lane) => lane.waiting.splice(0)),
      );
      return;
    }
    for (const lane of lanes) if (!lane.busy && lane.waiting.length > 0) fly([lane], lane.waiting.splice(0, max));
  }

  function fly(taken: typeof lanes, batch: readonly Waiting<Item, Answer>[]): void {
    const began = performance.now();
    for (const lane of taken) lane.busy = true;
    void settle(run, batch).then(() => {
      for (const lane of taken) lane.busy = false;
      const left_ms = spread_ms - (performance.now() - began);
      const arrived = total();
      if (left_ms < LEAST_MS || arrived < company_min || arrived >= company_max) flush();
      else held ??= setTimeout(flush, left_ms);
    });
  }

  return (item) => {
    const all = total();
    if (all >= waiting_max) return Promise.reject(tooMany());
    const lane = lanes[laneOf(item)]!;
    const promise = Promise.withResolvers<Answer>();
    lane.waiting.push({ item, promise });
    if (!scheduled && !lane.busy && (held === undefined || all + 1 >= company_max)) {
      scheduled = true;
      queueMicrotask(flush);
    }
    return promise.promise;
  };
}

/** Timers are not finer. */
const LEAST_MS = 1;
