/** Pictures of audio: a waveform for light and for dark pages and a spectrogram, each at one and at two pixels a point. */
import type { Runner } from "../../../contract/mod.ts";
import type { PictureInput, Pictures } from "../../../core/ports/mod.ts";

export const picture: Runner<PictureInput, Pictures> = {
  name: "picture",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./picture.ts")).makePictures }),
};
