/**
 * How often somebody may try: for each address (IPv6: its /64, which is one household) and each name that is tried, known or not, in the
 * memory of this process. Buckets as for the API: capacity and refill are what a minute allows.
 */
import { normalRange } from "./addresses.ts";
import { createBuckets } from "./limits.ts";
import type { Clock } from "./ports.ts";

export interface SignInLimits {
  /** Takes one try of the address, and of `name` where it is given. Seconds to wait, above 0, where there is none left. */
  take(address: string | undefined, name?: string): number;
  /** As `take`, for mail to `email`: nobody is to get more than one a minute because somebody else asks. */
  takeMail(address: string | undefined, email: string): number;
}

/** Guesses at 12 characters or more: 7,200 a day are no danger, and five mistakes in a row are a person's. */
export const TRIES_PER_MINUTE = { address: 20, name: 5, mail: 1 } as const;

export function createSignInLimits(clock: Pick<Clock, "now">): SignInLimits {
  const buckets = createBuckets({ clock });
  const takeFor = (address: string | undefined, name: string, per_minute: number): number => {
    const one = buckets.take(`address ${household(address)}`, "put", TRIES_PER_MINUTE.address);
    // What the address may not try costs the name nothing, else one sender could lock everybody out.
    return one.ok ? buckets.take(name, "put", per_minute).retry_seconds : one.retry_seconds;
  };
  return {
    take: (address, name) =>
      takeFor(address, name === undefined ? "" : `name ${name}`, name === undefined ? 0 : TRIES_PER_MINUTE.name),
    takeMail: (address, email) => takeFor(address, `mail ${email}`, TRIES_PER_MINUTE.mail),
  };
}

/** All that cannot be told apart share one bucket. */
function household(address: string | undefined): string {
  if (address === undefined) return "";
  return address.includes(":") ? (normalRange(`${address}/64`) ?? "") : address;
}
