/**
 * Declaration -> what core reads by: the whole request schema with its validator, and what a validated request means
 * (`Submittable`).
 */
import { type TSchema, Type } from "@sinclair/typebox";
import type { AnyAction, Issue, LoudnessRequest } from "../../contract/mod.ts";
import { issue } from "../base/errors.ts";
import { checkFields } from "./faults.ts";
import { named, typeOf } from "./names.ts";
import { OPTION_FIELDS, type RequestOptions, takeOptions } from "./request_options.ts";
import { compileValidator, type Validated } from "./validator.ts";

/** Integrated-loudness targets by name, in LUFS. Fixed by the specification. */
const PRESETS = { streaming: -14, podcast: -16, broadcast: -23 } as const;
/** LUFS, the specification's default. */
export const TARGET_LUFS = -14;

/** The `loudness` of an operation: what was asked, with defaults filled in. Also its echo. */
export interface LoudnessTarget {
  readonly preset?: keyof typeof PRESETS;
  readonly target_lufs: number;
  readonly allow_compression: boolean;
}

/** A request that passed validation. */
export interface Submittable {
  /** Absent only in a dry run. */
  readonly idempotency_key: string | null;
  readonly callback_url: string | null;
  readonly options: RequestOptions;
  readonly loudness: LoudnessTarget | null;
  /** As sent; core chooses one when null and the action creates. */
  readonly seed: number | null;
  /**
   * The action's own fields, its sources, and `n_variations` where there is one: what `cost`, `check` and `process`
   * see.
   */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ActionSchema {
  readonly request: TSchema;
  validate(body: unknown, options: { dry_run: boolean }): Validated<Submittable>;
}

const compiled = new WeakMap<AnyAction, ActionSchema>();

/** Made once for an action: to compile one takes a millisecond. */
export function compileAction(action: AnyAction): ActionSchema {
  const known = compiled.get(action);
  if (known !== undefined) return known;
  const request = requestSchema(action);
  const validate = compileValidator(request);
  const schema: ActionSchema = {
    request,
    validate(body, { dry_run }) {
      // Nothing is bound in a dry run, so the key may be left out; one that is sent must still be a UUID.
      const is_keyless = dry_run && isObject(body) && (body.idempotency_key ?? null) === null;
      const checked = validate(is_keyless ? { ...body, idempotency_key: NO_KEY } : body);
      return checked.ok ? interpretBody(action, checked.value, is_keyless) : checked;
    },
  };
  compiled.set(action, schema);
  return schema;
}

/** Stands for a key that was left out. */
const NO_KEY = "00000000-0000-0000-0000-000000000000";
const isObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null && !Array.isArray(body);

const AudioSource = named(
  "AudioSource",
  Type.Object(
    {
      url: Type.String({
        format: "uri",
        minLength: 1,
        maxLength: 2048,
        description: "HTTPS URL of a WAV, MP3 or FLAC file, or a URL that this service signed",
      }),
    },
    { description: "Input audio", additionalProperties: false },
  ),
);

const Preset = named(
  "LoudnessPreset",
  Type.Union(
    Object.keys(PRESETS).map((name) => Type.Literal(name)),
    { description: "streaming -14 LUFS, podcast -16 LUFS, broadcast -23 LUFS" },
  ),
);

/** What core adds to requests. */
const REQUEST_FIELDS = {
  idempotency_key: Type.String({
    format: "uuid",
    description: "Chosen by the client. The same key sent again returns the original response without redoing the work",
  }),
  n_variations: Type.Integer({ minimum: 1, maximum: 3, default: 1, description: "Number of outputs" }),
  loudness: Type.Optional(
    named(
      "LoudnessSettings",
      Type.Object(
        {
          preset: Type.Optional(Preset),
          target_lufs: Type.Optional(
            Type.Number({
              minimum: -36,
              maximum: -6,
              description: "Integrated loudness in LUFS; not together with preset",
            }),
          ),
          allow_compression: Type.Boolean({
            default: true,
            description: "false: only one linear gain, as far as the ceiling of -1 dBTP lets it",
          }),
        },
        {
          description: "Normalises every output; {} means -14 LUFS",
          additionalProperties: false,
          not: allSent(["preset", "target_lufs"]),
        },
      ),
    ),
  ),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description: "Chosen and echoed when absent" })),
  callback_url: Type.Optional(
    Type.String({
      format: "uri",
      minLength: 1,
      maxLength: 2048,
      description: "HTTPS URL that receives the final response by POST",
    }),
  ),
  ...OPTION_FIELDS,
};
/** Names that core adds to requests and operations and that a declaration must not take. */
export const RESERVED_FIELDS: ReadonlySet<string> = new Set([
  ...["id", "status", "created_at", ...Object.keys(REQUEST_FIELDS), "error", "progress", "stage", "queue_position"],
  ...["started_at", "completed_at", "cost", "cost_max", "refunded", "rebated", "test", "webhook", "output"],
  ...["outputs", "archive", "report", "engine", "action"],
]);

function requestSchema(action: AnyAction) {
  const { idempotency_key, n_variations, loudness, seed, callback_url } = REQUEST_FIELDS;
  const sources = Object.entries(action.sources).map(([name, limits]): [string, TSchema] => {
    const { repeated } = limits;
    const description = describeLimits(limits);
    const source =
      repeated === undefined
        ? { ...AudioSource, description }
        : Type.Array(AudioSource, {
            minItems: 1,
            maxItems: repeated,
            description: `1 to ${repeated}, each ${description}`,
          });
    return [name, limits.optional === true ? Type.Optional(source) : source];
  });
  return named(
    `${typeOf(action)}Request`,
    Type.Object(
      {
        idempotency_key,
        ...action.request.properties,
        ...Object.fromEntries(sources),
        ...(action.output === "variations" && { n_variations }),
        ...(action.loudness !== "never" && { loudness }),
        ...(action.seeded && { seed }),
        callback_url,
        ...OPTION_FIELDS,
      },
      { additionalProperties: false, ...(action.exactly_one_of && exactlyOneOf(action.exactly_one_of.map(String))) },
    ),
  );
}

/** As JSON Schema says it, for the document alone: all of `names` are sent, and not as null. */
function allSent(names: readonly string[]): object {
  return { required: names, properties: Object.fromEntries(names.map((name) => [name, { not: { type: "null" } }])) };
}

/** `not`, which generators of clients pass over: alternatives of whole bodies would be two types to each of them. */
function exactlyOneOf(names: readonly string[]): object {
  const none = { properties: Object.fromEntries(names.map((name) => [name, { type: "null" }])) };
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => allSent([one, other])));
  return { description: `Exactly one of ${names.join(", ")} must be sent`, not: { anyOf: [none, ...pairs] } };
}

function describeLimits({ seconds_min, seconds_max, bytes_max }: AnyAction["sources"][string]): string {
  return `WAV, MP3 or FLAC, ${seconds_min} to ${seconds_max} seconds, at most ${bytes_max / 1_000_000} MB`;
}

/** What the fields of a valid body mean together: one-of rules, loudness, the action's own `check`. */
function interpretBody(action: AnyAction, value: Record<string, unknown>, is_keyless: boolean): Validated<Submittable> {
  const issues: Issue[] = [];
  const options = takeOptions(value, issues);
  const { idempotency_key, callback_url, loudness, seed, ...fields } = value;
  const one_of = (action.exactly_one_of ?? []).map(String);
  const sent = one_of.filter((name) => fields[name] !== undefined).length;
  const [single, ...others] = one_of.filter((name) => action.sources[name]?.repeated === undefined);
  if (one_of.length > 0 && sent === 0 && single !== undefined && others.length === 0) {
    // What may also come as a list is missing under its own name.
    issues.push(issue(["body", single], "missing", "Field required"));
  } else if (one_of.length > 0 && sent !== 1) {
    const names = one_of.map((name) => `'${name}'`).join(", ");
    issues.push(issue(["body"], "one_of", `Exactly one of ${names} must be sent`));
  }
  const block = loudness as LoudnessRequest | undefined;
  if (block?.preset !== undefined && block.target_lufs !== undefined) {
    issues.push(issue(["body", "loudness"], "one_of", "Send 'preset' or 'target_lufs', not both"));
  }
  if (issues.length === 0) {
    for (const found of checkFields(action, fields)) issues.push({ ...found, loc: ["body", ...found.loc] });
  }
  if (issues.length > 0) return { ok: false, issues };
  return {
    ok: true,
    value: {
      idempotency_key: is_keyless ? null : (idempotency_key as string).toLowerCase(),
      callback_url: (callback_url as string | undefined) ?? null,
      options,
      loudness: block !== undefined || action.loudness === "always" ? loudnessTarget(block ?? {}) : null,
      seed: (seed as number | undefined) ?? null,
      fields: { ...fields },
    },
  };
}

function loudnessTarget({ preset, target_lufs, allow_compression = true }: LoudnessRequest): LoudnessTarget {
  return preset === undefined
    ? { target_lufs: target_lufs ?? TARGET_LUFS, allow_compression }
    : { preset, target_lufs: PRESETS[preset], allow_compression };
}
