/** What the ear makes of a piece: rhythm, harmony, form and timbre. Light; the engine loads inside the pool. */
import type { Audio, Runner, Streamed } from "../../../contract/mod.ts";
import type { Analysis } from "./analysis.ts";
import type { TopLineInput, TopNote } from "./melody/top_line.ts";

export * from "./analysis.ts";
export type { TopLineInput, TopNote } from "./melody/top_line.ts";
export { type AnalysisReport, reportOf, SUFFIXES } from "./report.ts";
export { type VoiceActivity, voiceActivity } from "./voice/activity.ts";

export interface AnalyseInput {
  readonly audio: Audio | Streamed;
}

export const analyse: Runner<AnalyseInput, Analysis> = {
  name: "analyse",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const engine = await import("./analyse.ts");
    return { run: ({ audio }, job) => engine.analyse(audio, job) };
  },
};

/** The tune that stands out of a mix, on a grid of the caller's. */
export const topLine: Runner<TopLineInput, readonly TopNote[]> = {
  name: "topLine",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./melody/top_line.ts")).topLine }),
};
