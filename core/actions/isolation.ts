/** Which actions run their `process` in a process of its own, and what they may use there. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AnyAction } from "../../contract/mod.ts";
import type { Confinement, Keeping } from "../ports/pool.ts";
import type { Origin } from "./registered.ts";

/** Memory of a process whose action says nothing: a track of ten minutes and its stems. */
const MEMORY_MB = 2048;

export interface IsolationOptions {
  /** What the operator demands it of: names, groups (`acme.*`) or all (`*`). */
  readonly asked: readonly string[];
  /** What every such process may read beside code: the operator's packs and sounds. */
  readonly read: readonly string[];
}

type Asked = { readonly action: AnyAction; readonly origin: Origin };

/** Undefined: it runs in a thread. */
export function isolationOf(
  { action, origin }: Asked,
  { asked, read: shared }: IsolationOptions,
): (Confinement & { readonly seconds?: number }) | undefined {
  const { name, isolation, permissions = {} } = action;
  const group = `${name.slice(0, name.indexOf("."))}.*`;
  if (isolation !== "process" && ![name, group, "*"].some((one) => asked.includes(one))) return undefined;
  const { hosts = [], read = [], write = [], env = [], memory_mb = MEMORY_MB, seconds } = permissions;
  return {
    ...{ hosts, write, env, memory_mb },
    read: [...codeOf(origin), ...shared, ...read],
    ...(seconds === undefined ? {} : { seconds }),
  };
}

/**
 * Where its code is, and where runtimes look for packages that it imports; below the installation where it is a package
 * by name.
 */
function codeOf({ module, kind }: Origin): readonly string[] {
  if (!module.startsWith("file:")) return [];
  let own = new URL("./", module);
  const found: string[] = [];
  let is_whole = kind === "folder";
  for (let folder = own; ; folder = new URL("../", folder)) {
    const [packages, manifest] = ["node_modules/", "package.json"].map((name) => fileURLToPath(new URL(name, folder)));
    if (existsSync(packages!)) found.push(packages!);
    if (existsSync(manifest!)) {
      // The whole package, from the module that it begins with.
      if (!is_whole) own = folder;
      else found.push(manifest!);
      is_whole = true;
    }
    if (folder.pathname === "/") return [fileURLToPath(own), ...found];
  }
}

/** What nothing here keeps the action's process to; undefined: it is kept to all that it may. */
export function describeLooseness({ hosts }: Pick<Confinement, "hosts">, keeping: Keeping): string | undefined {
  if (keeping.by === null) return `nothing here keeps it to files and hosts: ${keeping.why}`;
  if (keeping.by === "runtime" || hosts.length === 0) return undefined;
  return `a sandbox has all hosts or none: with permission for ${hosts.join(", ")} it reaches others too`;
}
