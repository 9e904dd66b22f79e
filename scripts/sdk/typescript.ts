/** Types of sdk/typescript, out of the document. */
import {
  actionsOf,
  answerOf,
  camel,
  type Document,
  dryRunOf,
  noteOf,
  resolve,
  type Schema,
  valuesOf,
} from "./document.ts";

export function writeTypeScript(document: Document, codes: { readonly errors: readonly string[] }): string {
  const actions = actionsOf(document);
  const write = new Writer(document);
  const named: [name: string, schema: Schema, is_request: boolean][] = [
    ...actions.flatMap(({ type, request, operation }): [string, Schema, boolean][] => [
      [`${type}Request`, request, true],
      [`${type}Operation`, operation, false],
    ]),
    ["Account", Object.values(answerOf(document, "/v1/account", "get").properties!)[0]!, false],
    ["Capabilities", answerOf(document, "/v1/capabilities", "get"), false],
    ["DryRun", dryRunOf(document), false],
  ];
  const written = named.map(
    ([name, schema, is_request]) => `export interface ${name} ${write.object(resolve(document, schema), is_request)}`,
  );
  return [
    "// Written by scripts/sdk.ts from the OpenAPI document. Change that, not this.",
    `/** Codes of refusals. */\nexport type ErrorCode = ${union(codes.errors)};`,
    `/** Codes of operations that ended as \`failed\`. */\nexport type FailureCode = ${union([...new Set(actions.flatMap(({ failures }) => failures))])};`,
    ...write.components.values(),
    ...written,
    `/** Every action: its resource in the client, what it takes and what it answers. */\nexport interface Actions {\n${actions
      .map(
        ({ name, resource, type, summary }) =>
          `/** ${summary} */\n"${name}": { readonly resource: "${camel(resource)}"; readonly request: ${type}Request; readonly operation: ${type}Operation };`,
      )
      .join("\n")}\n}`,
    "export type ActionName = keyof Actions;",
    `export const ACTIONS: { readonly [Name in ActionName]: { readonly resource: Actions[Name]["resource"]; readonly sources: readonly string[] } } = {\n${actions
      .map(
        ({ name, resource, sources }) =>
          `"${name}": { resource: "${camel(resource)}", sources: ${JSON.stringify(sources)} },`,
      )
      .join("\n")}\n};`,
    "",
  ].join("\n\n");
}

class Writer {
  /** Interfaces of the components that were met, by name. */
  readonly components = new Map<string, string>();
  readonly #document: Document;
  constructor(document: Document) {
    this.#document = document;
  }

  /** In requests, what has a default may be left out. */
  object(schema: Schema, is_request: boolean): string {
    const required = new Set(schema.required ?? []);
    const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const is_optional =
        !required.has(name) || (is_request && resolve(this.#document, property).default !== undefined);
      const type = this.type(property, is_request);
      return `${comment(noteOf(this.#document, property))}readonly ${name}${is_optional ? "?" : ""}: ${type}${is_optional ? " | undefined" : ""};`;
    });
    return `{\n${lines.join("\n")}\n}`;
  }

  type(given: Schema, is_request: boolean): string {
    const schema = resolve(this.#document, given);
    const name = given.$ref?.replace("#/components/schemas/", "");
    if (name !== undefined && schema.properties !== undefined) {
      // Before what it holds: a component may hold itself.
      if (!this.components.has(name)) {
        this.components.set(name, "");
        this.components.set(name, `export interface ${name} ${this.object(schema, is_request)}`);
      }
      return name;
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return union(schema.enum);
    const of = schema.anyOf ?? schema.oneOf;
    if (of !== undefined) return [...new Set(of.map((one) => this.type(one, is_request)))].join(" | ");
    const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
    return types.map((type) => this.#plain(type, schema, is_request)).join(" | ") || "unknown";
  }

  #plain(type: string, schema: Schema, is_request: boolean): string {
    if (type === "object") {
      if (schema.properties !== undefined) return this.object(schema, is_request);
      const values = valuesOf(schema);
      return `Readonly<Record<string, ${values === undefined ? "unknown" : this.type(values, is_request)}>>`;
    }
    if (type === "array") return `readonly (${this.type(schema.items ?? {}, is_request)})[]`;
    return type === "integer" ? "number" : type;
  }
}

const union = (values: readonly (string | number | null)[]): string =>
  values.map((value) => JSON.stringify(value)).join(" | ") || "never";

function comment(note: string): string {
  return note === "" ? "" : `/** ${note.replaceAll("*/", "*\\/")} */\n`;
}
