/**
 * Tells owners by mail of what was done to their account. The store says what is due, so that nothing is forgotten when
 * a process ends or the mail server is away, and two nodes do not both send. One mail for all that is due together of
 * an account.
 */
import {
  type AccountsStore,
  type Clock,
  describeError,
  every,
  type Log,
  type PeopleStore,
} from "../../../core/surface.ts";
import type { Mail, Mailer } from "./mail.ts";

export interface OwnerMailServices {
  readonly store: Pick<AccountsStore, "account"> & Pick<PeopleStore, "users">;
  readonly clock: Clock;
  readonly mailer: Mailer | undefined;
  readonly log: Log;
}

/** One kind of news. */
export interface News<Item extends { readonly id: string; readonly account_id: string }> {
  /** What stands before the dot in the log. */
  readonly about: string;
  /** What is due, for `lease_ms` nobody else's to send. */
  claim(
    now: number,
    lease_ms: number,
    limit: number,
  ): Promise<readonly { readonly item: Item; readonly attempts: number }[]>;
  /** When to try again; null: never. */
  settle(id: string, next_at: number | null): Promise<void>;
  /** `name`: of the account. */
  write(account_id: string, name: string, items: readonly Item[]): Promise<Pick<Mail, "subject" | "text">>;
}

export interface OwnerMails {
  /** There may be something to send. */
  wake(): void;
  /** Begins nothing more; resolves when what was being sent is. */
  stop(): Promise<void>;
}

const POLL_MS = 60_000;
/** Above the longest that a mail server may take (mail.ts). */
const LEASE_MS = 120_000;
const CLAIM_MAX = 500;
/** 1 min, 2, 4, … at most 6 h: the last of 14 attempts is two days after the first. */
const RETRY_MS = 60_000;
const RETRY_MS_MAX = 6 * 3_600_000;
const ATTEMPTS_MAX = 14;

export function startOwnerMails<Item extends { readonly id: string; readonly account_id: string }>(
  { store, clock, mailer, log }: OwnerMailServices,
  { about, claim, settle, write }: News<Item>,
): OwnerMails {
  if (mailer === undefined) return { wake: () => undefined, stop: async () => undefined };
  let stopped = false;
  let running: Promise<void> | undefined;
  let again = false;

  const settleAll = async (items: readonly Item[], next_at: number | null): Promise<void> => {
    for (const { id } of items) await settle(id, next_at);
  };

  const tell = async (account_id: string, items: readonly Item[]): Promise<void> => {
    const owners = (await store.users(account_id)).filter(
      ({ role, disabled_at }) => role === "owner" && disabled_at === null,
    );
    if (owners.length === 0) {
      log(`${about}.nobody_to_mail`, { account: account_id, reports: items.length });
      return settleAll(items, null);
    }
    const name = (await store.account(account_id))?.name ?? account_id;
    await mailer.send({ to: owners.map(({ email }) => email), ...(await write(account_id, name, items)) });
    await settleAll(items, null);
    log(`${about}.mailed`, { account: account_id, reports: items.length, owners: owners.length });
  };

  const send = async (): Promise<void> => {
    const due = await claim(clock.now(), LEASE_MS, CLAIM_MAX);
    for (const [account_id, of] of Map.groupBy(due, ({ item }) => item.account_id)) {
      const items = of.map(({ item }) => item);
      try {
        await tell(account_id, items);
      } catch (error) {
        const attempts = Math.max(...of.map((one) => one.attempts));
        const given_up = attempts >= ATTEMPTS_MAX;
        log(`${about}.mail_failed`, { account: account_id, attempts, given_up, error: describeError(error) });
        const wait = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (attempts - 1));
        await settleAll(items, given_up ? null : clock.now() + wait);
      }
    }
    again ||= due.length === CLAIM_MAX;
  };

  const run = async (): Promise<void> => {
    do {
      again = false;
      try {
        await send();
      } catch (error) {
        log(`${about}.store_away`, { error: describeError(error) });
      }
    } while (again && !stopped);
    running = undefined;
  };

  const wake = (): void => {
    if (stopped) return;
    again = true;
    running ??= run();
  };

  const stopPolling = every(clock, POLL_MS, async () => wake());
  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      stopPolling();
      await running;
    },
  };
}
