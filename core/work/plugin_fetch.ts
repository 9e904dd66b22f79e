/** Requests that actions make of hosts they declared, by the one guarded way out: a thread opens no socket of its own. */
import type { AnyAction, FetchRequest } from "../plugin.ts";
import type { CallAnswer, Outbound } from "../ports/mod.ts";

const BYTES_MAX = 10_000_000;
const SECONDS_MAX = 60;
const METHODS: ReadonlySet<unknown> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** What a thread asks on behalf of `context.fetch`. */
export interface FetchQuestion {
  readonly url: string;
  readonly request: FetchRequest;
}

/** Rejects with OutboundError, or with a TypeError for what the action must not ask: both reach its code. */
export function createPluginFetch(outbound: Pick<Outbound, "call">, action: AnyAction, account_id: string) {
  return async ({ url, request }: FetchQuestion, signal: AbortSignal): Promise<CallAnswer> => {
    const { hosts = [], bytes_max = BYTES_MAX, seconds_max = SECONDS_MAX } = action.fetch ?? {};
    const host = URL.parse(String(url))?.host ?? "";
    if (!hosts.includes(host)) {
      const declared = hosts.join(", ") || "none";
      throw new TypeError(`Cannot fetch from "${host}", expected a host that ${action.name} declares: ${declared}`);
    }
    const { method = "GET", headers = {}, body } = request;
    if (!METHODS.has(method)) throw new TypeError(`Cannot fetch with the method ${String(method)}`);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const limits = { account_id, bytes_max, ms_max: seconds_max * 1000, signal };
    return outbound.call(url, { method, headers, ...(bytes === undefined ? {} : { body: bytes }), ...limits });
  };
}
