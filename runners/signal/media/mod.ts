/** An output of the service in another form: WAV and FLAC by our own writers, MP3 and Opus by the system's ffmpeg, levels for waveforms. */
import type { Runner } from "../../../contract/mod.ts";
import type { ConvertInput } from "../../../core/ports/mod.ts";

export type { RecordingHead } from "./recording.ts";

export const convert: Runner<ConvertInput, boolean> = {
  name: "convert",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./convert.ts")).convertOutput }),
};

/** Reads recordings that instruments are made of, for engines of the same thread. */
export const recordings = { load: () => import("./recording.ts") } as const;

/** Reads audio files of any kind, for engines that are given some by others. */
export const files = { load: () => import("./decode.ts") } as const;
