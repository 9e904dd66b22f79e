/**
 * Silero's voice activity detectors: version 5 and later (windows of 512 with 64 samples of context) and the older form
 * (windows of 1536).
 */

import type { Audio } from "../../../../contract/mod.ts";
import { resample } from "../../../signal/dsp/resample.ts";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { type ManifestOf, singleGraph } from "../../fields.ts";
import type { Layout } from "../../layout.ts";
import { monoOf } from "../../mono.ts";
import { onlyGraph } from "../../ports.ts";
import type { VoiceDetector } from "../../tasks.ts";
import { floats, floatsOf, integers, type Tensors, zeros } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";

const files = singleGraph;
const fields = {};
type Vad = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "voice_activity",
  files,
  fields,
  exported: "as silero-vad ships it",
  recognise,
  layouts,
  create,
});

const RATE = 16_000;
const WINDOW = 512;
/** End of the window before, which version 5 was trained to be given again. */
const CONTEXT = 64;
const WINDOW_OLD = 1536;
/** Windows that one message carries, some 8 s of work at most. */
const ROWS_MAX = 1024;

function recognise(given: readonly GivenFile[]): Recognised | undefined {
  const graph = onlyGraph(given);
  const names = graph?.inputs.map(({ name }) => name) ?? [];
  const is_silero =
    names.includes("input") && (names.includes("state") || (names.includes("h") && names.includes("c")));
  return is_silero ? { roles: { model: 0 }, fields: {} } : undefined;
}

function layouts(_manifest: Vad): Record<string, Layout> {
  const state = (name: string, names: readonly string[], size: number) =>
    ({ logical: name, names, type: "float32", dims: [2, "batch", size], optional: true }) as const;
  return {
    model: {
      inputs: [
        { logical: "input", names: ["input"], type: "float32", dims: ["batch", "window"] },
        { logical: "rate", names: ["sr"], type: "int64", dims: [], fill: RATE, optional: true },
        state("state", ["state"], 128),
        state("h", ["h", "h0"], 64),
        state("c", ["c", "c0"], 64),
      ],
      outputs: [
        { logical: "output", names: ["output"], type: "float32", dims: ["batch", 1] },
        state("state", ["stateN"], 128),
        state("h", ["hn"], 64),
        state("c", ["cn"], 64),
      ],
      sizes: { batch: 1, window: WINDOW + CONTEXT },
    },
  };
}

function create(manifest: Vad, model: LoadedModel): VoiceDetector {
  const { inputs, outputs } = model.opened.matched.model!;
  const is_new = inputs.state !== undefined;
  const states = is_new ? ["state"] : ["h", "c"];
  const missing = states.filter((word) => inputs[word] === undefined || outputs[word] === undefined);
  if (missing.length > 0) throw model.fault(`its graph has no state "${missing.join('", "')}" to carry on`);
  const window = is_new ? WINDOW : WINDOW_OLD;
  const context = is_new ? CONTEXT : 0;
  const fixed = model.size("model", "window") ?? window + context;
  if (fixed !== window + context) {
    throw model.fault(`its graph takes ${fixed} samples, the family gives ${window + context}`);
  }
  const fresh: Tensors = Object.fromEntries(states.map((word) => [word, zeros("float32", [2, 1, is_new ? 128 : 64])]));

  return {
    id: manifest.id,
    async detect(audio, job) {
      const samples = resampleMono(audio);
      const total = Math.ceil(samples.length / window);
      const values = new Float32Array(total);
      const state = crypto.randomUUID();
      try {
        for (let at = 0; at < total; at += ROWS_MAX) {
          job.signal.throwIfAborted();
          const rows = Math.min(ROWS_MAX, total - at);
          const data = new Float32Array(rows * (context + window));
          for (let row = 0; row < rows; row++) {
            const from = (at + row) * window - context;
            const first = Math.max(0, from);
            data.set(samples.subarray(first, (at + row + 1) * window), row * (context + window) + first - from);
          }
          const answer = await model.run({
            role: "model",
            feeds: {
              input: floats(data, [rows, context + window]),
              rate: integers([RATE], []),
              ...(at === 0 ? fresh : {}),
            },
            outputs: ["output"],
            carry: Object.fromEntries(states.map((word) => [word, word])),
            rows: "input",
            state,
            ...(at === 0 ? {} : { resume: true as const }),
          });
          values.set(floatsOf(answer, "output"), at);
          job.progress((at + rows) / total, "listening for speech");
        }
      } finally {
        if (!job.signal.aborted) await model.forget(state);
      }
      if (values.some((value) => !Number.isFinite(value))) throw model.fault("its probabilities are not finite");
      return { hop_seconds: window / RATE, values };
    },
  };
}

/** The channels' middle at 16 kHz. */
function resampleMono({ channels, sample_rate }: Audio): Float32Array {
  return resample([monoOf(channels)], sample_rate, RATE)[0]!;
}
