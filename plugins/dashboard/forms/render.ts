/** Fields -> HTML. Every widget works without script; limits are the browser's first and the validator's in the end. */

import type { FormValues } from "../form_body.ts";
import { clock, count, humanName } from "../format.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import type { Field, Form } from "./fields.ts";
import { groupSwitch, isOptionalGroup, optionName, pairName, pairsOf } from "./read.ts";

/** Audio that was brought already. */
export interface Brought {
  readonly upload_id: string;
  readonly name: string;
  readonly seconds: number;
  readonly play: string;
}

/** A result that may be a source. */
export interface Offered {
  readonly value: string;
  readonly title: string;
  /** What it was asked for with. */
  readonly words: string;
  readonly seconds: number;
  readonly when: Value;
  readonly play: string;
}

export interface OfferedPage {
  readonly offered: readonly Offered[];
  /** The operation before which there may be more; null: these were all. */
  readonly older: string | null;
}

interface Choices {
  readonly results: OfferedPage;
}

export interface Filled {
  readonly values: FormValues;
  /** By path, joined with dots. */
  readonly problems: ReadonlyMap<string, string>;
  /** By source. */
  readonly brought: ReadonlyMap<string, Brought>;
  readonly choices: Choices;
}

/** Fields that most requests leave alone go behind a fold. */
const LATER: ReadonlySet<string> = new Set(["callback_url", "seed", "loudness", "metadata", "timeout_seconds"]);

/** `below_words` stands where the words end that it tells of. */
export function renderForm({ fields, one_of, action }: Form, filled: Filled, below_words: Value = null): Html {
  const isFirst = (field: Field): boolean => isUsual(field, action);
  const later = fields.filter((field) => !isFirst(field));
  // What is worked on comes before how.
  const first = fields.filter(isFirst).sort((one, other) => rank(one) - rank(other));
  const open = later.some((field) => has(field, filled));
  const words = first.findLastIndex(({ kind }) => kind === "text");
  return html`${one_of.length > 0 && html`<p class="soft">Fill in exactly one of ${list(fields.filter(({ path }) => one_of.includes(path[0]!)))}.</p>`}
${first.map((field, index) => html`${one(field, filled)}${index === words && below_words}`)}
${later.length > 0 && html`<details ${attributes({ open })}><summary>More: ${later.map(({ label }) => within(label)).join(", ")}</summary><div class="inner later">${later.map((field) => one(field, filled))}</div></details>`}`;
}

/** What an action is about is never behind the fold. */
const isUsual = ({ path, required, kind }: Field, { loudness }: Form["action"]): boolean =>
  required || kind === "audio" || !LATER.has(path[0]!) || (loudness === "always" && path[0] === "loudness");

const rank = ({ kind, required }: Field): number => (kind === "audio" && required ? 0 : 1);

/** A label in the middle of a sentence. */
const within = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

const list = (fields: readonly Field[]): Value =>
  fields.map(({ label }, index) => html`${index > 0 && " and "}<b>${within(label)}</b>`);

function has(field: Field, { values, problems }: Filled): boolean {
  const path = field.path.join(".");
  if ([...problems.keys()].some((key) => key === path || key.startsWith(`${path}.`))) return true;
  if (field.kind === "set") return field.options.some((option) => values.has(optionName(field, option)));
  if (field.kind === "pairs") return pairsOf(field, values).length > 0;
  return field.kind === "group" ? values.has(groupSwitch(field)) : (values.get(field.name) ?? "") !== "";
}

function one(field: Field, filled: Filled): Html {
  switch (field.kind) {
    case "audio":
      return audio(field, filled);
    case "group":
      return group(field, filled);
    case "pairs":
      return pairs(field, filled);
    case "set":
      return html`<fieldset ${attributes({ id: idOf(field) })}><legend>${field.label}${field.required && marked}</legend>${notes(field, filled)}<div class="row">${field.options.map((option) => html`<label class="check"><input ${attributes({ type: "checkbox", name: optionName(field, option), checked: filled.values.has(optionName(field, option)) })}><span>${String(option)}</span></label>`)}</div></fieldset>`;
    case "switch":
      return html`<div class="field"><label class="check"><input ${attributes({ ...wired(field, filled), type: "checkbox", checked: filled.values.has(field.name), required: null })}><span>${field.label}</span></label>${notes(field, filled)}</div>`;
    default:
      return html`<div class="field"><label for="${idOf(field)}">${field.label}${field.required && marked}</label>${notes(field, filled)}${widget(field, filled)}</div>`;
  }
}

const marked = html` <span class="soft" aria-hidden="true">(required)</span>`;

const idOf = ({ name }: Pick<Field, "name">): string => name.replaceAll(".", "-");

/** Where the problem of a 422 entry is to be put right: the id of an element of the form. `loc` is without `body`. */
export function problemAnchor({ fields }: Form, loc: readonly (string | number)[]): string {
  const [name = ""] = loc.map(String);
  const field = fields.find(({ path }) => path[0] === name);
  if (field === undefined) return "main";
  if (field.kind === "urls" || field.kind === "pairs") return idOf(field);
  return field.kind === "audio" ? `${idOf(field)}-file` : idOf({ name: `f.${loc.join(".")}` });
}

/** What the form calls that: `Loudness, Preset`, `Album, line 3`. */
export function problemLabel({ fields }: Form, loc: readonly (string | number)[]): string {
  const labels: string[] = [];
  let among: readonly Field[] = fields;
  for (const key of loc) {
    const field = among.find(({ path }) => path.at(-1) === key);
    if (field !== undefined) labels.push(field.label);
    else if (typeof key === "number") labels.push(`line ${key + 1}`);
    among = field?.kind === "group" ? field.fields : [];
  }
  return labels.join(", ") || loc.map(String).map(humanName).join(", ") || "The request";
}

/** What ties a widget to its label, its help and its problem. */
function wired(field: Field, { problems }: Filled) {
  const id = idOf(field);
  const has_problem = problemOf(field, problems) !== undefined;
  const described =
    `${field.help === null && hints(field) === "" ? "" : `${id}-help`} ${has_problem ? `${id}-problem` : ""}`.trim();
  return {
    id,
    name: field.name,
    required: field.required,
    "aria-describedby": described === "" ? null : described,
    "aria-invalid": has_problem ? "true" : null,
  };
}

/** Of a list the first problem of an entry, with its number, of pairs with its name. */
function problemOf({ kind, path }: Field, problems: Filled["problems"]): string | undefined {
  const key = path.join(".");
  const own = problems.get(key);
  if (own !== undefined || (kind !== "urls" && kind !== "pairs")) return own;
  const [at, msg] = [...problems].find(([name]) => name.startsWith(`${key}.`)) ?? [];
  if (at === undefined) return undefined;
  const which = at.slice(key.length + 1);
  return `${kind === "urls" ? `Line ${Number(which) + 1}` : `“${which}”`}: ${msg}`;
}

function notes(field: Field, { problems }: Filled): Html {
  const problem = problemOf(field, problems);
  const help = [(field.help ?? "").replace(/\.$/u, ""), hints(field)].filter((text) => text !== "").join(". ");
  return html`${help !== "" && html`<small id="${idOf(field)}-help">${help}</small>`}${
    problem !== undefined && html`<p class="problem" id="${idOf(field)}-problem">${problem}</p>`
  }`;
}

/** Bounds in words. */
function hints(field: Field): string {
  if (field.kind === "number") {
    const { minimum, maximum } = field;
    if (minimum !== null && maximum !== null) return `${minimum} to ${maximum}`;
    return minimum !== null ? `At least ${minimum}` : maximum !== null ? `At most ${maximum}` : "";
  }
  if (field.kind === "text" && field.characters_max !== null && field.lines !== "one")
    return `Up to ${count(field.characters_max)} characters`;
  if (field.kind === "urls") return "One https address a line";
  return field.kind === "json" ? "As JSON" : "";
}

function widget(field: Exclude<Field, { kind: "audio" | "group" | "pairs" | "set" | "switch" }>, filled: Filled): Html {
  const value = filled.values.get(field.name) ?? "";
  const shared = wired(field, filled);
  switch (field.kind) {
    case "number":
      return html`<input ${attributes({ ...shared, type: "number", inputmode: field.whole ? "numeric" : "decimal", step: field.whole ? 1 : "any", min: field.minimum, max: field.maximum, value: value === "" ? null : value })}>`;
    case "choice":
      return html`<select ${attributes(shared)}>${!field.required && html`<option value="">not set</option>`}${field.options.map(
        (option) => {
          const text = JSON.stringify(option);
          return html`<option ${attributes({ value: text, selected: text === value })}>${typeof option === "boolean" ? (option ? "yes" : "no") : String(option)}</option>`;
        },
      )}</select>`;
    case "urls":
    case "json":
      return html`<textarea ${attributes({ ...shared, spellcheck: "false" })}>${lead(value)}</textarea>`;
    case "text":
      return field.lines === "one"
        ? html`<input ${attributes({ ...shared, type: field.url ? "url" : "text", value: value === "" ? null : value, dir: field.url ? null : "auto", autocomplete: "off" })}>`
        : html`<textarea ${attributes({ ...shared, class: field.lines === "many" ? "tall" : null, dir: "auto", "data-characters": field.characters_max })}>${lead(value)}</textarea>`;
  }
}

/** Rows that a form without script offers beyond those that are filled in. */
const PAIRS_FREE = 2;

/** The first name has the field's own id. */
function pairs(field: Extract<Field, { kind: "pairs" }>, filled: Filled): Html {
  const { id, "aria-invalid": invalid, "aria-describedby": described } = wired(field, filled);
  const most = field.pairs_max ?? Number.POSITIVE_INFINITY;
  const given = pairsOf(field, filled.values);
  const count = Math.min(most, given.length + PAIRS_FREE);
  const half = (index: number, which: "key" | "value", text: string) =>
    html`<input ${attributes({ id: index === 0 && which === "key" ? id : null, name: pairName(field, index, which), value: text === "" ? null : text, "aria-label": `${field.label}, ${which === "key" ? "name" : "value"} ${index + 1}`, "aria-invalid": invalid, placeholder: which === "key" ? "Name" : "Value", maxlength: which === "value" ? field.characters_max : null, dir: "auto", autocomplete: "off" })}>`;
  return html`<fieldset ${attributes({ class: "plain", "data-pairs": field.name, "data-most": field.pairs_max, "aria-describedby": described })}><legend>${field.label}${field.required && marked}</legend>${notes(field, filled)}${Array.from(
    { length: count },
    (_, index) => {
      const [key, value] = given[index] ?? ["", ""];
      return html`<div class="pair">${half(index, "key", key)}${half(index, "value", value)}</div>`;
    },
  )}<div><button type="button" class="small" data-add hidden>Another pair</button></div></fieldset>`;
}

/** HTML drops one line break after the tag: give it one. */
const lead = (text: string): string => (text.startsWith("\n") ? `\n${text}` : text);

function group(field: Extract<Field, { kind: "group" }>, filled: Filled): Html {
  const inside = html`<div class="inner">${field.fields.map((inner) => one(inner, filled))}</div>`;
  const problem = filled.problems.get(field.path.join("."));
  const head = html`<legend>${field.label}</legend>${field.help !== null && html`<small>${field.help}</small>`}${problem !== undefined && html`<p class="problem">${problem}</p>`}`;
  if (!isOptionalGroup(field)) return html`<fieldset>${head}${inside}</fieldset>`;
  const on = filled.values.has(groupSwitch(field));
  return html`<fieldset class="optional">${head}<label class="check"><input ${attributes({ type: "checkbox", name: groupSwitch(field), checked: on })}><span>Choose ${within(field.label)}</span></label>${inside}</fieldset>`;
}

/** A file, a result of before, or an address: whichever is there, in this order. */
function audio(field: Extract<Field, { kind: "audio" }>, filled: Filled): Html {
  const { values, choices } = filled;
  const id = idOf(field);
  const brought = filled.brought.get(field.path[0]!);
  const [result, url] = [values.get(`${field.name}.result`) ?? "", values.get(`${field.name}.url`) ?? ""];
  return html`<fieldset data-audio="${field.name}"><legend>${field.label}${field.required && marked}</legend>${notes(field, filled)}
<div class="drop"><div class="field"><label for="${id}-file">A file of yours</label><input type="file" id="${id}-file" name="${field.name}.file" accept=".wav,.mp3,.flac,audio/wav,audio/mpeg,audio/flac"></div>
<input type="hidden" name="${field.name}.upload" value="${brought?.upload_id ?? ""}"><input type="hidden" name="${field.name}.filename" value="${brought?.name ?? ""}">
<p data-brought role="status">${brought !== undefined && html`<b dir="auto">${brought.name}</b> <small>${clock(brought.seconds)}, uploaded</small>`}</p>
${brought !== undefined && broughtPlayer(brought)}</div>
<details ${attributes({ id: `${id}-there`, open: result !== "" || url !== "" || isLooked(values) })}><summary>Or something that is there already</summary><div class="inner later">
${picker(field, result, choices, values)}
<div class="field"><label for="${id}-url">An address</label><small id="${id}-url-help">https, of a WAV, MP3 or FLAC file</small><input ${attributes({ type: "url", id: `${id}-url`, name: `${field.name}.url`, value: url === "" ? null : url, "aria-describedby": `${id}-url-help`, autocomplete: "off" })}></div></div></details></fieldset>`;
}

/** As `brought.mjs` makes it for a file that is dropped; without script the browser's own. */
const broughtPlayer = ({ name, play, seconds }: Brought): Html =>
  html`<div class="row sound scripted"><button ${attributes({ type: "button", class: "hear", "data-hear": play, "aria-label": `Play ${name}` })}></button><small>${clock(seconds)}</small><input ${attributes({ type: "range", max: seconds, step: "any", value: 0, "data-place": true, "aria-label": `Position in ${name}` })}></div><audio controls preload="none" data-scriptless src="${play}"></audio>`;

const isLooked = (values: FormValues): boolean => /^(?:find|older):/u.test(values.get("intent") ?? "");

/** Results, looked through by words: each look is the form sent and shown again, with all that was typed. */
function picker(field: Field, chosen: string, { results: { offered, older } }: Choices, values: FormValues): Value {
  const { name, path } = field;
  if (offered.length === 0 && !isLooked(values)) return null;
  const choice = (value: string, text: Value): Html =>
    html`<label class="check"><input ${attributes({ type: "radio", name: `${name}.result`, value, checked: value === chosen })}><span>${text}</span></label>`;
  const look = (intent: string, text: string): Html =>
    html`<button ${attributes({ class: "small", name: "intent", value: `${intent}:${path[0]}`, formnovalidate: true, formaction: `#${idOf(field)}-there` })}>${text}</button>`;
  return html`<fieldset class="plain"><legend>A result</legend><div class="row"><input ${attributes({ type: "search", name: `${name}.find`, value: values.get(`${name}.find`) || null, "aria-label": "Words of its request", placeholder: "Words of its request", maxlength: 200, autocomplete: "off" })}>${look("find", "Look")}</div><div class="picker" tabindex="0" role="group" aria-label="Results">${choice("", "None")}${offered.map(
    ({ value, title, words, seconds, when, play }) =>
      html`<div class="offered">${choice(value, html`<b>${title}</b> <span class="soft clip" dir="auto">${words}</span>`)}<span class="sound"><button ${attributes({ type: "button", class: "hear scripted", "data-hear": play, "aria-label": `Play ${title}` })}></button><span>${clock(seconds)}</span></span><small>${when}</small></div>`,
  )}${offered.length === 0 && html`<p class="soft">No result fits.</p>`}</div>${older !== null && html`<div class="row end">${look(`older:${older}`, "Older ones")}</div>`}</fieldset>`;
}
