/** What the document and the clients that are made of it call things. */
import type { TSchema } from "@sinclair/typebox";
import type { AnyAction } from "../../contract/mod.ts";

/** Of a schema that stands once in the document, under a name. A symbol: validators and JSON pass over it. */
const NAME: unique symbol = Symbol("name in the document") as never;

interface Name {
  readonly name: string;
  /** What stands there; copies may describe their use of it otherwise. */
  readonly schema: TSchema;
}

export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, [NAME]: { name, schema } satisfies Name };
}

export function nameOf(schema: TSchema): Name | undefined {
  return (schema as { readonly [NAME]?: Name })[NAME];
}

/** What holds the operations of an action in clients: `song_remixes` in `tonwerk.song_remixes.create()`. */
export function resourceOf({ resource, wrapper }: AnyAction): string {
  return resource ?? wrapper;
}

/** What the names of an action's types begin with: `SongRemix` of `song_remixes`. */
export function typeOf(action: AnyAction): string {
  const one = resourceOf(action).replace(/yses$|(?<=x)es$|(?<=[^s])s$/u, (ending) => (ending === "yses" ? "ysis" : ""));
  return one.replace(/(?:^|_)([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
}
