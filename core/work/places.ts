/**
 * Places at work, for one kind of it. A job that waits for sources from elsewhere gives its place to others meanwhile:
 * whoever has them come slowly would hold a node's only place for a minute, and everybody else's jobs up. Jobs without
 * a place are few, and few of one account. And one place is beside the others: for accounts without a job here while
 * those that have some keep all places.
 */
import type { Clock } from "../ports/mod.ts";

/** Jobs of one kind of work that may wait for sources beside those that have a place. */
export const AWAY_MAX = 16;
/** As many as that of one account, where there are no more places than that. */
const AWAY_OF_ACCOUNT_MAX = 4;

/** How long whoever finds every place taken waits before it gets one beside them. */
const BESIDE_MS = 100;

/** Of a job that is claimed or runs. */
export interface Place {
  /** Beside the others: for an account that has no job here. */
  readonly beside: boolean;
  /** Gives it up; nothing where it is not held, as after an `away` that rejected. */
  leave(): void;
  /** Does `work` without a place, unless too many do already, and takes one again before it resolves. */
  away<Result>(account_id: string, work: () => Promise<Result>): Promise<Result>;
}

export interface Places {
  /**
   * Resolves to a place, to the one beside all of them where none gets free in time, and to undefined where `signal`
   * aborts first. One asks at a time.
   */
  enter(signal: AbortSignal): Promise<Place | undefined>;
  /** Accounts whose jobs are not to be claimed now: they have as many without a place as one may. */
  passed(): readonly string[];
  /** Aborts when one of `passed` may be claimed again: nothing else says so. */
  changed(): AbortSignal;
}

interface Returning {
  readonly account_id: string;
  readonly resolve: () => void;
}

export function createPlaces(count: number, clock: Clock): Places {
  let free = count;
  let free_beside = true;
  let entering: (() => void) | undefined;
  const returning: Returning[] = [];
  /** How many jobs without a place each account has. */
  const away = new Map<string, number>();
  const of_account_max = Math.max(AWAY_OF_ACCOUNT_MAX, count);
  let away_all = 0;
  let last_account = "";
  let last_returned = false;
  let change = new AbortController();

  /**
   * In turn one that comes back and one that claims, so that neither keeps the other waiting; of those that come back,
   * another account's.
   */
  const passOn = (): void => {
    const comes_back = returning.length > 0 && (!last_returned || entering === undefined);
    last_returned = comes_back;
    if (!comes_back) {
      if (entering === undefined) free++;
      else entering();
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

  const newPlace = (beside: boolean): Place => {
    let held = true;
    if (beside) free_beside = false;
    const leave = (): void => {
      if (!held) return;
      held = false;
      if (beside) free_beside = true;
      else passOn();
    };
    return {
      beside,
      leave,
      async away(account_id, work) {
        if (beside || away_all >= AWAY_MAX) return work();
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
        return newPlace(false);
      }
      return new Promise((resolve) => {
        const settle = (place: Place | undefined): void => {
          entering = undefined;
          stop();
          signal.removeEventListener("abort", giveUp);
          resolve(place);
        };
        const giveUp = (): void => settle(undefined);
        const lookBeside = (): (() => void) =>
          clock.after(BESIDE_MS, () => {
            if (free_beside) settle(newPlace(true));
            else stop = lookBeside();
          });
        let stop = lookBeside();
        entering = () => settle(newPlace(false));
        signal.addEventListener("abort", giveUp, { once: true });
      });
    },
    passed: () => [...away].flatMap(([account_id, jobs]) => (jobs >= of_account_max ? [account_id] : [])),
    changed: () => change.signal,
  };
}
