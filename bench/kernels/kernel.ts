/** What is measured: one engine at one task. */
import type { Outside } from "../outside.ts";
import type { Material } from "./material.ts";

export interface Kernel {
  readonly name: string;
  /** Hz that the material is taken for; 44,100 where absent. */
  readonly rate?: number;
  /** Resolves to one run; what it needs is at hand by then. */
  readonly prepare: (material: Material) => Promise<() => unknown>;
  /** The nearest outside tool first. */
  readonly outside?: readonly Outside[];
}
