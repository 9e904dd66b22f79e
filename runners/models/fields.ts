/** What manifests of every family have, how their fields are checked, and what several families share. */
import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";

/** A model of any family; its family knows the other fields. */
export type Manifest = Static<typeof Common> & {
  readonly files: Readonly<Record<string, Static<typeof File>>>;
  readonly [field: string]: unknown;
};
/** A model of a family with these fields. */
export type ManifestOf<Fields extends TProperties, Roles extends TSchema> = Static<typeof Common> & {
  readonly files: Static<Roles>;
} & Static<ReturnType<typeof Type.Object<Fields>>>;
export type StemName = Static<typeof StemName>;

/** An object that holds nothing else: a misspelt key is refused. */
export const closed = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

export const STEM_NAMES = ["vocals", "drums", "bass", "other", "instrumental", "guitar", "piano"] as const;
export const StemName = Type.Union(
  STEM_NAMES.map((name) => Type.Literal(name)) as [
    ReturnType<typeof Type.Literal<"vocals">>,
    ReturnType<typeof Type.Literal<"drums">>,
    ReturnType<typeof Type.Literal<"bass">>,
    ReturnType<typeof Type.Literal<"other">>,
    ReturnType<typeof Type.Literal<"instrumental">>,
    ReturnType<typeof Type.Literal<"guitar">>,
    ReturnType<typeof Type.Literal<"piano">>,
  ],
);

export const File = closed({
  /** Relative to the folder of manifests. */
  path: Type.String({ minLength: 1, maxLength: 500 }),
  /** Of the file's bytes, lower-case hexadecimal. */
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});

/** Of every manifest, an ensemble's too. */
export const heading = {
  $schema: Type.Optional(Type.String()),
  id: Type.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" }),
  /** Among models of one task the highest serves. */
  priority: Type.Optional(Type.Integer({ minimum: -1000, maximum: 1000 })),
};

const Provider = Type.Union([
  Type.Literal("tensorrt"),
  Type.Literal("cuda"),
  Type.Literal("directml"),
  Type.Literal("coreml"),
  Type.Literal("cpu"),
]);
export type SessionSettings = Static<typeof Session>;
const Session = closed({
  /** How far graphs are rewritten when they are loaded. */
  optimization: Type.Optional(
    Type.Union([Type.Literal("disabled"), Type.Literal("basic"), Type.Literal("extended"), Type.Literal("all")]),
  ),
  /** Memory of runs is kept for the next one. */
  arena: Type.Optional(Type.Boolean()),
  /** Memory of a run is laid out before it. */
  memory_pattern: Type.Optional(Type.Boolean()),
  /** Branches of a graph that run side by side; 1: one operator after the other. */
  branches: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
  /** Numbers below 10⁻³⁸ count as zero. */
  denormals_as_zero: Type.Optional(Type.Boolean()),
  /** Threads that wait keep their core busy. */
  spinning: Type.Optional(Type.Boolean()),
});

export const Common = closed({
  ...heading,
  family: Type.String(),
  /** As the model's publisher states it; the operator answers for it. */
  licence: Type.String({ minLength: 1, maxLength: 500 }),
  /** Which of its family's tasks it serves; all where absent. */
  tasks: Type.Optional(Type.Array(Type.String(), { minItems: 1, uniqueItems: true })),
  /** Graph names by the family's words, where they differ from what the family knows. */
  tensors: Type.Optional(Type.Record(Type.String(), Type.String())),
  /**
   * Files that the graphs load by themselves (external data), beside them. Of a graph above 2 GB PyTorch makes one for
   * each weight: 540 of Stable Audio Open.
   */
  data: Type.Optional(Type.Array(File, { maxItems: 10_000 })),
  /** Threads of one run on the CPU. The same number gives the same bits. */
  threads: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  /** Execution providers, instead of TONWERK_PROVIDERS. */
  providers: Type.Optional(Type.Array(Provider, { minItems: 1, uniqueItems: true })),
  /** Device ids, instead of TONWERK_DEVICES: the model has a process on each. */
  devices: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { maxItems: 16, uniqueItems: true })),
  /** Of the runtime; for measuring. */
  session: Type.Optional(Session),
  /**
   * Computes what is constant in a graph when it is loaded: faster runs, but for graphs that hold large constants
   * several times their memory.
   */
  fold: Type.Optional(Type.Boolean()),
  /** 10^6 bytes that the model's process may hold, instead of TONWERK_MODEL_MB. */
  memory_mb: Type.Optional(Type.Integer({ minimum: 50, maximum: 4_000_000 })),
  /** Time limit of one run of one graph, instead of TONWERK_MODEL_SECONDS. */
  ms_max: Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 })),
  /** Blocks of a piece in one run, where the graph's first axis is dynamic. */
  batch: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
});

/** Share of a block that the next one overlaps. */
export const overlap = Type.Optional(Type.Number({ minimum: 0, maximum: 0.9 }));
/** Of families with one graph. */
export const singleGraph = closed({ model: File });
/** In the order of the graph's output. */
export const stems = Type.Array(StemName, { minItems: 1, maxItems: 7, uniqueItems: true });

/** @throws Error where `given` is no manifest of a family with these fields */
export function checkManifest(fields: TProperties, roles: TSchema, given: unknown, family: string): void {
  checkFields(closed({ ...Common.properties, files: roles, ...fields }), given, family);
}

/** @throws Error that names the field, what it is and what was expected */
export function checkFields(schema: TSchema, given: unknown, family: string): void {
  const faults = [...Value.Errors(schema, given)];
  if (faults.length === 0) return;
  // A field that is missing is told twice, as absent and as of the wrong kind; the first says it all.
  const first = new Map(faults.toReversed().map((fault) => [fault.path, describeFault(fault)]));
  const told = [...first.values()].toReversed().slice(0, 4);
  throw new Error(`its fields do not fit family "${family}": ${told.join("; ")}`);
}

/** Field, what was expected there, and what was found. */
function describeFault({ path, message, schema, type, value }: ValueError): string {
  const field = `"${path.slice(1).replaceAll("/", ".") || "."}"`;
  const found = JSON.stringify(value)?.slice(0, 80);
  if (type === ValueErrorType.ObjectRequiredProperty) return `${field} is missing`;
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys((schema.properties as object | undefined) ?? {}).filter((name) => name !== "$schema");
    return `${field} is no field of it${known.length > 0 ? ` (its fields: ${known.join(", ")})` : ""}`;
  }
  const choices = (schema.anyOf as { const?: unknown }[] | undefined)?.map((choice) => choice.const);
  const wish = choices === undefined ? lowerFirst(message) : `expected one of ${choices.join(", ")}`;
  return `${field}: ${wish}, found ${found ?? "nothing"}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export interface ModelFile {
  readonly role: string;
  readonly path: string;
  readonly sha256: string;
}

/** Every file of a model: roles of `files`, then external data under the role "data". */
export function filesOf(manifest: Manifest): readonly ModelFile[] {
  const roles = Object.entries(manifest.files);
  return [
    ...roles.map(([role, file]) => ({ role, ...file })),
    ...(manifest.data ?? []).map((file) => ({ role: "data", ...file })),
  ];
}
