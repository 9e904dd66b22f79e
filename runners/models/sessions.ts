/** The inside of a model's process: loads its graphs once, checks them, runs them on tensors. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import type { Job } from "../../core/plugin.ts";
import { Cache } from "./cache.ts";
import { type GraphPort, growingIn, type Layout, type Matched, match, partIn } from "./layout.ts";
import { boundMemory, heldBytes, peakBytes } from "./memory.ts";
import { type OnnxFacts, readOnnx } from "./onnx_file.ts";
import { firstLine, type GraphSession, loadRuntime, type Ort, place, toOrt } from "./runtime.ts";
import type { Tensor } from "./tensor.ts";
import type { GraphRun, ModelSpec, Opened, SessionsInput, SessionsOutput } from "./types.ts";
import { warmUp } from "./warm_up.ts";

/** Pieces under way whose tensors are kept: more than jobs that share the process. */
const STATES_MAX = 16;
/** Versions of ONNX's operators from which on a cache's last position can be taken by those that `rewriteGraph` adds. */
const OPSET_MIN = 13;

/** What is carried from run to run, as it came; caches that grow are kept here whole. */
type Carried = Record<string, Ort.Tensor | Cache>;

interface Graph {
  readonly session: GraphSession;
  readonly matched: Matched;
}

interface Loaded {
  readonly ort: typeof Ort;
  readonly graphs: ReadonlyMap<string, Graph>;
  readonly opened: Opened;
  /** Bytes by which the process grew. */
  readonly bytes: number;
  /** By state, then by the family's word; least recently used first. */
  readonly states: Map<string, Carried>;
}

let slowest_run_ms = 0;

export function createSessions(): { run(input: SessionsInput, job: Job): Promise<SessionsOutput> } {
  const models = new Map<string, Promise<Loaded>>();
  return {
    async run(input) {
      if (input.type === "open") {
        const key = keyOf(input.spec);
        const known = models.get(key);
        if (known !== undefined) return { type: "opened", opened: { ...(await known).opened, ...usage() } };
        await makeRoom(models, input.spec.model_mb * 1e6);
        const loading = open(input.spec, key);
        models.set(key, loading);
        // Files may be put right meanwhile.
        loading.catch(() => models.delete(key));
        return { type: "opened", opened: (await loading).opened };
      }
      const model = await models.get(input.key);
      if (model === undefined) return { type: "unknown" };
      // Used last: given up last.
      models.set(input.key, pop(models, input.key)!);
      if (input.type === "forget") {
        model.states.delete(input.state);
        return { type: "outputs", outputs: {} };
      }
      const began = performance.now();
      const answer = await runGraph(model, input);
      slowest_run_ms = Math.max(slowest_run_ms, performance.now() - began);
      return answer;
    },
  };
}

/** Where models share a process, those that were used longest ago go if the next one might not fit beside them. */
async function makeRoom(models: Map<string, Promise<Loaded>>, bytes_max: number): Promise<void> {
  const loaded = await Promise.all([...models].map(async ([key, model]) => ({ key, model: await model })));
  let held = heldBytes() + Math.max(0, ...loaded.map(({ model }) => model.bytes));
  for (const { key, model } of loaded) {
    if (held <= bytes_max) return;
    held -= model.bytes;
    models.delete(key);
    for (const { session } of model.graphs.values()) await session.release();
  }
}

function pop<Value>(map: Map<string, Value>, key: string): Value | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}

function keyOf(spec: ModelSpec): string {
  return createHash("sha256").update(JSON.stringify(spec)).digest("hex");
}

/** Rejects with a message that names what is wrong. */
async function open(spec: ModelSpec, key: string): Promise<Loaded> {
  boundMemory(spec.model_mb);
  const before = heldBytes();
  checkNames(spec);
  for (const { path, sha256 } of spec.files) await checkFile(spec.folder, path, sha256);
  const ort = await loadRuntime();
  const facts = new Map<string, OnnxFacts>();
  for (const role of Object.keys(spec.layouts)) {
    await about(spec, role, async (path, file) => {
      const known = readOnnx(path);
      checkExternal(spec, file, known.external);
      facts.set(role, known);
    });
  }
  const lean = Object.entries(spec.layouts).map(([role, layout]) => [role, layout.leaner ?? layout] as const);
  const load = (layouts: ModelSpec["layouts"]) => loadGraphs(ort, spec, facts, layouts);
  const { graphs, placing } = Object.values(spec.layouts).some(({ leaner }) => leaner !== undefined)
    ? await load(Object.fromEntries(lean)).catch(() => load(spec.layouts))
    : await load(spec.layouts);
  const matched = Object.fromEntries([...graphs].map(([role, graph]) => [role, graph.matched]));
  const opened = {
    key,
    ...placing,
    matched,
    draws: [...new Set([...facts.values()].flatMap(({ random }) => random))],
    half: [...new Set([...facts.values()].flatMap(({ half }) => half ?? []))].join(" and ") || null,
    pid: process.pid,
    ...usage(),
  };
  return { ort, graphs, opened, bytes: Math.max(0, heldBytes() - before), states: new Map() };
}

async function loadGraphs(
  ort: typeof Ort,
  spec: ModelSpec,
  facts: ReadonlyMap<string, OnnxFacts>,
  layouts: Readonly<Record<string, Layout>>,
): Promise<{ readonly graphs: ReadonlyMap<string, Graph>; readonly placing: Pick<Opened, "device" | "skipped"> }> {
  const graphs = new Map<string, Graph>();
  const loaded: GraphSession[] = [];
  let placing: Pick<Opened, "device" | "skipped"> = { device: "cpu", skipped: [] };
  // What the first graph could not use, the others need not try.
  let providers = spec.providers;
  // Graphs hand caches to each other, in one form.
  const are_new = [...facts.values()].every(({ opset }) => opset >= OPSET_MIN);
  try {
    for (const [role, layout] of Object.entries(layouts)) {
      await about(spec, role, async (path) => {
        const known = facts.get(role)!;
        const growing = are_new ? growingIn(layout, known, spec.renamed) : new Map<string, GraphPort>();
        const part = partIn(layout, known, spec.renamed);
        const { session, provider, ...found } = await place(ort, path, providers, {
          ...{ ...spec, facts: known, growing, part },
        });
        loaded.push(session);
        if (graphs.size === 0) {
          placing = found;
          providers = providers.slice(providers.indexOf(provider));
        }
        const graph = { session, matched: match(layout, session, spec.renamed) };
        graphs.set(role, graph);
        await warmUp(ort, graph, layout, spec.renamed);
      });
    }
  } catch (error) {
    for (const session of loaded) await session.release();
    throw error;
  }
  return { graphs, placing };
}

/** What goes wrong names the file. */
async function about(
  { files, folder }: ModelSpec,
  role: string,
  work: (path: string, file: string) => Promise<unknown>,
): Promise<void> {
  const file = files.find((one) => one.role === role)!.path;
  try {
    await work(join(folder, file), file);
  } catch (error) {
    throw new Error(`"${file}" (${role}): ${firstLine(error)}`);
  }
}

/** Of the process, by now. */
function usage(): Pick<Opened, "peak_mb" | "cpu_seconds" | "slowest_run_ms"> {
  const { user, system } = process.cpuUsage();
  return { peak_mb: peakBytes() / 1e6, cpu_seconds: (user + system) / 1e6, slowest_run_ms };
}

/** A misspelt word of the manifest's `tensors` would change nothing, and nobody would know. */
function checkNames({ layouts, renamed }: ModelSpec): void {
  const known = Object.values(layouts).flatMap(({ inputs, outputs }) => [...inputs, ...outputs]);
  const words = [...new Set(known.map(({ logical }) => logical))];
  const strange = Object.keys(renamed).find((word) => !words.includes(word));
  if (strange !== undefined)
    throw new Error(`"tensors" names "${strange}", which the family does not have, but ${words.join(", ")}`);
}

/** What a graph loads by itself must be named and hashed like the graph. */
function checkExternal({ files }: ModelSpec, path: string, external: readonly string[]): void {
  const named = new Set(files.filter(({ role }) => role === "data").map((file) => normalize(file.path)));
  const missing = external.filter((one) => !named.has(normalize(join(dirname(path), one))));
  if (missing.length === 0) return;
  const entries = missing.map((one) => `{ "path": "${normalize(join(dirname(path), one))}", "sha256": … }`);
  throw new Error(`it loads "${missing.join('", "')}" beside it, so "data" must hold ${entries.join(", ")}`);
}

async function checkFile(folder: string, path: string, sha256: string): Promise<void> {
  const full = join(folder, path);
  const facts = await stat(full).catch(() => undefined);
  if (!facts?.isFile()) throw new Error(`"${path}": there is no such file in the folder of models`);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(full)) hash.update(chunk as Uint8Array);
  const found = hash.digest("hex");
  if (found !== sha256) throw new Error(`"${path}": its SHA-256 is ${found}, the manifest says ${sha256}`);
}

async function runGraph(model: Loaded, input: GraphRun): Promise<SessionsOutput> {
  const { ort, graphs, states } = model;
  const graph = graphs.get(input.role);
  if (graph === undefined) throw new Error(`Cannot run "${input.role}": the model has no such graph`);
  const kept = input.state === undefined ? undefined : states.get(input.state);
  if (kept === undefined && input.resume === true) return { type: "unknown" };
  const carried = { ...kept };
  const feeds: Record<string, Ort.Tensor> = {};
  for (const [word, tensor] of Object.entries(input.feeds)) {
    const name = graph.matched.inputs[word];
    if (name === undefined || word in carried) continue;
    feeds[name] = toOrt(ort, graph.session.growing.has(name) ? Cache.begin(tensor) : tensor);
  }
  for (const [word, value] of Object.entries(carried)) {
    const name = graph.matched.inputs[word];
    if (name !== undefined) feeds[name] = value instanceof Cache ? toOrt(ort, value.tensor) : value;
  }
  const outputs =
    input.rows === undefined
      ? await step(ort, graph, input, feeds, carried)
      : await rowByRow(ort, graph, input, feeds, carried);
  if (input.state !== undefined) keepState(states, input.state, carried);
  return { type: "outputs", outputs };
}

/** Runs once; moves what is carried into `feeds` and `carried`. */
async function step(
  ort: typeof Ort,
  graph: Graph,
  { outputs, carry = {} }: GraphRun,
  feeds: Record<string, Ort.Tensor>,
  carried: Carried,
): Promise<Record<string, Tensor>> {
  const { matched, session } = graph;
  const wanted = [...new Set([...outputs, ...Object.keys(carry)])].map((word) => matched.outputs[word]!);
  const made = await session.run(feeds, wanted);
  for (const [output, input] of Object.entries(carry)) {
    const given = matched.outputs[output]!;
    const tensor = made[given]!;
    const before = carried[input];
    const value = session.growing.has(given)
      ? (before instanceof Cache ? before : new Cache()).add(fromOrt(tensor))
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
): Promise<Record<string, Tensor>> {
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

function keepState(states: Loaded["states"], state: string, carried: Carried): void {
  states.delete(state);
  states.set(state, carried);
  for (const oldest of states.keys()) {
    if (states.size <= STATES_MAX) break;
    states.delete(oldest);
  }
}

function fromOrt({ type, data, dims }: Ort.Tensor): Tensor {
  if (type === "float32" || type === "int64" || type === "bool") return { type, data, dims } as Tensor;
  throw new TypeError(`Cannot send a tensor of ${type}`);
}
