/** What schemas of packs share. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";

/** An object that holds nothing else: a misspelt key is refused. */
export const section = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/** By id, of whatever the ids are of. */
export const byId = <Value extends TSchema>(value: Value) => Type.Record(Type.String({ pattern: ID }), value);

export const ID = "^[a-z][a-z0-9_]{0,47}$";
export const Id = Type.String({ pattern: ID, description: "an id such as deep_house" });
export const Ids = Type.Array(Id);
export const Share = Type.Number({ minimum: 0, maximum: 1 });
/** How often one of several is taken, against the others. */
export const Weight = Type.Number({ minimum: 0, maximum: 10 });
/** Words as people write them. */
export const Phrases = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 1000 });
/** Phrases by language, as ISO 639-1 names it: "en". */
export const ByLanguage = Type.Record(Type.String({ pattern: "^[a-z]{2}$" }), Phrases);
