/** All that can be measured and heard of a track, as one report. Light; the engine loads inside the pool. */
import type { Audio, ReportOutput, Runner, Streamed } from "../../../contract/mod.ts";

export interface TrackInput {
  /** 44.1 kHz, mono or stereo. */
  readonly audio: Audio | Streamed;
}

export const track: Runner<TrackInput, ReportOutput> = {
  name: "track",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const engine = await import("./track.ts");
    return { run: ({ audio }, job) => engine.describeTrack(audio, job) };
  },
};
