/**
 * HTML that is escaped by construction. `html` reads the fixed parts of its template once, knows for every hole whether
 * it stands in text, in a quoted attribute or in an address, and escapes for that place; a hole anywhere else is a
 * mistake of the author and throws at the first use. Nothing that is not `Html` is ever taken for markup.
 */

/** Markup. Made by `html` only. */
export class Html {
  readonly text: string;
  /** @internal */
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** What a hole takes: text, markup, several of them; null, undefined and false are nothing. */
export type Value = Html | string | number | null | undefined | false | readonly Value[];

/**
 * Attributes for a hole inside a tag: true is the bare name, false, null and undefined leave it out.
 *
 * @example
 * ```ts
 * html`<input ${attributes({ name, value, required: true })}>`
 * ```
 */
export class Attributes {
  readonly pairs: Readonly<Record<string, string | number | boolean | null | undefined>>;
  constructor(pairs: Attributes["pairs"]) {
    this.pairs = pairs;
  }
}

export const attributes = (pairs: Attributes["pairs"]): Attributes => new Attributes(pairs);

/** Escapes every value for the place it stands in. Throws a TypeError for a hole that no escaping would make safe. */
export function html(strings: TemplateStringsArray, ...values: readonly (Value | Attributes)[]): Html {
  let places = known.get(strings);
  if (places === undefined) {
    places = placesOf(strings);
    known.set(strings, places);
  }
  let text = strings[0]!;
  for (let index = 0; index < values.length; index++)
    text += filled(values[index], places[index]!) + strings[index + 1]!;
  return new Html(text);
}

/** Where a hole stands. `address`: the beginning of a URL; `part`: within one, behind a fixed beginning. */
type Place = "text" | "attribute" | "address" | "part" | "tag";

const known = new WeakMap<TemplateStringsArray, readonly Place[]>();

function filled(value: Value | Attributes, place: Place): string {
  if (place === "tag") {
    if (value instanceof Attributes) return written(value);
    throw new TypeError("Cannot fill a hole inside a tag: only attributes() may stand there");
  }
  if (value instanceof Attributes) throw new TypeError("Cannot write attributes() outside of a tag");
  if (place === "text") return markup(value);
  const text = plain(value);
  if (place === "address") return escapeHtml(safeAddress(text));
  return place === "part" ? escapeHtml(encodeURIComponent(text)) : escapeHtml(text);
}

function markup(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  let text = "";
  for (const part of value) text += markup(part);
  return text;
}

function plain(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new TypeError("Cannot write markup or a list into an attribute");
}

function written({ pairs }: Attributes): string {
  let text = "";
  for (const [name, value] of Object.entries(pairs)) {
    if (value === null || value === undefined || value === false) continue;
    checkName(name);
    if (value === true) text += ` ${name}`;
    else text += ` ${name}="${escapeHtml(addressed(name, String(value)))}"`;
  }
  return text;
}

function addressed(name: string, value: string): string {
  if (name === "srcset") return value.split(", ").map(safeCandidate).join(", ");
  return ADDRESSES.has(name) ? safeAddress(value) : value;
}

/** An address of a list with its width or density. */
function safeCandidate(candidate: string): string {
  const [, address = "", size = ""] = /^(\S+)( \d+(?:\.\d+)?[wx])?$/u.exec(candidate) ?? [];
  return address === "" || address.includes(",") ? BLOCKED : safeAddress(address) + size;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For text and for values in quotes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => ESCAPES[character]!);
}

/** Attributes whose value is an address that the browser may follow. */
const ADDRESSES: ReadonlySet<string> = new Set(["href", "src", "action", "formaction", "poster", "cite", "data"]);

/**
 * Paths of this origin, fragments, queries, http and https; anything else, `javascript:` first of all, leads nowhere.
 */
function safeAddress(text: string): string {
  // Browsers drop tabs and line breaks from addresses and read backslashes as slashes: neither is ours.
  if (/[\s\\]/u.test(text)) return BLOCKED;
  if (/^(?:https?:\/\/|[/?#])/iu.test(text) && !text.startsWith("//")) return text;
  return BLOCKED;
}

const BLOCKED = "about:invalid";

/** No inline script and no inline style: the policy of the pages forbids both, so writing one is a mistake. */
function checkName(name: string): void {
  if (!/^[a-z][a-z0-9-]*$/iu.test(name)) throw new TypeError(`Cannot write an attribute named "${name}"`);
  if (/^on/iu.test(name) || /^(?:style|srcdoc)$/iu.test(name)) {
    throw new TypeError(`Cannot write the attribute "${name}": pages have no inline script and no inline style`);
  }
}

// -------------------------------------------------------------------------------------------------------------- places

type State = "text" | "tag" | "value" | "comment";

/** Reads the fixed parts and tells the place of each hole. A template begins and ends in text. */
function placesOf(strings: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  let state: State = "text";
  let quote = "";
  let name = "";
  /** What of the value stands before this point. */
  let begun = "";
  for (const [index, part] of strings.entries()) {
    for (let at = 0; at < part.length; ) {
      if (state === "text") {
        const tag = part.indexOf("<", at);
        if (tag === -1) break;
        if (part.startsWith("<!--", tag)) [state, at] = ["comment", tag + 4];
        else [state, at] = ["tag", tag + openedTag(part, tag)];
      } else if (state === "comment") {
        const end = part.indexOf("-->", at);
        if (end === -1) throw new TypeError("Cannot fill a hole inside a comment");
        [state, at] = ["text", end + 3];
      } else if (state === "tag") {
        const rest = part.slice(at);
        const assigned = /^([^\s"'<>/=]+)\s*=\s*(["'])/u.exec(rest);
        if (assigned !== null) {
          name = assigned[1]!.toLowerCase();
          if (!SVG_AND_HTML_NAME.test(assigned[1]!)) throw new TypeError(`Cannot read the attribute "${name}"`);
          if (name === "srcset") throw new TypeError("Cannot write a list of addresses: use attributes()");
          checkName(name.replace(":", "-"));
          [state, quote, begun] = ["value", assigned[2]!, ""];
          at += assigned[0].length;
        } else if (rest.startsWith(">")) [state, at] = ["text", at + 1];
        else if (/^[^\s"'<>/=]+\s*=/u.test(rest))
          throw new TypeError(`Cannot read the template: quote every attribute`);
        else at += /^(?:[^\s"'<>/=]+|.)/su.exec(rest)![0].length;
      } else {
        const end = part.indexOf(quote, at);
        begun += part.slice(at, end === -1 ? undefined : end);
        if (end === -1) break;
        [state, at] = ["tag", end + 1];
      }
    }
    if (index === strings.length - 1) break;
    if (state === "comment") throw new TypeError("Cannot fill a hole inside a comment");
    if (state === "tag" && !/\s$/u.test(part))
      throw new TypeError("Cannot fill a hole inside a tag's or attribute's name");
    if (state === "value") {
      places.push(!ADDRESSES.has(name) ? "attribute" : begun === "" ? "address" : "part");
      // Whatever comes next is no longer the beginning.
      begun += "\0";
    } else places.push(state);
  }
  if (state !== "text") throw new TypeError("Cannot read the template: it ends inside a tag");
  return places;
}

const SVG_AND_HTML_NAME = /^[a-zA-Z][a-zA-Z0-9:-]*$/u;

/**
 * Length of `<name`, `</name` or `<!doctype`. Elements whose content is no HTML are refused, save for scripts that are
 * loaded.
 */
function openedTag(part: string, at: number): number {
  const opened = /^<(?:[a-z][a-z0-9-]*|\/[a-z][a-z0-9-]*|!doctype)/iu.exec(part.slice(at));
  if (opened === null) throw new TypeError("Cannot read the template: write < as &lt;");
  const tag = opened[0].slice(1).toLowerCase();
  if (tag === "style") throw new TypeError("Cannot write a style element: pages have one stylesheet");
  if (
    tag === "script" &&
    !/^<script\b[^>]*\bsrc="[^>]*><\/script>/iu.test(part.slice(at)) &&
    !SCRIPT_HOLE.test(part.slice(at))
  )
    throw new TypeError("Cannot write an inline script");
  return opened[0].length;
}

/** `<script type="module" src="` with a hole behind it. */
const SCRIPT_HOLE = /^<script\b[^>]*\bsrc="[^">]*$/iu;
