import type { Registry } from "../actions/registry.ts";
import type { Limits } from "../plugin.ts";

/** Seconds where no action takes a source: none can use the file, and it is looked at all the same. */
const SECONDS_MIN_OF_MAX = 60;

/**
 * What an upload may be: as long as the longest source that a registered action takes, for nothing can use a longer one. Bounds of its
 * own come with each action.
 */
export function uploadLimits({ actions }: Pick<Registry, "actions">, bytes_max: number): Limits {
  const longest = [...actions.values()].flatMap(({ action }) =>
    Object.values(action.sources).map(({ seconds_max }) => seconds_max),
  );
  return { seconds_min: 1e-6, seconds_max: Math.max(SECONDS_MIN_OF_MAX, ...longest), bytes_max };
}
