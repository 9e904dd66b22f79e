import { defineAction, LONG_TRACK, Type } from "../../packages/plugin/mod.ts";

/** Both of five minutes and the mix would be 318 MB. */
const TRACK = { ...LONG_TRACK, whole_seconds: 240 } as const;

export default defineAction({
  name: "adapt.auto_duck",
  wrapper: "ducked_audio",
  resource: "ducks",
  command: "duck",
  summary: "Mix a voice over music, lowering the music while the voice speaks",
  request: Type.Object({
    duck_db: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 24,
        description: "Depth in dB, 0 for none; absent: 6 to 18 dB, chosen from the loudness of voice and music",
      }),
    ),
  }),
  sources: { music: TRACK, voice: TRACK },
  distinct_sources: ["music", "voice"],
  echo: ["duck_db"],
  output: "single",
  work: "dsp",
  seeded: false,
  level: "loudness",
  engine: "duck",
  task: "voice_activity",
  loudness: "always",
  failures: [],
  examples: [
    { music: { url: "https://example.com/song.flac" }, voice: { url: "https://example.com/speaker.wav" } },
    {
      music: { url: "https://example.com/song.mp3" },
      voice: { url: "https://example.com/speaker.mp3" },
      duck_db: 10,
      loudness: { preset: "podcast" },
    },
  ],
  cost: () => 1,
  work_seconds: () => 4,
  process: ({ request, sources, loudness, engines }) =>
    engines.duck({
      ...sources,
      duck_db: request.duck_db,
      limit_for_lufs: loudness?.allow_compression === true ? loudness.target_lufs : undefined,
    }),
});
