/** What an action answers, as JSON Schema. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import {
  type AnyAction,
  failureCodes,
  kindsOf,
  named,
  OPERATION_ID,
  type Registered,
  typeOf,
} from "../../../core/surface.ts";

export interface AnswerSchemas {
  /** `{ [wrapper]: operation }`: of GET, and of a webhook. */
  readonly answer: TSchema;
  /** Of PUT: the same, or what a dry run says. */
  readonly submission: TSchema;
  /** An entry of a list: the operation and its action. */
  readonly listed: TSchema;
}

/**
 * A submission is one object in which all may be absent, not one of two: clients made of that would have to ask which
 * it is before they could read an id.
 */
export function describeAnswers({ action, schema }: Registered): AnswerSchemas {
  const type = typeOf(action);
  const operation = named(`${type}Operation`, operationSchema(action, schema.request.properties));
  const wrapped = { ...operation, description: "The operation" };
  const Action = Type.Object({ action: Type.Literal(action.name, { description: "Of this operation" }) });
  return {
    answer: named(`${type}Answer`, Type.Object({ [action.wrapper]: wrapped })),
    submission: named(
      `${type}Submission`,
      Type.Object(
        {
          [action.wrapper]: Type.Optional({ ...operation, description: "The operation; absent in a dry run" }),
          cost: Type.Optional(Type.Integer({ description: "Dry run: credits that it would cost" })),
          cost_max: Type.Optional(
            Type.Integer({
              description: "Dry run: there where sources are still to be measured, and it may cost less",
            }),
          ),
          balance: Type.Optional(Type.Integer({ description: "Dry run: credits of the account" })),
          sufficient: Type.Optional(Type.Boolean({ description: "Dry run: whether they suffice" })),
          ...(action.understand && { understood: Type.Optional(understoodSchema(action, action.understand.schema)) }),
        },
        { minProperties: 1 },
      ),
    ),
    listed: named(`Listed${type}`, Type.Unsafe({ allOf: [operation, Action] })),
  };
}

function understoodSchema(action: AnyAction, schema: TSchema): TSchema {
  const told = "Dry run: what the words are taken to ask for; null where that cannot be told just now";
  return nullable(named(schema.title ?? `${typeOf(action)}Understood`, schema), told);
}

const nullable = (schema: TSchema, description: string): TSchema => Type.Union([schema, Type.Null()], { description });
const dateTime = (description: string): TSchema => Type.String({ format: "date-time", description });
const texts = (values: readonly string[], description: string): TSchema =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  );

const Loudness = named(
  "Loudness",
  Type.Object(
    {
      lufs: nullable(Type.Number(), "Integrated loudness; null when silent or shorter than 400 ms"),
      true_peak_dbtp: nullable(Type.Number(), "True peak; null when silent"),
      compressed: Type.Boolean({ description: "True when anything but gain was applied" }),
    },
    { description: "Measured on the delivered file" },
  ),
);
/** `asked`: the `loudness` of a request. */
function loudnessTarget(asked: TSchema): TSchema {
  const { preset } = asked.properties as TProperties;
  return named(
    "LoudnessTarget",
    Type.Object(
      {
        preset: preset!,
        target_lufs: Type.Number({ description: "Integrated loudness in LUFS" }),
        allow_compression: Type.Boolean({ description: "false: only one linear gain" }),
      },
      { description: "What was asked, with defaults" },
    ),
  );
}
const Report = named(
  "Report",
  Type.Object(
    {},
    { additionalProperties: true, description: "What the engine has to say of an output; each engine its own" },
  ),
);
/** Which one it is of those that come together: of stems a type of its own, as they have ever had. */
function kindSchema({ output }: AnyAction, kinds: ReadonlyMap<string, string>): TSchema {
  if (output === "stems") return named("StemKind", texts([...kinds.keys()], "Which stem it is"));
  const told = [...kinds].map(([kind, what]) => `\`${kind}\`: ${what}`);
  return texts([...kinds.keys()], `Which one it is. ${told.join("; ")}`);
}
const Seed = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description: "As sent, or as chosen" });

const OperationStatus = named("OperationStatus", texts(["processing", "ready", "failed"], "ready and failed stay"));

function outputSchema(action: AnyAction): TSchema {
  const { output, seeded } = action;
  const is_stem = output === "stems";
  const kinds = kindsOf(action);
  return named(
    is_stem
      ? "StemOutput"
      : kinds !== undefined
        ? `${typeOf(action)}Output`
        : seeded
          ? "GeneratedOutput"
          : "AudioOutput",
    Type.Object(
      {
        url: Type.String({
          format: "uri",
          minLength: 1,
          maxLength: 2083,
          description: "Signed download URL, FLAC, 44.1 kHz. Time-limited, not to be cached",
        }),
        expires_at: dateTime("The URL stops working then; GET again for a fresh one"),
        duration: Type.Number({ description: "Seconds" }),
        ...(kinds !== undefined && { kind: kindSchema(action, kinds) }),
        ...(is_stem
          ? { gain_db: Type.Number({ description: "Gain that was applied, of all stems alike" }) }
          : { loudness: Loudness }),
        bytes: Type.Integer({ description: "Length of the file" }),
        sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "Of the file, hexadecimal" }),
        engine: Type.String({ description: "What made it" }),
        ...(seeded && { seed: { ...Seed, description: "That of this output" } }),
        report: Type.Optional(nullable(Report, "Left out of lists, unless they are expanded")),
      },
      { description: "One piece of audio" },
    ),
  );
}

const Archive = named(
  "Archive",
  Type.Object(
    {
      url: Type.String({ format: "uri", description: "Signed download URL, ZIP of all outputs as FLAC" }),
      expires_at: dateTime("The URL stops working then; GET again for a fresh one"),
    },
    { description: "All outputs as one file" },
  ),
);

/** What every operation says of itself, around what its action adds. */
const HEAD_FIELDS = {
  id: Type.String({ pattern: OPERATION_ID.source, description: "Operation id" }),
  status: OperationStatus,
  created_at: dateTime("ISO 8601, UTC"),
  idempotency_key: Type.String({ format: "uuid", description: "As sent, in lower case" }),
  metadata: Type.Unsafe({
    type: "object",
    additionalProperties: { type: "string" },
    description: "As sent; empty where it was absent",
  }),
};
const WebhookFate = named(
  "WebhookFate",
  Type.Object(
    {
      attempts: Type.Integer({ minimum: 0, description: "How often it was sent" }),
      last_status: nullable(Type.Integer(), "HTTP status of the last answer; null where there was none"),
      next_attempt_at: nullable(dateTime("When it is sent again"), "When it is sent again; null: it is not"),
      delivered_at: nullable(dateTime("When the receiver took it"), "When the receiver took it"),
    },
    { description: "How the webhook that tells the end fares" },
  ),
);
const STATE_FIELDS = {
  error: Type.Null(),
  progress: Type.Number({ minimum: 0, maximum: 1, description: "How much of the work is done" }),
  stage: nullable(Type.String(), "What is being done, in words; null once it has ended"),
  queue_position: nullable(
    Type.Integer({ minimum: 0 }),
    "Jobs before this one, counted to 10,000; null once work has begun",
  ),
  started_at: nullable(dateTime("When work began"), "When work began"),
  completed_at: nullable(dateTime("When it ended"), "When it ended"),
  cost: Type.Integer({ minimum: 0, description: "Credits charged" }),
  refunded: Type.Integer({
    minimum: 0,
    description: "Credits that came back: all where it failed, none where it was canceled after work had begun",
  }),
  test: Type.Optional(
    Type.Boolean({ description: "True where a test key submitted it: the result is made up. Else absent" }),
  ),
};

/** Of actions priced by sources. */
const REBATE_FIELDS = {
  cost_max: Type.Optional(
    Type.Integer({ minimum: 0, description: "Credits debited at first; absent where the price was known then" }),
  ),
  rebated: Type.Optional(
    Type.Integer({ minimum: 0, description: "Of these, what the measured sources cost less: it was given back" }),
  ),
};

function errorSchema(action: AnyAction): TSchema {
  return named(
    `${typeOf(action)}Error`,
    Type.Object(
      {
        code: texts(failureCodes(action), "Stable, machine-readable"),
        message: Type.String({ description: "For people" }),
        source: Type.Optional(
          Type.String({ description: "Input that a source_* error concerns, where there are several" }),
        ),
      },
      { description: "Why the operation failed" },
    ),
  );
}

/** Null until it is ready; what comes of an action without audio is not left out of anything but lists. */
function resultFields(action: AnyAction): TProperties {
  const ready = "Null until it is ready";
  switch (action.output) {
    case "report":
      return {
        engine: nullable(Type.String(), `What made the report. ${ready}`),
        report: Type.Optional(
          nullable(
            action.report === undefined ? Report : named(`${typeOf(action)}Report`, action.report),
            `${ready}; left out of lists, unless they are expanded`,
          ),
        ),
      };
    case "single":
      return action.outputs_of === undefined
        ? { output: nullable(outputSchema(action), ready) }
        : {
            output: nullable(outputSchema(action), `${ready}, and where \`${String(action.outputs_of)}\` was sent`),
            outputs: Type.Optional(
              nullable(
                Type.Array(outputSchema(action)),
                `Where \`${String(action.outputs_of)}\` was sent: one of each entry, in order. ${ready}`,
              ),
            ),
          };
    default:
      return {
        outputs: nullable(Type.Array(outputSchema(action)), ready),
        ...(kindsOf(action) !== undefined && { archive: nullable(Archive, ready) }),
      };
  }
}

/** The operation of `action`, without its wrapper. `fields`: of its request. */
function operationSchema(action: AnyAction, fields: TProperties): TSchema {
  const echo = action.echo.map((name) => {
    const { default: _, ...echoed } = fields[name]!;
    return [name, nullable(echoed as TSchema, "As sent; null where it was absent")];
  });
  const echo_sent = (action.echo_sent ?? []).map((name) => {
    const { default: _, ...echoed } = fields[name]!;
    return [name, Type.Optional({ ...(echoed as TSchema), description: "As sent; left out where it was absent" })];
  });
  return Type.Object(
    {
      ...HEAD_FIELDS,
      ...Object.fromEntries(echo),
      ...Object.fromEntries(echo_sent),
      ...(action.output === "variations" && {
        n_variations: Type.Integer({ minimum: 1, maximum: 3, description: "Number of outputs" }),
      }),
      ...(action.loudness !== "never" && {
        loudness: nullable(loudnessTarget(fields.loudness!), "Null where none was asked"),
      }),
      ...(action.seeded && { seed: Seed }),
      ...resultFields(action),
      ...STATE_FIELDS,
      ...(action.priced_by && REBATE_FIELDS),
      error: nullable(errorSchema(action), "Null unless it failed"),
      webhook: Type.Optional(nullable(WebhookFate, "Null without callback_url; left out of lists and webhooks")),
    },
    { description: action.summary },
  );
}
