/** Queries and small bodies of the routes: schemas, and reading them with 422 entries like any other field. */
import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";

import { compileValidator, type Validator } from "../actions/validator.ts";
import { issue, refuse } from "../base/errors.ts";
import { OPERATION_ID } from "../base/ids.ts";
import type { Issue } from "../plugin.ts";

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
const ID_AND_WAIT = /^id=(op_[0-9a-z]{26})(&wait=true)?$/;

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
export const readQuery = compileShape(
  Type.Object({
    id: operation("Operation id"),
    wait: Type.Optional(
      Type.Boolean({ description: "Long-poll: answer when it has ended, after 20 seconds at the latest" }),
    ),
  }),
  "query",
  (query) => {
    const [, id, wait] = ID_AND_WAIT.exec(query) ?? [];
    if (id === undefined) return undefined;
    return wait === undefined ? { id } : { id, wait: true };
  },
);
export const fileQuery = compileShape(
  Type.Object({ id: Type.String({ pattern: "^file_[0-9a-z]{26}$", description: "File id" }) }),
  "query",
);
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
    action: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Only this action's" })),
    status: Type.Optional(
      Type.Union([Type.Literal("processing"), Type.Literal("ready"), Type.Literal("failed")], {
        description: "Only these",
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

/** The query of a list, with its defaults. Refuses with 422. */
export function parseListQuery(query: string): Static<typeof listQuery.schema> & { readonly limit: number } {
  const query_values = parseQuery(query, listQuery);
  const { expand, limit = expand === undefined ? PAGE : EXPANDED_MAX } = query_values;
  if (expand !== undefined && limit > EXPANDED_MAX) {
    const why = `Must be at most ${EXPANDED_MAX} with 'expand'`;
    throw refuse.invalid([issue(["query", "limit"], "less_than_equal", why)]);
  }
  return { ...query_values, limit };
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

/** Refuses with 422: unknown and doubled parameters, and booleans other than exactly `true` and `false`. */
export function parseQuery<T extends TObject>(query: string, { schema, validate, readUsual }: Shape<T>): Static<T> {
  const known = readUsual(query);
  if (known !== undefined) return known;
  const issues: Issue[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    if (Object.hasOwn(values, name)) issues.push(issue(["query", name], "value_error", "Must be sent once"));
    values[name] = parseText(schema.properties[name], text);
  }
  const checked = validate(values);
  if (!checked.ok) issues.push(...checked.issues);
  if (issues.length > 0 || !checked.ok) throw refuse.invalid(issues);
  return checked.value as Static<T>;
}

export function checkBody<T extends TObject>(body: unknown, { validate }: Shape<T>): Static<T> {
  const checked = validate(body);
  if (!checked.ok) throw refuse.invalid(checked.issues);
  return checked.value as Static<T>;
}

/** A boolean or a number where the schema wants one and the text is one; the text otherwise, which the validator judges. */
function parseText(schema: TSchema | undefined, text: string): unknown {
  if (schema?.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (schema?.type === "integer") return /^-?\d{1,15}$/u.test(text) ? Number(text) : text;
  return text;
}
