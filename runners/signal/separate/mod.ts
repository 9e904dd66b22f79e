/** Takes a mix apart into vocals, drums, bass and other. Light; the engine loads inside the pool. */
import type { Audio, Runner, Streamed } from "../../../contract/mod.ts";
import type { Separated } from "./separate.ts";

export type { Separated } from "./separate.ts";

export interface SeparateInput {
  /** 44.1 kHz, mono or stereo, at least one sample. Read as long as the stems are. */
  readonly audio: Audio | Streamed;
}

/**
 * By a model of the operator's where there is one, else by what is built in. What it returns is made as it is read, so
 * it belongs to the thread in which it ran.
 */
export const separate: Runner<SeparateInput, Separated> = {
  name: "separate",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const engine = await import("./separate.ts");
    return { run: ({ audio }, job) => engine.separate(audio, job) };
  },
};
