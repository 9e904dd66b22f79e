/**
 * How often somebody may try: for each address (IPv6: its /64, which is one household) and each name that is tried, known or not. Buckets as
 * for the API, counted by all nodes together where they share counts: capacity and refill are what a minute allows.
 */
import { hash } from "node:crypto";
import { normalRange } from "./addresses.ts";
import { createLimits, type LimitServices } from "./limits.ts";

export interface SignInLimits {
  /** Takes one try of the address, and of `name` where it is given. Seconds to wait, above 0, where there is none left. */
  take(address: string | undefined, name?: string): Promise<number>;
  /** As `take`, for mail to `email`: nobody is to get more than one a minute because somebody else asks. */
  takeMail(address: string | undefined, email: string): Promise<number>;
}

/** Guesses at 12 characters or more: 7,200 a day are no danger, and five mistakes in a row are a person's. */
export const TRIES_PER_MINUTE = { address: 20, name: 5, mail: 1 } as const;

export function createSignInLimits(services: LimitServices): SignInLimits {
  const limits = createLimits(services);
  /** What is counted is named by a hash: the counts may be kept where addresses of people do not belong. */
  const takeOne = (what: string, per_minute: number) =>
    limits.take(`sign-in:${hash("sha256", what, "base64url")}`, "put", per_minute);
  const takeFor = async (address: string | undefined, name: string, per_minute: number): Promise<number> => {
    const one = await takeOne(`address ${household(address)}`, TRIES_PER_MINUTE.address);
    // What the address may not try costs the name nothing, else one sender could lock everybody out.
    return one.ok ? (await takeOne(name, per_minute)).retry_seconds : one.retry_seconds;
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
