/** A form that was sent -> the body of a request, and back: a body -> what its form shows. */
import { parseJson } from "../../../core/surface.ts";
import type { FormValues } from "../form_body.ts";
import type { Field, Form } from "./fields.ts";

/** Switch of a group that may be absent. */
export const groupSwitch = (field: Field): string => `${field.name}.__on`;

/** Of the box of one option of a set. */
export const optionName = ({ name }: Pick<Field, "name">, option: string | number | boolean): string =>
  `${name}.${option}`;

/** Of one half of a pair, by its place in the form. */
export const pairName = ({ name }: Pick<Field, "name">, index: number, half: "key" | "value"): string =>
  `${name}.${index}.${half}`;

/** The pairs of a form, empty ones left out. */
export function pairsOf(field: Pick<Field, "name">, values: FormValues): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  for (let index = 0; values.has(pairName(field, index, "key")); index++) {
    const pair = (["key", "value"] as const).map((half) => values.get(pairName(field, index, half)) ?? "");
    if (pair.some((text) => text.trim() !== "")) pairs.push([pair[0]!.trim(), pair[1]!]);
  }
  return pairs;
}

export const isOptionalGroup = (field: Field): boolean => field.kind === "group" && !field.required;

/**
 * The body as the API would be sent it, without `idempotency_key`. Empty fields are left out; what cannot be a number
 * or JSON stays the text that it is, for the validator to refuse at its place. `audio`: the URLs of sources, by name.
 */
export function bodyOf(
  { fields }: Form,
  values: FormValues,
  audio: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return objectOf(fields, values, audio);
}

function objectOf(
  fields: readonly Field[],
  values: FormValues,
  audio: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = sent(field, values, audio);
    if (value !== undefined) body[field.path.at(-1)!] = value;
  }
  return body;
}

function sent(field: Field, values: FormValues, audio: Readonly<Record<string, string>>): unknown {
  const text = values.get(field.name) ?? "";
  switch (field.kind) {
    case "audio": {
      const url = audio[field.path[0]!];
      return url === undefined ? undefined : { url };
    }
    case "switch":
      return values.has(field.name);
    case "set": {
      const chosen = field.options.filter((option) => values.has(optionName(field, option)));
      return chosen.length === 0 ? undefined : chosen;
    }
    case "pairs": {
      const pairs = pairsOf(field, values);
      return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
    }
    case "group":
      return isOptionalGroup(field) && !values.has(groupSwitch(field))
        ? undefined
        : objectOf(field.fields, values, audio);
    case "text":
      return text === "" ? undefined : text;
    case "number":
      return text.trim() === "" ? undefined : numberOf(text.trim());
    case "choice":
      // Options travel as JSON; another text is refused by the validator.
      return text === "" ? undefined : (field.options.find((option) => JSON.stringify(option) === text) ?? text);
    case "urls": {
      const urls = text.split(/\s+/u).filter((url) => url !== "");
      return urls.length === 0 ? undefined : urls.map((url) => ({ url }));
    }
    case "json":
      return text.trim() === "" ? undefined : jsonOf(text);
  }
}

function numberOf(text: string): number | string {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/iu.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : text;
}

function jsonOf(text: string): unknown {
  const parsed = parseJson(new TextEncoder().encode(text));
  return parsed.ok ? parsed.value : text;
}

/**
 * What the form shows for a body: of an example, or of an operation that is to be repeated. Sources are the page's
 * affair.
 */
export function valuesOf(form: Form, body: Readonly<Record<string, unknown>>): Map<string, string> {
  const values = defaultValues(form);
  fill(form.fields, body, values);
  return values;
}

function fill(fields: readonly Field[], body: Readonly<Record<string, unknown>>, values: Map<string, string>): void {
  for (const field of fields) {
    const value = body[field.path.at(-1)!];
    if (value === undefined || value === null || field.kind === "audio") continue;
    if (field.kind === "group") {
      values.set(groupSwitch(field), "on");
      fill(field.fields, value as Record<string, unknown>, values);
    } else if (field.kind === "switch") {
      if (value === true) values.set(field.name, "on");
      else values.delete(field.name);
    } else if (field.kind === "set") for (const one of value as string[]) values.set(optionName(field, one), "on");
    else if (field.kind === "pairs")
      for (const [index, pair] of Object.entries(value as Record<string, string>).entries())
        for (const [at, half] of (["key", "value"] as const).entries())
          values.set(pairName(field, index, half), pair[at]!);
    else if (field.kind === "urls")
      values.set(field.name, (value as { url: string }[]).map(({ url }) => url).join("\n"));
    else if (field.kind === "json" || field.kind === "choice") values.set(field.name, JSON.stringify(value));
    else values.set(field.name, String(value));
  }
}

/** What a fresh form shows: defaults. */
export function defaultValues({ fields }: Form): Map<string, string> {
  const values = new Map<string, string>();
  const visit = (list: readonly Field[]): void => {
    for (const field of list) {
      if (field.kind === "group") visit(field.fields);
      else if (field.kind === "switch" && field.preset) values.set(field.name, "on");
      else if (field.kind === "number" && field.preset !== null) values.set(field.name, String(field.preset));
      else if (field.kind === "choice" && field.preset !== null) values.set(field.name, field.preset);
    }
  };
  visit(fields);
  return values;
}
