/** The inside of a model's process: loads its graphs once, checks them, runs them on tensors. */
import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, normalize } from "node:path";
import type { Job } from "../../contract/mod.ts";
import { type Carried, type Graph, runGraph } from "./graph_runs.ts";
import { Groups } from "./groups.ts";
import { type GraphPort, growingIn, type Layout, match, partIn } from "./layout.ts";
import { boundMemory, heldBytes, peakBytes } from "./memory.ts";
import { type OnnxFacts, readOnnx } from "./onnx_file.ts";
import { firstLine, type GraphSession, loadRuntime, type Ort, place } from "./runtime.ts";
import { sizeText } from "./size_text.ts";
import type { GraphRun, ModelSpec, Opened, SessionsInput, SessionsOutput } from "./types.ts";
import { warmUp } from "./warm_up.ts";

/** Pieces under way whose tensors are kept: more than jobs that share the process. */
const STATES_MAX = 16;
/** Versions of ONNX's operators from which on a cache's last position can be taken by those that `rewriteGraph` adds. */
const OPSET_MIN = 13;

interface Loaded {
  readonly ort: typeof Ort;
  readonly graphs: ReadonlyMap<string, Graph>;
  readonly opened: Opened;
  /** Bytes by which the process grew. */
  readonly bytes: number;
  /** By state, then by the family's word; least recently used first. */
  readonly states: Map<string, Carried>;
  readonly groups: Groups;
}

let slowest_run_ms = 0;

export function createSessions(): { run(input: SessionsInput, job: Job): Promise<SessionsOutput> } {
  const models = new Map<string, Promise<Loaded>>();
  return {
    async run(input, job) {
      if (input.type === "open") {
        const key = keyOf(input.spec);
        const known = models.get(key);
        if (known !== undefined) return { type: "opened", opened: { ...(await known).opened, ...usage() } };
        await makeRoom(models, input.spec.model_mb * 1e6);
        const loading = open(input.spec, key, (stage) => job.progress(0, stage));
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
        model.groups.leave(input.state);
        model.states.delete(input.state);
        return { type: "outputs", outputs: {} };
      }
      if (input.type === "begin") return { type: model.groups.begin(input.state, input.wish) ? "begun" : "later" };
      const began = performance.now();
      const answer = await runOne(model, input, job);
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
async function open(spec: ModelSpec, key: string, tell: (stage: string) => void): Promise<Loaded> {
  boundMemory(spec.model_mb);
  const before = heldBytes();
  checkNames(spec);
  tell("checking the files' hashes");
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
  const load = (layouts: ModelSpec["layouts"]) => loadGraphs(ort, spec, facts, layouts, tell);
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
  const states = new Map<string, Carried>();
  const room = (): number => spec.model_mb * 1e6 - heldBytes();
  const groups = new Groups(ort, graphs, states, { most: spec.together, room });
  return { ort, graphs, opened, bytes: Math.max(0, heldBytes() - before), states, groups };
}

async function loadGraphs(
  ort: typeof Ort,
  spec: ModelSpec,
  facts: ReadonlyMap<string, OnnxFacts>,
  layouts: Readonly<Record<string, Layout>>,
  tell: (stage: string) => void,
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
        const sizes = [path, ...known.external.map((one) => join(dirname(path), one))].map((one) => statSync(one).size);
        const bytes = sizes.reduce((sum, size) => sum + size, 0);
        tell(`loading ${basename(path)} (${role}, ${sizeText(bytes)}) and running it once`);
        // What follows keeps this thread from telling it.
        await new Promise((resolve) => setImmediate(resolve));
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

async function runOne(model: Loaded, input: GraphRun, { signal }: Job): Promise<SessionsOutput> {
  const { ort, graphs, states, groups } = model;
  const { state, role, resume } = input;
  const graph = graphs.get(role);
  if (graph === undefined) throw new Error(`Cannot run "${role}": the model has no such graph`);
  if (state !== undefined && input.joint === true && groups.has(state)) {
    const outputs = await groups.run(state, input, signal);
    return outputs === undefined ? { type: "later" } : { type: "outputs", outputs };
  }
  const kept = state === undefined ? undefined : states.get(state);
  if (kept === undefined && resume === true) return { type: "unknown" };
  const carried = { ...kept };
  const outputs = await runGraph(ort, graph, input, carried);
  if (state !== undefined) keepState(states, state, carried);
  groups.touch();
  return { type: "outputs", outputs };
}

function keepState(states: Loaded["states"], state: string, carried: Carried): void {
  states.delete(state);
  states.set(state, carried);
  for (const oldest of states.keys()) {
    if (states.size <= STATES_MAX) break;
    states.delete(oldest);
  }
}
