import type { Runner } from "../../core/plugin.ts";
import type { Drawing, Encoded } from "./drawing.ts";

/** Native code, which would take all threads with it where it crashed. Only pixels that were drawn here go in. */
export const encoder: Runner<readonly Drawing[], readonly Encoded[]> = {
  name: "encoder",
  from: import.meta.url,
  isolation: "process",
  load: async () => ({ run: (await import("./encode.ts")).encodeDrawings }),
};
