/**
 * Models in ONNX form. Sessions live in one child process for each model, which takes tensors and gives tensors; what comes before and
 * after (transforms, blocks, tokens) is ours and runs in the pool's thread, so that a native crash costs one block and no audio.
 */
import type { Runner } from "../../contract/mod.ts";
import type { ModelSpec, SessionsInput, SessionsOutput } from "./types.ts";

export type { Manifest } from "./fields.ts";
export type { Tensor, Tensors } from "./tensor.ts";
export type { GraphRun, LoadedModel, ModelSpec, Opened, SessionsInput, SessionsOutput } from "./types.ts";

/** Of any process; `sessionsOf` says of which. */
export const sessions: Runner<SessionsInput, SessionsOutput> = {
  name: "sessions",
  from: import.meta.url,
  isolation: "process",
  load: async () => {
    const { createSessions } = await import("./sessions.ts");
    return createSessions();
  },
};

/** In the process of a model. All runs of pieces that are made together are there at once, and one more for who is to begin. */
export function sessionsOf({ resident, together }: Pick<ModelSpec, "resident" | "together">) {
  return { ...sessions, resident, ...(together > 1 ? { at_once: together + 1 } : {}) };
}
