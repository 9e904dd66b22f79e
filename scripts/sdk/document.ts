/** The OpenAPI document as generators of SDKs read it: actions with their schemas, and what else has a name. */

/** JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | null)[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
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
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly summary?: string;
  readonly requestBody?: Answer;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly parameters?: readonly { readonly name: string }[];
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

export function answerOf(document: Document, path: string, method: "get" | "put"): Schema {
  return resolve(document, document.paths[path]![method]!.responses["200"]!.content!["application/json"]!.schema);
}

/** Paths that take a dry run are actions. */
export function actionsOf(document: Document): readonly ActionModel[] {
  return Object.entries(document.paths).flatMap(([path, { put }]) => {
    if (put?.parameters?.some(({ name }) => name === "dry_run") !== true) return [];
    const name = path.replace("/v1/", "");
    const request = resolve(document, put.requestBody!.content!["application/json"]!.schema);
    const [[wrapper, operation]] = Object.entries(answerOf(document, path, "get").properties!) as [[string, Schema]];
    const resource = RESOURCES[name] ?? wrapper;
    const sources = Object.entries(request.properties!).flatMap(([field, schema]) =>
      resolve(document, schema).properties?.url === undefined ? [] : [field],
    );
    return [
      {
        name,
        wrapper,
        resource,
        type: pascal(resource.replace(/(?<=[^s])s$|(?<=x)es$/u, "")),
        summary: put.summary ?? "",
        request,
        operation: resolve(document, operation),
        sources,
      },
    ];
  });
}

const RESOURCES: Readonly<Record<string, string>> = {
  "create.new_song": "songs",
  "create.new_instrumental": "instrumentals",
  "create.new_sample": "samples",
  "create.new_fx": "effects",
  "create.remix_song": "song_remixes",
  "create.remix_instrumental": "instrumental_remixes",
  "adapt.separate_stems": "stems",
  "adapt.auto_cut_down": "cuts",
  "adapt.normalise_loudness": "normalisations",
  "adapt.auto_duck": "ducks",
};

/** `song_remix` -> `SongRemix` */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
/** `song_remixes` -> `songRemixes` */
export const camel = (name: string): string =>
  name.replace(/[._-]([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
