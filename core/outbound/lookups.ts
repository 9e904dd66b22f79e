/**
 * Look-ups of host names for all accounts: each with a deadline, few at a time for each account, concurrent ones of a name joined, and names
 * that did not resolve refused for a while. Nobody's unanswered names keep others waiting. Judging the addresses is left to who asks.
 */
import type { AskNames } from "./dns.ts";
import { OutboundError } from "./error.ts";
import type { Resolve, ResolvedAddress } from "./target.ts";

export interface LookupOptions {
  readonly ask: AskNames;
  /** How long one look-up may take, from its start. */
  readonly lookup_ms: number;
  readonly account_max?: number;
  readonly total_max?: number;
  readonly now?: () => number;
}

export interface Lookups {
  /** Rejects with OutboundError: `unreachable`, `timeout`, or what `signal` was aborted with. */
  readonly resolve: Resolve;
  /** Look-ups under way, in line, and names that are refused. */
  size(): { readonly running: number; readonly waiting: number; readonly refused: number };
}

/** Look-ups of one account at a time: a name server answers in some 20 ms, and one that never does holds its place for 2 s. */
const ACCOUNT_MAX = 4;
/** Of all accounts: two packets and a socket each. */
const TOTAL_MAX = 128;
/** Shorter than the third attempt of a webhook is away, so that a short trouble of the name server costs it one attempt. */
const REFUSED_MS = 10_000;
const REFUSED_MAX = 4_096;

interface Ticket {
  readonly host: string;
  serve(answer: Promise<readonly ResolvedAddress[]>): void;
}

interface Line {
  running: number;
  readonly waiting: Set<Ticket>;
}

export function createLookups({
  ask,
  lookup_ms,
  account_max = ACCOUNT_MAX,
  total_max = TOTAL_MAX,
  now = Date.now,
}: LookupOptions): Lookups {
  const running = new Map<string, Promise<readonly ResolvedAddress[]>>();
  /** Of accounts that have something running or waiting. */
  const lines = new Map<string, Line>();
  /** Oldest first. Holds refusals alone: an address is looked up, and judged, each time. */
  const refused = new Map<string, { readonly error: OutboundError; readonly until: number }>();

  /** What needs no look-up of its own. */
  const known = (host: string): Promise<readonly ResolvedAddress[]> | undefined => {
    const refusal = refused.get(host);
    if (refusal === undefined) return running.get(host);
    if (now() < refusal.until) return Promise.reject(refusal.error);
    refused.delete(host);
    return running.get(host);
  };

  const refuseFor = (host: string, error: OutboundError): void => {
    if (refused.size >= REFUSED_MAX) refused.delete(refused.keys().next().value!);
    refused.set(host, { error, until: now() + REFUSED_MS });
  };

  const look = (host: string): Promise<readonly ResolvedAddress[]> => {
    const late = new AbortController();
    const answer = new Promise<readonly ResolvedAddress[]>((resolve, reject) => {
      const timer = setTimeout(() => {
        const what = `looking up its host name took longer than ${lookup_ms / 1000} s`;
        late.abort();
        // In a later turn: what had come in by then is an answer.
        setTimeout(() => reject(new OutboundError("timeout", what)), 0);
      }, lookup_ms);
      const end = () => clearTimeout(timer);
      ask(host, late.signal).then(
        (addresses) => {
          end();
          resolve(addresses);
        },
        () => {
          end();
          // After the deadline its own words follow.
          if (!late.signal.aborted) reject(new OutboundError("unreachable", "its host name does not resolve"));
        },
      );
    });
    return answer.catch((error: OutboundError) => {
      refuseFor(host, error);
      throw error;
    });
  };

  const start = (line: Line, host: string): Promise<readonly ResolvedAddress[]> => {
    line.running++;
    const answer = look(host);
    running.set(host, answer);
    const end = () => {
      running.delete(host);
      line.running--;
      advance();
    };
    answer.then(end, end);
    return answer;
  };

  /** Gives free places to those who wait: to the account that has the fewest look-ups under way first. */
  const advance = (): void => {
    while (running.size < total_max) {
      let next: Line | undefined;
      for (const [account, line] of lines) {
        if (line.waiting.size === 0) {
          if (line.running === 0) lines.delete(account);
        } else if (line.running < account_max && (next === undefined || line.running < next.running)) next = line;
      }
      if (next === undefined) return;
      const [ticket] = next.waiting;
      next.waiting.delete(ticket!);
      ticket!.serve(known(ticket!.host) ?? start(next, ticket!.host));
    }
  };

  return {
    resolve(host, account_id, signal) {
      const answer = known(host);
      if (answer !== undefined) return answer;
      const line = lines.get(account_id) ?? { running: 0, waiting: new Set<Ticket>() };
      lines.set(account_id, line);
      return new Promise((resolve, reject) => {
        const leave = () => {
          line.waiting.delete(ticket);
          reject(signal.reason as Error);
        };
        const ticket: Ticket = {
          host,
          serve(found) {
            signal.removeEventListener("abort", leave);
            found.then(resolve, reject);
          },
        };
        if (signal.aborted) return leave();
        signal.addEventListener("abort", leave, { once: true });
        line.waiting.add(ticket);
        advance();
      });
    },

    size: () => ({
      running: running.size,
      waiting: [...lines.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
      refused: refused.size,
    }),
  };
}
