/**
 * `tonwerk plugins check`: refuses what a server would, then runs each of the plugin's test files in a process of its
 * own.
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { argsFor, runtime } from "../../core/adapters/runtime/runtime.ts";
import { HOME } from "../../core/surfaces.ts";
import type { Inspected } from "./inspect.ts";
import { INTERRUPTED, type Limits, runLimited } from "./limited.ts";

const INSPECT = fileURLToPath(new URL("./inspect.ts", import.meta.url));
const IS_TEST = /\.test\.(?:[cm]?js|[cm]?ts)$/u;
/** Loading is a second; a test renders a few seconds of audio. */
export const LIMITS: Limits = { seconds: 60, memory_mb: 2048 };

/** What a server with these origins would say of the plugin in `folder`. */
export async function inspectPlugin(
  folder: string,
  origins: readonly string[],
  limits: Limits = LIMITS,
): Promise<Inspected> {
  const answer = join(tmpdir(), `tonwerk-inspect-${randomUUID()}.json`);
  try {
    const origin = pathToFileURL(`${folder}/`).href;
    const args = [...argsFor.run(INSPECT), answer, HOME, origin, ...origins];
    const { code, printed, why } = await runLimited(args, folder, limits);
    const written = await readFile(answer, "utf8").catch(() => undefined);
    if (why === undefined && written !== undefined) return JSON.parse(written) as Inspected;
    const problem = why ?? `its process ended with ${code} before it was loaded:\n${printed.trim()}`;
    return { actions: [], problem: `Cannot load the plugin in "${folder}": ${problem}` };
  } finally {
    await rm(answer, { force: true });
  }
}

/** Writes line by line. Returns the exit code: 0, or 1 where anything is refused or fails. */
export async function checkPlugin(
  given: string,
  origins: readonly string[],
  limits: Limits,
  write: (line: string) => void,
): Promise<number> {
  const folder = resolve(given);
  const { actions, problem } = await inspectPlugin(folder, origins, limits);
  if (problem !== null) {
    write(problem);
    return 1;
  }
  for (const { name, summary } of actions) write(`ok    ${name}: ${summary}`);
  const files = await findTests(folder);
  if (files.length === 0) write(`none  no test: expected files such as action.test.ts in "${folder}"`);
  let failed = files.length === 0 ? 1 : 0;
  for (const file of files) {
    const { code, printed, why } = await runLimited(argsFor.test(`./${file}`), folder, limits);
    const ok = code === 0;
    write(`${ok ? "ok  " : "bad "}  ${file} on ${runtime.name}${why === undefined ? "" : `: ${why}`}`);
    if (ok) continue;
    if (why === INTERRUPTED) return 1;
    failed += 1;
    for (const line of printed.trim().split("\n")) write(`      ${line}`);
  }
  return failed === 0 ? 0 : 1;
}

async function findTests(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const look = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = join(below, entry.name);
      if (entry.isDirectory()) {
        if (!["node_modules", "dist"].includes(entry.name) && !entry.name.startsWith(".")) await look(path);
      } else if (IS_TEST.test(entry.name)) found.push(path);
    }
  };
  await look("");
  return found.sort();
}
