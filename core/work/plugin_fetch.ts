/**
 * Requests that actions make of hosts they may ask, by the one guarded way out: a thread opens no socket of its own.
 */
import { checkFetch, type FetchQuestion } from "../actions/fetch_rules.ts";
import type { Registered } from "../actions/registered.ts";
import type { CallAnswer, Outbound } from "../ports/mod.ts";

const BYTES_MAX = 10_000_000;
const SECONDS_MAX = 60;

/** Rejects with OutboundError, or with a TypeError for what the action must not ask: both reach its code. */
export function createPluginFetch(
  outbound: Pick<Outbound, "call">,
  { action, settings = {} }: Pick<Registered, "action" | "settings">,
  account_id: string,
) {
  return async (question: FetchQuestion, signal: AbortSignal): Promise<CallAnswer> => {
    checkFetch(action, settings, question);
    const { bytes_max = BYTES_MAX, seconds_max = SECONDS_MAX } = action.fetch ?? {};
    const { method = "GET", headers = {}, body } = question.request;
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const limits = { account_id, bytes_max, ms_max: seconds_max * 1000, signal };
    return outbound.call(question.url, { method, headers, ...(bytes === undefined ? {} : { body: bytes }), ...limits });
  };
}
