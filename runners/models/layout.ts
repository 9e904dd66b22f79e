/** What a family expects of a graph's inputs and outputs, and the check of a real graph against it. */
import type { Part } from "./part.ts";
import type { TensorType } from "./tensor.ts";

/** A number: exactly that. A letter or word: any size, the same wherever the word occurs in one file. */
export type Dim = number | string;

export interface Port {
  /**
   * The family's own word for it, which a manifest's `tensors` may map to the graph's name. A `*` in it and in `names`
   * stands for 0, 1, 2 … as far as the graph goes.
   */
  readonly logical: string;
  /** Names that exports are known to use. */
  readonly names: readonly string[];
  readonly type: TensorType;
  /** What it may be of instead. */
  readonly or?: TensorType;
  readonly dims: readonly Dim[];
  /** Other dims that it may have instead, of another rank. */
  readonly also?: readonly Dim[];
  /** What the warm-up fills an input with, where the graph cannot run on zeros. */
  readonly fill?: number;
  /** A cache [batch, heads, positions, size] that is carried from run to run, each of which adds one position. */
  readonly grows?: true;
  /** May be absent from the graph. */
  readonly optional?: true;
}

export interface Layout {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** Sizes that the warm-up gives to words which the graph leaves open. */
  readonly sizes: Readonly<Record<string, number>>;
  /**
   * Of the graph only what `outputs` need is loaded, and `inputs` are those of that part: the word of the one whose
   * first size is the number of rows, which every first size that is asked for within the part is taken for.
   */
  readonly part_by?: string;
  /** Tried first. Where one such of a model cannot be loaded or run, all of its graphs are loaded as they are. */
  readonly leaner?: Layout;
}

/** One input or output of a graph, as the runtime reports it; a word or "" is a dynamic size. */
export interface GraphPort {
  readonly name: string;
  readonly type: string;
  readonly dims: readonly Dim[];
}

export interface Matched {
  /** The graph's names by the family's words. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** Sizes of the layout's words that the graph fixes. */
  readonly bound: Readonly<Record<string, number>>;
}

/**
 * Finds the layout's ports in the graph.
 *
 * @param renamed the manifest's `tensors`: graph name by the family's word
 * @throws Error that names the port, what was found and what was expected
 */
export function match(
  layout: Layout,
  graph: { readonly inputs: readonly GraphPort[]; readonly outputs: readonly GraphPort[] },
  renamed: Readonly<Record<string, string>>,
): Matched {
  const bound: Record<string, number> = {};
  const find = (kind: "input" | "output", ports: readonly Port[], real: readonly GraphPort[]) => {
    const found: Record<string, string> = {};
    for (const port of ports.flatMap((one) => repeat(one, real, renamed))) {
      const names = port.logical in renamed ? [renamed[port.logical]!] : port.names;
      const only = real.length === 1 && ports.length === 1 && !(port.logical in renamed) ? real[0] : undefined;
      const there = real.find(({ name }) => names.includes(name)) ?? only;
      if (there === undefined) {
        if (port.optional === true) continue;
        throw new Error(
          `the graph has no ${kind} ${names.map((name) => `"${name}"`).join(" or ")} (${port.logical}), but ${list(real)}`,
        );
      }
      checkPort(kind, port, there, bound);
      found[port.logical] = there.name;
    }
    return found;
  };
  const inputs = find("input", layout.inputs, graph.inputs);
  const outputs = find("output", layout.outputs, graph.outputs);
  const fed = new Set(Object.values(inputs));
  const strange = graph.inputs.filter(({ name }) => !fed.has(name));
  if (strange.length > 0) throw new Error(`the graph needs ${list(strange)}, which the family does not feed`);
  return { inputs, outputs, bound };
}

/** A port with a `*`, once for each number that the graph has; at least once, so that its absence is told. */
export function repeat(
  port: Port,
  real: readonly { readonly name: string }[],
  renamed: Readonly<Record<string, string>>,
): readonly Port[] {
  if (!port.logical.includes("*")) return [port];
  const patterns = port.logical in renamed ? [renamed[port.logical]!] : port.names;
  const ports: Port[] = [];
  for (let i = 0; ; i++) {
    const names = patterns.map((pattern) => pattern.replace("*", String(i)));
    const numbered = { ...port, logical: port.logical.replace("*", String(i)), names };
    if (i > 0 && !real.some(({ name }) => names.includes(name))) return ports;
    ports.push(numbered);
  }
}

/** The graph's inputs and outputs that are caches which grow, by name. */
export function growingIn(
  { inputs, outputs }: Layout,
  graph: { readonly inputs: readonly GraphPort[]; readonly outputs: readonly GraphPort[] },
  renamed: Readonly<Record<string, string>>,
): ReadonlyMap<string, GraphPort> {
  const find = (ports: readonly Port[], real: readonly GraphPort[]): readonly GraphPort[] =>
    among(
      ports.filter(({ grows }) => grows === true),
      real,
      renamed,
    );
  const found = [...find(inputs, graph.inputs), ...find(outputs, graph.outputs)];
  return new Map(found.map((port) => [port.name, port]));
}

/** What of a graph a layout of a part is loaded for, by the graph's names; undefined: all of it. */
export function partIn(
  { inputs, outputs, part_by }: Layout,
  graph: { readonly inputs: readonly GraphPort[]; readonly outputs: readonly GraphPort[] },
  renamed: Readonly<Record<string, string>>,
): Part | undefined {
  if (part_by === undefined) return undefined;
  const [rows] = among(
    inputs.filter(({ logical }) => logical === part_by),
    graph.inputs,
    renamed,
  );
  if (rows === undefined) throw new Error(`the graph has no input that is its ${part_by}, but ${list(graph.inputs)}`);
  return { outputs: among(outputs, graph.outputs, renamed).map(({ name }) => name), rows_of: rows.name };
}

/** The graph's own of these ports. */
function among(
  ports: readonly Port[],
  real: readonly GraphPort[],
  renamed: Readonly<Record<string, string>>,
): readonly GraphPort[] {
  return ports
    .flatMap((port) => repeat(port, real, renamed))
    .flatMap(({ logical, names }) =>
      real.filter(({ name }) => (logical in renamed ? name === renamed[logical] : names.includes(name))),
    );
}

function checkPort(kind: string, port: Port, there: GraphPort, bound: Record<string, number>): void {
  const wish = `[${port.dims.join(",")}] of ${typesOf(port)}`;
  const fact = `${kind} "${there.name}" is [${there.dims.join(",")}] of ${there.type}`;
  const wrong = new Error(`${fact}, not ${wish}`);
  if (!hasType(port, there.type)) throw wrong;
  // No rank at all is what exporters leave where they do not know it: the warm-up's real output tells.
  if (there.dims.length === 0 && kind === "output") return;
  const dims = dimsOf(port, there.dims.length);
  if (there.dims.length !== dims.length) throw wrong;
  for (const [axis, wanted] of dims.entries()) {
    const real = there.dims[axis]!;
    if (typeof real !== "number") continue;
    const expected = typeof wanted === "number" ? wanted : bound[wanted];
    if (expected === undefined) bound[wanted] = real;
    else if (expected !== real) throw wrong;
  }
}

export function hasType({ type, or }: Port, found: string): boolean {
  return found === type || found === or;
}

/** In words. */
export function typesOf({ type, or }: Port): string {
  return or === undefined ? type : `${type} or ${or}`;
}

/** What the family expects of a port of this rank. */
export function dimsOf(port: Port, rank: number): readonly Dim[] {
  return port.also?.length === rank ? port.also : port.dims;
}

/** Sizes of a port, its words replaced by what the graph fixes, else by the layout's own sizes. */
export function sizesOf(
  port: Port,
  bound: Readonly<Record<string, number>>,
  layout: Layout,
  dims: readonly Dim[] = port.dims,
): number[] {
  return dims.map((dim) => (typeof dim === "number" ? dim : (bound[dim] ?? layout.sizes[dim] ?? 1)));
}

function list(ports: readonly GraphPort[]): string {
  return ports.map(({ name, dims }) => `"${name}" [${dims.join(",")}]`).join(", ") || "none";
}
