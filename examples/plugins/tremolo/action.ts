/** The volume of a track rises and falls: fields, a rule across fields, a failure code, progress, a report. */
import { defineAction, Type, WHOLE_TRACK } from "@tonwerk/plugin";

export default defineAction({
  name: "acme.tremolo",
  wrapper: "tremolo_audio",
  summary: "Let the volume of a track rise and fall",
  request: Type.Object({
    rate_hz: Type.Number({ minimum: 0.1, maximum: 20, description: "How often it falls in a second" }),
    depth: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: "1 falls to silence" })),
  }),
  sources: { source: WHOLE_TRACK },
  echo: ["rate_hz", "depth"],
  output: "single",
  work: "dsp",
  seeded: false,
  level: "source",
  engine: "tremolo",
  loudness: "optional",
  // A code of our own: clients read it as `error.code`.
  failures: ["mono_expected"],
  examples: [{ source: { url: "https://example.com/song.flac" }, rate_hz: 5 }],
  cost: () => 1,
  // Fields that are fine each by itself and wrong together are a 422 as well.
  check: ({ rate_hz, depth }) =>
    depth === 1 && rate_hz > 10
      ? [{ loc: ["depth"], msg: "Full depth above 10 Hz is no tremolo", type: "value_error" }]
      : [],
  process: ({ request: { rate_hz, depth = 0.5 }, sources: { source }, fail, progress }) => {
    if (source.channels.length > 1) return fail("mono_expected", "The source has two channels, expected one", "source");
    progress(0.5, "shaking");
    const channels = source.channels.map((channel) =>
      channel.map((sample, at) => {
        const phase = (2 * Math.PI * rate_hz * at) / source.sample_rate;
        return sample * (1 - (depth * (1 - Math.cos(phase))) / 2);
      }),
    );
    return {
      audio: { ...source, channels },
      report: { falls: Math.floor((channels[0]!.length / source.sample_rate) * rate_hz) },
    };
  },
});
