/** Questions to the inputs and outputs of graphs, for families that recognise theirs. */
import type { GivenFile } from "./family.ts";
import type { GraphPort } from "./layout.ts";
import type { OnnxFacts } from "./onnx_file.ts";

/** The graph of a model that is one file. */
export function onlyGraph(files: readonly GivenFile[]): OnnxFacts | undefined {
  return files.length === 1 ? files[0]!.graph : undefined;
}

/** Whether a port is of single precision and of these dims, where it fixes them; null: any. */
export function isShaped(port: GraphPort | undefined, ...dims: readonly (number | null)[]): port is GraphPort {
  return (
    port?.type === "float32" &&
    port.dims.length === dims.length &&
    dims.every((dim, axis) => dim === null || typeof port.dims[axis] !== "number" || port.dims[axis] === dim)
  );
}

/** Undefined: the graph leaves it open. */
export function sizeAt(port: GraphPort | undefined, axis: number): number | undefined {
  const dim = port?.dims[axis];
  return typeof dim === "number" ? dim : undefined;
}

/** Index of the first file whose graph takes all of these inputs. */
export function fileTaking(files: readonly GivenFile[], ...names: readonly string[]): number | undefined {
  const index = files.findIndex(({ graph }) =>
    names.every((name) => graph?.inputs.some((port) => port.name === name) === true),
  );
  return index < 0 ? undefined : index;
}

/** Index of the first file that is no graph and whose name fits. */
export function otherFile(files: readonly GivenFile[], name: RegExp): number | undefined {
  const index = files.findIndex((file) => file.graph === undefined && name.test(file.name));
  return index < 0 ? undefined : index;
}

/** Without what is not known. */
export function known(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
