import { defineAction, Prompt, STUDIO_ENGINE, Type, Understood } from "../../packages/plugin/mod.ts";

export default defineAction({
  name: "create.new_fx",
  wrapper: "fx",
  resource: "effects",
  command: "fx",
  summary: "Make a sound effect from a description",
  request: Type.Object({
    prompt: Prompt,
    duration: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 30,
        description: "Seconds, delivered to the sample; absent: chosen from the prompt",
      }),
    ),
  }),
  sources: {},
  echo: ["prompt", "duration"],
  output: "single",
  work: "generation",
  seeded: true,
  level: "peak",
  engine: STUDIO_ENGINE,
  task: "effect",
  policy: { fields: ["prompt"], code: "tos_violation" },
  loudness: "never",
  failures: [],
  examples: [
    { prompt: "three knocks on a wooden door, then it creaks open" },
    { prompt: "heavy rain on a tin roof with distant thunder", duration: 12, seed: 7 },
  ],
  cost: () => 3,
  work_seconds: () => 1,
  understand: {
    schema: Understood,
    read: ({ request: { prompt }, engines }) => engines.understand({ for: "effect", prompt }),
  },
  process: ({ request, seeds, engines }) =>
    engines.effect({ prompt: request.prompt, seconds: request.duration, seed: seeds[0]! }),
});
