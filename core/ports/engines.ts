/** Models and engines that serve actions. */

import type { Health } from "./pool.ts";

export interface ModelSettings {
  /** Folder of manifests; null: built-in engines only. */
  readonly models: string | null;
  /** Execution providers in order of preference. */
  readonly providers: readonly string[];
  /** Memory of one model's process, 10^6 bytes. */
  readonly model_mb: number;
  /** Time limit of one run of one graph, s. */
  readonly model_seconds: number;
  /** Models that Tonwerk brings along serve as well, after the folder's and before what is built in. */
  readonly shipped: boolean;
  /** URLs of folders of families that packages bring. */
  readonly families: readonly string[];
}

/** What a look at one file of the models' folder, and a run of its graphs, showed. */
export interface ModelCheck {
  /** The model's id, or the file's name where it describes none. */
  readonly name: string;
  readonly family: string | null;
  readonly task: string | null;
  readonly licence: string | null;
  /** Null: it was not loaded, or cannot be. */
  readonly device: string | null;
  /** Loading and one run on silence, s. */
  readonly seconds: number | null;
  /** Why it cannot serve; null: it can. */
  readonly reason: string | null;
  /** Providers that come first but cannot be used here. */
  readonly skipped: readonly { readonly provider: string; readonly reason: string }[];
  /** Operators of its graphs that draw numbers at random, so that equal requests differ. */
  readonly draws: readonly string[];
}

export type EngineLog = (event: string, fields: Readonly<Record<string, string | number | null>>) => void;

export interface ModelHealth {
  readonly id: string;
  readonly task: string;
  /** `elsewhere`: this node runs no jobs and loads no model. */
  readonly state: Health | "elsewhere";
  readonly reason: string | null;
  /** Execution provider that its sessions run on, once they are loaded. */
  readonly device: string | null;
}

/** Which engine serves a task: a model, or what is built in. */
export interface Engines {
  /** Models of `task`, the preferred first. */
  models(task: string): readonly ModelHealth[];
  /** Files in the folder that describe no model, each with the reason. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** Loads the model `id` anew, a little later: its process has ended. */
  reload(id: string): void;
  close(): void;
}
