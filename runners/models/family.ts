/**
 * The contract of a family: what manifests of it say, what its graphs must look like, and how a model of it does its
 * task. Each family is a folder with a `family.ts` (or `.js`) whose default export is one, found by the folder's name:
 * ours in `families/`, others' in packages (`docs/plugins/families.md`).
 */
import type { TProperties, TSchema } from "@sinclair/typebox";
import type { ManifestOf, StemName } from "./fields.ts";
import type { Layout } from "./layout.ts";
import type { OnnxFacts } from "./onnx_file.ts";
import type { Separator } from "./separator.ts";
import type { Task, TaskEngines } from "./tasks.ts";
import type { LoadedModel } from "./types.ts";

/** What one model gives for its task. */
export type EngineOf<Kind extends Task> = Kind extends "separate" ? Separator : TaskEngines[Kind];

/** A file that an operator brings. */
export interface GivenFile {
  /** Without its folder. */
  readonly name: string;
  /** What it says of itself; undefined: it is no graph. */
  readonly graph: OnnxFacts | undefined;
}

export interface Recognised {
  /** By role, the index of the file. */
  readonly roles: Readonly<Record<string, number>>;
  /** Of the manifest. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What was guessed, and what else fits as well. */
  readonly notes?: readonly string[];
}

export interface Family<
  Fields extends TProperties = TProperties,
  Roles extends TSchema = TSchema,
  Kind extends Task = Task,
> {
  /** The task that its models serve. */
  readonly serves: Kind;
  /** Tasks beside it, of which a model gives the same; a manifest's `tasks` may choose among all of them. */
  readonly also?: readonly Task[];
  /** A manifest's `files`: by role, each `{ path, sha256 }`. Roles that `layouts` names are graphs; the others are read by the family. */
  readonly files: Roles;
  /** Fields of a manifest beside those that every family has. */
  readonly fields: Fields;
  /** False: a graph's constants are not computed when it is loaded, unless a manifest asks for it. */
  readonly fold?: false;
  /** Pieces that are made side by side, as rows of one run, where a manifest's `batch` does not say how many (`LoadedModel.begin`). */
  readonly together?: number;
  /** Says what is wrong across the fields, each of which is right by itself. */
  check?(manifest: ManifestOf<Fields, Roles>): string | undefined;
  /** Of families that separate: what the model gives, in the order in which it is emitted. */
  stems?(manifest: ManifestOf<Fields, Roles>): readonly StemName[];
  /** How its public exporters write it; told where graphs do not fit. */
  readonly exported?: string;
  /**
   * Fields that a trial at `tonwerk models add` has instead of the manifest's, where each of many runs takes as much
   * time and memory as the next.
   */
  readonly trial?: Readonly<Record<string, unknown>>;
  /** What a manifest of these files says as far as they show it; undefined: they are of another family. For `tonwerk models add`. */
  recognise?(files: readonly GivenFile[]): Recognised | undefined;
  /** What each graph must take and give. */
  layouts(manifest: ManifestOf<Fields, Roles>): Readonly<Record<string, Layout>>;
  /**
   * Makes what serves the task, in a pool's thread, for each job anew. Runs graphs by `model.run` and throws what
   * `model.fault` makes where the model is at fault: then the next engine serves.
   */
  create(manifest: ManifestOf<Fields, Roles>, model: LoadedModel): EngineOf<Kind> | Promise<EngineOf<Kind>>;
}

/** Infers the types of a family's manifests from its fields. */
export function defineFamily<Fields extends TProperties, Roles extends TSchema, Kind extends Task>(
  family: Family<Fields, Roles, Kind>,
): Family<Fields, Roles, Kind> {
  return family;
}
