/**
 * TypeBox schemas -> JSON Schema as generators of clients read it best: what has a name stands once, constants are
 * enums, null is a type.
 */
import type { TSchema } from "@sinclair/typebox";
import { nameOf } from "../../../core/surface.ts";

export type Schema = Readonly<Record<string, unknown>>;

const NULL = { type: "null" };

export class Components {
  /** What was named so far. */
  readonly schemas: Record<string, Schema> = {};

  /** A copy of a part of the document, with every schema in it written. Examples are left as they are. */
  fill<T>(part: T): T {
    if (Array.isArray(part)) return part.map((entry) => this.fill<unknown>(entry)) as T;
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part).map(([key, value]) => {
      if (key === "schema") return [key, this.write(value as TSchema)];
      return [key, key === "examples" ? value : this.fill<unknown>(value)];
    });
    return Object.fromEntries(entries) as T;
  }

  /** `is_input`: below a closed object, which is one that is sent to us. */
  write(schema: TSchema, is_input = false): Schema {
    const known = nameOf(schema);
    if (known === undefined) return this.#inline(schema, is_input);
    const { name } = known;
    this.schemas[name] ??= this.#inline(known.schema, is_input);
    return { $ref: `#/components/schemas/${name}` };
  }

  #inline(schema: TSchema, is_input: boolean): Schema {
    const { anyOf, allOf, oneOf, const: constant, properties, items, ...rest } = schema as Record<string, unknown>;
    const many = (of: unknown): Schema[] => (of as TSchema[]).map((one) => this.write(one, is_input));
    if (anyOf !== undefined) return this.#union(anyOf as TSchema[], rest, is_input);
    if (properties !== undefined) return this.#object(schema, rest, is_input);
    return {
      ...rest,
      ...(rest.type === "number" && { format: "double" }),
      ...(constant !== undefined && { enum: [constant] }),
      ...(items !== undefined && { items: this.write(items as TSchema, is_input) }),
      ...(allOf !== undefined && { allOf: many(allOf) }),
      ...(oneOf !== undefined && { oneOf: many(oneOf) }),
    };
  }

  #union(options: readonly TSchema[], rest: Schema, is_input: boolean): Schema {
    const some = options.filter(({ type }) => type !== "null");
    const constants = some.map((option) => option.const as unknown);
    const of: Schema[] = constants.includes(undefined)
      ? some.map((option) => this.write(option, is_input))
      : [{ type: some[0]!.type as unknown, enum: constants }];
    const one = of.length === 1 ? { ...of[0], ...rest } : { ...rest, oneOf: of };
    return some.length < options.length ? orNull(one) : one;
  }

  /**
   * Null equals absent in what is sent to us, and what has a default may be absent: said in words, for `default` makes
   * clients demand it.
   */
  #object(schema: TSchema, rest: Schema, is_inside_input: boolean): Schema {
    const is_input = is_inside_input || schema.additionalProperties === false;
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const [name, property] of Object.entries(schema.properties as Record<string, TSchema>)) {
      const { default: fallback, description = property.description, ...plain } = this.write(property, is_input);
      const is_required = (schema.required as string[] | undefined)?.includes(name) === true && fallback === undefined;
      if (is_required) required.push(name);
      const told = fallback === undefined ? description : `${description ?? name}; ${fallback} where it is absent`;
      const written: Schema = { ...plain, ...(told === undefined ? {} : { description: told }) };
      properties[name] = is_input && !is_required ? orNull(written) : written;
    }
    const { required: _, ...others } = rest;
    return {
      ...others,
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(is_input && typeof rest.additionalProperties !== "object" && { additionalProperties: false }),
    };
  }
}

function orNull(schema: Schema): Schema {
  const { $ref, oneOf, description, ...rest } = schema;
  const said = description === undefined ? {} : { description };
  if ($ref !== undefined) return { ...said, oneOf: [{ $ref }, NULL] };
  if (oneOf !== undefined) return { ...rest, ...said, oneOf: [...(oneOf as Schema[]), NULL] };
  const values = schema.enum === undefined ? {} : { enum: [...(schema.enum as unknown[]), null] };
  return { ...schema, type: [schema.type, "null"], ...values };
}
