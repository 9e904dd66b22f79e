/** Puts a voice over music and lowers the music while the voice speaks. */
import type { Runner } from "../../../contract/mod.ts";
import type { Ducked, DuckInput } from "./types.ts";

export type { Ducked, DuckInput, DuckReport } from "./types.ts";

export const duck: Runner<DuckInput, Ducked> = {
  name: "duck",
  from: import.meta.url,
  isolation: "thread",
  load: () => import("./duck.ts"),
};
