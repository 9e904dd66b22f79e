/** What the process of a model takes and gives, and a model as its family sees it. */

import type { ModelFile, SessionSettings } from "./fields.ts";
import type { Layout, Matched } from "./layout.ts";
import type { Tensor, Tensors } from "./tensor.ts";

/** All that the process needs to load a model. Equal specifications are loaded once. */
export interface ModelSpec {
  readonly id: string;
  /** Name of the process: the model's id, or that of the ensemble whose models share it. */
  readonly resident: string;
  readonly folder: string;
  readonly files: readonly ModelFile[];
  /** Roles that are graphs, with what the family expects of them. */
  readonly layouts: Readonly<Record<string, Layout>>;
  /** The manifest's `tensors`. */
  readonly renamed: Readonly<Record<string, string>>;
  readonly providers: readonly string[];
  /** Of the provider; undefined: its own choice. */
  readonly device: number | undefined;
  readonly threads: number;
  /** The manifest's. */
  readonly session: SessionSettings;
  /** Whether what is constant in a graph is computed when it is loaded, and kept. */
  readonly fold: boolean;
  /** 10^6 bytes that the whole process may hold. */
  readonly model_mb: number;
  /** Pieces that are made side by side, as rows of one run; 1: none is. */
  readonly together: number;
}

/** Its graphs run in a process of their own, which is started again where it ended. */
export interface LoadedModel {
  readonly id: string;
  readonly opened: Opened;
  /** Size that the graph fixes for a word of the layout. */
  size(role: string, word: string): number | undefined;
  /** Path of a file that is no graph. */
  path(role: string): string;
  /** Rejects with a `ModelError`, and with the job's reason where that is aborted. */
  run(run: GraphRun): Promise<Tensors>;
  /**
   * Of families that say `together`: resolves when a piece may begin, whose runs that are `joint` then share those of
   * others. Rejects as `run` does.
   */
  begin(state: string, wish: Wish): Promise<void>;
  /** Lets go of what is carried. Never rejects. */
  forget(state: string): Promise<void>;
  /** What to throw where the model is at fault: the next engine serves. */
  fault(reason: string): Error;
}

export type SessionsInput =
  | { readonly type: "open"; readonly spec: ModelSpec }
  | ({ readonly type: "run"; readonly key: string } & GraphRun)
  | { readonly type: "begin"; readonly key: string; readonly state: string; readonly wish: Wish }
  | { readonly type: "forget"; readonly key: string; readonly state: string };

export interface Wish {
  /** Pieces of which this is equal feed tensors of equal sizes, step by step. */
  readonly alike: string;
  /** How many steps it takes, and what its caches will hold at the end. */
  readonly steps_max: number;
  readonly bytes: number;
}

/** One run of one graph. Names are the family's words, never the graph's. */
export interface GraphRun {
  readonly role: string;
  readonly feeds: Tensors;
  /** Outputs to send back. */
  readonly outputs: readonly string[];
  /** Outputs that become inputs of the next run, by output; they stay in the process. */
  readonly carry?: Readonly<Record<string, string>>;
  /** Whose carried tensors; absent: they end with this call. */
  readonly state?: string;
  /** The state must be there: it was made by an earlier run. */
  readonly resume?: true;
  /**
   * Runs the graph once for each row of this input (dims [rows, …], fed as [1, …]) and sends the outputs back as [rows, …]:
   * for small graphs whose steps would be shorter than their way.
   */
  readonly rows?: string;
  /** May share the run with other pieces: all that is fed and given then has rows for each. `state` has begun (`LoadedModel.begin`). */
  readonly joint?: true;
  /** How many positions caches will have at the end; 64. */
  readonly positions?: number;
}

export interface Opened {
  readonly key: string;
  /** Execution provider of the sessions, and its device where one was named: "cuda:1". */
  readonly device: string;
  /** Providers that came first but cannot serve here. */
  readonly skipped: readonly { readonly provider: string; readonly reason: string }[];
  readonly matched: Readonly<Record<string, Matched>>;
  /** Operators of its graphs that draw numbers at random: equal runs then differ. */
  readonly draws: readonly string[];
  /** Half precision in its files, as `readOnnx` tells it. */
  readonly half: string | null;
  readonly pid: number;
  /** Of the process, until it was opened or asked for again: the most that it held, 10^6 bytes, and its processor time. */
  readonly peak_mb: number;
  readonly cpu_seconds: number;
  /** The longest of its runs. */
  readonly slowest_run_ms: number;
}

export type SessionsOutput =
  | { readonly type: "opened"; readonly opened: Opened }
  | { readonly type: "outputs"; readonly outputs: Readonly<Record<string, Tensor>> }
  | { readonly type: "begun" }
  /** Others come first: it is to be asked again. */
  | { readonly type: "later" }
  /** The process does not have the model, or the state, (any more): it is new. */
  | { readonly type: "unknown" };
