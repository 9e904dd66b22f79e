/** Sound effects from words, by a model of an operator's or by synthesis. Light; the engine loads inside the pool. */
import type { Output, Runner } from "../../contract/mod.ts";
import type { Understood } from "../language/mod.ts";
import type { EffectInput } from "./types.ts";

export type { Effect, EffectInput, EffectReport, LayerReport } from "./types.ts";

export const effect: Runner<EffectInput, Output> = {
  name: "effect",
  from: import.meta.url,
  isolation: "thread",
  load: () => import("./engine.ts"),
};

/** What the words are taken to ask for, without a sound being made. */
export const understandEffect: Runner<{ readonly prompt: string }, Understood> = {
  name: "understandEffect",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const { readEffect } = await effectReader.load();
    return { run: ({ prompt }) => readEffect(prompt).understood };
  },
};

/** Reads prompts as the engine does, for engines of the same thread. */
export const effectReader = { load: () => import("./understood.ts") } as const;
