/** Two outputs with names, made by a runner in a process of its own. */
import { defineAction, Type, WHOLE_TRACK } from "@tonwerk/plugin";
import { divider } from "./engine.ts";

export default defineAction({
  name: "acme.bands",
  wrapper: "acme_bands",
  summary: "Divide a track into what lies below a frequency and what lies above",
  request: Type.Object({
    hertz: Type.Optional(Type.Number({ minimum: 20, maximum: 20_000, default: 200 })),
    only: Type.Optional(Type.Union([Type.Literal("low"), Type.Literal("high")], { description: "Without the other" })),
  }),
  sources: { source: WHOLE_TRACK },
  echo: ["hertz", "only"],
  output: { low: "What lies below the frequency", high: "What lies above it" },
  work: "dsp",
  seeded: false,
  level: "source",
  engine: "one-pole",
  loudness: "never",
  failures: [],
  examples: [{ source: { url: "https://example.com/song.flac" }, hertz: 120 }],
  cost: ({ only }) => (only === undefined ? 2 : 1),
  process: async ({ request: { hertz = 200, only }, sources: { source }, run }) => {
    const { low, high } = await run(divider, { audio: source, hertz });
    return {
      low: only === "high" ? undefined : { audio: low },
      high: only === "low" ? undefined : { audio: high },
    };
  },
});
