import type { DatabaseSync } from "node:sqlite";
import type { OperationsStore, Submission, Submitted, Work } from "../../ports/mod.ts";
import { prepare } from "./connection.ts";
import { prepareTouch } from "./files.ts";
import { createTurns } from "./jobs.ts";
import type { KeyIndex } from "./key_index.ts";
import { prepareCall, prepareIsCalled, prepareKeyUse } from "./keys.ts";
import { createBook, createBudgets, createManyBook, createParts } from "./ledger.ts";
import { createListing } from "./listing.ts";
import type { Sync } from "./sync.ts";
import { prepareNewWebhook } from "./webhooks.ts";

/** The moments of an operation that move credits: its submission, the measuring of its sources, and its end. */
export function operationVerbs(db: DatabaseSync, keys: KeyIndex) {
  const replay = prepareReplay(db, keys);
  const insertOperation = prepare(
    db,
    `INSERT INTO operations (row, id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, response,
       callback_url, created_at) VALUES (?, ?, ?, ?, ?, 'processing', ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertSource = prepare(
    db,
    "INSERT INTO operation_sources (operation_id, position, name, object, url) VALUES (?, ?, ?, ?, ?)",
  );
  const insertPair = prepare(
    db,
    "INSERT INTO operation_metadata (account_id, key, value, operation_id) VALUES (?, ?, ?, ?)",
  );
  const insertJob = prepare(
    db,
    "INSERT INTO jobs (operation_id, account_id, action, work, turn, deadline_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const touch = prepareTouch(db);

  const held = prepare<Held>(
    db,
    `SELECT j.account_id, j.work, j.attempt, j.started_at, j.progress, o.cost FROM jobs j CROSS JOIN operations o ON o.id = j.operation_id
     WHERE j.operation_id = ?`,
  );
  const lowerCost = prepare(db, "UPDATE operations SET cost = ?2 WHERE id = ?1");
  const isRebated = prepare<{ id: number }>(db, "SELECT id FROM ledger WHERE operation_id = ? AND kind = 'rebate'");
  const askedBy = prepare<Pick<Submission, "action" | "request">>(
    db,
    "SELECT action, request FROM operations WHERE id = ?",
  );
  const deleteJob = prepare(db, "DELETE FROM jobs WHERE operation_id = ?");
  const finish = prepare(
    db,
    `UPDATE operations SET status = ?2, outputs = ?3, error = ?4, completed_at = ?5, expires_at = ?6, attempt = ?7,
       started_at = ?8, progress = ?9, outputs_listed = ?10 WHERE id = ?1`,
  );
  const insertObject = prepare(db, "INSERT INTO objects (key, owner) VALUES (?, ?)");
  const insertWebhook = prepareNewWebhook(db);
  const keyUse = prepareKeyUse(db, keys);
  const insertCall = prepareCall(db);
  const book = createBook(db);
  const openBook = createManyBook(db);
  const budgets = createBudgets(db);
  const parts = createParts(db);
  const turns = createTurns(db);
  const listing = createListing(db);

  /** Judges and writes in order. What they share, balances, turns and lists, is read once and written once. */
  function submitAll(submissions: readonly Submission[]): Submitted[] {
    const accounts = openBook();
    const places = turns.open();
    const lists = listing.open();
    const used = parts.open();
    const answers = submissions.map((s): Submitted => {
      const credits = accounts.balance(s.account_id);
      if (credits < s.cost) {
        return (
          replay(s.account_id, s.idempotency_key, s.fingerprint) ?? { kind: "insufficient_credits", balance: credits }
        );
      }
      const budget = s.cost > 0 ? s.budget : undefined;
      const left = budget === undefined ? s.cost : budgets.left(budget);
      if (left < s.cost)
        return replay(s.account_id, s.idempotency_key, s.fingerprint) ?? { kind: "key_budget_exceeded", left };
      const before = keys.find(s.account_id, s.idempotency_key);
      if (before !== undefined) return answerAgain(before, s.fingerprint);
      // A trigger says whether another call has the key: nobody looks twice.
      const inserted = insertOperation.run(
        keys.addSought(),
        s.id,
        s.account_id,
        s.action,
        s.work,
        s.idempotency_key,
        s.fingerprint,
        s.cost,
        s.request,
        s.response,
        s.callback_url,
        s.created_at,
      );
      if (inserted === 0) return { kind: "key_reused" };
      for (const [position, source] of s.sources.entries()) {
        insertSource.run(s.id, position, source.name, source.object, source.url);
      }
      if (s.metadata !== null)
        for (const [key, value] of Object.entries(s.metadata)) insertPair.run(s.account_id, key, value, s.id);
      if (s.cost > 0) accounts.debit(s.account_id, s.id, s.cost, s.action, s.created_at);
      if (budget !== undefined) budgets.spend(budget, s.id, s.cost);
      insertJob.run(s.id, s.account_id, s.action, s.work, places.next(s.account_id, s.work, s.weight), s.deadline_at);
      lists.add(s.account_id, s.action, s.id);
      used.add(s);
      for (const file of s.files) touch.run(file, s.files_until);
      return ACCEPTED;
    });
    accounts.keep();
    places.keep();
    lists.keep();
    used.keep();
    return answers;
  }

  /** Counts what came back where it was counted when it was taken, by action and key. */
  function giveBack(id: string, { account_id }: Held, back: { refunded?: number; rebated?: number }, at: number): void {
    const asked = askedBy.look(id);
    if (asked !== undefined) parts.giveBack(account_id, asked, back, at);
  }

  return {
    submit: (submission) => submitAll([submission])[0]!,
    /** `submit` for a run of them in one transaction. */
    submitAll,

    terminate(end) {
      const job = held.look(end.id);
      if (job === undefined || job.attempt !== end.attempt || (end.cost ?? job.cost) !== job.cost) return false;
      const { call } = end;
      if (call !== undefined && keyUse(call.account_id, call.idempotency_key) !== undefined) return false;
      const progress = end.status === "ready" ? 1 : job.progress;
      finish.run(
        end.id,
        end.status,
        end.outputs,
        end.error,
        end.completed_at,
        end.expires_at,
        job.attempt,
        job.started_at,
        progress,
        end.outputs_listed,
      );
      deleteJob.run(end.id);
      if (job.attempt === 0) {
        listing.listAll();
        turns.giveBack(job.account_id, job.work);
      }
      if (end.refund && job.cost > 0) {
        book(job.account_id, end.id, "refund", job.cost, end.status, end.completed_at);
        budgets.giveBack(end.id, job.cost);
        giveBack(end.id, job, { refunded: job.cost }, end.completed_at);
      }
      for (const key of end.objects) insertObject.run(key, end.id);
      for (const webhook of end.webhooks) insertWebhook(webhook, end.id, job.account_id, end.completed_at);
      if (call !== undefined) insertCall(call);
      return true;
    },

    rebate({ id, attempt, cost, at }) {
      const job = held.look(id);
      if (job?.attempt !== attempt) return undefined;
      if (cost >= job.cost || isRebated.look(id) !== undefined) return job.cost;
      book(job.account_id, id, "rebate", job.cost - cost, "measured", at);
      budgets.giveBack(id, job.cost - cost);
      giveBack(id, job, { rebated: job.cost - cost }, at);
      lowerCost.run(id, cost);
      return cost;
    },
  } satisfies Partial<Sync<OperationsStore>> & { submitAll(submissions: readonly Submission[]): Submitted[] };
}

const ACCEPTED: Submitted = { kind: "accepted" };

interface Held {
  readonly account_id: string;
  readonly work: Work;
  readonly attempt: number;
  readonly started_at: number | null;
  readonly progress: number;
  readonly cost: number;
}

/** What `submit` says of a key that is taken; undefined: it is free. */
function prepareReplay(db: DatabaseSync, keys: KeyIndex) {
  const isCalled = prepareIsCalled(db);
  return (account_id: string, idempotency_key: string, fingerprint: string): Submitted | undefined => {
    const first = keys.find(account_id, idempotency_key);
    if (first === undefined) return isCalled(account_id, idempotency_key) ? { kind: "key_reused" } : undefined;
    return answerAgain(first, fingerprint);
  };
}

const answerAgain = (first: { fingerprint: string; response: string }, fingerprint: string): Submitted =>
  first.fingerprint === fingerprint ? { kind: "replayed", response: first.response } : { kind: "key_reused" };
