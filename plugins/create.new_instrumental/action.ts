import { Duration, defineAction, Prompt, STUDIO_ENGINE, Type, Understood } from "../../packages/plugin/mod.ts";

export default defineAction({
  name: "create.new_instrumental",
  wrapper: "instrumental",
  resource: "instrumentals",
  command: "instrumental",
  summary: "Compose and play music without vocals, from words or like a reference",
  request: Type.Object({ prompt: Type.Optional(Prompt), duration: Type.Optional(Duration) }),
  sources: {
    reference: { seconds_min: 1, seconds_max: 300, bytes_max: 50_000_000, optional: true, whole_seconds: 60 },
  },
  exactly_one_of: ["prompt", "reference"],
  echo: ["prompt", "reference"],
  echo_sent: ["duration"],
  output: "variations",
  side_by_side: true,
  work: "generation",
  seeded: true,
  level: "loudness",
  task: "generate",
  engine: STUDIO_ENGINE,
  policy: { fields: ["prompt"], code: "content_policy" },
  loudness: "optional",
  failures: [],
  examples: [
    { prompt: "warm lo-fi hip hop, rainy night, mellow electric piano, 82 bpm" },
    { prompt: "uplifting orchestral trailer in D minor", n_variations: 3, seed: 7, duration: 60 },
    { reference: { url: "https://example.com/song.flac" }, loudness: { preset: "podcast" } },
  ],
  cost: ({ n_variations }) => 3 * n_variations,
  // Fifteen times real time.
  work_seconds: ({ n_variations, duration = 120 }) => (n_variations * duration) / 15,
  understand: {
    schema: Understood,
    read: ({ request: { prompt }, engines }) => engines.understand({ for: "instrumental", prompt }),
  },
  process: ({ request, sources, seeds, engines }) =>
    engines.makeInstrumentals({
      prompt: request.prompt,
      seconds: request.duration,
      reference: sources.reference,
      seeds,
    }),
});
