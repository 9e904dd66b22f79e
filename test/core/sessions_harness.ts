/** Sessions on a real store, with a clock that tests own, cheap passwords, and a mailbox. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers";
import { createAudit } from "../../core/accounts/audit.ts";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { Refusal } from "../../core/base/errors.ts";
import { createSecrets } from "../../core/base/secrets.ts";
import type { Role, Store } from "../../core/ports/mod.ts";
import type { Mail } from "../../plugins/dashboard/people/mail.ts";
import type { FormRefused } from "../../plugins/dashboard/people/members.ts";
import { createPasswords, type Passwords } from "../../plugins/dashboard/people/passwords.ts";
import type { Entered, Sessions, Visit } from "../../plugins/dashboard/people/session_types.ts";
import { createSessions } from "../../plugins/dashboard/people/sessions.ts";
import { issueLink } from "../../plugins/dashboard/people/sign_in_links.ts";
import { addUser } from "../add_user.ts";
import { type FakeClock, fakeClock } from "../clock.ts";

export const PASSWORD = "correct horse battery";
const BASE_URL = "https://tonwerk.example.com";

export interface SessionsHarness {
  readonly sessions: Sessions;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly mails: Mail[];
  readonly logged: string[];
  /** How often a password was checked, whether or not there was one. */
  checks(): number;
  /** The path of a link for somebody new, or for a user. */
  link(account_id: string, user_id?: string): Promise<string>;
  /** An account with one user who may sign in with PASSWORD. */
  addUser(email: string, role?: Role, account_id?: string): Promise<{ account_id: string; user_id: string }>;
  /** Resolves when what goes on after an answer is done: the reads and the write of a mail that is sent, or not. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function openSessions({ mail = true }: { readonly mail?: boolean } = {}): Promise<SessionsHarness> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-sessions-"));
  const clock = fakeClock();
  const store = await openSqliteStore({ file: join(folder, "tonwerk.db"), clock });
  let under_way = 0;
  const counted = new Proxy(store, {
    get(target, name: keyof Store) {
      const verb = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        const answer = verb(...args);
        if (!(answer instanceof Promise)) return answer;
        under_way++;
        return answer.finally(() => under_way--);
      };
    },
  });
  const mails: Mail[] = [];
  const logged: string[] = [];
  const real = createPasswords({ ln: 4, r: 8, p: 1 });
  let checks = 0;
  const passwords: Passwords = {
    hash: real.hash,
    verify(password, kept) {
      checks++;
      return real.verify(password, kept);
    },
  };
  const log = (event: string, fields: object = {}) => void logged.push(JSON.stringify({ event, ...fields }));
  const sessions = createSessions({
    config: { base_url: BASE_URL, trusted_proxies: [] },
    store: counted,
    clock,
    secrets: createSecrets({ secret: "B".repeat(44) }),
    passwords,
    mailer: mail ? { send: async (sent) => void mails.push(sent) } : undefined,
    log,
    audit: createAudit({ store: counted, clock, log, days: 400 }),
  });
  let count = 0;
  return {
    sessions,
    store,
    clock,
    mails,
    logged,
    checks: () => checks,
    async link(account_id, user_id) {
      const { url } = await issueLink({ store, clock, base_url: BASE_URL }, account_id, user_id ?? null, 3_600_000);
      return tokenOf(url);
    },
    async addUser(email, role = "owner", account_id = `acc_${++count}`) {
      if ((await store.account(account_id)) === undefined) {
        await store.createAccount({ id: account_id, name: `Account ${count}`, credits: 0, created_at: clock.now() });
      }
      const user_id = `usr_${email}`;
      const password = await real.hash(PASSWORD);
      await addUser(store, { id: user_id, account_id, email, role, password, created_at: clock.now() });
      return { account_id, user_id };
    },
    async settled() {
      do await new Promise((resolve) => setImmediate(resolve));
      while (under_way > 0);
    },
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const tokenOf = (url: string): string => new URL(url).searchParams.get("token") ?? "";

/** A POST as a browser on our own page sends it. */
export function visit(cookie = "", address = "192.0.2.1", headers: Readonly<Record<string, string>> = {}): Visit {
  const request = new Request(`${BASE_URL}/dashboard/sign-in`, {
    method: "POST",
    headers: { host: "tonwerk.example.com", origin: BASE_URL, ...(cookie === "" ? {} : { cookie }), ...headers },
  });
  return { request, peer: { address } };
}

/** The Cookie header that a browser sends after these Set-Cookie values. */
export function cookieOf(set: readonly string[]): string {
  return set.map((one) => one.split(";", 1)[0]!).join("; ");
}

/** The cookie of an entry that must have worked. */
export function entered(outcome: Entered): string {
  if (outcome.kind !== "entered") throw new Error(`Refused: ${outcome.why}`);
  return cookieOf(outcome.cookies);
}

export async function withSessions(
  run: (h: SessionsHarness) => Promise<void>,
  options: { mail?: boolean } = {},
): Promise<void> {
  const h = await openSessions(options);
  try {
    await run(h);
  } finally {
    await h.close();
  }
}

export const why = (outcome: Entered | FormRefused): string =>
  outcome.kind === "refused" ? outcome.why : outcome.kind;
export const DAY_MS = 86_400_000;

export async function status(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}

export async function ownerOf(h: SessionsHarness, email = "owner@example.com") {
  await h.addUser(email, "owner");
  const cookie = entered(await h.sessions.signIn(visit(), { email, password: PASSWORD }));
  return (await h.sessions.current(visit(cookie).request))!;
}

export const tokenIn = ({ text }: { readonly text: string }): string => tokenOf(/https:\S+token=\S+/u.exec(text)![0]);
