/** Where results go: a file, a folder, or standard output. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { AnyOutput, Output } from "../../sdk/typescript/src/mod.ts";
import { UsageError } from "./exit_codes.ts";

export type Target =
  | { readonly kind: "stdout" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string };

const EXTENSION = ".flac";

/** @throws UsageError where several results cannot go to one place, or not as this kind of file. */
export function readTarget(output: string | undefined, requests: number): Target {
  if (output === undefined) return { kind: "folder", path: "." };
  const is_folder = output.endsWith("/") || (existsSync(output) && statSync(output).isDirectory());
  if (is_folder) return { kind: "folder", path: output };
  if (requests > 1) throw new UsageError(`${requests} results need a folder: --output ${output}/`);
  if (output === "-") return { kind: "stdout" };
  if (extname(output).toLowerCase() !== EXTENSION)
    throw new UsageError(`The server delivers FLAC: "${output}" must end with ${EXTENSION}`);
  return { kind: "file", path: output };
}

/** Resolves to the files that were written. */
export async function saveOutputs(
  outputs: readonly Output<AnyOutput>[],
  target: Target,
  stem: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (target.kind === "stdout") {
    if (outputs.length !== 1) throw new UsageError(`${outputs.length} outputs need a folder or a file's name`);
    for await (const part of outputs[0]!.stream({ signal })) await writeOut(part);
    return [];
  }
  if (target.kind === "folder") mkdirSync(target.path, { recursive: true });
  const files: string[] = [];
  for (const [index, output] of outputs.entries()) {
    const kind = (output as { readonly kind?: string }).kind ?? String(index + 1);
    const ending = `${outputs.length > 1 ? `-${kind}` : ""}${EXTENSION}`;
    const path =
      target.kind === "file"
        ? `${target.path.slice(0, -EXTENSION.length)}${ending}`
        : findFree(join(target.path, stem), ending);
    await output.download(path, { signal });
    files.push(path);
  }
  return files;
}

/** Names that nobody asked for replace nothing. */
function findFree(stem: string, ending: string): string {
  for (let n = 1; ; n++) {
    const path = `${stem}${n === 1 ? "" : `-${n}`}${ending}`;
    if (!existsSync(path)) return path;
  }
}

const writeOut = (part: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(part, (error) => (error ? reject(error) : resolve()));
  });
