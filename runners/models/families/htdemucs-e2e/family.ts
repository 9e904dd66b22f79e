/** Hybrid Transformer Demucs exported with its transforms. */
import { defineFamily } from "../../family.ts";
import type { Layout } from "../../layout.ts";
import type { Separator } from "../../separator.ts";
import { floats, floatsOf, release } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";
import { createDemucs, type Demucs, fields, files, SEGMENT } from "../htdemucs-core/demucs.ts";

export default defineFamily({
  serves: "separate",
  files,
  fields,
  // The transforms inside are some hundred megabytes of constants, which folding turns into gigabytes.
  fold: false,
  stems: ({ stems }) => stems,
  layouts,
  create,
});

function layouts({ stems, segment = SEGMENT, batch = 1 }: Demucs): Record<string, Layout> {
  const type = "float32";
  return {
    model: {
      inputs: [{ logical: "mix", names: ["mix", "input"], type, dims: ["batch", 2, segment] }],
      outputs: [
        { logical: "stems", names: ["stems", "sources", "output"], type, dims: ["batch", stems.length, 2, segment] },
      ],
      sizes: { batch },
    },
  };
}

function create(manifest: Demucs, model: LoadedModel): Separator {
  const segment = manifest.segment ?? SEGMENT;
  const count = manifest.stems.length;
  /** Of the block before, which has been added up by now. */
  let before: Float32Array | undefined;
  return createDemucs(manifest, model, segment, async (mix, rows) => {
    const outputs = await model.run({
      role: "model",
      feeds: { mix: floats(mix, [rows, 2, segment]) },
      outputs: ["stems"],
    });
    const made = floatsOf(outputs, "stems");
    release(before);
    before = made;
    return (row, channel) =>
      made.subarray((row * 2 * count + channel) * segment, (row * 2 * count + channel + 1) * segment);
  });
}
