/** Two sources of a request that must be different audio, as far as the request alone tells. */
import type { AnyAction, Issue } from "../../contract/mod.ts";
import { issue } from "../base/errors.ts";

/** `identify` answers what is equal for one audio, undefined for a source that was not sent. */
export function findSameSource(
  { distinct_sources }: AnyAction,
  identify: (name: string) => string | undefined,
): Issue | undefined {
  if (distinct_sources === undefined) return undefined;
  const [one, other] = distinct_sources.map(String) as [string, string];
  const found = identify(one);
  if (found === undefined || found !== identify(other)) return undefined;
  return issue(["body", other, "url"], "same_source", `'${one}' and '${other}' must be different audio`);
}

/** Equal for URLs that lead to one file: servers never see what is behind `#`. */
export function identifyUrl(url: string): string {
  const normal = new URL(url);
  normal.hash = "";
  return normal.href;
}
