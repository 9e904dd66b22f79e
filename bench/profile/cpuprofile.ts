/** A `.cpuprofile`, as V8 and Bun write it, summed up: the stacks of one place become one node, whatever the order in which they were seen. */

import { HERE, median } from "../measure.ts";

export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  /** Ids of nodes, one for each sample. */
  readonly samples: readonly number[];
  /** Microseconds from each sample to the one before; as many. */
  readonly timeDeltas: readonly number[];
}

/** Where our compiled kernels lie inside the project. */
export const KERNELS = "runners/signal/dsp/assembly/kernels.wasm";

/** A function as it was called from its parent. */
export interface Frame {
  /** `function file:line`, with the file's path inside the project. */
  readonly name: string;
  /** Microseconds in it and in all that it called. */
  total: number;
  /** Microseconds in itself. */
  self: number;
  readonly children: Map<string, Frame>;
}

/** What V8 and JavaScriptCore call the time in which nothing ran; and where a worker of Deno waits for messages. */
const IDLE = new Set(["(idle)", "(program)", "(root)", "op_worker_maybe_wait_for_debugger", "pollForMessages"]);

/**
 * The root's `total` is the time that was spent in JavaScript and what it called; idle time is left out.
 *
 * @param wasm names of the functions of our kernels by index
 */
export function summed(
  { nodes, samples, timeDeltas }: CpuProfile,
  wasm: ReadonlyMap<number, string> = new Map(),
): Frame {
  const parents = new Map<number, number>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame, wasm)]));
  const stacks = new Map<number, readonly string[]>();
  const stackOf = (id: number): readonly string[] => {
    const known = stacks.get(id);
    if (known !== undefined) return known;
    const parent = parents.get(id);
    const above = parent === undefined ? [] : stackOf(parent);
    const name = names.get(id) ?? "";
    const stack = IDLE.has(byId.get(id)?.callFrame.functionName ?? "") ? above : [...above, name];
    stacks.set(id, stack);
    return stack;
  };
  const root: Frame = { name: "all", total: 0, self: 0, children: new Map() };
  // Every sample counts as much: a long gap before one is a profiler that had to wait for a core, or on Bun a thread that was idle.
  const took = samples.length === 0 ? 0 : median(timeDeltas);
  for (const id of samples) {
    const stack = stackOf(id);
    if (stack.length === 0) continue;
    root.total += took;
    let frame = root;
    for (const name of stack) {
      const child = frame.children.get(name) ?? { name, total: 0, self: 0, children: new Map() };
      frame.children.set(name, child);
      child.total += took;
      frame = child;
    }
    frame.self += took;
  }
  return root;
}

/** Functions by the time in themselves, over all stacks, the most first: `share` of the root's total. */
export function hottest(root: Frame, count: number): readonly { readonly name: string; readonly share: number }[] {
  const own = new Map<string, number>();
  const visit = (frame: Frame): void => {
    own.set(frame.name, (own.get(frame.name) ?? 0) + frame.self);
    for (const child of frame.children.values()) visit(child);
  };
  visit(root);
  return [...own]
    .filter(([, self]) => self > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([name, self]) => ({ name, share: root.total === 0 ? 0 : self / root.total }));
}

function nameOf(
  { functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"],
  wasm: ReadonlyMap<number, string>,
): string {
  const compiled = /wasm-function\[(\d+)\]/u.exec(functionName)?.[1];
  if (compiled !== undefined) return `${wasm.get(Number(compiled)) ?? `(inner ${compiled})`} ${KERNELS}`;
  const name = functionName === "" ? "(anonymous)" : functionName;
  const place = placeOf(url);
  return place === "" ? name : `${name} ${place}:${lineNumber + 1}`;
}

/** Without what differs from machine to machine: the path up to the checkout or to the packages. */
function placeOf(url: string): string {
  const packaged = url.lastIndexOf("/node_modules/");
  if (packaged >= 0) return url.slice(packaged + "/node_modules/".length);
  const own = url.indexOf(HERE);
  if (own >= 0) return url.slice(own + HERE.length);
  return url.includes("/") && !url.startsWith("ext:") ? (url.split("/").at(-1) ?? "") : url;
}
