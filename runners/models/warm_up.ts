/** The first run of a graph that was just loaded. */
import { Cache } from "./cache.ts";
import { dimsOf, hasType, type Layout, type Matched, repeat, sizesOf, typesOf } from "./layout.ts";
import { type GraphSession, type Ort, toOrt } from "./runtime.ts";
import { filled, release } from "./tensor.ts";
import type { ModelSpec } from "./types.ts";

/** One run on zeros: allocates what the first real run would, and shows whether the outputs are what the graph promises, and finite. */
export async function warmUp(
  ort: typeof Ort,
  { session, matched }: { readonly session: GraphSession; readonly matched: Matched },
  layout: Layout,
  renamed: ModelSpec["renamed"],
): Promise<void> {
  const feeds: Record<string, Ort.Tensor> = {};
  const inputs = Object.values(matched.inputs).map((name) => ({ name }));
  for (const port of layout.inputs.flatMap((one) => repeat(one, inputs, renamed))) {
    const real = session.inputs.find(({ name }) => name === matched.inputs[port.logical]);
    if (real === undefined) continue;
    const dims = dimsOf(port, real.dims.length);
    const sizes = sizesOf(port, matched.bound, layout, dims);
    // All values are equal, so that their order is any.
    const order = session.growing.has(real.name) ? Cache.dimsOf(sizes) : sizes;
    feeds[real.name] = toOrt(ort, filled(port.type, order, port.fill ?? 0));
  }
  const outputs = await session.run(feeds);
  release(...Object.values(feeds).map(floatsIn));
  for (const port of layout.outputs) {
    const name = matched.outputs[port.logical];
    if (name === undefined) continue;
    const real = outputs[name]!;
    const all = dimsOf(port, session.growing.has(name) ? 4 : real.dims.length);
    const dims = session.growing.has(name) ? all.filter((_, axis) => axis !== 2) : all;
    const wanted = sizesOf(port, matched.bound, layout, dims);
    const fits =
      real.dims.length === wanted.length &&
      real.dims.every((dim, axis) => isFree(dims[axis], layout, matched) || dim === wanted[axis]);
    if (!hasType(port, real.type) || !fits) {
      throw new Error(`output "${name}" came as [${real.dims}] of ${real.type}, not [${wanted}] of ${typesOf(port)}`);
    }
    if (floatsIn(real)?.some((value) => !Number.isFinite(value)))
      throw new Error(`output "${name}" holds values that are not finite, from inputs that are`);
  }
  release(...Object.values(outputs).map(floatsIn));
}

/** What is large in a tensor. */
function floatsIn({ data }: Ort.Tensor): Float32Array | undefined {
  return data instanceof Float32Array ? data : undefined;
}

/** A size that neither the graph nor the family knows beforehand. */
function isFree(dim: number | string | undefined, layout: Layout, matched: Matched): boolean {
  return typeof dim === "string" && !(dim in matched.bound) && !(dim in layout.sizes);
}
