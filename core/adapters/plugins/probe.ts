/**
 * The first import of what is not ours, in the pool: a loop at its top would hang the start, and `process.exit` end it.
 * What came through once is imported at once by later starts, until one of its files is another.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { RegistrationError } from "../../actions/imports.ts";
import type { Tasks } from "../../actions/tasks.ts";
import type { Pool } from "../../ports/mod.ts";
import type { RegistryOptions } from "./registry.ts";

/** More than any installation has of modules and versions of them. */
const KNOWN_MAX = 1000;

/** `file`: what came through is noted there. */
export function createProbe(
  pool: Pick<Pool, "run">,
  { importing }: Pick<Tasks, "importing">,
  file: string,
): NonNullable<RegistryOptions["probe"]> {
  let known: string[] | undefined;
  return async ({ kind, module }, print, import_ms) => {
    known ??= readKnown(file);
    const key = createHash("sha256").update(`${module}\0${print}`).digest("hex");
    if (known.includes(key)) return;
    const cannot = (why: string) => new RegistrationError(`Cannot load "${module}": ${why}`);
    try {
      await pool.run(importing, { kind, module }, { signal: new AbortController().signal, ms_max: import_ms });
    } catch (error) {
      const { name, code, message } = Object(error) as Error & { readonly code?: unknown };
      if (name !== "PoolError") return;
      if (code === "timeout") throw cannot(`it did not load within ${import_ms / 1000} s`);
      throw cannot(`it ended whoever imported it: ${message}`);
    }
    known = [...known, key].slice(-KNOWN_MAX);
    // Of a folder that several processes share, each may lose what another noted: that is looked at again.
    writeFileSync(file, JSON.stringify(known));
  };
}

function readKnown(file: string): string[] {
  try {
    const noted: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(noted) ? noted.filter((one) => typeof one === "string") : [];
  } catch {
    // The first start, or one that was killed while it wrote.
    return [];
  }
}
