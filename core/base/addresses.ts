/**
 * Client addresses and CIDR ranges, IPv4 and IPv6, read and matched by `node:net`. An IPv4-mapped address
 * (`::ffff:a.b.c.d`) is IPv4 everywhere. Whatever cannot be read exactly (zone ids, leading zeros, ports, three-part
 * IPv4) is no address, and no address means no.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * Whether the address lies in any of the ranges (addresses or CIDR). Entries and addresses that cannot be read match
 * nothing.
 */
export function matches(ranges: readonly string[], address: string): boolean {
  const normal = normalAddress(address);
  if (normal === undefined) return false;
  const family = familyOf(normal);
  return listsOf(ranges)[family].check(normal, family);
}

/** A list for each family, for one of both takes IPv4 for mapped IPv6 on Bun: `::/0` would match everybody. */
type Lists = Readonly<Record<"ipv4" | "ipv6", BlockList>>;
/** Of each array of ranges: making lists costs more than asking them. */
const known_lists = new WeakMap<readonly string[], Lists>();

function listsOf(ranges: readonly string[]): Lists {
  const known = known_lists.get(ranges);
  if (known !== undefined) return known;
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges.map(parseRange)) {
    if (range === undefined) continue;
    const family = familyOf(range.address);
    lists[family].addSubnet(range.address, range.bits, family);
  }
  known_lists.set(ranges, lists);
  return lists;
}

/**
 * The client's address in its canonical form. `forwarded` is the X-Forwarded-For header; each proxy appended the
 * address that it was called from, so it is read from the right, and an entry counts only while everything right of it
 * is a proxy in `trusted`. Undefined, which must mean no: the connection's `peer`, or an entry that a trusted proxy
 * wrote, is no address.
 */
export function clientAddress(peer: string, forwarded: string | null, trusted: readonly string[]): string | undefined {
  let address = normalAddress(peer);
  let rest = forwarded === "" ? null : forwarded;
  while (address !== undefined && rest !== null && matches(trusted, address)) {
    const comma: number = rest.lastIndexOf(",");
    address = normalAddress(rest.slice(comma + 1).trim());
    rest = comma === -1 ? null : rest.slice(0, comma);
  }
  return address;
}

/** Whether a host of a URL (a name, or a literal without brackets) is among names, addresses and CIDR ranges. */
export function matchesHost(hosts: readonly string[], host: string): boolean {
  if (hosts.length === 0) return false;
  const name = host.toLowerCase();
  if (hosts.some((entry) => entry.toLowerCase() === name)) return true;
  // Neither family has a text without a colon that ends in a letter.
  return (name.includes(":") || !/[a-z]$/.test(name)) && matches(hosts, host);
}

/** The canonical text: dotted decimal, or RFC 5952. Undefined: not an address. */
export function normalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  // A zone id names one of this machine's own links.
  if (text.includes("%") || !isIPv6(text)) return undefined;
  // The URL standard writes addresses as RFC 5952 does, save mapped ones, which it leaves in hexadecimal.
  const normal = new URL(`http://[${withoutDots(text)}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/u.exec(normal);
  if (mapped === null) return normal;
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The last 32 bits as two groups where they are written as IPv4, which Bun's URL parser refuses behind some groups. */
function withoutDots(text: string): string {
  const colon = text.lastIndexOf(":");
  const parts = text
    .slice(colon + 1)
    .split(".")
    .map(Number);
  if (parts.length !== 4) return text;
  const group = (high: number, low: number): string => ((high << 8) | low).toString(16);
  return `${text.slice(0, colon + 1)}${group(parts[0]!, parts[1]!)}:${group(parts[2]!, parts[3]!)}`;
}

/**
 * The canonical text of an address or CIDR range, with host bits cleared and a full prefix left out. Undefined:
 * neither.
 */
export function normalRange(text: string): string | undefined {
  const range = parseRange(text);
  if (range === undefined) return undefined;
  const { address, bits } = range;
  return bits === widthOf(address) ? address : `${network(address, bits)}/${bits}`;
}

const familyOf = (address: string): "ipv4" | "ipv6" => (address.includes(":") ? "ipv6" : "ipv4");
const widthOf = (address: string): number => (address.includes(":") ? 128 : 32);

function parseRange(text: string): { readonly address: string; readonly bits: number } | undefined {
  const slash = text.indexOf("/");
  const address = normalAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === undefined) return undefined;
  if (slash === -1) return { address, bits: widthOf(address) };
  const written = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]{0,2})$/u.test(written)) return undefined;
  // The prefix of a mapped range counts from the left of the IPv6 form. Below 96 it would hold more than IPv4: neither
  // family.
  const is_mapped = text.includes(":") && !address.includes(":");
  const bits = Number(written) - (is_mapped ? 96 : 0);
  return bits < 0 || bits > widthOf(address) ? undefined : { address, bits };
}

/** The first address of the range that `address` lies in. */
function network(address: string, bits: number): string {
  const [separator, radix, width] = address.includes(":") ? ([":", 16, 16] as const) : ([".", 10, 8] as const);
  const cleared = groupsOf(address).map((group, index) => {
    const kept = Math.min(width, Math.max(0, bits - index * width));
    return (group >> (width - kept)) << (width - kept);
  });
  return normalAddress(cleared.map((group) => group.toString(radix)).join(separator)) ?? address;
}

/** Four parts, or eight with those that a `::` stands for. */
function groupsOf(address: string): readonly number[] {
  if (!address.includes(":")) return address.split(".").map(Number);
  const [head = [], tail = []] = address.split("::").map((side) => (side === "" ? [] : side.split(":")));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/** All that cannot be told apart share one bucket. */
export function household(address: string | undefined): string {
  if (address === undefined) return "";
  return address.includes(":") ? (normalRange(`${address}/64`) ?? "") : address;
}
