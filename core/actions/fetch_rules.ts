/** Where an action may go by `context.fetch`: hosts that it declares, and those of addresses that the operator set. */
import type { AnyAction, FetchRequest } from "../../contract/mod.ts";

/** What a thread asks on behalf of `context.fetch`. */
export interface FetchQuestion {
  readonly url: string;
  readonly request: FetchRequest;
}

const METHODS: ReadonlySet<unknown> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** Throws TypeError for what the action must not ask. */
export function checkFetch(
  { name, fetch }: AnyAction,
  settings: Readonly<Record<string, unknown>>,
  { url, request }: FetchQuestion,
): void {
  const set = (fetch?.hosts_of ?? []).flatMap((setting) => hostOf(settings[setting]) ?? []);
  const hosts = [...(fetch?.hosts ?? []), ...set];
  const host = URL.parse(String(url))?.host ?? "";
  if (!hosts.includes(host)) {
    const declared = hosts.join(", ") || "none";
    throw new TypeError(`Cannot fetch from "${host}", expected a host that ${name} declares: ${declared}`);
  }
  const { method = "GET" } = request;
  if (!METHODS.has(method)) throw new TypeError(`Cannot fetch with the method ${String(method)}`);
}

/** Of the address that a setting holds; undefined: it holds none. */
export function hostOf(value: unknown): string | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url === null || !/^https?:$/u.test(url.protocol) || url.username !== "" ? undefined : url.host;
}
