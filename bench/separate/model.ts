/** The separator that Tonwerk ships, run as a job runs it, for comparison with what is built in. */
import type { Audio, Runner } from "../../contract/mod.ts";
import { useModels } from "../../runners/engines.ts";
import { separate } from "../../runners/signal/separate/separate.ts";
import type { Channels, StemName } from "../../training/material/stems.ts";

/** Rejects where the model cannot serve here: a comparison must not show another engine under its name. */
export const model: Runner<Audio, Readonly<Record<StemName, Channels>>> = {
  name: "model",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({
    async run(audio, job) {
      useModels({
        models: null,
        providers: ["cpu"],
        devices: [],
        model_mb: 4000,
        model_seconds: 600,
        shipped: true,
        families: [],
        sidecars: [],
      });
      const made = await separate(audio, job);
      const { engine, report } = made.vocals;
      if (engine === "separate") throw new Error(`The model cannot serve: ${JSON.stringify(report)}`);
      const frames = audio.channels[0]!.length;
      const read = (name: StemName): Channels => {
        const stem = made[name].audio;
        if (!("samples" in stem)) throw new Error(`"${name}" is not streamed`);
        const channels = audio.channels.map(() => new Float32Array(frames));
        stem.samples(0, frames, channels);
        return channels;
      };
      return { vocals: read("vocals"), drums: read("drums"), bass: read("bass"), other: read("other") };
    },
  }),
};
