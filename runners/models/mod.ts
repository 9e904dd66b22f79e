/**
 * Models in ONNX form. Sessions live in one child process for each model, which takes tensors and gives tensors; what comes before and
 * after (transforms, blocks, tokens) is ours and runs in the pool's thread, so that a native crash costs one block and no audio.
 */
import type { Runner } from "../../core/plugin.ts";
import type { SessionsInput, SessionsOutput } from "./types.ts";

export type { Manifest } from "./fields.ts";
export type { Tensor, Tensors } from "./tensor.ts";
export type { GraphRun, LoadedModel, ModelSpec, Opened, SessionsInput, SessionsOutput } from "./types.ts";

/** Give it a `resident`, the model's id: `{ ...sessions, resident: id }`. */
export const sessions: Runner<SessionsInput, SessionsOutput> = {
  name: "sessions",
  from: import.meta.url,
  isolation: "process",
  load: async () => {
    const { createSessions } = await import("./sessions.ts");
    return createSessions();
  },
};
