/** Cuts or lengthens a recording to a duration at musically natural points. */
import type { Runner } from "../../../contract/mod.ts";
import type { CutInput, CutOutput } from "./types.ts";

export type { Cut, CutInput, CutOutput, CutReport, Ending } from "./types.ts";

export const cut: Runner<CutInput, CutOutput> = {
  name: "cut",
  from: import.meta.url,
  isolation: "thread",
  load: async () => (await import("./engine.ts")).engine,
};
