/** What the OpenAPI document says of a download's other forms. */
import { type TSchema, Type } from "@sinclair/typebox";
import { contentTypeOf, named } from "../../core/surface.ts";
import { FORMATS, PEAKS_MAX } from "./asked.ts";

const bins = (description: string) => Type.Array(Type.Number({ minimum: -1, maximum: 1 }), { description });
const Peaks = named(
  "Peaks",
  Type.Object({
    duration: Type.Number({ description: "Seconds" }),
    bins: Type.Integer({
      minimum: 1,
      maximum: PEAKS_MAX,
      description: "As many as asked for, or as there are samples",
    }),
    min: bins("The smallest sample of each bin"),
    max: bins("The largest sample of each bin"),
  }),
);

const binary = { schema: { type: "string", format: "binary" } };
const FILES = Object.fromEntries(
  [...FORMATS.map((format) => contentTypeOf(`x.${format}`)), "application/zip"].map((type) => [type, binary]),
);
const peaks = { example: { value: { duration: 2.5, bins: 2, min: [-0.5, -0.7], max: [0.4, 0.8] } } };

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
const asked = (name: string, description: string, schema: TSchema) => ({
  ...{ name, in: "query", required: false, description, schema },
});

/** They stand behind the signature. The archive of stems takes none. */
export const DOWNLOAD_DETAIL = {
  parameters: [
    asked(
      "format",
      "As it is stored where it is absent; `mp3` and `opus` need encoders, which `/v1/capabilities` names",
      Type.Unsafe({ type: "string", enum: FORMATS }),
    ),
    asked(
      "bits",
      "Of a sample, of `flac` and `wav`; as stored where it is absent",
      Type.Unsafe({ type: "integer", enum: [16, 24] }),
    ),
    asked("preview", "The 30 s that tell most, in any format", Type.Boolean()),
    asked(
      "peaks",
      "Alone: so many bins of the smallest and largest sample as JSON, for drawing a waveform",
      Type.Integer({ minimum: 1, maximum: PEAKS_MAX }),
    ),
  ],
  responses: {
    "200": {
      description: "The file in the format that was asked for, the ZIP of stems where it is their `archive`, or peaks",
      content: { ...FILES, "application/json": { schema: Peaks, examples: peaks } },
    },
    "206": {
      description: "The range",
      content: Object.fromEntries(Object.entries(FILES).filter(([type]) => type !== "application/zip")),
    },
    "422": shared("Invalid"),
    "429": shared("TooManyRequests"),
    "503": shared("Unavailable"),
  },
};
