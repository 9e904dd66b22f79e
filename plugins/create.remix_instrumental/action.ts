import { defineAction, Prompt, REMIX_ENGINE, RemixDuration, Type, Understood } from "../../packages/plugin/mod.ts";

export default defineAction({
  name: "create.remix_instrumental",
  wrapper: "remixed_instrumental",
  resource: "instrumental_remixes",
  summary: "Orchestrate an instrumental anew, keeping its tempo, key, chords, form and tune",
  request: Type.Object({ prompt: Type.Optional(Prompt), duration: Type.Optional(RemixDuration) }),
  sources: { source: { seconds_min: 1, seconds_max: 300, bytes_max: 50_000_000, whole_seconds: 60 } },
  echo: ["prompt"],
  echo_sent: ["duration"],
  output: "variations",
  work: "generation",
  seeded: true,
  level: "loudness",
  task: "remix",
  engine: REMIX_ENGINE,
  policy: { fields: ["prompt"], code: "content_policy" },
  loudness: "optional",
  failures: [],
  examples: [
    { source: { url: "https://example.com/instrumental.flac" } },
    {
      source: { url: "https://example.com/instrumental.mp3" },
      prompt: "a smoky jazz trio with brushes and an upright bass",
      n_variations: 3,
      seed: 7,
    },
    {
      source: { url: "https://example.com/instrumental.wav" },
      prompt: "driving synthwave",
      duration: 60,
      loudness: { preset: "podcast" },
    },
  ],
  cost: ({ n_variations }) => 3 * n_variations,
  // Eight times real time.
  work_seconds: ({ n_variations, duration = 120 }) => (n_variations * duration) / 8,
  understand: {
    schema: Understood,
    read: ({ request: { prompt }, engines }) => engines.understand({ for: "remixed_instrumental", prompt }),
  },
  process: ({ request, sources, seeds, engines }) =>
    engines.remixInstrumental({ source: sources.source, prompt: request.prompt, seconds: request.duration, seeds }),
});
