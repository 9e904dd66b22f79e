/**
 * Who may ask now: the key of an account and its rate limit, or the address of a caller without a key and the limit for
 * such callers.
 */
import { hash } from "node:crypto";
import type { Principal } from "../accounts/keyring.ts";
import { countRequest } from "../accounts/limits.ts";
import { clientAddress, household } from "../base/addresses.ts";
import { refuse } from "../base/errors.ts";
import type { Exchange } from "./route.ts";
import type { HttpServices } from "./services.ts";

type Kind = "put" | "get";

/** The key's account. Returns no promise where the key is known: an `await` costs each request a microtask. */
export function authenticate({ config, keyring }: HttpServices, { request, peer }: Exchange) {
  return keyring.authenticate({
    authorization: request.headers.get("authorization"),
    // Reading a header has a cost, and without proxies this one counts for nothing.
    forwarded_for: config.trusted_proxies.length === 0 ? null : request.headers.get("x-forwarded-for"),
    peer,
  });
}

/** Checks the key, unless it is `known` who asks, then the rate limit: every route of an account does so first. */
export function admitAccount(
  services: HttpServices,
  exchange: Exchange,
  kind: Kind,
  known?: Principal,
): Principal | Promise<Principal> {
  const found = known ?? authenticate(services, exchange);
  return found instanceof Promise
    ? found.then((account) => countAccount(services, exchange, kind, account))
    : countAccount(services, exchange, kind, found);
}

function countAccount(
  services: HttpServices,
  exchange: Exchange,
  kind: Kind,
  account: Principal,
): Principal | Promise<Principal> {
  const counted = countRequest(services, account, kind, exchange);
  return counted === undefined ? account : counted.then(() => account);
}

/**
 * Enough for both callers that need no key: GitHub, which reports many leaks in one request and seldom (put), and a
 * browser, which asks for the documentation's four files once a day (get).
 */
const STRANGERS_PER_MINUTE = 60;

/** Counts a request without a key against its address, before any of its body is read. */
export async function countStranger(
  { config, limits }: HttpServices,
  { request, peer }: Exchange,
  kind: Kind,
): Promise<void> {
  const address = clientAddress(peer.address, request.headers.get("x-forwarded-for"), config.trusted_proxies);
  const name = `stranger:${hash("sha256", household(address), "base64url")}`;
  const { ok, retry_seconds } = await limits.take(name, kind, STRANGERS_PER_MINUTE);
  if (!ok) throw refuse.tooManyRequests(retry_seconds);
}
