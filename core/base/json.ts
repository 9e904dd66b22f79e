/**
 * JSON as clients send it, and JSON as fingerprints need it. `parseJson` accepts what `JSON.parse` accepts, less what
 * databases, logs and other parsers disagree about: invalid UTF-8, a byte order mark, keys that occur twice, NUL, lone
 * surrogates, deep nesting.
 */
import { issue, refuse } from "./errors.ts";

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly msg: string;
      /** Path from the root of the value; empty for the text as a whole. */
      readonly loc: readonly (string | number)[];
      readonly type: "json_invalid" | "string_text";
    };

/** Arrays and objects inside one another, the outermost included. */
const NESTING_MAX = 16;

/** The value that a request's body spells; refuses with 422. */
export function parseBody(bytes: Uint8Array): unknown {
  const parsed = parseJson(bytes);
  if (parsed.ok) return parsed.value;
  throw refuse.invalid([issue(["body", ...parsed.loc], parsed.type, parsed.msg)]);
}

/** Linear in the length of the text, and without recursion beyond NESTING_MAX. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    // `fatal` throws a TypeError for invalid UTF-8 and for nothing else.
    return invalid("The body is not valid UTF-8");
  }
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) return invalid("The body begins with a byte order mark");
  const shape = scan(text);
  if (shape.nesting > NESTING_MAX) return invalid(`The body is nested deeper than ${NESTING_MAX} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Its SyntaxError words the reason differently on every engine.
    return invalid("The body is not valid JSON");
  }
  // `JSON.parse` keeps the last of equal keys: then there are fewer in the value than in the text.
  if (shape.escaped_keys || shape.members !== countMembers(value)) return readByKey(text);
  // Unescaped, neither NUL nor a lone surrogate can get this far.
  return (shape.escapes ? findBadText(value) : undefined) ?? { ok: true, value };
}

/**
 * The same text for equal JSON values: keys sorted, no white space. As with `JSON.stringify`, members that are
 * undefined are left out and undefined in an array is null. Throws a TypeError for what JSON cannot say.
 */
export function canonicalJson(value: unknown): string {
  // One call for the whole value: three times as fast as one for each of its strings and numbers.
  if (value !== undefined) return JSON.stringify(sorted(value));
  throw new TypeError("Cannot write undefined as canonical JSON");
}

/**
 * The value itself where its keys are in order, else a copy whose keys are. Engines put keys that are numbers first, in
 * both.
 */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    if (isScalar(value)) return value;
    throw new TypeError(`Cannot write ${String(value)} as canonical JSON`);
  }
  if (Array.isArray(value)) {
    let copy = value;
    for (let i = 0; i < value.length; i++) {
      const item = sorted(value[i]);
      if (item === value[i]) continue;
      if (copy === value) copy = value.slice();
      copy[i] = item;
    }
    return copy;
  }
  if (isPlain(value)) return sortedObject(value as Readonly<Record<string, unknown>>);
  throw new TypeError(`Cannot write ${String(value)} as canonical JSON`);
}

function sortedObject(value: Readonly<Record<string, unknown>>): unknown {
  const keys = Object.keys(value);
  let same = keys.every((key, i) => i === 0 || key > keys[i - 1]!);
  if (!same) keys.sort();
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of keys) {
    const item = sorted(value[key]);
    if (item !== value[key]) same = false;
    copy[key] = item;
  }
  return same ? value : copy;
}

function isScalar(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || value === undefined || typeof value === "boolean" || typeof value === "string";
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = 0xfeff;

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SMALL_U = 0x75;

function invalid(msg: string, loc: readonly (string | number)[] = []): ParsedJson {
  return { ok: false, msg, loc, type: "json_invalid" };
}

/** What one pass over a text tells, whether it is JSON or not. */
interface Shape {
  nesting: number;
  /** Colons outside strings. */
  members: number;
  /** There is a `\u` in a string. */
  escapes: boolean;
  /** There is a backslash in a key. */
  escaped_keys: boolean;
}

function scan(text: string): Shape {
  let nesting = 0;
  let depth = 0;
  let members = 0;
  let escapes = false;
  let escaped_string = false;
  let escaped_keys = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      escaped_string = false;
      for (i++; i < text.length; i++) {
        const inside = text.charCodeAt(i);
        if (inside === QUOTE) break;
        if (inside !== BACKSLASH) continue;
        escaped_string = true;
        if (text.charCodeAt(++i) === SMALL_U) escapes = true;
      }
    } else if (code === COLON) {
      members++;
      if (escaped_string) escaped_keys = true;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      if (depth > nesting) nesting = depth;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return { nesting, members, escapes, escaped_keys };
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + countMembers((value as Record<string, unknown>)[key]);
  return count;
}

/**
 * The slow and exact way, for a text that is JSON: tells where a key occurs twice. Texts with escapes in keys always
 * come here, for V8 (Deno 2.9.6) reads those wrongly: after `{"a":1,"\\":1}` it takes the second key of
 * `{"a":1,"\n":1}` for a backslash, seemingly because it compares the escaped text with the key that it met in that
 * place before.
 */
function readByKey(text: string): ParsedJson {
  const tokens = text.match(TOKENS) ?? [];
  let at = 0;
  let refused: ParsedJson | undefined;

  function read(loc: readonly (string | number)[]): unknown {
    const token = tokens[at++]!;
    if (token === "[") return readArray(loc);
    if (token === "{") return readObject(loc);
    const scalar: unknown = JSON.parse(token);
    if (typeof scalar === "string" && !isText(scalar)) refused ??= badText(loc);
    return scalar;
  }

  function readArray(loc: readonly (string | number)[]): unknown[] {
    const items: unknown[] = [];
    for (; tokens[at] !== "]"; skip(",")) items.push(read([...loc, items.length]));
    skip("]");
    return items;
  }

  function readObject(loc: readonly (string | number)[]): object {
    const members = new Map<string, unknown>();
    for (; tokens[at] !== "}"; skip(",")) {
      const key = JSON.parse(tokens[at++]!) as string;
      const here = [...loc, key];
      if (members.has(key)) refused ??= invalid("The body has this key twice", here.map(legible));
      if (!isText(key)) refused ??= badText(here);
      skip(":");
      members.set(key, read(here));
    }
    skip("}");
    // Defines `__proto__` as a member like any other.
    return Object.fromEntries(members);
  }

  function skip(token: string): void {
    if (tokens[at] === token) at++;
  }

  const value = read([]);
  return refused ?? { ok: true, value };
}

/** Strings, punctuation, and what is between: numbers and names. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The first key or string that holds NUL or a lone surrogate. */
function findBadText(value: unknown, loc: readonly (string | number)[] = []): ParsedJson | undefined {
  if (typeof value === "string") return isText(value) ? undefined : badText(loc);
  if (typeof value !== "object" || value === null) return undefined;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    const here = [...loc, key];
    if (typeof key === "string" && !isText(key)) return badText(here);
    const bad = findBadText((value as Record<string | number, unknown>)[key], here);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function badText(loc: readonly (string | number)[]): ParsedJson {
  return { ok: false, msg: "Must not contain NUL or lone surrogates", loc: loc.map(legible), type: "string_text" };
}

function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** `loc` goes into an answer and into logs: well-formed, without NUL. */
function legible(step: string | number): string | number {
  return typeof step === "number" ? step : step.toWellFormed().replaceAll("\0", "\ufffd");
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
