/** Queries and small bodies of the routes: schemas, and reading them with 422 entries like any other field. */
import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { Issue } from "../../contract/mod.ts";
import { checkKeys, metadataSchema } from "../actions/request_options.ts";
import { compileValidator, type Validator } from "../actions/validator.ts";
import { issue, refuse } from "../base/errors.ts";
import { idBound, OPERATION_ID } from "../base/ids.ts";
import type { Metadata, OperationFilter } from "../ports/mod.ts";

interface Shape<T extends TObject> {
  readonly schema: T;
  readonly validate: Validator;
  /** Reads the usual spellings of a query without a parser, which takes longer; undefined: use the parser. */
  readonly readUsual: (query: string) => Static<T> | undefined;
}

function compileShape<T extends TObject>(
  schema: T,
  origin: "body" | "query",
  readUsual: Shape<T>["readUsual"] = () => undefined,
): Shape<T> {
  return { schema, validate: compileValidator(schema, origin), readUsual };
}

const NOTHING = Object.freeze({});
const ID_AND_WAIT = /^id=op_[0-9a-z]{26}(?:&wait=true)?$/;
const ID_LENGTH = "id=op_".length + 26;

/** Written with commas. */
const LIST = { minItems: 1, uniqueItems: true } as const;
const IDS_MAX = 100;
/** Each costs a look-up for each operation that a page looks at. */
const PAIRS_MAX = 10;

/** RFC 3339: a date and time with its offset. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const time = (description: string) => Type.String({ format: "date-time", pattern: TIME.source, description });

const operation = (description: string) => Type.String({ pattern: OPERATION_ID.source, description });

export const submitQuery = compileShape(
  Type.Object({
    dry_run: Type.Optional(
      Type.Boolean({
        description: "Only say what it would cost: `{ cost, balance, sufficient }`; `idempotency_key` may be left out",
      }),
    ),
  }),
  "query",
  (query) => (query === "" ? NOTHING : undefined),
);
const wait = Type.Optional(
  Type.Boolean({ description: "Long-poll: answer when it has ended, after 20 seconds at the latest" }),
);
export const waitQuery = compileShape(Type.Object({ wait }), "query");
export const readQuery = compileShape(Type.Object({ id: operation("Operation id"), wait }), "query", (query) => {
  // `exec`, and the array that it makes, takes longer than all the rest of this.
  if (!ID_AND_WAIT.test(query)) return undefined;
  const id = query.slice("id=".length, ID_LENGTH);
  return query.length === ID_LENGTH ? { id } : { id, wait: true };
});
export const listQuery = compileShape(
  Type.Object({
    cursor: Type.Optional(operation("`next_cursor` of the page before")),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: "Most entries of a page: 50 where it is not given; with `expand` 10, and never more",
      }),
    ),
    action: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        ...LIST,
        description: "Only those of these actions",
      }),
    ),
    status: Type.Optional(
      Type.Array(Type.Union([Type.Literal("processing"), Type.Literal("ready"), Type.Literal("failed")]), {
        ...LIST,
        description: "Only these",
      }),
    ),
    created_after: Type.Optional(time("Only what was created at this time or later")),
    created_before: Type.Optional(time("Only what was created before this time")),
    metadata: Type.Optional(
      metadataSchema(PAIRS_MAX, `Only those with all of these pairs: \`metadata[key]=value\`, up to ${PAIRS_MAX}`),
    ),
    ids: Type.Optional(
      Type.Array(operation("Operation id"), {
        ...LIST,
        maxItems: IDS_MAX,
        description: "These, in this order, instead of a page; `missing` names the ones that are unknown",
      }),
    ),
    wait: Type.Optional(
      Type.Boolean({
        description: "With `ids`: answer when all of them have ended, after 20 seconds at the latest; one long-poll",
      }),
    ),
    expand: Type.Optional(
      Type.Literal("report", {
        description: "Outputs with their `report`, which lists leave out: it has 100 KB and more of a long song",
      }),
    ),
  }),
  "query",
);
/** Entries of a page by default. */
const PAGE = 50;
/** Most entries of a page with reports, and their number by default. */
const EXPANDED_MAX = 10;

/** What a list is asked for, with its defaults. */
export interface ListQuery {
  readonly reports: boolean;
  /** These instead of a page. */
  readonly ids: readonly string[] | undefined;
  readonly wait: boolean;
  readonly filter: OperationFilter;
}

/** Refuses with 422. */
export function parseListQuery(query: string): ListQuery {
  const { expand, ids, wait = false, ...page } = parseQuery(query, listQuery);
  const reports = expand === "report";
  const { cursor, limit = reports ? EXPANDED_MAX : PAGE, action, status, created_after, created_before } = page;
  const metadata = page.metadata as Metadata | undefined;
  const issues: Issue[] = [...checkKeys(Object.keys(metadata ?? {}), ["query", "metadata"])];
  const wrong = (name: string, why: string, type: "value_error" | "less_than_equal" = "value_error") =>
    issues.push(issue(["query", name], type, why));
  if (reports && limit > EXPANDED_MAX)
    wrong("limit", `Must be at most ${EXPANDED_MAX} with 'expand'`, "less_than_equal");
  if (reports && ids !== undefined && ids.length > EXPANDED_MAX)
    wrong("ids", `Must be at most ${EXPANDED_MAX} with 'expand'`);
  if (ids !== undefined) for (const name of Object.keys(page)) wrong(name, "Must not be sent with 'ids'");
  if (ids === undefined && wait) wrong("wait", "Must be sent with 'ids'");
  const bound = (name: string, text: string | undefined): string | undefined => {
    if (text === undefined) return undefined;
    const ms = Date.parse(text);
    if (Number.isNaN(ms)) wrong(name, "Must be a date and time such as 2026-11-23T12:00:00Z");
    else return idBound("op_", ms);
  };
  const before = [cursor, bound("created_before", created_before)].filter((one) => one !== undefined).sort()[0];
  const after = bound("created_after", created_after);
  if (issues.length > 0) throw refuse.invalid(issues);
  return { reports, wait, ids, filter: { limit, reports, actions: action, statuses: status, metadata, before, after } };
}

/** Of `operations.cancel` and `operations.redeliver`. */
export const operationBody = compileShape(
  Type.Object(
    {
      idempotency_key: Type.String({ format: "uuid", description: "Chosen by the client" }),
      id: operation("Operation id"),
    },
    { additionalProperties: false },
  ),
  "body",
);

/** `metadata[project]`: an entry of a map. */
const ENTRY = /^(\w+)\[(.*)\]$/su;

/** Refuses with 422: unknown and doubled parameters, and booleans other than exactly `true` and `false`. */
export function parseQuery<T extends TObject>(query: string, { schema, validate, readUsual }: Shape<T>): Static<T> {
  const known = readUsual(query);
  if (known !== undefined) return known;
  const issues: Issue[] = [];
  const values: Record<string, unknown> = {};
  const maps: Record<string, Record<string, unknown>> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    const [, map = "", key = ""] = ENTRY.exec(name) ?? [];
    const is_entry = schema.properties[map]?.type === "object";
    if (is_entry) maps[map] ??= Object.create(null) as Record<string, unknown>;
    const to = (is_entry ? maps[map] : undefined) ?? values;
    const at = is_entry ? key : name;
    if (Object.hasOwn(to, at)) issues.push(issue(["query", name], "value_error", "Must be sent once"));
    to[at] = is_entry ? text : parseText(schema.properties[name], text);
  }
  // A map as a plain parameter is refused, also beside its entries.
  const checked = validate({ ...maps, ...values });
  // Of a list the parameter is named, not the entry.
  if (!checked.ok) issues.push(...checked.issues.map(({ loc, ...what }) => ({ ...what, loc: loc.slice(0, 2) })));
  if (issues.length > 0 || !checked.ok) throw refuse.invalid(issues);
  return checked.value as Static<T>;
}

/** Reads queries by a schema, as `parseQuery`. */
export function createQueryReader<T extends TObject>(schema: T): (query: string) => Static<T> {
  const shape = compileShape(schema, "query");
  return (query) => parseQuery(query, shape);
}

export function checkBody<T extends TObject>(body: unknown, { validate }: Shape<T>): Static<T> {
  const checked = validate(body);
  if (!checked.ok) throw refuse.invalid(checked.issues);
  return checked.value as Static<T>;
}

/**
 * A list, a boolean or a number where the schema wants one and the text is one; the text otherwise, which the validator
 * judges.
 */
function parseText(schema: TSchema | undefined, text: string): unknown {
  if (schema?.type === "array") return text.split(",");
  if (schema?.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (schema?.type === "integer") return /^-?\d{1,15}$/u.test(text) ? Number(text) : text;
  return text;
}
