/**
 * Places at work, for one kind of it. A job that waits for sources from elsewhere gives its place to others meanwhile: whoever has them come
 * slowly would hold a node's only place for a minute, and everybody else's jobs up. Jobs without a place are few, and few of one account.
 */

/** Jobs of one kind of work that may wait for sources beside those that have a place. */
export const AWAY_MAX = 16;
/** As many as that of one account, where there are no more places than that. */
const AWAY_OF_ACCOUNT_MAX = 4;

/** Of a job that is claimed or runs. */
export interface Place {
  /** Whether it is held still: it may be lost where `away` rejects. */
  readonly held: boolean;
  /** Gives it up; nothing where it is not held. */
  leave(): void;
  /** Does `work` without a place, unless too many do already, and takes one again before it resolves. */
  away<Result>(account_id: string, work: () => Promise<Result>): Promise<Result>;
}

export interface Places {
  /** Resolves to undefined where `signal` aborts first. */
  enter(signal: AbortSignal): Promise<Place | undefined>;
  /** Accounts whose jobs are not to be claimed now: they have as many without a place as one may. */
  passed(): readonly string[];
  /** Aborts when one of `passed` may be claimed again: nothing else says so. */
  changed(): AbortSignal;
}

/** Of a job beside all places: kept from nobody, and given to nobody. */
export const NO_PLACE: Place = {
  held: false,
  leave: () => undefined,
  away: (_account_id, work) => work(),
};

interface Returning {
  readonly account_id: string;
  readonly resolve: () => void;
}

export function createPlaces(count: number): Places {
  let free = count;
  const entering: (() => void)[] = [];
  const returning: Returning[] = [];
  /** How many jobs without a place each account has. */
  const away = new Map<string, number>();
  const of_account_max = Math.max(AWAY_OF_ACCOUNT_MAX, count);
  let away_all = 0;
  let last_account = "";
  let last_returned = false;
  let change = new AbortController();

  /** In turn one that comes back and one that claims, so that neither keeps the other waiting; of those that come back, another account's. */
  const passOn = (): void => {
    const comes_back = returning.length > 0 && (!last_returned || entering.length === 0);
    last_returned = comes_back;
    if (!comes_back) {
      const next = entering.shift();
      if (next === undefined) free++;
      else next();
      return;
    }
    const other = returning.findIndex(({ account_id }) => account_id !== last_account);
    const [one] = returning.splice(Math.max(0, other), 1);
    last_account = one!.account_id;
    one!.resolve();
  };

  const takeAgain = async (account_id: string): Promise<void> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => returning.push({ account_id, resolve }));
  };

  /** `by`: 1 or -1. */
  const countAway = (account_id: string, by: number): void => {
    const now = (away.get(account_id) ?? 0) + by;
    away_all += by;
    if (now === 0) away.delete(account_id);
    else away.set(account_id, now);
    if (by > 0 || now !== of_account_max - 1) return;
    change.abort();
    change = new AbortController();
  };

  const newPlace = (): Place => {
    let held = true;
    const leave = (): void => {
      if (!held) return;
      held = false;
      passOn();
    };
    return {
      get held() {
        return held;
      },
      leave,
      async away(account_id, work) {
        if (away_all >= AWAY_MAX) return work();
        countAway(account_id, 1);
        leave();
        try {
          const result = await work();
          await takeAgain(account_id);
          held = true;
          return result;
        } finally {
          countAway(account_id, -1);
        }
      },
    };
  };

  return {
    async enter(signal) {
      if (signal.aborted) return undefined;
      if (free > 0) {
        free--;
        return newPlace();
      }
      return new Promise((resolve) => {
        const take = (): void => {
          signal.removeEventListener("abort", giveUp);
          resolve(newPlace());
        };
        const giveUp = (): void => {
          entering.splice(entering.indexOf(take), 1);
          resolve(undefined);
        };
        entering.push(take);
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
    passed: () => [...away].flatMap(([account_id, jobs]) => (jobs >= of_account_max ? [account_id] : [])),
    changed: () => change.signal,
  };
}
