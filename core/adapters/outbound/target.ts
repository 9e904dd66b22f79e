/** URL -> the addresses that may be connected to, or a refusal. Nothing is connected to here. */
import { isIP } from "node:net";
import { checkUrl, hostOf, isForbiddenAddress, isForbiddenHost } from "../../base/web_address.ts";
import { OutboundError } from "../../ports/outbound.ts";

/** Where one request goes. */
export interface Target {
  readonly url: URL;
  readonly secure: boolean;
  /** A name, or a literal without brackets. */
  readonly host: string;
  readonly port: number;
  /** Every one may be connected to; in the resolver's order, at most ADDRESSES_MAX. */
  readonly addresses: readonly ResolvedAddress[];
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** May reject with OutboundError; any other error means that the name does not resolve. Ends with `signal`. */
export type Resolve = (host: string, account_id: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;

export interface Reach {
  /** Whether this host or address may be reached although private. */
  readonly private_hosts: (host_or_address: string) => boolean;
  /** Whether this service itself listens there. */
  readonly own: (address: string, port: number) => boolean;
  readonly resolve: Resolve;
}

/** Whoever answers with hundreds of addresses cannot make us try them all. */
const ADDRESSES_MAX = 4;

/**
 * Checks a URL's text, scheme and literal host, then resolves its name once and judges every answer: one that is
 * forbidden spoils all. Rejects with OutboundError: `forbidden_address`, `unreachable` or `timeout`.
 */
export async function findTarget(text: string, reach: Reach, account_id: string, signal: AbortSignal): Promise<Target> {
  const problem = checkUrl(text);
  if (problem !== undefined) throw new OutboundError("unreachable", "the address is not an HTTPS URL");
  const url = new URL(text);
  const host = hostOf(url);
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  const allowed = reach.private_hosts(host);
  const family = isIP(host);
  // Literals first: a connection to one asks no resolver.
  if (!allowed && (isForbiddenHost(host) || (family !== 0 && reach.own(host, port)))) throw forbidden();
  if (!allowed && !secure) throw new OutboundError("unreachable", "only HTTPS URLs are fetched");
  if (family !== 0) return { url, secure, host, port, addresses: [{ address: host, family: family === 4 ? 4 : 6 }] };

  const addresses = await resolve(reach.resolve(host.toLowerCase(), account_id, signal));
  for (const { address } of addresses) {
    const is_private = isForbiddenAddress(address) || reach.own(address, port);
    if (is_private && !allowed && !reach.private_hosts(address)) throw forbidden();
  }
  return { url, secure, host, port, addresses: addresses.slice(0, ADDRESSES_MAX) };
}

async function resolve(asked: Promise<readonly ResolvedAddress[]>): Promise<readonly ResolvedAddress[]> {
  const unknown = () => new OutboundError("unreachable", "its host name does not resolve");
  const answers = await asked.catch((error: unknown) => {
    throw error instanceof OutboundError ? error : unknown();
  });
  if (answers.length === 0 || answers.some(({ address }) => isIP(address) === 0)) throw unknown();
  return answers;
}

/** Does not say which address it is: the name may be one of an internal network. */
function forbidden(): OutboundError {
  return new OutboundError("forbidden_address", "it leads to a private or reserved address");
}
