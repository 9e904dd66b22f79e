/** What the ear makes of a piece: rhythm, harmony, form and timbre. Light; the engine loads inside the pool. */
import type { Audio, Runner } from "../../core/plugin.ts";
import type { Analysis } from "./analysis.ts";

export * from "./analysis.ts";
export { type AnalysisReport, reportOf } from "./report.ts";
export { type VoiceActivity, voiceActivity } from "./voice/activity.ts";

export interface AnalyseInput {
  readonly audio: Audio;
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
