/** onnxruntime-node, where it is installed, and the execution providers that work here. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type * as Ort from "onnxruntime-node";

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

export interface Placed {
  readonly session: Ort.InferenceSession;
  readonly device: string;
  readonly skipped: readonly { readonly provider: string; readonly reason: string }[];
}

/** Loads a graph on the first of `providers` that can; what a provider cannot do itself, the CPU does. */
export async function place(
  ort: typeof Ort,
  path: string,
  providers: readonly string[],
  threads: number,
  fold: boolean,
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
      const session = await ort.InferenceSession.create(path, options(name, threads, fold));
      return { session, device: provider, skipped };
    } catch (error) {
      // On the CPU it is the graph's fault, which no other provider mends.
      if (name === "cpu") throw new Error(`the graph cannot be loaded: ${firstLine(error)}`);
      skipped.push({ provider, reason: firstLine(error) });
    }
  }
  const why = skipped.map(({ provider, reason }) => `${provider}: ${reason}`).join("; ");
  throw new Error(`none of the providers ${providers.join(", ")} works here (${why})`);
}

/** The library that a provider comes in, where it is one of its own: trying without it only prints an error that is none. */
function libraryOf(provider: string): string | undefined {
  if (process.platform !== "linux" || (provider !== "cuda" && provider !== "tensorrt")) return undefined;
  const entry = createRequire(import.meta.url).resolve("onnxruntime-node");
  const binaries = join(dirname(entry), "..", "bin", "napi-v6", process.platform, process.arch);
  return join(binaries, `libonnxruntime_providers_${provider}.so`);
}

/** Fixed threads in fixed order: the same bits for the same input. */
function options(provider: string, threads: number, fold: boolean): Ort.InferenceSession.SessionOptions {
  return {
    executionProviders: provider === "cpu" ? ["cpu"] : [provider, "cpu"],
    executionMode: "sequential",
    interOpNumThreads: 1,
    intraOpNumThreads: threads,
    graphOptimizationLevel: "all",
    // One arena for all of a run, laid out beforehand, is larger than what is asked for and given back by turns: 360 against 270 MB of a
    // separator's process, at the same speed.
    enableMemPattern: false,
    logSeverityLevel: 3,
    // Threads that wait sleep: the machine serves others too.
    extra: {
      session: { intra_op: { allow_spinning: "0" } },
      ...(fold ? {} : { optimization: { disable_specified_optimizers: "ConstantFolding" } }),
    },
  };
}

export function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line;
}
