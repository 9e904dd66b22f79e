/** Operations: submissions, reads and ends. */

import type { Status, Work } from "../base/basics.ts";
import type { KeyedCall } from "./keys.ts";
import type { NewWebhook } from "./webhooks.ts";

/** Submissions, reads and ends. */
export interface OperationsStore {
  /**
   * Judges one submission: replay or reused key first, then balance, then everything is written. Concurrent submissions
   * may share a commit; each gets its own answer, in the order of arrival for one account, and none before the commit.
   */
  submit(submission: Submission): Promise<Submitted>;
  operation(id: string): Promise<Operation | undefined>;
  /** The `response` that it was submitted with. */
  firstResponse(id: string): Promise<string | undefined>;
  /**
   * What status reads are answered from: the cheapest look at an operation that there is. May be the same object again
   * while nothing in it has changed.
   */
  snapshot(id: string): Promise<Snapshot | undefined>;
  /**
   * In no particular order; unknown ids are left out. Without `reports` (default true) outputs are as lists have them.
   */
  snapshots(ids: readonly string[], reports?: boolean): Promise<readonly Snapshot[]>;
  /** The account's own, newest first. */
  list(account_id: string, filter: OperationFilter): Promise<readonly Snapshot[]>;
  /**
   * Up to `limit` ids of the account's operations that have this pair, newest first, after `skip` of them: how far a
   * list by metadata may look. A list itself looks at all that have its first pair.
   */
  tagged(account_id: string, key: string, value: string, page: TaggedPage): Promise<readonly string[]>;
  /**
   * Looks at up to `filter.limit` of the account's own, newest first, for requests whose JSON has all of these words,
   * anywhere and in any case. What is neither an ASCII letter nor a digit stands for anything: whoever needs more looks
   * closer.
   */
  search(account_id: string, filter: SearchFilter, words: readonly string[]): Promise<Searched>;
  /**
   * What of the account ended after `completed_at`, or in that millisecond with a larger id: oldest first, outputs as
   * lists have them.
   */
  endedAfter(
    account_id: string,
    after: { readonly completed_at: number; readonly id: string },
    limit: number,
  ): Promise<readonly Snapshot[]>;
  /**
   * True: this end won. False: the operation had ended, another attempt holds it, or its call's key is taken; nothing
   * was written.
   */
  terminate(end: End): Promise<boolean>;
  /**
   * Lowers what an operation costs, once, for an attempt that has measured its sources, and gives the rest back in the
   * same transaction. Resolves to what it costs now; to undefined where the attempt holds it no longer.
   */
  rebate(rebate: Rebate): Promise<number | undefined>;
  /**
   * Called with ids soon after their end was committed, here or on another node; with null when some may have been
   * missed.
   */
  onEnded(listener: (ids: readonly string[] | null) => void): () => void;
  /** Called with ids soon after their progress was recorded, here or on another node: a hint, which may be lost. */
  onProgress(listener: (ids: readonly string[]) => void): () => void;
}

/** A source of an operation, bound when it was submitted. */
export interface SourceBinding {
  /** Field of the request; `album.3` for an entry of a list, which are in order. */
  readonly name: string;
  /**
   * Key in the bucket for a URL of the account's own object; null: to be fetched. Objects bound to a `processing`
   * operation are never expired.
   */
  readonly object: string | null;
  readonly url: string;
}

export type Metadata = Readonly<Record<string, string>>;

/** The most that a job may weigh: what takes longer is as heavy. */
export const WEIGHT_MAX = 63;

/** Everything a submission writes, in one transaction: operation, idempotency binding, debit, ledger, job. */
export interface Submission {
  readonly id: string;
  readonly account_id: string;
  readonly action: string;
  /** Canonical lower-case UUID; unique for the account, across actions. */
  readonly idempotency_key: string;
  /** Hexadecimal SHA-256 of action and body after validation and defaults; tells a replay from a reused key. */
  readonly fingerprint: string;
  readonly cost: number;
  readonly work: Work;
  /**
   * About how many seconds its job has a worker, a whole number of 1 to `WEIGHT_MAX`: its account's later jobs wait for
   * so many turns.
   */
  readonly weight: number;
  /**
   * JSON of the validated request with defaults and the chosen seed. `keyOf` reads who asked, by whom use is counted.
   */
  readonly request: string;
  readonly sources: readonly SourceBinding[];
  readonly callback_url: string | null;
  /** Pairs that lists find it by; the request has them too. */
  readonly metadata: Metadata | null;
  /** When it is to fail unless it has ended; null: never. */
  readonly deadline_at: number | null;
  /** Body of the first response; a replay answers the same bytes. */
  readonly response: string;
  readonly created_at: number;
  /** Uploads that this submission uses: they live at least until `files_until`. */
  readonly files: readonly string[];
  readonly files_until: number;
  /** Of the key that it came with, where that has one; the cost counts against it. */
  readonly budget?: SubmissionBudget;
}

export interface SubmissionBudget {
  readonly key_id: string;
  /** Most credits of the period. */
  readonly credits: number;
  /** First millisecond of the period, UTC. */
  readonly since: number;
}

export type Submitted =
  | { readonly kind: "accepted" }
  | { readonly kind: "replayed"; readonly response: string }
  | { readonly kind: "key_reused" }
  | { readonly kind: "insufficient_credits"; readonly balance: number }
  /** `left`: of the key's budget. Nothing was written. */
  | { readonly kind: "key_budget_exceeded"; readonly left: number };

export interface Operation {
  readonly id: string;
  readonly account_id: string;
  readonly action: string;
  readonly work: Work;
  readonly status: Status;
  readonly idempotency_key: string;
  readonly cost: number;
  readonly request: string;
  readonly sources: readonly SourceBinding[];
  readonly callback_url: string | null;
  readonly created_at: number;
  /** When a worker first claimed it; null: it never did. */
  readonly started_at: number | null;
  readonly completed_at: number | null;
  /** When operation, outputs and idempotency key are forgotten; null while `processing`. */
  readonly expires_at: number | null;
  /** Fencing token: raised by every claim; 0 before the first. Kept after the end. */
  readonly attempt: number;
  /** True while a worker holds it. */
  readonly running: boolean;
  /** 0 to 1. */
  readonly progress: number;
  readonly stage: string | null;
  /** JSON array of core's stored outputs when `ready`. */
  readonly outputs: string | null;
  /** JSON object when `failed`. */
  readonly error: string | null;
}

/** What a client is shown of an operation, read in one go. */
export interface Snapshot extends Omit<Operation, "work" | "sources" | "attempt"> {
  /**
   * How many jobs of the same kind are before this one; null when it is not queued. Exact where it says 16 or less; a
   * larger number may be a second old. Counts to 10,000 at most.
   */
  readonly queue_position: number | null;
}

/** The one end of an operation. Takes effect only while it is `processing` and its attempt is `attempt`. */
export interface End {
  readonly id: string;
  readonly attempt: number;
  /** What it costs as far as its end was rendered: a rebate meanwhile wins. Absent: whatever it costs. */
  readonly cost?: number;
  readonly status: "ready" | "failed";
  readonly outputs: string | null;
  /** The same without reports, for lists. */
  readonly outputs_listed: string | null;
  readonly error: string | null;
  /** Give the cost back, in the same transaction. */
  readonly refund: boolean;
  readonly completed_at: number;
  readonly expires_at: number;
  /** Bucket keys that the operation names from now on. */
  readonly objects: readonly string[];
  readonly webhooks: readonly NewWebhook[];
  /** The call that ends it: its key is bound with the end. */
  readonly call?: KeyedCall;
}

export interface Rebate {
  readonly id: string;
  readonly attempt: number;
  /** What it costs from now on. */
  readonly cost: number;
  readonly at: number;
}

export interface TaggedPage {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** `limit`: 1 to 1,000. */
export type SearchFilter = Omit<OperationFilter, "metadata" | "reports">;

export interface Searched {
  /** Newest first, outputs as lists have them. */
  readonly found: readonly Snapshot[];
  /** The last that was looked at; null: none is left. */
  readonly reached: string | null;
}

export interface OperationFilter {
  /** Only those of one of these. */
  readonly actions?: readonly string[] | undefined;
  readonly statuses?: readonly Status[] | undefined;
  /** Only those with all of these pairs, of which there is at least one. */
  readonly metadata?: Metadata | undefined;
  /** Only operations whose id sorts before this one. */
  readonly before?: string | undefined;
  /** Only operations whose id sorts after this one; ids begin with their time, so that `idBound` makes a date of it. */
  readonly after?: string | undefined;
  /** 1 to 101. */
  readonly limit: number;
  /** Outputs with their reports; else `outputs_listed` stands for them. */
  readonly reports?: boolean;
}

/**
 * The id of the key that an operation was submitted with; `""`: none. It comes first in the stored request, so that
 * nobody has to read all of its JSON: SQL of the stores does the same.
 */
export const keyOf = (request: string): string => /^\{"key":"([^"]+)"/.exec(request)?.[1] ?? "";
