/** Types of sdk/typescript, out of the document. */
import type { Route } from "../../sdk/typescript/src/transport.ts";
import {
  actionsOf,
  camel,
  type Document,
  downloadFormOf,
  dryRunOf,
  listFiltersOf,
  noteOf,
  type RouteModel,
  resolve,
  routesOf,
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
    ["DryRun", dryRunOf(document), false],
  ];
  const written = named.map(
    ([name, schema, is_request]) => `export interface ${name} ${write.object(resolve(document, schema), is_request)}`,
  );
  const routes = routesOf(document);
  const methods = writeRoutes(routes, write);
  const filters = write.query(listFiltersOf(document));
  const form = write.query(downloadFormOf(document));
  write.type({ $ref: "#/components/schemas/Peaks" }, false);
  return [
    "// Written by scripts/sdk.ts from the OpenAPI document. Change that, not this.",
    'import type { RequestOptions, Route } from "./transport.ts";',
    `/** Codes of refusals. */\nexport type ErrorCode = ${union(codes.errors)};`,
    `/** Codes of operations that ended as \`failed\`. */\nexport type FailureCode = ${union([...new Set(actions.flatMap(({ failures }) => failures))])};`,
    ...write.components.values(),
    ...written,
    `/** What lists of operations are filtered by. */\nexport interface OperationFilters ${filters}`,
    `/** What is made of an output when it is downloaded: FLAC, whose checksum is known, where nothing is said. */\nexport interface DownloadForm ${form}`,
    `/** What the client has beside actions. */\nexport interface Routes ${methods}`,
    `export const ROUTES: readonly Route[] = ${JSON.stringify(routes.map(routeOf))};`,
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

/** Resources with their methods, and methods of the client itself. */
function writeRoutes(routes: readonly RouteModel[], write: Writer): string {
  const resources = new Map<string, string[]>();
  for (const { place, ids, query, body, answer, is_paged, summary, name } of routes) {
    const [resource, verb] = place.map(camel) as [string, string?];
    const entry = write.named(is_paged ? answer.items! : answer, name);
    const parameters = [
      ...ids.map((name) => `${name}: string`),
      ...(body === undefined ? [] : [`body${write.isOptional(body) ? "?" : ""}: ${write.body(body)}`]),
      ...(query === undefined ? [] : [`filters?: ${write.query(query)}`]),
      "options?: RequestOptions",
    ];
    const method = `(${parameters.join(", ")}): ${is_paged ? `AsyncGenerator<${entry}, void, undefined>` : `Promise<${entry}>`};`;
    const lines = resources.get(resource) ?? resources.set(resource, []).get(resource)!;
    lines.push(`${comment(summary)}${verb ?? ""}${method}`);
  }
  const written = [...resources].map(([name, lines]) => {
    const is_alone = routes.some(({ place }) => place.length === 1 && camel(place[0] ?? "") === name);
    return is_alone
      ? lines[0]!.replace(/^(\/\*\*.*\*\/\n)?/u, `$1${name}`)
      : `readonly ${name}: {\n${lines.join("\n")}\n};`;
  });
  return `{\n${written.join("\n")}\n}`;
}

/** What sends it. */
function routeOf({ place, method, path, query, body, has_key, unwrap, is_paged }: RouteModel): Route {
  return {
    place: place.map(camel),
    method,
    path,
    ...(body === undefined ? {} : { hasBody: true }),
    ...(has_key ? { hasKey: true } : {}),
    ...(query === undefined ? {} : { hasFilters: true }),
    ...(unwrap === undefined ? {} : { unwrap }),
    ...(is_paged ? { isPaged: true } : {}),
  };
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

  /** The component of this name where the schema is an object that has none of its own. */
  named(schema: Schema, name: string | undefined): string {
    const type = this.type(schema, false);
    if (name === undefined || schema.$ref !== undefined || schema.properties === undefined) return type;
    this.components.set(name, `export interface ${name} ${type}`);
    return name;
  }

  /** Whether nothing of it has to be given. */
  isOptional(body: Schema): boolean {
    return (resolve(this.#document, body).required ?? []).every((name) => name === "idempotency_key");
  }

  /** Without the idempotency key, which the client makes. */
  body(given: Schema): string {
    const { properties = {}, ...schema } = resolve(this.#document, given);
    const { idempotency_key: key, ...rest } = properties;
    return key === undefined ? this.type(given, true) : this.object({ ...schema, properties: rest }, true);
  }

  /** One value where several may be given, and dates for times. */
  query({ properties = {} }: Schema): string {
    const lines = Object.entries(properties).map(([name, { description, ...schema }]) => {
      const types = [this.type(schema, true)];
      if (schema.type === "array") types.push(this.type(schema.items!, true));
      if (schema.format === "date-time") types.push("Date");
      return `${comment(description ?? "")}readonly ${name}?: ${types.join(" | ")} | undefined;`;
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
