/** Manifests: one JSON file for each model in the folder that `TONWERK_MODELS` names. Schema and refusals by name. */
import { isAbsolute, normalize } from "node:path";
import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";

export type Manifest = Static<typeof Manifest>;
export type Family = Manifest["family"];
export type ManifestOf<Kind extends Family> = Extract<Manifest, { family: Kind }>;
export type StemName = Static<typeof StemName>;

/** An object that holds nothing else: a misspelt key is refused. */
export const closed = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

export const STEM_NAMES = ["vocals", "drums", "bass", "other", "instrumental", "guitar", "piano"] as const;
const StemName = Type.Union(
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

const File = closed({
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

const common = {
  ...heading,
  /** As the model's publisher states it; the operator answers for it. */
  licence: Type.String({ minLength: 1, maxLength: 500 }),
  /** Graph names by the family's words, where they differ from what the family knows. */
  tensors: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** Files that the graphs load by themselves (external data), beside them. */
  data: Type.Optional(Type.Array(File, { maxItems: 64 })),
  /** Threads of one run on the CPU. The same number gives the same bits. */
  threads: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  /** Computes what is constant in a graph when it is loaded: faster runs, but for graphs that hold large constants several times their memory. */
  fold: Type.Optional(Type.Boolean()),
  /** Time limit of one run of one graph, instead of TONWERK_MODEL_SECONDS. */
  ms_max: Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 })),
  /** Blocks of a piece in one run, where the graph's first axis is dynamic. */
  batch: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
};
const overlap = Type.Optional(Type.Number({ minimum: 0, maximum: 0.9 }));
const model = closed({ model: File });
const stems = Type.Array(StemName, { minItems: 1, maxItems: 7, uniqueItems: true });

const Mdx = closed({
  ...common,
  family: Type.Literal("mdx"),
  files: model,
  /** The one stem that the graph gives; the other is what is left of the mix. */
  stem: StemName,
  stft: closed({
    n_fft: Type.Integer({ minimum: 512, maximum: 32_768 }),
    hop: Type.Integer({ minimum: 64, maximum: 8192 }),
    dim_f: Type.Integer({ minimum: 16, maximum: 16_384 }),
    dim_t: Type.Integer({ minimum: 8, maximum: 4096 }),
  }),
  /** Gain of the stem; the publisher's figure. */
  compensate: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10 })),
  overlap,
});

const htdemucs = {
  ...common,
  files: model,
  /** In the order of the graph's output. */
  stems,
  overlap,
  /** Frames of one block: 343,980 (7.8 s) in the published models. */
  segment: Type.Optional(Type.Integer({ minimum: 4096, maximum: 44_100 * 120 })),
};
const HtdemucsCore = closed({ ...htdemucs, family: Type.Literal("htdemucs-core") });
const HtdemucsEnd = closed({ ...htdemucs, family: Type.Literal("htdemucs-e2e") });

const Umx = closed({
  ...common,
  family: Type.Literal("umx"),
  /** One graph for each stem. */
  files: Type.Partial(Type.Record(StemName, File), { minProperties: 1, additionalProperties: false }),
  /** Frames of one block; a graph of fixed length has its own. */
  dim_t: Type.Optional(Type.Integer({ minimum: 16, maximum: 8192 })),
  /** Rounds of expectation maximisation, as the package's `niter`. */
  wiener: Type.Optional(Type.Integer({ minimum: 0, maximum: 4 })),
  /** Begins with ratio masks, whose sum is the mix, instead of the estimates themselves. */
  softmask: Type.Optional(Type.Boolean()),
  /** Adds what no stem claims, as "other". */
  residual: Type.Optional(Type.Boolean()),
  overlap,
});

const Roformer = closed({
  ...common,
  family: Type.Literal("roformer"),
  files: model,
  /** In the order of the graph's output. */
  stems,
  n_fft: Type.Optional(Type.Integer({ minimum: 512, maximum: 8192, multipleOf: 2 })),
  hop: Type.Optional(Type.Integer({ minimum: 64, maximum: 4096 })),
  /** Frames of one block; a graph of fixed length has its own. */
  dim_t: Type.Optional(Type.Integer({ minimum: 16, maximum: 8192 })),
  /** Complex masks for the mix's spectrum, or spectra of the stems. */
  gives: Type.Optional(Type.Union([Type.Literal("masks"), Type.Literal("spectra")])),
  /** Leaves out the first bin of the stems, as the model's configuration says. */
  zero_dc: Type.Optional(Type.Boolean()),
  overlap,
});

const Bands = closed({
  ...common,
  family: Type.Literal("bands"),
  files: model,
  /** In the order of the graph's masks. */
  stems,
  /** Frames of one block; a graph of fixed length has its own. */
  dim_t: Type.Optional(Type.Integer({ minimum: 16, maximum: 8192 })),
  overlap,
  /** Share of the built-in engine's own estimate in each stem: their errors are of different kinds and partly cancel. */
  blend: Type.Optional(
    Type.Partial(
      closed({
        vocals: Type.Number({ minimum: 0, maximum: 1 }),
        drums: Type.Number({ minimum: 0, maximum: 1 }),
        bass: Type.Number({ minimum: 0, maximum: 1 }),
      }),
    ),
  ),
});

const Musicgen = closed({
  ...common,
  family: Type.Literal("musicgen"),
  /** `decoder_with_past`: where `decoder` makes the first step alone. */
  files: closed({
    text_encoder: File,
    decoder: File,
    decoder_with_past: Type.Optional(File),
    codec: File,
    tokenizer: File,
  }),
  /** 2: the codebooks are of the left and of the right by turns. */
  channels: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
  sample_rate: Type.Optional(Type.Integer({ minimum: 8000, maximum: 48_000 })),
  /** Codebooks. */
  codebooks: Type.Optional(Type.Integer({ minimum: 1, maximum: 16 })),
  /** Codes of one codebook; also the number of the token that stands before and after them. */
  codes: Type.Optional(Type.Integer({ minimum: 2, maximum: 65_536 })),
  /** Code frames a second. */
  frame_rate: Type.Optional(Type.Number({ minimum: 1, maximum: 1000 })),
  frames_max: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000 })),
  guidance: Type.Optional(Type.Number({ minimum: 1, maximum: 20 })),
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_536 })),
  temperature: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10 })),
});

const Vad = closed({ ...common, family: Type.Literal("vad"), files: model });

const Notes = closed({
  ...common,
  family: Type.Literal("notes"),
  files: model,
  onset_threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  frame_threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});

const Diffsinger = closed({
  ...common,
  family: Type.Literal("diffsinger"),
  /** `phonemes`: names in the order of their numbers, or numbers by name. `speaker`: single precision, little-endian, where the graph takes one. */
  files: closed({ acoustic: File, vocoder: File, phonemes: File, speaker: Type.Optional(File) }),
  sample_rate: Type.Optional(Type.Integer({ minimum: 8000, maximum: 48_000 })),
  /** Samples from one frame to the next. */
  hop: Type.Optional(Type.Integer({ minimum: 32, maximum: 4096 })),
  mel_bins: Type.Optional(Type.Integer({ minimum: 8, maximum: 512 })),
  /** Of diffusion. */
  steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** Values in vowels, where the graph takes these curves: dB, `tension` a logarithm. */
  variances: Type.Optional(
    Type.Partial(
      closed({
        energy: Type.Number({ minimum: -96, maximum: 0 }),
        breathiness: Type.Number({ minimum: -96, maximum: 0 }),
        voicing: Type.Number({ minimum: -96, maximum: 0 }),
        tension: Type.Number({ minimum: -10, maximum: 10 }),
      }),
    ),
  ),
  /** Of shallow diffusion, 0 to 1. */
  depth: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** What the mel spectrogram is multiplied by on its way to the vocoder: 2.302585 from one in powers of 10 to one in powers of e. */
  mel_factor: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
  /** The phoneme of silence. */
  silence: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  /** Before every other phoneme's name: "en/", say. */
  prefix: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  /** Number of the language, where the graph takes one. */
  language: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  /** The model's names of a sound of ours, where they are not ARPAbet in small letters. */
  symbols: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 4 })),
  ),
  /** MIDI numbers that it sings with ease; melodies are moved by octaves. */
  range: Type.Optional(
    Type.Tuple([Type.Integer({ minimum: 24, maximum: 108 }), Type.Integer({ minimum: 24, maximum: 108 })]),
  ),
});

const BY_FAMILY = {
  mdx: Mdx,
  "htdemucs-core": HtdemucsCore,
  "htdemucs-e2e": HtdemucsEnd,
  umx: Umx,
  roformer: Roformer,
  bands: Bands,
  musicgen: Musicgen,
  vad: Vad,
  notes: Notes,
  diffsinger: Diffsinger,
} as const;
const Manifest = Type.Union([Mdx, HtdemucsCore, HtdemucsEnd, Umx, Roformer, Bands, Musicgen, Vad, Notes, Diffsinger]);

/** What a model can do for an action, by family. */
export const TASKS: Readonly<Record<Family, string>> = {
  mdx: "separate",
  "htdemucs-core": "separate",
  "htdemucs-e2e": "separate",
  umx: "separate",
  roformer: "separate",
  bands: "separate",
  musicgen: "generate",
  vad: "voice_activity",
  notes: "transcribe",
  diffsinger: "sing",
};

/** @throws Error that names the field, what it is and what was expected */
export function parseManifest(given: unknown): Manifest {
  const family = (given as { family?: unknown } | null)?.family;
  if (typeof family !== "string" || !Object.hasOwn(BY_FAMILY, family)) {
    const known = [...Object.keys(BY_FAMILY), "ensemble"].join(", ");
    throw new Error(`"family" must be one of ${known}, not ${JSON.stringify(family) ?? "absent"}`);
  }
  checkFields(BY_FAMILY[family as Family], given, family);
  const manifest = given as Manifest;
  for (const { path } of filesOf(manifest)) {
    // What lies outside the folder is not the manifest's to name.
    if (isAbsolute(path) || normalize(path).startsWith("..")) {
      throw new Error(`the file "${path}" lies outside the folder of models`);
    }
  }
  if (manifest.family === "diffsinger" && manifest.range !== undefined && manifest.range[1] < manifest.range[0] + 11)
    throw new Error(`"range" is ${JSON.stringify(manifest.range)}, which is less than an octave`);
  return manifest;
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
  const roles = Object.entries(manifest.files as Record<string, { path: string; sha256: string }>);
  return [
    ...roles.map(([role, file]) => ({ role, ...file })),
    ...(manifest.data ?? []).map((file) => ({ role: "data", ...file })),
  ];
}
