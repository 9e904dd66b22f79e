/**
 * A request as programs send it: curl, TypeScript, Python, `tonwerk`. Audio is named by file or operation, so that no
 * URL in it expires.
 */
import { randomUUID } from "node:crypto";
import type { AnyAction, Operation, StoredRequest } from "../../core/surface.ts";

/** Where a source comes from: `file` is on the reader's disk. */
export type Given =
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "result"; readonly operation: string; readonly index: number }
  | { readonly kind: "url"; readonly url: string };

export interface Sent {
  readonly action: AnyAction;
  /** The body without sources and `idempotency_key`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** By field; `album.3` is an entry of a list. */
  readonly sources: ReadonlyMap<string, Given>;
}

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

export const snippetsOf = (sent: Sent, base_url: string): readonly Snippet[] => [
  { name: "curl", text: curl(sent, base_url) },
  { name: "TypeScript", text: typescript(sent) },
  { name: "Python", text: python(sent) },
  { name: "tonwerk", text: command(sent) },
];

/** What made an operation. Uploads by the name that `nameOf` knows of their object. */
export function sentOf(
  action: AnyAction,
  { request, sources, callback_url }: Operation,
  nameOf: (object: string) => string | undefined,
): Sent {
  const { fields, loudness, seed, metadata, timeout_seconds, webhook_events } = JSON.parse(request) as StoredRequest;
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (!(name in action.sources)) body[name] = value;
  if (loudness !== null) {
    const { preset, target_lufs, allow_compression } = loudness;
    body.loudness = preset === undefined ? { target_lufs, allow_compression } : { preset, allow_compression };
  }
  if (action.seeded) body.seed = seed;
  if (callback_url !== null) body.callback_url = callback_url;
  for (const [name, value] of Object.entries({ metadata, timeout_seconds, webhook_events }))
    if (value !== undefined) body[name] = value;
  const given = sources.map(({ name, object, url }): [string, Given] => {
    const [, operation, index] = /^op\/(op_\w+)\/\d+\/(\d+)\./u.exec(object ?? "") ?? [];
    if (operation !== undefined) return [name, { kind: "result", operation, index: Number(index) }];
    return [name, object === null ? { kind: "url", url } : { kind: "file", name: nameOf(object) ?? fileOf(name) }];
  });
  return { action, fields: body, sources: new Map(given) };
}

const fileOf = (field: string): string => `${field.replace(".", "-")}.flac`;

/** `{ url: { name } }` for what a variable holds, by field. */
function withSources<T>(
  { fields, sources }: Sent,
  toValue: (field: string, given: Given) => T,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, given] of sources) {
    const [field = name, index] = name.split(".");
    if (index === undefined) body[field] = toValue(name, given);
    else body[field] = [...((body[field] as unknown[] | undefined) ?? []), toValue(name, given)];
  }
  return { ...body, ...fields };
}

const variable = (field: string): string => field.replaceAll(/\W/gu, "_");

/** For POSIX shells. */
const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// ----------------------------------------------------------------------------------------------------------------- curl

function curl(sent: Sent, base_url: string): string {
  const key = `-H "Authorization: Bearer $TONWERK_KEY"`;
  const lines = [...sent.sources].flatMap(([field, given]) => {
    const name = variable(field).toUpperCase();
    if (given.kind === "file")
      return [
        `${name}=$(curl -fsS -X PUT ${base_url}/v1/files ${key} --data-binary @${quoted(given.name)} | jq -r .file.url)`,
      ];
    if (given.kind === "result")
      return [
        `${name}=$(curl -fsS ${base_url}/v1/operations/${given.operation} ${key} | jq -r '.[] | (.outputs // [.output])[${given.index}].url')`,
      ];
    return [];
  });
  const marks = new Map(
    [...sent.sources.keys()].map((field) => [`\u0000${field}\u0000`, variable(field).toUpperCase()]),
  );
  const body = withSources(sent, (field, given) => ({
    url: given.kind === "url" ? given.url : `\u0000${field}\u0000`,
  }));
  let text = quoted(JSON.stringify({ idempotency_key: randomUUID(), ...body }, null, 2));
  for (const [mark, name] of marks) text = text.replaceAll(JSON.stringify(mark).slice(1, -1), () => `'"$${name}"'`);
  lines.push(
    `curl -fsS -X PUT ${base_url}/v1/${sent.action.name} \\\n  ${key} \\\n  -H 'Content-Type: application/json' \\\n  --data ${text}`,
  );
  return lines.join("\n");
}

// ----------------------------------------------------------------------------------------------------- TypeScript, Python

/** Text that stands in code as it is, within JSON. */
class Name {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

interface Words {
  readonly none: string;
  readonly yes: string;
  readonly no: string;
  /** How a key is written that could be an identifier. */
  key(name: string): string;
}

const TYPESCRIPT: Words = { none: "null", yes: "true", no: "false", key: (name) => name };
const PYTHON: Words = { none: "None", yes: "True", no: "False", key: (name) => JSON.stringify(name) };

function literal(value: unknown, words: Words, indent = ""): string {
  if (value instanceof Name) return value.text;
  if (value === null || value === undefined) return words.none;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, words, indent)).join(", ")}]`;
  const key = (name: string) => (/^[a-z_]\w*$/iu.test(name) ? words.key(name) : JSON.stringify(name));
  const pairs = Object.entries(value).map(([name, one]) => `${key(name)}: ${literal(one, words, `${indent}  `)}`);
  const line = `{ ${pairs.join(", ")} }`;
  if (pairs.length === 0) return "{}";
  return line.length <= 80 ? line : `{\n${pairs.map((pair) => `${indent}  ${pair},\n`).join("")}${indent}}`;
}

const bodyIn = (sent: Sent): Record<string, unknown> =>
  withSources(sent, (field, given) => (given.kind === "url" ? { url: given.url } : new Name(variable(field))));

function typescript(sent: Sent): string {
  const brought = [...sent.sources].flatMap(([field, given]) => {
    if (given.kind === "file")
      return [`const ${variable(field)} = await tonwerk.files.upload(${JSON.stringify(given.name)});`];
    if (given.kind === "url") return [];
    const made = `${variable(field)}_made`;
    return [
      `const ${made} = await tonwerk.operations.get("${given.operation}");`,
      `const ${variable(field)} = (${made}.outputs ?? [${made}.output])[${given.index}]!;`,
    ];
  });
  const saved =
    sent.action.output === "report"
      ? "console.log(made.report);"
      : sent.action.output === "single"
        ? `await made.output.download("${baseOf(sent.action)}.flac");`
        : `for (const [index, output] of made.outputs.entries()) await output.download(${downloadName(sent.action, "${", "}", "index + 1", "output.kind")});`;
  return [
    `import { Tonwerk } from "@tonwerk/sdk";\n`,
    "const tonwerk = new Tonwerk(); // TONWERK_URL and TONWERK_KEY",
    ...brought,
    `const made = await tonwerk.action("${sent.action.name}").create(${literal(bodyIn(sent), TYPESCRIPT)}).wait();`,
    saved,
  ].join("\n");
}

function python(sent: Sent): string {
  const brought = [...sent.sources].flatMap(([field, given]) => {
    if (given.kind === "file") return [`${variable(field)} = tonwerk.files.upload(${JSON.stringify(given.name)})`];
    if (given.kind === "url") return [];
    return [`${variable(field)} = tonwerk.operations.get("${given.operation}").outputs[${given.index}]`];
  });
  const given = Object.entries(bodyIn(sent)).map(([name, value]) => `${name}=${literal(value, PYTHON, "    ")}`);
  const saved =
    sent.action.output === "report"
      ? "print(made.report)"
      : sent.action.output === "single"
        ? `made.output.download("${baseOf(sent.action)}.flac")`
        : `for index, output in enumerate(made.outputs):\n    output.download(f${downloadName(sent.action, "{", "}", "index + 1", "output.kind").replaceAll("`", '"')})`;
  return [
    "from tonwerk import Tonwerk\n",
    "tonwerk = Tonwerk()  # TONWERK_URL and TONWERK_KEY",
    ...brought,
    `made = tonwerk.action("${sent.action.name}").create(\n${given.map((one) => `    ${one},\n`).join("")}).wait()`,
    saved,
  ].join("\n");
}

const baseOf = ({ name }: AnyAction): string => name.slice(name.indexOf(".") + 1);

const downloadName = (action: AnyAction, open: string, close: string, index: string, kind: string): string =>
  `\`${baseOf(action)}-${open}${action.output === "variations" ? index : kind}${close}.flac\``;

// -------------------------------------------------------------------------------------------------------------- tonwerk

function command(sent: Sent): string {
  const { action } = sent;
  const before: string[] = [];
  const words: string[] = [];
  for (const [field, given] of sent.sources) {
    const [name = field, index] = field.split(".");
    let place: string;
    if (given.kind === "url") place = given.url;
    else if (given.kind === "file") place = given.name;
    else {
      place = fileOf(field);
      before.push(`tonwerk download ${given.operation} -o ${quoted(place)}`);
    }
    // A word without an option is a source that must be there.
    const option = action.sources[name]?.optional === true ? `--${dashed(name)} ` : "";
    words.push(`${index === undefined || index === "0" ? option : ""}${quoted(place)}`);
  }
  const options = Object.entries(sent.fields).flatMap(([name, value]) => optionsOf(name, value, sent.fields));
  const verb = action.command ?? baseOf(action).replaceAll("_", "-");
  return [...before, [`tonwerk ${verb}`, ...words, ...options].join(" ")].join("\n");
}

/** `--timeout 60`: the help says the unit. */
const dashed = (name: string): string => name.replace(/_seconds$/u, "").replaceAll("_", "-");

function optionsOf(name: string, value: unknown, taken: Readonly<Record<string, unknown>>): readonly string[] {
  const option = dashed(name);
  if (typeof value === "boolean") return [value ? `--${option}` : `--no-${option}`];
  if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
    return value.map((one) => `--${option} ${quoted(String(one))}`);
  if (name === "metadata")
    return Object.entries(value as object).map(([key, text]) => `--metadata ${quoted(`${key}=${text}`)}`);
  if (Array.isArray(value)) return [`--${option} ${quoted(JSON.stringify(value))}`];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([inner, one]) =>
      optionsOf(inner in taken ? `${name}_${inner}` : inner, one, taken),
    );
  return [`--${option} ${quoted(String(value))}`];
}
