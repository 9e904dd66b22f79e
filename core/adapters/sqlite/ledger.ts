/** The ledger: the one way credits move, and what is read of it. */
import type { DatabaseSync } from "node:sqlite";
import { DAY_MS } from "../../base/basics.ts";
import {
  type AccountsStore,
  keyOf,
  type LedgerEntry,
  type LedgerKind,
  type Submission,
  type SubmissionBudget,
  type UsageDay,
  type UsagePart,
} from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { prepare } from "./connection.ts";
import { prepareListed } from "./listing.ts";
import type { Sync } from "./sync.ts";

export function ledgerReads(db: DatabaseSync) {
  const columns = FIELDS.line.map((name) => `l.${name}`);
  // Of all accounts, a thousand or two.
  const newest = prepare<LedgerEntry>(
    db,
    `SELECT ${columns} FROM ledger l WHERE l.id > ? AND l.id < ? AND l.account_id = ? ORDER BY l.id DESC LIMIT ?`,
  );
  const older = prepare<LedgerEntry>(
    db,
    `SELECT ${columns} FROM ledger_lists x CROSS JOIN ledger l ON l.id = x.line
     WHERE x.account_id = ? AND x.line < ? ORDER BY x.line DESC LIMIT ?`,
  );
  const listed = prepareListed(db);
  const parts = prepare<UsagePart>(
    db,
    `SELECT ${FIELDS.part} FROM usage_parts WHERE day = ? AND account_id = ? ORDER BY action, key_id`,
  );
  return {
    ledger(account_id, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const { line } = listed();
      const lines = newest.all(line, before, account_id, limit);
      // What is listed meanwhile is among the newest already.
      return [...lines, ...older.all(account_id, Math.min(before, line + 1), limit - lines.length)];
    },
    usage: prepare<UsageDay>(
      db,
      `SELECT ${FIELDS.day} FROM usage_days WHERE account_id = ? AND day >= ? AND day < ? ORDER BY day`,
    ).all,
    usageParts(account_id, from, until) {
      const days = Math.ceil((until - from) / DAY_MS);
      return Array.from({ length: days }, (_, index) => parts.all(from + index * DAY_MS, account_id)).flat();
    },
  } satisfies Partial<Sync<AccountsStore>>;
}

/**
 * The one way credits move: the balance and its ledger line together. Returns the new balance.
 * Throws where the balance would fall below zero or the line exists already; the caller asks first.
 */
export function createBook(db: DatabaseSync) {
  const { balance, setBalance, write } = prepareBook(db);
  return (
    account_id: string,
    operation_id: string | null,
    kind: LedgerKind,
    credits: number,
    note: string,
    at: number,
  ): number => {
    const before = balance(account_id);
    if (before === undefined)
      throw new Error(`Cannot move credits of account "${account_id}": there is no such account`);
    setBalance(account_id, before + credits);
    write(account_id, operation_id, kind, credits, note, at, UNCOUNTED);
    return before + credits;
  };
}

/**
 * As `createBook`, for many lines in one transaction: each balance is read once and written once, and so is its usage
 * of a day, by `keep`.
 */
export function createManyBook(db: DatabaseSync) {
  const { balance, setBalance, write } = prepareBook(db);
  const count = prepare(
    db,
    `INSERT INTO usage_days (account_id, day, debited, operations) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, day) DO UPDATE SET debited = debited + excluded.debited, operations = operations + excluded.operations`,
  );
  return () => {
    const accounts = new Map<string, { readonly before: number; now: number; readonly days: Days }>();
    const accountOf = (account_id: string) => {
      const known = accounts.get(account_id);
      if (known !== undefined) return known;
      const before = balance(account_id);
      if (before === undefined) throw new Error(`Cannot charge account "${account_id}": there is no such account`);
      const account = { before, now: before, days: new Map() };
      accounts.set(account_id, account);
      return account;
    };
    return {
      balance: (account_id: string): number => accountOf(account_id).now,
      debit(account_id: string, operation_id: string, cost: number, note: string, at: number): void {
        const account = accountOf(account_id);
        account.now -= cost;
        const day = at - (at % DAY_MS);
        const used = account.days.get(day) ?? { debited: 0, operations: 0 };
        account.days.set(day, { debited: used.debited + cost, operations: used.operations + 1 });
        write(account_id, operation_id, "debit", -cost, note, at, COUNTED);
      },
      keep(): void {
        for (const [account_id, { before, now, days }] of accounts) {
          if (now !== before) setBalance(account_id, now);
          for (const [day, { debited, operations }] of days) count.run(account_id, day, debited, operations);
        }
      },
    };
  };
}

/** By the first millisecond of each. */
type Days = Map<number, { readonly debited: number; readonly operations: number }>;

/** Whether `usage_days` has the line from whoever writes it, or is to have it from its trigger. */
const COUNTED = 1;
const UNCOUNTED = 0;

function prepareBook(db: DatabaseSync) {
  // Two statements, not one with RETURNING: that fills a table of its own for its row and takes twice as long.
  const select = prepare<{ credits: number }>(db, "SELECT credits FROM accounts WHERE id = ?");
  const move = prepare(db, "UPDATE accounts SET credits = ?2 WHERE id = ?1");
  const insert = prepare(
    db,
    "INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at, counted) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  return {
    balance: (account_id: string): number | undefined => select.look(account_id)?.credits,
    setBalance: (account_id: string, credits: number): void => void move.run(account_id, credits),
    write(...line: readonly [string, string | null, LedgerKind, number, string, number, number]): void {
      insert.run(...line);
    },
  };
}

/**
 * Usage by action and key, beside the ledger: rows of one transaction are counted together and written once, by `keep`.
 */
export function createParts(db: DatabaseSync) {
  const add = prepare(
    db,
    `INSERT INTO usage_parts (day, account_id, action, key_id, operations, debited, refunded, rebated) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, account_id, action, key_id) DO UPDATE SET operations = operations + excluded.operations,
       debited = debited + excluded.debited, refunded = refunded + excluded.refunded, rebated = rebated + excluded.rebated`,
  );
  const dayOf = (at: number): number => at - (at % DAY_MS);
  return {
    open() {
      const parts = new Map<string, Omit<UsagePart, "refunded" | "rebated"> & { readonly account_id: string }>();
      return {
        add({ account_id, action, cost, request, created_at }: Counted): void {
          const key_id = keyOf(request);
          const name = `${account_id} ${action} ${key_id} ${dayOf(created_at)}`;
          const { operations = 0, debited = 0 } = parts.get(name) ?? {};
          const counts = { operations: operations + 1, debited: debited + cost };
          parts.set(name, { account_id, action, key_id, day: dayOf(created_at), ...counts });
        },
        keep(): void {
          for (const { day, account_id, action, key_id, operations, debited } of parts.values())
            add.run(day, account_id, action, key_id, operations, debited, 0, 0);
        },
      };
    },
    giveBack: (
      account_id: string,
      { action, request }: Pick<Counted, "action" | "request">,
      { refunded = 0, rebated = 0 }: Partial<Pick<UsagePart, "refunded" | "rebated">>,
      at: number,
    ) => void add.run(dayOf(at), account_id, action, keyOf(request), 0, 0, refunded, rebated),
  };
}

type Counted = Pick<Submission, "account_id" | "action" | "cost" | "request" | "created_at">;

/** What operations of a key have cost since the beginning of a period. */
export function prepareSpending(db: DatabaseSync): (key_id: string, since: number) => number {
  const select = prepare<{ credits: number }>(db, "SELECT credits FROM key_spending WHERE key_id = ? AND since = ?");
  return (key_id, since) => select.look(key_id, since)?.credits ?? 0;
}

/** Budgets of keys, beside the balance of their account: most submissions have none. */
export function createBudgets(db: DatabaseSync) {
  const spent = prepareSpending(db);
  const add = prepare(
    db,
    `INSERT INTO key_spending (key_id, since, credits) VALUES (?1, ?2, ?3)
     ON CONFLICT (key_id, since) DO UPDATE SET credits = credits + ?3`,
  );
  const note = prepare(db, "INSERT INTO key_debits (operation_id, key_id, since) VALUES (?, ?, ?)");
  const giveBack = prepare(
    db,
    `UPDATE key_spending SET credits = credits - ?2
     WHERE (key_id, since) = (SELECT key_id, since FROM key_debits WHERE operation_id = ?1)`,
  );
  return {
    left: ({ key_id, credits, since }: SubmissionBudget): number => Math.max(0, credits - spent(key_id, since)),
    spend({ key_id, since }: SubmissionBudget, operation_id: string, cost: number): void {
      add.run(key_id, since, cost);
      note.run(operation_id, key_id, since);
    },
    /** To the period that the operation was submitted in, also where that is over. */
    giveBack: giveBack.write,
  };
}
