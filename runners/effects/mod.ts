/** Sound effects from words, by synthesis alone. Light; the engine loads inside the pool. */
import type { Runner } from "../../core/plugin.ts";
import type { Effect, EffectInput } from "./types.ts";

export type { Effect, EffectInput, EffectReport, LayerReport } from "./types.ts";

export const effect: Runner<EffectInput, Effect> = {
  name: "effect",
  from: import.meta.url,
  isolation: "thread",
  load: () => import("./effect.ts"),
};
