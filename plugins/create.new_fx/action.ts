import { defineAction, Type } from "../../packages/plugin/mod.ts";
import { effect, understandEffect } from "../../runners/effects/mod.ts";
import { Understood } from "../../runners/language/mod.ts";
import { ENGINE } from "../../runners/music/studio/mod.ts";
import { Prompt } from "../fields.ts";

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
  engine: ENGINE,
  policy: { fields: ["prompt"], code: "tos_violation" },
  loudness: "never",
  failures: [],
  examples: [
    { prompt: "three knocks on a wooden door, then it creaks open" },
    { prompt: "heavy rain on a tin roof with distant thunder", duration: 12, seed: 7 },
  ],
  cost: () => 3,
  understand: {
    schema: Understood,
    read: ({ request: { prompt }, run }) => run(understandEffect, { prompt }),
  },
  process: ({ request, seeds, run }) =>
    run(effect, { prompt: request.prompt, seconds: request.duration, seed: seeds[0]! }),
});
