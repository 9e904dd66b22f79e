import { defineAction, Type } from "../../core/plugin.ts";
import { LONG_TRACK } from "../fields.ts";

export default defineAction({
  name: "adapt.normalise_loudness",
  wrapper: "normalised_audio",
  resource: "normalisations",
  command: "normalise",
  summary: "Normalise a track to a target integrated loudness, with true peaks at or below -1 dBTP",
  request: Type.Object({}),
  sources: { source: LONG_TRACK },
  echo: [],
  output: "single",
  work: "dsp",
  seeded: false,
  level: "loudness",
  engine: "master",
  loudness: "always",
  failures: [],
  examples: [
    { source: { url: "https://example.com/song.flac" } },
    { source: { url: "https://example.com/song.wav" }, loudness: { preset: "podcast" } },
    { source: { url: "https://example.com/song.mp3" }, loudness: { target_lufs: -18.5, allow_compression: false } },
  ],
  cost: () => 1,
  // Every output is mastered to its loudness target by core; the action itself has nothing to change.
  process: ({ sources }) => ({ audio: sources.source }),
});
