/** Python for tests of its SDK: the interpreter of this machine, and environments with what a test names. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../services/programs.ts";

const run = promisify(execFile);
const python = findProgram("python3") ?? "python3";

const has_pip = await run(python, ["-m", "pip", "--version"]).then(
  () => true,
  () => false,
);
/** Why tests that need it are skipped; false where they run. */
export const why_not = has_pip ? false : "python3 with pip is not installed";
if (why_not !== false && process.env.TONWERK_TEST_SERVICES === "required") throw new Error(why_not);

/** Makes an environment with these packages and their dependencies; resolves to its Python. */
export async function makeEnvironment(folder: string, packages: readonly string[]): Promise<string> {
  await run(python, ["-m", "venv", "--without-pip", folder]);
  const its = join(folder, "bin/python");
  await runPip(["--python", its, "install", "--no-compile", ...packages]);
  return its;
}

export async function runPip(args: readonly string[]): Promise<void> {
  await run(python, ["-m", "pip", "--quiet", "--disable-pip-version-check", ...args]);
}
