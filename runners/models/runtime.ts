/** onnxruntime-node, where it is installed, and the execution providers that work here. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type * as Ort from "onnxruntime-node";
import type { SessionSettings } from "./fields.ts";
import type { GraphPort } from "./layout.ts";
import { NORM_OPSET_MIN } from "./norms.ts";
import type { OnnxFacts } from "./onnx_file.ts";
import type { Part } from "./part.ts";
import { WITH_DEVICES } from "./places.ts";
import { rewriteGraph } from "./rewritten.ts";
import type { Tensor } from "./tensor.ts";

export type { Ort };

/** Words of `TONWERK_PROVIDERS`, by the runtime's names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  cuda: "cuda",
  tensorrt: "tensorrt",
  directml: "dml",
  coreml: "coreml",
  cpu: "cpu",
};

/** Why the package cannot be loaded, as far as that shows without loading it; undefined where it is installed. */
export function findRuntime(): string | undefined {
  try {
    createRequire(import.meta.url).resolve("onnxruntime-node");
    return undefined;
  } catch {
    return "onnxruntime-node is not installed";
  }
}

/** @throws Error where the package is missing or its binary does not load */
export async function loadRuntime(): Promise<typeof Ort> {
  try {
    return await import("onnxruntime-node");
  } catch (error) {
    throw new Error(`onnxruntime-node cannot be loaded (${firstLine(error)}): install it with npm to have models run`);
  }
}

/** A graph that is loaded. Floats are of single precision at its borders, whatever its file has. */
export interface GraphSession {
  readonly inputs: readonly GraphPort[];
  readonly outputs: readonly GraphPort[];
  /** Caches among them: taken and given as `rewriteGraph` has it, whatever their dims say. */
  readonly growing: ReadonlySet<string>;
  /** Names are the graph's own. */
  run(feeds: Readonly<Record<string, Ort.Tensor>>, wanted?: readonly string[]): Promise<Record<string, Ort.Tensor>>;
  release(): Promise<void>;
}

export interface Placed {
  readonly session: GraphSession;
  /** The provider that serves, and how it is told with its device. */
  readonly provider: string;
  readonly device: string;
  readonly skipped: readonly { readonly provider: string; readonly reason: string }[];
}

export interface GraphOptions {
  /** Of the provider; undefined: its own choice. */
  readonly device: number | undefined;
  readonly threads: number;
  readonly session: SessionSettings;
  readonly fold: boolean;
  /** What `readOnnx` tells of the file. */
  readonly facts: Pick<OnnxFacts, "half" | "norms" | "opset">;
  /** Caches that `rewriteGraph` changes, as the file has them, by name. */
  readonly growing: ReadonlyMap<string, GraphPort>;
  /** All of the graph that is wanted; undefined: the whole. */
  readonly part?: Part | undefined;
}

/** Loads a graph on the first of `providers` that can; what a provider cannot do itself, the CPU does. */
export async function place(
  ort: typeof Ort,
  path: string,
  providers: readonly string[],
  given: GraphOptions,
): Promise<Placed> {
  const built = new Set(ort.listSupportedBackends?.().map(({ name }) => name) ?? ["cpu"]);
  const skipped: { provider: string; reason: string }[] = [];
  for (const provider of providers) {
    const name = PROVIDERS[provider];
    if (name === undefined || !built.has(name)) {
      skipped.push({ provider, reason: "this build of onnxruntime-node does not have it" });
      continue;
    }
    const library = libraryOf(name);
    if (library !== undefined && !existsSync(library)) {
      skipped.push({ provider, reason: `"${basename(library)}" is not beside the binary of onnxruntime-node` });
      continue;
    }
    try {
      return {
        session: await load(ort, path, name, given),
        provider,
        device: deviceOf(provider, given.device),
        skipped,
      };
    } catch (error) {
      // On the CPU it is the graph's fault, which no other provider mends.
      if (name === "cpu") throw new Error(`the graph cannot be loaded: ${firstLine(error)}`);
      skipped.push({ provider, reason: firstLine(error) });
    }
  }
  const why = skipped.map(({ provider, reason }) => `${provider}: ${reason}`).join("; ");
  throw new Error(`none of the providers ${providers.join(", ")} works here (${why})`);
}

/** "cuda:1", where a device was named. */
function deviceOf(provider: string, device: number | undefined): string {
  return device !== undefined && WITH_DEVICES.includes(provider) ? `${provider}:${device}` : provider;
}

async function load(ort: typeof Ort, path: string, provider: string, given: GraphOptions): Promise<GraphSession> {
  const { half: found, norms, opset } = given.facts;
  const exact_norms = provider === "cpu" && norms && opset >= NORM_OPSET_MIN ? opset : undefined;
  if (found === null && given.growing.size === 0 && exact_norms === undefined && given.part === undefined)
    return wrap(await ort.InferenceSession.create(path, options(provider, given)), new Map(), given.growing);
  // The runtime's binding takes no bfloat16, nor Bun's arrays of float16, so that borders are cast. The CPU computes in
  // neither: it has no operators of bfloat16, and casts around each of float16.
  const half = found === null ? undefined : provider === "cpu" ? "whole" : "borders";
  const { bytes, names } = rewriteGraph(path, {
    half,
    growing: new Set(given.growing.keys()),
    exact_norms,
    part: given.part,
  });
  const beside = { model_external_initializers_file_folder_path: dirname(path) };
  const session = await ort.InferenceSession.create(bytes, options(provider, given, beside));
  // The runtime has its own copy.
  bytes.buffer.transfer(0);
  return wrap(session, names, given.growing);
}

function wrap(
  session: Ort.InferenceSession,
  names: ReadonlyMap<string, string>,
  growing: GraphOptions["growing"],
): GraphSession {
  const own = new Map([...names].map(([name, outside]) => [outside, name]));
  const rename = <Value>(values: Readonly<Record<string, Value>>, by: ReadonlyMap<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [by.get(name) ?? name, value]));
  const portsOf = (all: readonly Ort.InferenceSession.ValueMetadata[]): GraphPort[] =>
    all.map((one) => {
      const name = own.get(one.name) ?? one.name;
      const [type, dims] = one.isTensor ? [one.type, one.shape.map((dim) => dim ?? "")] : ["no tensor", []];
      return growing.get(name) ?? { name, type, dims };
    });
  const all = session.outputNames.map((name) => own.get(name) ?? name);
  return {
    growing: new Set(growing.keys()),
    inputs: portsOf(session.inputMetadata),
    outputs: portsOf(session.outputMetadata),
    run: async (feeds, wanted = all) =>
      rename(
        await session.run(
          rename(feeds, names),
          wanted.map((name) => names.get(name) ?? name),
        ),
        own,
      ),
    release: () => session.release(),
  };
}

/** The library that a provider comes in, where it is one of its own: trying without it only prints an error that is none. */
function libraryOf(provider: string): string | undefined {
  if (process.platform !== "linux" || (provider !== "cuda" && provider !== "tensorrt")) return undefined;
  const entry = createRequire(import.meta.url).resolve("onnxruntime-node");
  const binaries = join(dirname(entry), "..", "bin", "napi-v6", process.platform, process.arch);
  return join(binaries, `libonnxruntime_providers_${provider}.so`);
}

/** Fixed threads in fixed order: the same bits for the same input. What the manifest does not say is as measured (docs/models.md). */
function options(
  provider: string,
  { device, threads, fold, session }: GraphOptions,
  more: Readonly<Record<string, string>> = {},
): Ort.InferenceSession.SessionOptions {
  const branches = session.branches ?? 1;
  const spinning = session.spinning === true ? "1" : "0";
  return {
    executionProviders: provider === "cpu" ? ["cpu"] : [withDevice(provider, device), "cpu"],
    executionMode: branches > 1 ? "parallel" : "sequential",
    interOpNumThreads: branches,
    intraOpNumThreads: threads,
    graphOptimizationLevel: session.optimization ?? "all",
    enableCpuMemArena: session.arena ?? true,
    // One arena for all of a run, laid out beforehand, is larger than what is asked for and given back by turns: 360 against 270 MB of a
    // separator's process, at the same speed.
    enableMemPattern: session.memory_pattern ?? false,
    logSeverityLevel: 3,
    // Threads that wait sleep: the machine serves others too.
    extra: {
      session: {
        intra_op: { allow_spinning: spinning },
        inter_op: { allow_spinning: spinning },
        set_denormal_as_zero: session.denormals_as_zero === true ? "1" : "0",
        ...more,
      },
      ...(fold ? {} : { optimization: { disable_specified_optimizers: "ConstantFolding" } }),
    },
  };
}

function withDevice(
  provider: string,
  device: number | undefined,
): string | (Ort.InferenceSession.ExecutionProviderOption & { readonly deviceId: number }) {
  return device !== undefined && WITH_DEVICES.includes(provider) ? { name: provider, deviceId: device } : provider;
}

export function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line;
}

export function toOrt(ort: typeof Ort, { type, data, dims }: Tensor): Ort.Tensor {
  return new ort.Tensor(type, data as never, dims);
}
