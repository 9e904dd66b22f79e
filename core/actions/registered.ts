/** Actions as the kernel has them, however they were found: `core/adapters/plugins/` finds and checks them. */
import type { AnyAction } from "../../contract/mod.ts";
import type { ActionSchema } from "./schema.ts";

/** What is imported: the URL of a module, or the name of a package. */
export interface Importable {
  readonly kind: "folder" | "package";
  readonly module: string;
}

/** Where an action comes from: enough for a pool thread to load the same one. */
export interface Origin extends Importable {
  readonly name: string;
}

/** The values of an action's `config`, from the environment of its installation. */
export type Settings = Readonly<Record<string, unknown>>;

export interface Registered {
  readonly action: AnyAction;
  readonly origin: Origin;
  /** Who ships it, as its `package.json` says. */
  readonly package: string | null;
  readonly version: string | null;
  readonly schema: ActionSchema;
  /** Of its `config`; undefined where no jobs run. */
  readonly settings?: Settings;
}

export interface Registry {
  /** By name, sorted. */
  readonly actions: ReadonlyMap<string, Registered>;
  /** Origins with a leading `?` that could not be loaded. */
  readonly failed: readonly { readonly origin: string; readonly reason: string }[];
}
