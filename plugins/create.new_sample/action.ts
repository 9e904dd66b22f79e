import { defineAction, Prompt, STUDIO_ENGINE, Type, Understood } from "../../packages/plugin/mod.ts";

export default defineAction({
  name: "create.new_sample",
  wrapper: "sample",
  resource: "samples",
  command: "sample",
  summary: "Make a short clip of exact length from words, as a seamless loop where wanted",
  request: Type.Object({
    prompt: Prompt,
    duration: Type.Number({ minimum: 0.5, maximum: 60, description: "Seconds, delivered to the sample" }),
    loopable: Type.Boolean({
      default: false,
      description: "Whole bars in a ring: the end joins the beginning without a seam",
    }),
  }),
  sources: {},
  echo: ["prompt", "duration", "loopable"],
  output: "single",
  work: "generation",
  seeded: true,
  level: "peak",
  task: "generate",
  engine: STUDIO_ENGINE,
  policy: { fields: ["prompt"], code: "tos_violation" },
  loudness: "never",
  failures: [],
  examples: [
    { prompt: "funky drum break with a walking bass, 104 bpm", duration: 9.23, loopable: true },
    { prompt: "soft piano chords, dreamy", duration: 6, loopable: false, seed: 3 },
  ],
  cost: () => 3,
  work_seconds: () => 1,
  understand: {
    schema: Understood,
    read: ({ request: { prompt, duration, loopable }, engines }) =>
      engines.understand({ for: "sample", prompt, seconds: duration, loop: loopable }),
  },
  process: ({ request, seeds, engines }) =>
    engines.makeSample({
      prompt: request.prompt,
      seconds: request.duration,
      loop: request.loopable,
      seed: seeds[0]!,
    }),
});
