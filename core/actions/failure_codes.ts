/** Codes that an operation can fail with. */

import type { AnyAction } from "../../contract/mod.ts";
import { FAILURES, type FailureCode } from "../base/error_codes.ts";

/** Of this action: the shared ones that can happen to it, then its own. */
export function failureCodes({ sources, policy, distinct_sources, failures }: AnyAction): readonly string[] {
  const has_sources = Object.keys(sources).length > 0;
  const shared = Object.keys(FAILURES).filter((code) => {
    if (code.startsWith("source_")) return has_sources;
    if (code === "content_policy" || code === "tos_violation") return code === policy?.code;
    return code !== "same_source" || distinct_sources !== undefined;
  });
  return [...shared, ...failures];
}

/** What a failure of the code says where nothing more is known. */
export function failureCause(code: string): string {
  return Object.hasOwn(FAILURES, code) ? FAILURES[code as FailureCode].cause : `The action failed with ${code}`;
}
