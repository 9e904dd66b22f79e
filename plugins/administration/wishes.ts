/**
 * Heavy work for surfaces is done where jobs run. A node that only answers requests wishes for an object, and finds it
 * in the bucket once another one has made it. A wish is a hint of the queue: one that was lost is wished again by who
 * asks again.
 */
import { describeError, type Errand, type Facade } from "../../core/surface.ts";

/** How often a node looks whether its wish has come true. */
const LOOK_MS = 250;
/** Wishes that are granted at once; the pool is fair between their accounts. */
const WISHES_MAX = 16;
const IDLE_MS = 5_000;
/** For so long the work is its node's alone: longer than it takes. */
const CLAIM_MS = 120_000;

/** Resolves to whether `isThere` came true within `ms`. */
export async function wish(
  { queue, clock }: Pick<Facade, "queue" | "clock">,
  errand: Errand,
  id: string,
  isThere: () => Promise<boolean>,
  ms: number,
): Promise<boolean> {
  queue.wake(errand, id);
  for (const until = clock.now() + ms; clock.now() < until; ) {
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    if (await isThere()) return true;
  }
  return false;
}

/**
 * Grants the wishes of other nodes, until the returned function is called or the node goes away. `grant` makes what is
 * not there yet.
 */
export function startGranting(
  { bucket, queue, clock, log, isDraining }: Pick<Facade, "bucket" | "queue" | "clock" | "log" | "isDraining">,
  errand: Errand,
  grant: (id: string, claim: () => Promise<(() => Promise<void>) | undefined>) => Promise<void>,
): () => void {
  const stopping = new AbortController();
  const granted = new Set<Promise<void>>();

  /**
   * A queue without Redis tells every node; the bucket, in which a key is written once, tells one of them. Resolves to
   * what gives it up.
   */
  const claim = async (id: string): Promise<(() => Promise<void>) | undefined> => {
    const place = `${id}.claim-${Math.floor(clock.now() / CLAIM_MS)}`;
    return bucket.put(place, new Uint8Array(0), "application/octet-stream").then(
      () => () => bucket.delete([place]),
      () => undefined,
    );
  };

  const grantOne = async (id: string): Promise<void> => {
    try {
      await grant(id, () => claim(id));
    } catch (error) {
      // Whoever wished looks again, and wishes again.
      log(`${errand}.wish_failed`, { object: id, error: describeError(error) });
    } finally {
      queue.taken(errand, id);
    }
  };

  void (async () => {
    while (!stopping.signal.aborted && !isDraining()) {
      if (granted.size >= WISHES_MAX) await Promise.race(granted);
      const id = await queue.wait(errand, IDLE_MS, stopping.signal);
      if (id === undefined || stopping.signal.aborted || isDraining()) continue;
      const one = grantOne(id).finally(() => granted.delete(one));
      granted.add(one);
    }
  })();
  return () => stopping.abort();
}
