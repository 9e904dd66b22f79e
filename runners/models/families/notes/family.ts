/**
 * Basic Pitch (Bittner et al., "A Lightweight Instrument-Agnostic Model for Polyphonic Note Transcription and Multipitch Estimation",
 * ICASSP 2022): windows of two seconds, activations of 88 keys and of their onsets, note events made of them.
 */
import { Type } from "@sinclair/typebox";
import { resample } from "../../../signal/dsp/resample.ts";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { type ManifestOf, singleGraph } from "../../fields.ts";
import type { Layout } from "../../layout.ts";
import { monoOf } from "../../mono.ts";
import { KEYS, notesOf } from "../../note_events.ts";
import { isShaped, onlyGraph, sizeAt } from "../../ports.ts";
import type { Transcriber } from "../../tasks.ts";
import { floats, floatsOf } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";

const files = singleGraph;
const fields = {
  onset_threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  frame_threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
};
type Notes = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "transcribe",
  files,
  fields,
  exported: "as basic-pitch ships it (nmp.onnx): windows [batch, 43844, 1] in",
  recognise,
  layouts,
  create,
});

const RATE = 22_050;
const HOP = 256;
const WINDOW = 2 * RATE - HOP;
const FRAMES = 172;
/** Frames that neighbouring windows share; half of them are dropped at either side. */
const SHARED = 30;
const KEPT = FRAMES - SHARED;
const STRIDE = WINDOW - SHARED * HOP;
function recognise(given: readonly GivenFile[]): Recognised | undefined {
  const [input] = onlyGraph(given)?.inputs ?? [];
  return sizeAt(input, 1) === WINDOW && isShaped(input, null, WINDOW, 1)
    ? { roles: { model: 0 }, fields: {} }
    : undefined;
}

function layouts({ batch = 1 }: Notes): Record<string, Layout> {
  const type = "float32";
  const output = (logical: string, number: number, size: number) =>
    ({ logical, names: [`StatefulPartitionedCall:${number}`, logical], type, dims: ["batch", FRAMES, size] }) as const;
  return {
    model: {
      inputs: [{ logical: "audio", names: ["serving_default_input_2:0", "input_2"], type, dims: ["batch", WINDOW, 1] }],
      outputs: [output("note", 1, KEYS), output("onset", 2, KEYS), output("contour", 0, 3 * KEYS)],
      sizes: { batch },
    },
  };
}

function create(manifest: Notes, model: LoadedModel): Transcriber {
  const batch = model.size("model", "batch") ?? manifest.batch ?? 1;
  return {
    id: manifest.id,
    async transcribe(audio, job) {
      const [samples] = resample([monoOf(audio.channels)], audio.sample_rate, RATE);
      const frames = Math.floor((samples!.length * KEPT) / STRIDE);
      const lead = (SHARED / 2) * HOP;
      const windows = Math.max(1, Math.ceil((samples!.length + lead) / STRIDE));
      const note = new Float32Array(windows * KEPT * KEYS);
      const onset = new Float32Array(windows * KEPT * KEYS);
      for (let at = 0; at < windows; at += batch) {
        job.signal.throwIfAborted();
        const input = new Float32Array(batch * WINDOW);
        const rows = Math.min(batch, windows - at);
        for (let row = 0; row < rows; row++) {
          const from = (at + row) * STRIDE - lead;
          const first = Math.max(0, from);
          if (first < samples!.length) input.set(samples!.subarray(first, from + WINDOW), row * WINDOW + first - from);
        }
        const answer = await model.run({
          role: "model",
          feeds: { audio: floats(input, [batch, WINDOW, 1]) },
          outputs: ["note", "onset"],
        });
        for (const [name, to] of [
          ["note", note],
          ["onset", onset],
        ] as const) {
          const made = floatsOf(answer, name);
          for (let row = 0; row < rows; row++) {
            const start = (row * FRAMES + SHARED / 2) * KEYS;
            to.set(made.subarray(start, start + KEPT * KEYS), (at + row) * KEPT * KEYS);
          }
        }
        job.progress((at + rows) / windows, "transcribing");
      }
      if (note.some((value) => !Number.isFinite(value))) throw model.fault("its activations are not finite");
      const events = notesOf(note.subarray(0, frames * KEYS), onset.subarray(0, frames * KEYS), {
        onset: manifest.onset_threshold ?? 0.5,
        frame: manifest.frame_threshold ?? 0.3,
      });
      return events.map(({ from, to, ...event }) => ({ ...event, start: timeOf(from), end: timeOf(to) }));
    },
  };
}

/**
 * Seconds at which a frame of the joined windows begins. A window's frames that are kept last 188 samples longer than its stride; the package spreads
 * that over 172 frames with a constant of its own, which is within 11 ms of this.
 */
function timeOf(frame: number): number {
  const window = Math.floor(frame / KEPT);
  return (window * STRIDE + (frame - window * KEPT) * HOP) / RATE;
}
