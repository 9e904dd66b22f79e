/**
 * Client addresses and CIDR ranges, IPv4 and IPv6, in exact integer arithmetic. An IPv4-mapped address (`::ffff:a.b.c.d`) is IPv4
 * everywhere. Whatever cannot be read exactly (zone ids, leading zeros, ports, three-part IPv4) is no address, and no address means no.
 */

/** Whether the address lies in any of the ranges (addresses or CIDR). Entries and addresses that cannot be read match nothing. */
export function matches(ranges: readonly string[], address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== undefined && contains(range, parsed);
  });
}

/**
 * The client's address in its canonical form. `forwarded` is the X-Forwarded-For header; each proxy appended the address that it was
 * called from, so it is read from the right, and an entry counts only while everything right of it is a proxy in `trusted`.
 * Undefined, which must mean no: the connection's `peer`, or an entry that a trusted proxy wrote, is no address.
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
  const address = parseAddress(text);
  return address === undefined ? undefined : format(address);
}

/** The canonical text of an address or CIDR range, with host bits cleared and a full prefix left out. Undefined: neither. */
export function normalRange(text: string): string | undefined {
  const range = parseRange(text);
  if (range === undefined) return undefined;
  const { family, value, bits } = range;
  return bits === WIDTH[family] ? format({ family, value }) : `${format({ family, value })}/${bits}`;
}

interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** `value` has its host bits cleared. */
interface Range extends Address {
  readonly bits: number;
}

const WIDTH = { 4: 32, 6: 128 } as const;
const MAPPED = 0xffffn << 32n;

function contains({ family, value, bits }: Range, address: Address): boolean {
  const host_bits = BigInt(WIDTH[family] - bits);
  return address.family === family && address.value >> host_bits === value >> host_bits;
}

function parseAddress(text: string): Address | undefined {
  const v4 = parse4(text);
  if (v4 !== undefined) return { family: 4, value: v4 };
  const v6 = parse6(text);
  if (v6 === undefined) return undefined;
  return v6 >> 32n === MAPPED >> 32n ? { family: 4, value: v6 & 0xffff_ffffn } : { family: 6, value: v6 };
}

function parseRange(text: string): Range | undefined {
  const slash = text.indexOf("/");
  const address = parseAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === undefined) return undefined;
  if (slash === -1) return { ...address, bits: WIDTH[address.family] };
  const written = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(written)) return undefined;
  // The prefix of a mapped range counts from the left of the IPv6 form. Below 96 it would hold more than IPv4: neither family.
  const mapped = address.family === 4 && text.includes(":");
  const bits = Number(written) - (mapped ? 96 : 0);
  if (bits < 0 || bits > WIDTH[address.family]) return undefined;
  const host_bits = BigInt(WIDTH[address.family] - bits);
  return { family: address.family, value: (address.value >> host_bits) << host_bits, bits };
}

/** Four decimal parts without leading zeros, which some read as octal. */
function parse4(text: string): bigint | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (Number(part) > 255 || (part.length > 1 && part.startsWith("0"))) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

/** RFC 4291 section 2.2: eight groups, `::` once for one or more groups of zeros, the last 32 bits possibly dotted. */
function parse6(text: string): bigint | undefined {
  // The longest form has 45 characters; the bound keeps hostile headers cheap.
  if (text.length > 45 || !text.includes(":")) return undefined;
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = groups(halves[0]!, halves.length === 1);
  const tail = halves.length === 1 ? [] : groups(halves[1]!, true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...Array.from({ length: missing }, () => 0n), ...tail];
  return all.reduce((value, group) => (value << 16n) | group, 0n);
}

/** The 16-bit groups of one side of `::`; `last`: it may end in dotted decimal. */
function groups(text: string, last: boolean): bigint[] | undefined {
  if (text === "") return [];
  const values: bigint[] = [];
  const parts = text.split(":");
  for (const [i, part] of parts.entries()) {
    const dotted = last && i === parts.length - 1 ? parse4(part) : undefined;
    if (dotted !== undefined) values.push(dotted >> 16n, dotted & 0xffffn);
    else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) values.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return values;
}

function format({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
  const parts = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  // RFC 5952: the first of the longest runs of two or more zero groups becomes `::`.
  let start = 0;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (parts[end] === "0") end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  if (length < 2) return parts.join(":");
  return `${parts.slice(0, start).join(":")}::${parts.slice(start + length).join(":")}`;
}
