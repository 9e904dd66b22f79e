/**
 * Reads, submissions and pages of the list at fixed rates beside each other, as clients of twenty accounts send them to
 * a store of preloaded operations.
 */
import { randomUUID } from "node:crypto";
import { type Ask, openConnections } from "../../cli/bench/connections.ts";
import { type Outcome, type Run, runAtPace } from "../../cli/bench/pace.ts";
import { PRELOADED_ACTION, PRELOADED_SOURCE, preloadedId } from "../../cli/bench/preload.ts";

export const KINDS = ["reads", "submissions", "lists"] as const;
export type Kind = (typeof KINDS)[number];
/** Of each kind a second; 0: none. */
export type Rates = Readonly<Record<Kind, number>>;
export type Loaded = Readonly<Partial<Record<Kind, Run>>>;

export interface Subject {
  readonly url: string;
  /** One for each account; the ended operation `i` belongs to the one at `i` modulo their number. */
  readonly keys: readonly string[];
  /** How many ended operations there are. */
  readonly operations: number;
  /** Reads ask for the newest of them alone, so many. */
  readonly recent?: number;
}

export interface Phase {
  readonly rates: Rates;
  readonly seconds: number;
  readonly warm_up_s: number;
  /** Told when counting begins, by `performance.now()`. */
  readonly onCounted?: (at: number) => void;
}

/** Of each kind: clients that read do not share theirs with those whose submissions wait for the disk. */
const CONNECTIONS = 64;
/** The newest, those of a status, and those that a filter takes out of the middle. */
const LISTS = [
  "/v1/operations?limit=50",
  "/v1/operations?limit=50&status=failed",
  `/v1/operations?limit=50&action=${PRELOADED_ACTION}&status=ready`,
];
/** Clients read what they submitted not long ago. */
const RECENT = 10_000;
/** Above a restart of everything: what takes longer is lost. */
const TIMEOUT_MS = 20_000;

export async function load({ url, keys, operations, recent = RECENT }: Subject, phase: Phase): Promise<Loaded> {
  const { rates, seconds, warm_up_s, onCounted } = phase;
  const heads = keys.map((key) => `authorization: Bearer ${key}\r\ncontent-type: application/json\r\n`);
  const headOf = (index: number): string => heads[index % heads.length]!;
  const path = `/v1/${PRELOADED_ACTION}`;
  const source = JSON.stringify(PRELOADED_SOURCE);
  const makes: Readonly<Record<Kind, (index: number) => Ask>> = {
    reads() {
      const at = operations - 1 - Math.floor(Math.random() * Math.min(operations, recent));
      return { method: "GET", url: `${path}?id=${preloadedId(at)}`, head: headOf(at) };
    },
    submissions: (index) => ({
      method: "PUT",
      url: path,
      head: headOf(index),
      body: `{"idempotency_key":"${randomUUID()}","source":${source}}`,
    }),
    // What the dashboard shows of an account too.
    lists: (index) => ({ method: "GET", url: LISTS[index % LISTS.length]!, head: headOf(index) }),
  };
  const kinds = KINDS.filter((kind) => rates[kind] > 0).map(
    (kind) => [kind, openConnections(url, { connections: CONNECTIONS, timeout_ms: TIMEOUT_MS })] as const,
  );
  try {
    setTimeout(() => onCounted?.(performance.now()), 1_000 * warm_up_s);
    const runs = await Promise.all(
      kinds.map(async ([kind, connections]) => {
        const begin = async (index: number): Promise<Outcome> => {
          const { status, fault } = await connections.ask(makes[kind](index));
          return status === 200 ? {} : { failed: fault ?? String(status) };
        };
        const run = await runAtPace(begin, { rate: rates[kind], seconds, warm_up_s, patience_ms: TIMEOUT_MS });
        return [kind, run] as const;
      }),
    );
    return Object.fromEntries(runs);
  } finally {
    for (const [, connections] of kinds) connections.close();
  }
}
