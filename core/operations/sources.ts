/**
 * Client audio named in a request. A URL that this service signed for the account's own object is bound to that object
 * when the operation is submitted. The worker fetches anything else.
 */

import type { AnyAction, Issue } from "../../contract/mod.ts";
import { findSameSource, identifyUrl } from "../actions/distinct_sources.ts";
import { issue, refuse } from "../base/errors.ts";
import { checkReach, type PrivateHosts } from "../base/web_address.ts";
import type { FilesStore, SourceBinding } from "../ports/mod.ts";
import type { UrlSigner } from "./urls.ts";

/**
 * Refuses with 422 the URLs of a request that are not HTTPS, and a callback to a private literal. `allowed` hosts pass,
 * and a source of our own whatever its scheme. A source at a private literal is accepted and ends the operation, as one
 * does whose name leads there.
 */
export function refuseUrls(sources: readonly NamedSource[], callback_url: string | null, allowed: PrivateHosts): void {
  const issues: Issue[] = [];
  for (const source of sources) {
    if (source.is_ours) continue;
    const problem = checkReach(source.url, allowed);
    if (problem?.type === "url_scheme") issues.push(issue(placeOf(source), problem.type, problem.msg));
  }
  const problem = callback_url === null ? undefined : checkReach(callback_url, allowed);
  if (problem !== undefined) issues.push(issue(["body", "callback_url"], problem.type, problem.msg));
  if (issues.length > 0) throw refuse.invalid(issues);
}

/** A source of a validated request. */
export interface NamedSource {
  /** Field of the request; `album.3` for an entry of a list. */
  readonly name: string;
  readonly field: string;
  /** Of an entry of a list. */
  readonly index?: number;
  readonly url: string;
  /** Whether it is a download URL of this service, expired or not. */
  readonly is_ours: boolean;
  /**
   * Key in the bucket, where the URL is one that this service signed and that has not expired; whoever's object that
   * is.
   */
  readonly key: string | null;
}

/** Every source of a validated request. */
export function namedSources(
  action: AnyAction,
  fields: Readonly<Record<string, unknown>>,
  signer: UrlSigner,
): readonly NamedSource[] {
  const named: NamedSource[] = [];
  for (const name of Object.keys(action.sources)) {
    const source = fields[name] as Sent | readonly Sent[] | undefined;
    if (source === undefined) continue;
    if (Array.isArray(source)) {
      for (const [index, { url }] of (source as readonly Sent[]).entries())
        named.push({ name: `${name}.${index}`, field: name, index, url, ...ownKey(url, signer) });
    } else {
      const { url } = source as Sent;
      named.push({ name, field: name, url, ...ownKey(url, signer) });
    }
  }
  return named;
}

interface Sent {
  readonly url: string;
}

function ownKey(url: string, signer: UrlSigner): Pick<NamedSource, "is_ours" | "key"> {
  const own = signer.recognise(url);
  return { is_ours: own !== undefined, key: own?.ok === true ? own.key : null };
}

/** Where the URL stands in the body. */
function placeOf({ field, index }: NamedSource): readonly (string | number)[] {
  return index === undefined ? ["body", field, "url"] : ["body", field, index, "url"];
}

export const isUnreadable = ({ is_ours, key }: NamedSource): boolean => is_ours && key === null;

/** Refuses with 422 download URLs of ours that nobody can read: expired, or changed. */
export function refuseUnreadable(sources: readonly NamedSource[]): void {
  const issues = sources.filter(isUnreadable).map((source) => issue(placeOf(source), "url_invalid", UNREADABLE));
  if (issues.length > 0) throw refuse.invalid(issues);
}

const UNREADABLE =
  "This download URL of the service has expired or was changed: GET the operation or the file for a fresh one";

/** Refuses with `same_source` when the two sources that must differ name one URL or one stored file. */
export function refuseSameSource(action: AnyAction, sources: readonly NamedSource[]): void {
  const found = findSameSource(action, (name) => {
    const source = sources.find((one) => one.name === name);
    return source === undefined ? undefined : (source.key ?? identifyUrl(source.url));
  });
  if (found !== undefined) throw refuse.invalid([found]);
}

/**
 * Binds to its object each source that is the account's own; another account's is fetched like any URL, for who was
 * lent one until it expires must not keep it alive. Asks the store only where there is something to bind, and answers
 * without a promise otherwise.
 */
export function bindSources(
  sources: readonly NamedSource[],
  account_id: string,
  store: Pick<FilesStore, "owned">,
): readonly SourceBinding[] | Promise<readonly SourceBinding[]> {
  const keys = sources.flatMap(({ key }) => key ?? []);
  const bind = (owned: readonly string[]): readonly SourceBinding[] =>
    sources.map(({ name, url, key }) => ({ name, object: key !== null && owned.includes(key) ? key : null, url }));
  return keys.length === 0 ? bind([]) : store.owned(account_id, keys).then(bind);
}

/** Upload id of a bucket key such as `files/file_….wav`. */
export const fileOf = (object: string | null): string | undefined =>
  object === null ? undefined : /^files\/(file_[0-9a-z]{26})\./u.exec(object)?.[1];

/** Operation id of a bucket key such as `op/…/1/0.flac`. */
export const outputOf = (object: string): string | undefined => /^op\/([^/]+)\//u.exec(object)?.[1];
