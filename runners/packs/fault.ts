/** What is wrong with data of an operator's, in words: where, and what was expected there. */
import { Kind as SchemaKind, type TSchema } from "@sinclair/typebox";
import type { TypeCheck } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";

/** Such as "/tempo_bpm/low: is missing; expected a number from 20 to 400". Null where nothing is. */
export function faultOf(check: TypeCheck<TSchema>, given: unknown): string | null {
  if (check.Check(given)) return null;
  const error = check.Errors(given).First()!;
  return `${error.path === "" ? "/" : error.path}: ${wish(error)}`;
}

function wish({ type, schema }: ValueError): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) return "there is no such key";
  const missing = type === ValueErrorType.ObjectRequiredProperty ? "is missing; " : "";
  return `${missing}expected ${wanted(schema)}`;
}

function wanted(schema: TSchema): string {
  if (typeof schema.description === "string") return schema.description;
  switch (schema[SchemaKind]) {
    case "Number":
    case "Integer":
      return numberWanted(schema);
    case "Literal":
      return JSON.stringify(schema.const);
    case "Union":
      return [...new Set((schema.anyOf as TSchema[]).map(wanted))].join(" or ");
    case "Array":
      return "a list";
    case "Object":
    case "Record":
      return "an object";
    case "Boolean":
      return "true or false";
    case "String":
      return schema.pattern === undefined ? "text" : `text that fits ${schema.pattern}`;
    default:
      return "something else";
  }
}

function numberWanted({ [SchemaKind]: kind, minimum, exclusiveMinimum, maximum, multipleOf }: TSchema): string {
  const name = kind === "Integer" ? "a whole number" : "a number";
  const from =
    minimum !== undefined ? ` from ${minimum}` : exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : "";
  const to = maximum === undefined ? "" : from === "" ? ` up to ${maximum}` : ` to ${maximum}`;
  return `${name}${from}${to}${multipleOf === undefined ? "" : `, a multiple of ${multipleOf}`}`;
}
