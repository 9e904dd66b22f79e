/**
 * Types for authors of families of models: `export default (kit: FamilyKit) => kit.defineFamily({ … })`. Nothing of it
 * runs.
 */
export type { EngineOf, Family } from "../../runners/models/family.ts";
export type { FamilyKit } from "../../runners/models/family_kit.ts";
export type { Manifest, ManifestOf, StemName } from "../../runners/models/fields.ts";
export type { Layout, Port } from "../../runners/models/layout.ts";
export type { Emit, Separator } from "../../runners/models/separator.ts";
export type { Task, TaskEngines } from "../../runners/models/tasks.ts";
export type { Tensor, Tensors } from "../../runners/models/tensor.ts";
export type { GraphRun, LoadedModel } from "../../runners/models/types.ts";
