import { defineAction, STEMS, type Stem, Type, WHOLE_TRACK } from "../../packages/plugin/mod.ts";

export default defineAction({
  name: "adapt.separate_stems",
  wrapper: "stems",
  command: "stems",
  summary: "Split a mix into vocals, drums, bass, other and instrumental, which sum to it",
  request: Type.Object({
    stems: Type.Optional(
      Type.Array(Type.Union(STEMS.map((stem) => Type.Literal(stem))), {
        minItems: 1,
        maxItems: STEMS.length,
        uniqueItems: true,
        description: "Only these; all five where it is absent. They are delivered in the usual order",
      }),
    ),
  }),
  sources: { source: { ...WHOLE_TRACK, whole_seconds: 120 } },
  echo: ["stems"],
  output: "stems",
  work: "dsp",
  seeded: false,
  level: "source",
  task: "separate",
  engine: "separate",
  loudness: "never",
  failures: [],
  examples: [
    { source: { url: "https://example.com/song.flac" } },
    { source: { url: "https://example.com/song.flac" }, stems: ["vocals", "instrumental"] },
  ],
  cost: () => 3,
  // Three minutes, ten times real time.
  work_seconds: () => 18,
  async process({ request, sources, engines }) {
    // All are made from one another; what is not wanted is not written.
    const made = await engines.separate(sources.source);
    const wanted = (stem: Stem) => (request.stems?.includes(stem) === false ? undefined : made[stem]);
    return {
      vocals: wanted("vocals"),
      drums: wanted("drums"),
      bass: wanted("bass"),
      other: wanted("other"),
      instrumental: wanted("instrumental"),
    };
  },
});
