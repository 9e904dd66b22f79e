/** Runs of a loaded graph, with what is carried from one to the next; and what several of them carry, as rows of one. */
import { Cache } from "./cache.ts";
import type { Matched } from "./layout.ts";
import { type GraphSession, type Ort, toOrt } from "./runtime.ts";
import { count, type Tensor, type Tensors } from "./tensor.ts";
import type { GraphRun } from "./types.ts";

/** What is carried from run to run, as it came; caches that grow are kept here whole. */
export type Carried = Record<string, Ort.Tensor | Cache>;

export interface Graph {
  readonly session: GraphSession;
  readonly matched: Matched;
}

/** Runs a graph; moves what is carried into `carried`. */
export async function runGraph(ort: typeof Ort, graph: Graph, input: GraphRun, carried: Carried): Promise<Tensors> {
  const feeds: Record<string, Ort.Tensor> = {};
  for (const [word, tensor] of Object.entries(input.feeds)) {
    const name = graph.matched.inputs[word];
    if (name === undefined || word in carried) continue;
    feeds[name] = toOrt(ort, graph.session.growing.has(name) ? Cache.begin(tensor) : tensor);
  }
  for (const [word, given] of Object.entries(carried)) {
    const name = graph.matched.inputs[word];
    // What another graph of the model made of many positions at once.
    const begins = name !== undefined && graph.session.growing.has(name) && !(given instanceof Cache);
    const value = begins ? Cache.of(fromOrt(given), input.positions) : given;
    if (begins) carried[word] = value;
    if (name !== undefined) feeds[name] = value instanceof Cache ? toOrt(ort, value.tensor) : value;
  }
  return input.rows === undefined
    ? step(ort, graph, input, feeds, carried)
    : rowByRow(ort, graph, input, feeds, carried);
}

/** Runs once; moves what is carried into `feeds` and `carried`. */
async function step(
  ort: typeof Ort,
  graph: Graph,
  { outputs, carry = {}, positions }: GraphRun,
  feeds: Record<string, Ort.Tensor>,
  carried: Carried,
): Promise<Tensors> {
  const { matched, session } = graph;
  const wanted = [...new Set([...outputs, ...Object.keys(carry)])].map((word) => matched.outputs[word]!);
  const made = await session.run(feeds, wanted);
  for (const [output, input] of Object.entries(carry)) {
    const given = matched.outputs[output]!;
    const tensor = made[given]!;
    const before = carried[input];
    const value = session.growing.has(given)
      ? (before instanceof Cache ? before : new Cache(positions)).add(fromOrt(tensor))
      : tensor;
    carried[input] = value;
    // What another graph of the model takes up is none of this one's inputs.
    const name = matched.inputs[input];
    if (name !== undefined) feeds[name] = value instanceof Cache ? toOrt(ort, value.tensor) : value;
  }
  return Object.fromEntries(
    outputs.map((word) => {
      const tensor = fromOrt(made[matched.outputs[word]!]!);
      // What is sent is given away; what is carried stays.
      return [word, word in carry ? ({ ...tensor, data: tensor.data.slice() } as Tensor) : tensor];
    }),
  );
}

async function rowByRow(
  ort: typeof Ort,
  graph: Graph,
  input: GraphRun,
  feeds: Record<string, Ort.Tensor>,
  carried: Carried,
): Promise<Tensors> {
  const word = input.rows!;
  const all = input.feeds[word];
  if (all?.type !== "float32") throw new TypeError(`Cannot take rows of "${word}": it is no tensor of float32`);
  const [rows = 0, ...rest] = all.dims;
  const size = all.data.length / rows;
  const gathered = new Map<string, Float32Array>();
  const dims = new Map<string, readonly number[]>();
  for (let row = 0; row < rows; row++) {
    const data = all.data.slice(row * size, (row + 1) * size);
    feeds[graph.matched.inputs[word]!] = new ort.Tensor("float32", data, [1, ...rest]);
    const made = await step(ort, graph, input, feeds, carried);
    for (const name of input.outputs) {
      const one = made[name]!;
      if (one.type !== "float32") throw new TypeError(`Cannot gather "${name}": it is no tensor of float32`);
      if (!gathered.has(name)) {
        gathered.set(name, new Float32Array(rows * one.data.length));
        dims.set(name, [rows, ...one.dims.slice(1)]);
      }
      gathered.get(name)!.set(one.data, row * one.data.length);
    }
  }
  return Object.fromEntries(
    [...gathered].map(([name, data]) => [name, { type: "float32", dims: dims.get(name)!, data }]),
  );
}

/** Runs of one graph that are alike, as one: what each feeds is rows after rows. A switch is one for all. */
export function joinRuns(runs: readonly GraphRun[]): GraphRun {
  const [first] = runs as [GraphRun];
  if (runs.length === 1) return first;
  const feeds = Object.entries(first.feeds).map(([word, tensor]) => {
    const all = runs.map((run) => run.feeds[word]!);
    return [word, tensor.type === "bool" ? tensor : joinTensors(all)] as const;
  });
  const positions = Math.max(...runs.map((run) => run.positions ?? 0));
  return { ...first, feeds: Object.fromEntries(feeds), positions };
}

/** The outputs of joined runs, for each of them. */
export function splitOutputs(outputs: Tensors, runs: number): readonly Tensors[] {
  if (runs === 1) return [outputs];
  return Array.from({ length: runs }, (_, index) =>
    Object.fromEntries(Object.entries(outputs).map(([word, tensor]) => [word, sharesOf(tensor, [index], runs)])),
  );
}

/** What some of `of` equal parts of it are taken from. */
export interface PartOf {
  readonly carried: Carried;
  readonly which: readonly number[];
  readonly of: number;
}

/**
 * What several runs carry, as rows of one: these parts, one after another.
 *
 * @param is_last whether what they are taken from is used no more: then its caches are given back, one by one
 */
export function arrangeCarried(ort: typeof Ort, parts: readonly PartOf[], is_last: boolean): Carried {
  const arranged: Carried = {};
  for (const [word, first] of Object.entries(parts[0]?.carried ?? {})) {
    const values = parts.map(({ carried, which, of }) => ({ value: carried[word], which, of }));
    if (first instanceof Cache) {
      arranged[word] = Cache.arrange(values as readonly { value: Cache; which: readonly number[]; of: number }[]);
      if (is_last) for (const { value } of values) (value as Cache).release();
    } else {
      const taken = values.map(({ value, which, of }) => sharesOf(fromOrt(value as Ort.Tensor), which, of));
      arranged[word] = toOrt(ort, joinTensors(taken));
    }
  }
  return arranged;
}

/** Gives the memory of caches back, which a collector that sees their small heads only would leave for long. */
export function releaseCarried(carried: Carried): void {
  for (const value of Object.values(carried)) if (value instanceof Cache) value.release();
}

function joinTensors(tensors: readonly Tensor[]): Tensor {
  const [{ type, data, dims }] = tensors as [Tensor];
  const rest = dims.slice(1);
  if (tensors.some((one) => one.type !== type || `${one.dims.slice(1)}` !== `${rest}`))
    throw new TypeError(`Cannot join tensors of ${tensors.map((one) => `${one.type} [${one.dims}]`).join(", ")}`);
  const joined = emptyLike(
    data,
    tensors.reduce((sum, one) => sum + one.data.length, 0),
  );
  let at = 0;
  for (const one of tensors) {
    joined.set(one.data as never, at);
    at += one.data.length;
  }
  const rows = tensors.reduce((sum, one) => sum + one.dims[0]!, 0);
  return { type, data: joined, dims: [rows, ...rest] } as Tensor;
}

function sharesOf({ type, data, dims }: Tensor, which: readonly number[], of: number): Tensor {
  const size = count(dims) / of;
  const taken = emptyLike(data, which.length * size);
  for (const [to, from] of which.entries())
    taken.set(data.subarray(from * size, (from + 1) * size) as never, to * size);
  return { type, data: taken, dims: [(which.length * dims[0]!) / of, ...dims.slice(1)] } as Tensor;
}

function emptyLike(data: Tensor["data"], length: number): Tensor["data"] {
  return new (data.constructor as new (length: number) => Tensor["data"])(length);
}

function fromOrt({ type, data, dims }: Ort.Tensor): Tensor {
  if (type === "float32" || type === "int64" || type === "uint8" || type === "bool")
    return { type, data, dims } as Tensor;
  throw new TypeError(`Cannot send a tensor of ${type}`);
}
