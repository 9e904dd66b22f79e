import { defineAction, Type } from "../../core/plugin.ts";
import { separate } from "../../runners/separate/mod.ts";
import { WHOLE_TRACK } from "../fields.ts";

export default defineAction({
  name: "adapt.separate_stems",
  wrapper: "stems",
  command: "stems",
  summary: "Split a mix into vocals, drums, bass, other and instrumental, which sum to it",
  request: Type.Object({}),
  sources: { source: WHOLE_TRACK },
  echo: [],
  output: "stems",
  work: "dsp",
  seeded: false,
  level: "source",
  task: "separate",
  engine: "separate",
  loudness: "never",
  failures: [],
  examples: [{ source: { url: "https://example.com/song.flac" } }],
  cost: () => 3,
  process: ({ sources, run }) => run(separate, { audio: sources.source }),
});
