import { defineAction, Type, WHOLE_TRACK } from "../../packages/plugin/mod.ts";
import { TrackReport } from "./report.ts";

export default defineAction({
  name: "analyse.track",
  wrapper: "analysis",
  resource: "analyses",
  command: "analyse",
  summary: "Report loudness, tempo, beats, key, chords, sections and voices of a track",
  request: Type.Object({}),
  sources: { source: { ...WHOLE_TRACK, whole_seconds: 120 } },
  echo: [],
  output: "report",
  report: TrackReport,
  work: "dsp",
  seeded: false,
  level: "source",
  engine: "analyse",
  loudness: "never",
  failures: [],
  examples: [{ source: { url: "https://example.com/song.flac" } }],
  // Two, between the one of other adaptations and the three of stems: voices are heard in a separated voice, the
  // greater part of the work.
  cost: () => 2,
  work_seconds: () => 20,
  process: async ({ sources, engines }) => ({ report: await engines.analyse(sources.source) }),
});
