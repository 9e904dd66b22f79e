/**
 * How often somebody may try: for each address (IPv6: its /64, which is one household) and each name that is tried, known or not, in the
 * memory of this process. Buckets as for the API: capacity and refill are what a minute allows.
 */
import { normalRange } from "./addresses.ts";
import { createLimits } from "./limits.ts";
import type { Clock } from "./ports.ts";

export interface SignInLimits {
  /** Takes one try of the address, and of `name` where it is given. Seconds to wait, above 0, where there is none left. */
  take(address: string | undefined, name?: string): number;
}

/** Guesses at 12 characters or more: 7,200 a day are no danger, and five mistakes in a row are a person's. */
export const TRIES_PER_MINUTE = { address: 20, name: 5 } as const;

export function createSignInLimits(clock: Pick<Clock, "now">): SignInLimits {
  const limits = createLimits({ clock });
  return {
    take(address, name) {
      const one = limits.take(`address ${household(address)}`, "put", TRIES_PER_MINUTE.address);
      // What the address may not try costs the name nothing, else one sender could lock everybody out.
      if (!one.ok) return one.retry_seconds;
      return name === undefined ? 0 : limits.take(`name ${name}`, "put", TRIES_PER_MINUTE.name).retry_seconds;
    },
  };
}

/** All that cannot be told apart share one bucket. */
function household(address: string | undefined): string {
  if (address === undefined) return "";
  return address.includes(":") ? (normalRange(`${address}/64`) ?? "") : address;
}
