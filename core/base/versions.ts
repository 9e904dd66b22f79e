/** Semantic versions, as far as plugins name ranges of them. */

type Version = readonly [major: number, minor: number, patch: number];

/**
 * Whether `version` is in `range`: `^1.2`, `>=1.2`, `1.2.3`, or several of them with `||` between. Undefined: that is
 * no range. As npm has it, `^0.3` ends before 0.4.
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const found = parse(version);
  if (found === undefined) return undefined;
  const parts = range.split("||").map((part) => {
    const [, sign = "", least = ""] = /^\s*(\^|>=)?\s*(\d+(?:\.\d+){0,2})\s*$/u.exec(part) ?? [];
    const from = parse(least);
    if (from === undefined) return undefined;
    if (compare(found, from) < 0) return false;
    if (sign === ">=") return true;
    if (sign === "") return compare(found, from) === 0;
    // The first number that is not 0 must stay.
    const stays = Math.max(
      0,
      from.findIndex((number) => number > 0),
    );
    return from.slice(0, stays + 1).every((number, at) => number === found[at]);
  });
  return parts.includes(undefined) ? undefined : parts.includes(true);
}

function parse(text: string): Version | undefined {
  if (!/^\d+(?:\.\d+){0,2}$/u.test(text)) return undefined;
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return [major, minor, patch];
}

function compare(one: Version, other: Version): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at === -1 ? 0 : one[at]! - other[at]!;
}
