import { defineAction, LONG_TRACK, Type } from "../../packages/plugin/mod.ts";

export default defineAction({
  name: "adapt.auto_cut_down",
  wrapper: "auto_cut",
  resource: "cuts",
  command: "cut",
  summary: "Trim audio to a target duration at musically natural cut points",
  request: Type.Object({
    target_duration: Type.Number({
      minimum: 5,
      maximum: 300,
      description:
        "Seconds. The output lies within one second of it; above the source's length whole bars repeat, up to twice that length.",
    }),
  }),
  sources: { source: { ...LONG_TRACK, seconds_min: 2.5, whole_seconds: 240 } },
  echo: ["target_duration"],
  output: "single",
  work: "dsp",
  seeded: false,
  level: "source",
  engine: "cut",
  loudness: "optional",
  failures: ["target_duration_too_long"],
  examples: [
    { target_duration: 30, source: { url: "https://example.com/song.flac" } },
    { target_duration: 15, source: { url: "https://example.com/song.mp3" }, loudness: { preset: "broadcast" } },
  ],
  cost: () => 1,
  work_seconds: () => 4,
  process({ request: { target_duration }, sources: { source }, engines, fail }) {
    const frames = "samples" in source ? source.frames : source.channels[0]!.length;
    const seconds = frames / source.sample_rate;
    if (target_duration > 2 * seconds) {
      return fail(
        "target_duration_too_long",
        `Cannot make ${target_duration} s of a source that lasts ${seconds.toFixed(2)} s: twice its length is the most`,
      );
    }
    return engines.cut(source, { seconds: target_duration });
  },
});
