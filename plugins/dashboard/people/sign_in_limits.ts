/**
 * How often somebody may try, so that guessing leads nowhere and nobody can be kept out by it. A browser that its user
 * has signed in with before has tries of its own (known_devices.ts); everybody else's are counted by name and address
 * together, by name over all addresses, and by address (IPv6: its /64, which is one household) over all names. Buckets
 * as for the API, counted by all nodes together where they share counts.
 *
 * Against one name an attacker has, with any number of addresses, TRIES.name a window: 2,900 guesses a day, where 1,000
 * addresses alone would allow 720,000. A year of that finds a password of twelve random small letters with a chance of
 * 1 in 10^11, and one of the thousand million likeliest with 1 in 900.
 */
import { hash } from "node:crypto";
import { createLimits, household, type LimitServices } from "../../../core/surface.ts";

export interface SignInLimits {
  /** Takes one try of the address. Seconds to wait, above 0, where there is none left. */
  takeAddress(address: string | undefined): Promise<number>;
  /** As `takeAddress`, of a form that needs no session, before its body is read. */
  takeForm(address: string | undefined): Promise<number>;
  /**
   * As `takeAddress`, of a name that is tried, known or not; of `device` alone where it is one that the name's user
   * signed in with.
   */
  takeName(address: string | undefined, name: string, device: string | undefined): Promise<number>;
  /** As `takeAddress`, of somebody who is signed in and types the current password. */
  takeUser(user_id: string): Promise<number>;
  /** Whether one more mail may go to this user because somebody asked for it. */
  takeMail(user_id: string): Promise<boolean>;
}

/** `address` and `form`: a minute. `mail`: a minute, and `mails` an hour. The others: TRIES_MS. */
export const TRIES = { address: 20, form: 60, name_and_address: 5, name: 20, device: 10, mail: 1, mails: 5 } as const;
const TRIES_MS = 600_000;
const HOUR_MS = 3_600_000;

export function createSignInLimits(services: LimitServices): SignInLimits {
  const byMinute = take(services, "sign-in", 60_000);
  const byTry = take(services, "sign-in-try", TRIES_MS);
  const byHour = take(services, "sign-in-hour", HOUR_MS);
  return {
    takeAddress: (address) => byMinute(`address ${household(address)}`, TRIES.address),
    takeForm: (address) => byMinute(`form ${household(address)}`, TRIES.form),
    async takeName(address, name, device) {
      if (device !== undefined) return byTry(`device ${device}`, TRIES.device);
      // What the address may not try of this name costs the name nothing.
      const wait = await byTry(`name ${name} ${household(address)}`, TRIES.name_and_address);
      return wait > 0 ? wait : byTry(`name ${name}`, TRIES.name);
    },
    takeUser: (user_id) => byTry(`user ${user_id}`, TRIES.device),
    takeMail: async (user_id) =>
      (await byMinute(`mail ${user_id}`, TRIES.mail)) === 0 && (await byHour(`mail ${user_id}`, TRIES.mails)) === 0,
  };
}

/** What is counted is named by a hash: the counts may be kept where addresses of people do not belong. */
function hashed(what: string): string {
  return hash("sha256", what, "base64url");
}

function take(services: LimitServices, group: string, window_ms: number) {
  const limits = createLimits({ ...services, window_ms });
  return async (what: string, most: number): Promise<number> =>
    (await limits.take(`${group}:${hashed(what)}`, "put", most)).retry_seconds;
}
