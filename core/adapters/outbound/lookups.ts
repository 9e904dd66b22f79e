/**
 * Look-ups of host names for all accounts: each with a deadline, few at a time for each account, concurrent ones of a
 * name joined, and names that did not resolve refused for a while. Silent name servers of one account keep no other
 * waiting. The caller judges addresses.
 */
import { OutboundError } from "../../ports/outbound.ts";
import type { LookUpHost } from "./dns.ts";
import type { Resolve, ResolvedAddress } from "./target.ts";

export interface LookupOptions {
  readonly ask: LookUpHost;
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

/** Of one account at a time: a name server answers in some 20 ms; a silent one holds its slot for 2 s. */
const ACCOUNT_MAX = 4;
/** Of all accounts: two packets and a socket each. */
const TOTAL_MAX = 128;
/** Shorter than the time to a webhook's third attempt: a short fault of the name server costs one attempt. */
const REFUSED_MS = 10_000;
const REFUSED_MAX = 4_096;

type Answer = Promise<readonly ResolvedAddress[]>;

interface AccountLine {
  running: number;
  /** Each takes the slot that it is given, for its name. */
  readonly waiting: Set<() => void>;
}

export function createLookups(options: LookupOptions): Lookups {
  const { ask, lookup_ms, account_max = ACCOUNT_MAX, total_max = TOTAL_MAX, now = Date.now } = options;
  const running = new Map<string, Answer>();
  /** Of accounts that have something running or waiting. */
  const lines = new Map<string, AccountLine>();
  /** Oldest first. Holds refusals alone: an address is looked up, and judged, each time. */
  const refused = new Map<string, { readonly error: OutboundError; readonly until: number }>();

  /** The answer that needs no look-up of its own: a remembered refusal, or that of a look-up under way. */
  const findAnswer = (host: string): Answer | undefined => {
    const refusal = refused.get(host);
    if (refusal !== undefined && now() < refusal.until) return Promise.reject(refusal.error);
    refused.delete(host);
    return running.get(host);
  };

  const rememberRefusal = (host: string, error: OutboundError): void => {
    if (refused.size >= REFUSED_MAX) refused.delete(refused.keys().next().value!);
    refused.set(host, { error, until: now() + REFUSED_MS });
  };

  const lookUp = async (host: string): Answer => {
    const late = new AbortController();
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.abort();
      // In a later turn: what had come in by then is an answer.
      setTimeout(reject, 0);
    }, lookup_ms);
    try {
      return await Promise.race([ask(host, late.signal), deadline]);
    } catch {
      const error = late.signal.aborted
        ? new OutboundError("timeout", `looking up its host name took longer than ${lookup_ms / 1000} s`)
        : new OutboundError("unreachable", "its host name does not resolve");
      rememberRefusal(host, error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  const startLookup = (line: AccountLine, host: string): Answer => {
    line.running++;
    const answer = lookUp(host);
    running.set(host, answer);
    const end = () => {
      running.delete(host);
      line.running--;
      fillSlots();
    };
    answer.then(end, end);
    return answer;
  };

  /** Gives free slots to those who wait: to the account that has the fewest look-ups under way first. */
  const fillSlots = (): void => {
    while (running.size < total_max) {
      let next: AccountLine | undefined;
      for (const [account, line] of lines) {
        if (line.waiting.size === 0) {
          if (line.running === 0) lines.delete(account);
        } else if (line.running < account_max && (next === undefined || line.running < next.running)) next = line;
      }
      const [takeSlot] = next?.waiting ?? [];
      if (takeSlot === undefined) return;
      next?.waiting.delete(takeSlot);
      takeSlot();
    }
  };

  return {
    resolve(host, account_id, signal) {
      const answer = findAnswer(host);
      if (answer !== undefined) return answer;
      const line = lines.get(account_id) ?? { running: 0, waiting: new Set<() => void>() };
      lines.set(account_id, line);
      return new Promise((resolve, reject) => {
        const takeSlot = () => {
          signal.removeEventListener("abort", leave);
          resolve(findAnswer(host) ?? startLookup(line, host));
        };
        const leave = () => {
          line.waiting.delete(takeSlot);
          reject(signal.reason as Error);
        };
        if (signal.aborted) return leave();
        signal.addEventListener("abort", leave, { once: true });
        line.waiting.add(takeSlot);
        fillSlots();
      });
    },

    size: () => ({
      running: running.size,
      waiting: [...lines.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
      refused: refused.size,
    }),
  };
}
