/** Which actions run their `process` in a process of its own, and what they may use there. */
import { fileURLToPath } from "node:url";
import type { AnyAction } from "../plugin.ts";
import type { Confinement } from "../ports/pool.ts";
import type { Origin } from "./registry.ts";

/** Memory of a process whose action says nothing: a track of ten minutes and its stems. */
const MEMORY_MB = 2048;

/** Undefined: it runs in a thread. `asked`: what the operator demands it of: names, groups (`acme.*`) or all (`*`). */
export function isolationOf(
  { action, origin }: { readonly action: AnyAction; readonly origin: Origin },
  asked: readonly string[],
): (Confinement & { readonly seconds?: number }) | undefined {
  const { name, isolation, permissions = {} } = action;
  const group = `${name.slice(0, name.indexOf("."))}.*`;
  if (isolation !== "process" && ![name, group, "*"].some((one) => asked.includes(one))) return undefined;
  const { hosts = [], read = [], write = [], env = [], memory_mb = MEMORY_MB, seconds } = permissions;
  return {
    ...{ hosts, write, env, memory_mb },
    read: [...folderOf(origin), ...read],
    ...(seconds === undefined ? {} : { seconds }),
  };
}

/** Where its code is; below the installation where it is a package by name. */
function folderOf({ module }: Origin): readonly string[] {
  return module.startsWith("file:") ? [fileURLToPath(new URL("./", module))] : [];
}
