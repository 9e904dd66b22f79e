/** The OpenAPI document as generators of SDKs read it: actions with their schemas, and what else has a name. */

/** JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | null)[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A request whose method in SDKs follows from the document alone. */
export interface RouteModel {
  /**
   * Where the client has it, in snake case: `["webhook_endpoints", "rotate_secret"]`; `["account"]` where the resource
   * can only be read.
   */
  readonly place: readonly string[];
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly summary: string;
  /** In the path, in this order: arguments. */
  readonly ids: readonly string[];
  /** Of a list, without its cursor: SDKs read page after page. */
  readonly query: Schema | undefined;
  /** JSON, as the document has it: a reference where it has a name. */
  readonly body: Schema | undefined;
  /** The body has an `idempotency_key`, which SDKs fill in: the request may be sent again. */
  readonly has_key: boolean;
  /** What SDKs return. */
  readonly answer: Schema;
  /** The component that names its type, or the answer around it. */
  readonly name: string | undefined;
  /** The one field of the answer that holds what SDKs return. */
  readonly unwrap: string | undefined;
  /** `unwrap` is a page's entries: SDKs return an iterator over all pages. */
  readonly is_paged: boolean;
}

export interface ActionModel {
  /** `create.new_song` */
  readonly name: string;
  /** The key that holds the operation in answers. */
  readonly wrapper: string;
  /** The resource's name in SDKs, in snake case: `song_remixes`. */
  readonly resource: string;
  /** The type's name: `SongRemix`. */
  readonly type: string;
  readonly summary: string;
  readonly request: Schema;
  readonly operation: Schema;
  /** Fields of the request that are audio. */
  readonly sources: readonly string[];
  /** Codes of its operations that ended as `failed`. */
  readonly failures: readonly string[];
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly summary?: string;
  readonly requestBody?: Answer;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly "x-tonwerk"?: { readonly action: string; readonly resource: string; readonly wrapper: string };
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** What the schema behind a reference says. */
export function resolve(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace("#/components/schemas/", "");
  const found = document.components?.schemas?.[name];
  if (found === undefined) throw new Error(`The document has no ${schema.$ref}`);
  return resolve(document, found);
}

function answerOf(document: Document, path: string, method: "get" | "put"): Schema {
  return resolve(document, document.paths[path]![method]!.responses["200"]!.content!["application/json"]!.schema!);
}

/** Every action, as the document names it. */
export function actionsOf(document: Document): readonly ActionModel[] {
  return Object.entries(document.paths).flatMap(([path, { put }]) => {
    const { action: name, resource, wrapper } = put?.["x-tonwerk"] ?? {};
    if (name === undefined || resource === undefined || wrapper === undefined) return [];
    const given = put!.requestBody!.content!["application/json"]!.schema!;
    const request = resolve(document, given);
    const operation = resolve(document, answerOf(document, path, "get").properties![wrapper]!);
    const sources = Object.entries(request.properties!).flatMap(([field, schema]) =>
      [schema, ...(schema.oneOf ?? []), ...(schema.items === undefined ? [] : [schema.items])].some(
        ({ $ref }) => $ref === "#/components/schemas/AudioSource",
      )
        ? [field]
        : [],
    );
    return [
      {
        name,
        wrapper,
        resource,
        type: given.$ref!.replace("#/components/schemas/", "").replace(/Request$/u, ""),
        summary: put!.summary ?? "",
        request,
        operation,
        failures: failuresOf(document, operation),
        sources,
      },
    ];
  });
}

/** Codes that the operation can fail with. */
function failuresOf(document: Document, operation: Schema): readonly string[] {
  const error = operation.properties!.error!.oneOf!.map((one) => resolve(document, one)).find((one) => one.properties)!;
  return resolve(document, error.properties!.code!).enum as readonly string[];
}

/** Submissions in one go need a key each, and scanners of secrets are no clients. */
const BY_HAND: readonly string[] = ["batches_create", "leaks_report"];
/** SDKs make objects of operations: whatever answers with one is written by hand, too. */
const WITH_OPERATIONS: readonly (string | undefined)[] = ["OperationPage", "AnyOperation", "OperationAnswer"];

/** Every request with JSON on both sides that no SDK has to know by name: what a surface adds is a method without edits. */
export function routesOf(document: Document): readonly RouteModel[] {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, route]) => {
      const { operationId: id = "", tags: [tag = ""] = [], parameters = [], requestBody } = route;
      const { "application/json": json, ...others } = route.responses["200"]?.content ?? {};
      // What is audio, too, is a download.
      const answer = Object.keys(others).length === 0 ? json?.schema : undefined;
      const body = requestBody?.content?.["application/json"]?.schema;
      if (answer === undefined || route["x-tonwerk"] !== undefined) return [];
      if ((requestBody !== undefined && body === undefined) || !id.startsWith(`${tag}_`)) return [];
      if (BY_HAND.includes(id) || WITH_OPERATIONS.includes(referenceOf(answer))) return [];
      const asked = resolve(document, answer).properties ?? {};
      const is_paged = method === "get" && "next_cursor" in asked;
      const [unwrap] = Object.keys(asked).length === 1 || is_paged ? Object.keys(asked) : [];
      const path_ids = parameters.filter((one) => one.in === "path");
      // An iterator keeps the cursor, and what has an id is read by it.
      const filters = parameters.filter((one) => one.in === "query" && !["cursor", "id"].includes(one.name));
      const returned = unwrap === undefined ? answer : asked[unwrap]!;
      const verb = id.slice(tag.length + 1);
      return [
        {
          place: [tag, verb === "read" ? "get" : verb],
          method: method.toUpperCase() as RouteModel["method"],
          path,
          summary: route.summary ?? "",
          ids: path_ids.map(({ name }) => name),
          query: queryOf(filters),
          body,
          has_key: body !== undefined && "idempotency_key" in (resolve(document, body).properties ?? {}),
          answer: returned,
          name: is_paged ? referenceOf(returned.items ?? {}) : (referenceOf(returned) ?? referenceOf(answer)),
          unwrap,
          is_paged,
        },
      ];
    }),
  );
  // What can only be read, of which there is one: `client.account()`.
  return found.map((route) => {
    const [resource, verb] = route.place;
    const is_alone =
      verb === "get" &&
      route.ids.length === 0 &&
      found.every(({ place }) => place[0] !== resource || place === route.place);
    return is_alone ? { ...route, place: route.place.slice(0, 1) } : route;
  });
}

/** Filters of a list of operations, which SDKs write by hand otherwise. */
export const listFiltersOf = (document: Document): Schema =>
  queryOf(
    document.paths["/v1/operations"]!.get!.parameters!.filter(({ name }) => !["cursor", "ids", "wait"].includes(name)),
  )!;

/** What the server makes of an output when it is asked for behind the signature; peaks are asked for alone. */
export function downloadFormOf(document: Document): Schema {
  const routes = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const { parameters = [] } = routes.find(({ operationId }) => operationId === "outputs_download")!;
  return queryOf(parameters.filter((one) => one.in === "query" && one.required !== true && one.name !== "peaks"))!;
}

/** Of a query, as the object that SDKs take. */
function queryOf(parameters: readonly Parameter[]): Schema | undefined {
  if (parameters.length === 0) return undefined;
  const described = parameters.map(({ name, schema, description }) => [name, { description, ...schema }]);
  return { type: "object", properties: Object.fromEntries(described) };
}

/**
 * What a dry run answers: the part of a submission that is not the operation. What not all actions tell may be absent,
 * and what they tell of some requests.
 */
export function dryRunOf(document: Document): Schema {
  const told = actionsOf(document).map(({ name, wrapper }) => {
    const { [wrapper]: _, ...properties } = answerOf(document, `/v1/${name}`, "put").properties!;
    return properties;
  });
  const properties: Readonly<Record<string, Schema>> = Object.assign({}, ...told);
  const required = Object.keys(properties).filter((field) => field !== "cost_max" && told.every((one) => field in one));
  return { type: "object", properties, required };
}

/** What all operations have, whatever their action; SDKs write these by hand. */
export const OPERATION_FIELDS: readonly string[] = [
  "id",
  "status",
  "created_at",
  "idempotency_key",
  "error",
  "progress",
  "stage",
  "queue_position",
  "started_at",
  "completed_at",
  "cost",
  "cost_max",
  "rebated",
  "refunded",
];
/** What all outputs have. */
export const OUTPUT_FIELDS: readonly string[] = ["url", "expires_at", "duration", "bytes", "sha256", "engine"];

/** The name of the component that a schema refers to. */
export const referenceOf = ({ $ref }: Schema): string | undefined => $ref?.replace("#/components/schemas/", "");

/** The component that has exactly these values, where a schema spells them out. */
export function enumNameOf(document: Document, given: Schema): string | undefined {
  const values = JSON.stringify(resolve(document, given).enum);
  const same = ([, schema]: [string, Schema]) => JSON.stringify(schema.enum) === values;
  return referenceOf(given) ?? Object.entries(document.components?.schemas ?? {}).find(same)?.[0];
}

/** What the values of a map are; undefined: anything. */
export const valuesOf = ({ additionalProperties: values }: Schema): Schema | undefined =>
  typeof values === "object" ? values : undefined;

/** The schema without null, and whether null is allowed. */
export function nullable(schema: Schema): readonly [schema: Schema, is_nullable: boolean] {
  const of = schema.oneOf ?? schema.anyOf;
  const [one, ...more] = of?.filter(({ type }) => type !== "null") ?? [];
  if (of !== undefined && one !== undefined && more.length === 0) return [one, of.length > 1];
  if (!Array.isArray(schema.type)) return [schema, false];
  const [type, ...types] = schema.type.filter((name: string) => name !== "null");
  if (type === undefined || types.length > 0) throw new Error(`Several types: ${schema.type.join()}`);
  return [{ ...schema, type }, schema.type.includes("null")];
}

/** What is to be said of a field: its description, bounds and default. */
export function noteOf(document: Document, property: Schema): string {
  const { minimum, maximum, default: fallback, description } = resolve(document, property);
  const bounds = minimum === undefined || maximum === undefined ? "" : `${minimum} to ${maximum}`;
  const own = (property.description ?? description ?? "").replace(/\.$/u, "");
  return [own, bounds, fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`].filter(Boolean).join("; ");
}

/** `song_remix` -> `SongRemix` */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
/** `song_remixes` -> `songRemixes` */
export const camel = (name: string): string =>
  name.replace(/[._-]([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
