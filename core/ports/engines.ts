/** Models and engines that serve actions. */

import type { Health } from "./pool.ts";

export interface ModelSettings {
  /** Folder of manifests; null: built-in engines only. */
  readonly models: string | null;
  /** Execution providers in order of preference. */
  readonly providers: readonly string[];
  /** Device ids of those providers; a model has a process on each. Empty: one process, on the provider's own choice. */
  readonly devices: readonly number[];
  /** Memory of one model's process, 10^6 bytes. */
  readonly model_mb: number;
  /** Time limit of one run of one graph, s. */
  readonly model_seconds: number;
  /** Models that Tonwerk brings along serve as well, after the folder's and before what is built in. */
  readonly shipped: boolean;
  /** URLs of folders of families that packages bring. */
  readonly families: readonly string[];
  /** Models behind HTTP: manifests by their absolute path, or addresses with what they serve. */
  readonly sidecars: readonly string[];
}

export type EngineLog = (event: string, fields: Readonly<Record<string, string | number | null>>) => void;

export interface ModelHealth {
  readonly id: string;
  readonly task: string;
  /** `elsewhere`: this node runs no jobs and loads no model. */
  readonly state: Health | "elsewhere";
  readonly reason: string | null;
  /** Execution provider that its sessions run on, once they are loaded; of a sidecar what its server says. */
  readonly device: string | null;
  /** Of a sidecar: what its server says that it holds, 10^6 bytes. */
  readonly server_mb?: number;
}

/** Which engine serves a task: a model, or what is built in. */
export interface Engines {
  /** Models of `task`, the preferred first. */
  models(task: string): readonly ModelHealth[];
  /** Loads the model `id` anew, a little later: its process has ended. */
  reload(id: string): void;
  close(): void;
}
