/** Variables of the environment, and readers of the forms that several of them share. */
import { normalAddress, normalRange } from "../addresses.ts";

export interface Variable<Value> {
  readonly name: string;
  /** As it would be written; empty: absent. */
  readonly default: string;
  /** Throws WrongValue. */
  read(given: string | undefined): Value;
}

type Reader<Value> = (given: string) => Value;

export function variable<Value>(name: string, default_text: string, read: Reader<Value>): Variable<Value> {
  return { name, default: default_text, read: (given) => read(given ?? default_text) };
}

/** A variable without a default: null where it is absent. */
export function optional<Value>(name: string, read: Reader<Value>): Variable<Value | null> {
  return { name, default: "", read: (given) => (given === undefined ? null : read(given)) };
}

/** Why a value cannot be; the message continues the variable's name. */
export class WrongValue extends Error {}

/** Reads what `parse` accepts; undefined: it does not. The message repeats the value, unless that may hold a password. */
export function readAs<Value>(
  expected: string,
  parse: (given: string) => Value | undefined,
  is_secret = false,
): Reader<Value> {
  return (given) => {
    const value = parse(given);
    if (value !== undefined) return value;
    throw new WrongValue(`must be ${expected}${is_secret ? "" : `, not "${given}"`}`);
  };
}

/** The text itself where it fits; the message does not repeat it. */
export function readSecretIf(expected: string, fits: (given: string) => boolean): Reader<string> {
  return readAs(expected, (given) => (fits(given) ? given : undefined), true);
}

export const readText: Reader<string> = (given) => given;

export function readWhole(min: number, max: number): Reader<number> {
  return readAs(`a whole number from ${min} to ${max}`, (given) => parseWhole(given, min, max));
}

/** Decimal digits without a leading zero, within the bounds. */
export function parseWhole(given: string, min: number, max: number): number | undefined {
  const value = /^(?:0|[1-9][0-9]{0,14})$/.test(given) ? Number(given) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

export function readOneOf<const Choice extends string>(...choices: readonly Choice[]): Reader<Choice> {
  return readAs(`one of ${choices.join(", ")}`, (given) => choices.find((choice) => choice === given));
}

/** Items with commas between them. Spaces around the commas and empty items do not count. */
export function readList<Item>(readItem: Reader<Item>): Reader<readonly Item[]> {
  return (given) => {
    const items = given.split(",").map((item) => item.trim());
    return Object.freeze(items.filter((item) => item !== "").map(readItem));
  };
}

// ------------------------------------------------------------------------------------------------------ hosts and URLs

export const readHost = readAs(
  "an address or a host name, without scheme and port",
  (given) => normalAddress(given) ?? normalHostName(given),
);

export const readRange = readAs("addresses and CIDR ranges such as 10.0.0.0/8", normalRange);

export const readHostOrRange = readAs(
  "host names, addresses and CIDR ranges, without scheme and port",
  (given) => normalRange(given) ?? normalHostName(given),
);

/** In lower case. A name whose last label is a number would be a mistyped address. */
function normalHostName(given: string): string | undefined {
  const labels = given.toLowerCase().split(".");
  const is_name = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return is_name && !/^[0-9]+$/.test(labels.at(-1)!) ? labels.join(".") : undefined;
}

export const readNameServer = readAs("addresses such as 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:5353", (given) => {
  const alone = normalAddress(given);
  if (alone !== undefined) return alone;
  const [, address = "", port = ""] = /^(.+):([0-9]{1,5})$/u.exec(given) ?? [];
  // As a URL writes them: IPv6 stands in brackets before a port, IPv4 does not.
  const normal = normalAddress(address.replace(/^\[(.*:.*)\]$/u, "$1"));
  const fits = normal !== undefined && address.includes(":") === address.startsWith("[");
  return fits && Number(port) >= 1 && Number(port) <= 65_535 ? `${address}:${port}` : undefined;
});

export const readBaseUrl = readAs(
  "an http or https URL without user name, query and fragment",
  (given) => {
    const url = URL.parse(given);
    if (url === null || !/^https?:$/.test(url.protocol) || /[?#\s]/.test(given)) return undefined;
    return url.username === "" && url.password === "" ? url.href.replace(/\/+$/, "") : undefined;
  },
  true,
);

/** As browsers write it, for it is compared with what they send. */
export const readOrigin = readAs("origins such as https://app.example.com, without a path", (given) => {
  const url = URL.parse(given);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === given ? given : undefined;
});

/** Any URL of these protocols that names a host. */
export function readUrlOf(...protocols: readonly string[]): Reader<string> {
  const schemes = protocols.map((protocol) => `${protocol}//`).join(" or ");
  return readSecretIf(`a URL that begins with ${schemes} and names a host`, (given) => {
    const url = URL.parse(given);
    return url !== null && protocols.includes(url.protocol) && url.hostname !== "" && !/\s/.test(given);
  });
}
