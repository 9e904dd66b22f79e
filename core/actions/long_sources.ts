/** Sources beyond an action's own bounds, where the operator's configuration lets them in. */
import type { AnyAction, Limits } from "../../contract/mod.ts";

/** The longest source, in seconds, that any configuration lets in, and the most that core holds in memory. */
export const LONG_SECONDS_MAX = 10_800;
export const SHORT_SECONDS_MAX = 600;

/** `TONWERK_SOURCE_SECONDS` and `TONWERK_SOURCE_BYTES`. */
export type LongSources = Pick<Limits, "seconds_max" | "bytes_max">;

/** The action with the bounds of its `long` sources raised to `bounds`; itself where there is nothing to raise. */
export function raiseLimits(action: AnyAction, { seconds_max, bytes_max }: LongSources): AnyAction {
  const raised = Object.entries(action.sources).map(([name, limits]): [string, Limits] => [
    name,
    limits.long === true
      ? {
          ...limits,
          seconds_max: Math.max(limits.seconds_max, seconds_max),
          bytes_max: Math.max(limits.bytes_max, bytes_max),
        }
      : limits,
  ]);
  const changes = raised.some(
    ([name, limits]) =>
      limits.seconds_max > action.sources[name]!.seconds_max || limits.bytes_max > action.sources[name]!.bytes_max,
  );
  return changes ? Object.freeze({ ...action, sources: Object.fromEntries(raised) }) : action;
}

/** Probing 10 min takes one to three seconds; the rest is for loaded machines. */
const PROBE_SECONDS = 15;

/** Time to look at the longest upload that the configuration lets in. */
export function probeSeconds(source_seconds: number): number {
  return PROBE_SECONDS * timesLonger(source_seconds);
}

/** `album.3` is an entry of the list `album`. */
export const fieldOf = (name: string): string => name.split(".", 1)[0]!;

/** Seconds of the longest source; a list is as long as its entries together. */
export function longestOf(sources: readonly { readonly name: string; readonly seconds: number }[]): number {
  const sums = new Map<string, number>();
  for (const { name, seconds } of sources) sums.set(fieldOf(name), (sums.get(fieldOf(name)) ?? 0) + seconds);
  return Math.max(0, ...sums.values());
}

/**
 * How many times as long as the longest that comes without configuration: what limits of time are multiplied by. At
 * least 1.
 */
export function timesLonger(seconds: number): number {
  return Math.max(1, seconds / SHORT_SECONDS_MAX);
}
