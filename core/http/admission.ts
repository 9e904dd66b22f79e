/**
 * Who may ask now: the key of an account and its rate limit, or the address of a caller without a key and the limit for
 * such callers.
 */
import { hash } from "node:crypto";
import type { Caller, Principal } from "../accounts/keyring.ts";
import { countRequest, requestsPerMinute } from "../accounts/limits.ts";
import { uploadTokenIn } from "../accounts/upload_tokens.ts";
import { clientAddress, household } from "../base/addresses.ts";
import type { Config } from "../base/config.ts";
import { refuse } from "../base/errors.ts";
import type { Exchange } from "./route.ts";
import type { HttpServices } from "./services.ts";

type Kind = "put" | "get";

/** The key's account. Returns no promise where the key is known: an `await` costs each request a microtask. */
export function authenticate(services: HttpServices, exchange: Exchange): Principal | Promise<Principal> {
  return services.keyring.authenticate(callerOf(services, exchange));
}

function callerOf({ config }: HttpServices, { request, peer }: Exchange): Caller {
  return {
    authorization: request.headers.get("authorization"),
    // Reading a header has a cost, and without proxies this one counts for nothing.
    forwarded_for: config.trusted_proxies.length === 0 ? null : request.headers.get("x-forwarded-for"),
    peer,
  };
}

/** Checks the key, then the rate limit: every route of an account does so first. */
export function admitAccount(services: HttpServices, exchange: Exchange, kind: Kind): Principal | Promise<Principal> {
  const found = authenticate(services, exchange);
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

/** Uploads with one token: far above what a page needs, and each may cost seconds of the account's free work. */
const TOKEN_PER_MINUTE = 30;
/** Tokens of an address that are none, as with unknown keys. */
const FORGED_PER_MINUTE = 300;

/** As `admitAccount` of a PUT, and a page with a token too, which the exchange keeps. */
export async function admitUpload(services: HttpServices, exchange: Exchange): Promise<Principal> {
  const { keyring, limits, upload_tokens } = services;
  const { headers } = exchange.request;
  const sent = uploadTokenIn(headers.get("authorization"));
  if (sent === undefined) return admitAccount(services, exchange, "put");
  const token = upload_tokens.read(sent);
  if (token === undefined) {
    await countAddress(services, exchange, "forger", "put", FORGED_PER_MINUTE);
    throw refuse.unauthorized("upload_token_invalid");
  }
  if (token.origin !== null && token.origin !== headers.get("origin")) throw refuse.tokenOfOrigin();
  const taken = await limits.take(`token:${token.id}`, "put", TOKEN_PER_MINUTE);
  if (!taken.ok) throw refuse.tooManyRequests(taken.retry_seconds);
  const account = keyring.admit(await upload_tokens.accountOf(token), callerOf(services, exchange));
  exchange.token = token;
  return countAccount(services, exchange, "put", account);
}

/**
 * Enough for both callers that need no key: GitHub, which reports many leaks in one request and seldom (put), and a
 * browser, which asks for the documentation's four files once a day (get).
 */
const STRANGERS_PER_MINUTE = 60;

/** Counts a request without a key against its address, before any of its body is read. */
export const countStranger = (services: HttpServices, exchange: Exchange, kind: Kind): Promise<void> =>
  countAddress(services, exchange, "stranger", kind, STRANGERS_PER_MINUTE);

async function countAddress(
  { config, limits }: HttpServices,
  { request, peer }: Exchange,
  whose: "stranger" | "forger",
  kind: Kind,
  per_minute: number,
): Promise<void> {
  const address = clientAddress(peer.address, request.headers.get("x-forwarded-for"), config.trusted_proxies);
  const name = `${whose}:${hash("sha256", household(address), "base64url")}`;
  const { ok, retry_seconds } = await limits.take(name, kind, per_minute);
  if (!ok) throw refuse.tooManyRequests(retry_seconds);
}

/** An account's own limits, and the installation's where it has none. */
export function limitsOf(account: Principal, config: Config) {
  return {
    put_per_minute: requestsPerMinute(account, "put", config),
    get_per_minute: requestsPerMinute(account, "get", config),
    long_polls: account.long_polls ?? config.long_polls,
    uploads_open: account.uploads_open ?? config.uploads_open,
  };
}
