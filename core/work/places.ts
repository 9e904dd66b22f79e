/**
 * Places at work, for one kind of it. A job that waits for sources from elsewhere gives its place to others meanwhile: whoever has them come
 * slowly would hold a node's only place for a minute, and everybody else's jobs up. Jobs without a place are few, and few of one account.
 */

/** Jobs of one kind of work that may wait for sources beside those that have a place. */
export const AWAY_MAX = 16;
/** As many as that of one account, where there are no more places than that. */
const AWAY_OF_ACCOUNT_MAX = 4;

/** What a loop has while it claims, waits for something to claim, and works. */
export interface Place {
  /** Whether it is held still: it may be lost while idle, and where `away` rejects. */
  readonly held: boolean;
  /** Gives it up; nothing where it is not held. */
  leave(): void;
  /** Does `work` without a place, unless too many do already, and takes one again before it resolves. */
  away<Result>(account_id: string, work: () => Promise<Result>): Promise<Result>;
  /** Accounts whose jobs are not to be claimed now: they have as many without a place as one may. */
  passed(): readonly string[];
  /** Waits as `wait` does, but ends sooner where another one needs the place, or `passed` is not what it was. */
  idle<Result>(wait: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

export interface Places {
  /** Resolves to undefined where `signal` aborts first. */
  enter(signal: AbortSignal): Promise<Place | undefined>;
}

/** Of a job beside all places: kept from nobody, and given to nobody. */
export const NO_PLACE: Place = {
  held: false,
  leave: () => undefined,
  away: (_account_id, work) => work(),
  passed: () => [],
  idle: (wait) => wait(new AbortController().signal),
};

interface Returning {
  readonly account_id: string;
  readonly resolve: () => void;
}

export function createPlaces(count: number): Places {
  let free = count;
  const entering: (() => void)[] = [];
  const returning: Returning[] = [];
  const idle = new Set<AbortController>();
  /** How many jobs without a place each account has. */
  const away = new Map<string, number>();
  const of_account_max = Math.max(AWAY_OF_ACCOUNT_MAX, count);
  let away_all = 0;
  let last_account = "";
  let last_returned = false;
  /** How often an account that was passed over ceased to be. */
  let changes = 0;

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

  const wakeIdle = (): void => {
    for (const waiting of idle) waiting.abort();
  };

  const takeAgain = async (account_id: string): Promise<void> => {
    if (free > 0) {
      free--;
      return;
    }
    const taken = new Promise<void>((resolve) => returning.push({ account_id, resolve }));
    wakeIdle();
    await taken;
  };

  /** `change`: 1 or -1. */
  const countAway = (account_id: string, change: number): void => {
    const now = (away.get(account_id) ?? 0) + change;
    away_all += change;
    if (now === 0) away.delete(account_id);
    else away.set(account_id, now);
    if (change > 0 || now !== of_account_max - 1) return;
    // Nothing else says that its jobs may be claimed again.
    changes++;
    wakeIdle();
  };

  const newPlace = (): Place => {
    let held = true;
    let seen = 0;
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
      passed() {
        seen = changes;
        return [...away].flatMap(([account_id, jobs]) => (jobs >= of_account_max ? [account_id] : []));
      },
      async idle(wait) {
        const interrupted = new AbortController();
        idle.add(interrupted);
        if (seen !== changes || returning.length > 0) interrupted.abort();
        try {
          return await wait(interrupted.signal);
        } finally {
          idle.delete(interrupted);
          // Whoever comes back has a job already; it takes its turn before this one claims.
          if (returning.length > 0) leave();
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
  };
}
