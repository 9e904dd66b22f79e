/** Hybrid Transformer Demucs exported with its transforms. */

import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import type { Layout } from "../../layout.ts";
import { isShaped, onlyGraph, sizeAt } from "../../ports.ts";
import type { Separator } from "../../separator.ts";
import { floats, floatsOf, release } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";
import { createDemucs, type Demucs, fields, files, recogniseStems, SEGMENT } from "../htdemucs-core/demucs.ts";

export default defineFamily({
  serves: "separate",
  files,
  fields,
  // The transforms inside are some hundred megabytes of constants, which folding turns into gigabytes.
  fold: false,
  stems: ({ stems }) => stems,
  exported: "a mix [batch, 2, segment] in, stems [batch, stems, 2, segment] out, transforms inside",
  recognise,
  layouts,
  create,
});

function recognise(files: readonly GivenFile[]): Recognised | undefined {
  const graph = onlyGraph(files);
  const [mix] = graph?.inputs ?? [];
  const [stems] = graph?.outputs ?? [];
  if (graph?.inputs.length !== 1 || !isShaped(mix, null, 2, null) || !isShaped(stems, null, null, 2, null))
    return undefined;
  return recogniseStems(sizeAt(stems, 1), sizeAt(mix, 2));
}

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
