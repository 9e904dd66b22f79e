import { StoreUnavailable } from "../ports.ts";

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

/**
 * Group commit, and the same for reads: what comes while a round trip is under way waits and shares the next one, in order.
 * No item waits for company.
 */
export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const { run, max, flights_max, waiting_max } = options;
  let waiting: { readonly item: Item; readonly promise: PromiseWithResolvers<Answer> }[] = [];
  let flights = 0;
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    while (flights < flights_max && waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      void fly(batch);
    }
  }

  async function fly(batch: typeof waiting): Promise<void> {
    flights += 1;
    try {
      const answers = await run(batch.map(({ item }) => item));
      for (const [index, { promise }] of batch.entries()) {
        const answer = answers[index];
        if (answer instanceof Error) promise.reject(answer);
        else promise.resolve(answer as Answer);
      }
    } catch (error) {
      for (const { promise } of batch) promise.reject(error);
    } finally {
      flights -= 1;
      flush();
    }
  }

  return (item) => {
    if (waiting.length >= waiting_max) {
      return Promise.reject(new StoreUnavailable("Cannot use the database: too many calls wait"));
    }
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

/** One commit for all. A mistake in one rolls it back, and each is tried by itself, so that only the guilty one fails. */
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
