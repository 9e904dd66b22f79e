/**
 * Tells owners by mail that keys of theirs were reported. The store says what is due, so that no report is forgotten when a process ends
 * or the mail server is away, and two nodes do not both send. One mail for all reports of an account that are due together.
 */
import {
  type AccountsStore,
  type Clock,
  describeError,
  every,
  type LeakReport,
  type LeaksStore,
  type Log,
  type PeopleStore,
} from "../../../core/surface.ts";
import type { Mailer } from "../people/mail.ts";

export interface LeakMailServices {
  readonly store: LeaksStore & Pick<AccountsStore, "account" | "keys"> & Pick<PeopleStore, "users">;
  readonly clock: Clock;
  readonly mailer: Mailer | undefined;
  readonly log: Log;
  readonly base_url: string;
}

export interface LeakMails {
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
/** Places that one mail lists. */
const LISTED_MAX = 20;

export function startLeakMails({ store, clock, mailer, log, base_url }: LeakMailServices): LeakMails {
  if (mailer === undefined) return { wake: () => undefined, stop: async () => undefined };
  let stopped = false;
  let running: Promise<void> | undefined;
  let again = false;

  async function tell(account_id: string, due: readonly { report: LeakReport; attempts: number }[]): Promise<void> {
    const reports = due.map(({ report }) => report);
    const owners = (await store.users(account_id)).filter(
      ({ role, disabled_at }) => role === "owner" && disabled_at === null,
    );
    if (owners.length === 0) {
      log("leak.nobody_to_mail", { account: account_id, reports: reports.length });
      await settle(reports, null);
      return;
    }
    const account = await store.account(account_id);
    const keys = new Map((await store.keys(account_id)).map((key) => [key.id, key]));
    const lines = reports.slice(0, LISTED_MAX).map(({ key_id, url, source, revoked }) => {
      const key = keys.get(key_id);
      const name = `"${key?.label ?? ""}", ending in ${key?.last_four ?? "?"}`;
      const state = key?.revoked_at != null || revoked ? "revoked" : "still valid";
      return `- ${name} (${state}), found in ${url === "" ? "a place that was not named" : url}${source === "" ? "" : ` (${source})`}`;
    });
    if (reports.length > LISTED_MAX) lines.push(`- and ${reports.length - LISTED_MAX} more places`);
    const all_revoked = reports.every(({ key_id, revoked }) => revoked || keys.get(key_id)?.revoked_at != null);
    const advice = all_revoked
      ? "The keys were revoked, as your account has chosen. Replace them where they were in use."
      : "Whoever finds a key can spend your credits and read your operations. Create a new key, replace the old one where it is in use, and revoke it:";
    await mailer!.send({
      to: owners.map(({ email }) => email),
      subject: `An API key of ${account?.name ?? account_id} was found in public`,
      text: `API keys of the account "${account?.name ?? account_id}" at ${base_url} were reported as found in public:\n\n${lines.join("\n")}\n\n${advice}\n\n${base_url}/dashboard\n`,
    });
    await settle(reports, null);
    log("leak.mailed", { account: account_id, reports: reports.length, owners: owners.length });
  }

  async function settle(reports: readonly LeakReport[], next_at: number | null): Promise<void> {
    for (const { id } of reports) await store.recordLeakMail(id, next_at);
  }

  async function send(): Promise<void> {
    const due = await store.claimLeakMails(clock.now(), LEASE_MS, CLAIM_MAX);
    const accounts = Map.groupBy(due, ({ report }) => report.account_id);
    for (const [account_id, of] of accounts) {
      try {
        await tell(account_id, of);
      } catch (error) {
        const attempts = Math.max(...of.map((one) => one.attempts));
        const given_up = attempts >= ATTEMPTS_MAX;
        log("leak.mail_failed", { account: account_id, attempts, given_up, error: describeError(error) });
        const wait = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (attempts - 1));
        await settle(
          of.map(({ report }) => report),
          given_up ? null : clock.now() + wait,
        );
      }
    }
    again ||= due.length === CLAIM_MAX;
  }

  async function run(): Promise<void> {
    do {
      again = false;
      try {
        await send();
      } catch (error) {
        log("leak.store_away", { error: describeError(error) });
      }
    } while (again && !stopped);
    running = undefined;
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    running ??= run();
  }

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
