/** Where results go, and as what: a file, a folder, or standard output. Reports of actions without audio are JSON. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AnyOutput, ConnectionError, errorOf, type Output } from "../../sdk/typescript/src/mod.ts";
import { type Action, isReport } from "./document.ts";
import { UsageError } from "./exit_codes.ts";

export interface Target {
  readonly kind: "stdout" | "file" | "folder";
  /** Empty for standard output. */
  readonly path: string;
  readonly format: string;
}

const FORMATS: readonly string[] = ["flac", "wav", "mp3", "opus"];
const REPORTS: readonly string[] = ["json"];

/** @throws UsageError where several results cannot go to one place, or not as this kind of file. */
export function readTarget(
  action: Action,
  output: string | undefined,
  format: string | undefined,
  requests: number,
): Target {
  const formats = formatsOf(action);
  if (format !== undefined && !formats.includes(format))
    throw new UsageError(`--format must be one of ${formats.join(", ")}, not "${format}"`);
  const [path, whole] = [output ?? ".", format ?? formats[0]!];
  const is_folder = path.endsWith("/") || (existsSync(path) && statSync(path).isDirectory());
  if (is_folder) return { kind: "folder", path, format: whole };
  if (requests > 1) throw new UsageError(`${requests} results need a folder: --output ${path}/`);
  if (path === "-") return { kind: "stdout", path: "", format: whole };
  const named = extname(path).slice(1).toLowerCase();
  if (!formats.includes(named) || (format !== undefined && format !== named))
    throw new UsageError(`"${path}" must end with .${format ?? formats.join(", .")}, or with / for a folder`);
  return { kind: "file", path, format: named };
}

/** An archive where the action has one. */
function formatsOf(action: Action): readonly string[] {
  if (isReport(action)) return REPORTS;
  return action.operation.properties?.archive === undefined ? FORMATS : [...FORMATS, "zip"];
}

/** Resolves to the files that were written. */
export async function saveResult(
  ended: object,
  target: Target,
  stem: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { kind, path: place, format } = target;
  const report = reportOf(ended);
  if (report !== undefined) return saveOne(async () => once(`${JSON.stringify(report)}\n`), target, stem);
  if (format === "zip") return saveOne(() => openUrl(archiveOf(ended), signal), target, stem);
  const outputs = outputsOf(ended);
  if (kind === "stdout") {
    if (outputs.length !== 1) throw new UsageError(`${outputs.length} outputs need a folder or a file's name`);
    for await (const part of await openAs(outputs[0]!, format, signal)) await writeOut(part);
    return [];
  }
  if (kind === "folder") mkdirSync(place, { recursive: true });
  const files: string[] = [];
  for (const [index, output] of outputs.entries()) {
    const part = (output as { readonly kind?: string }).kind ?? String(index + 1);
    const ending = `${outputs.length > 1 ? `-${part}` : ""}.${format}`;
    const path =
      kind === "file" ? `${place.slice(0, -extname(place).length)}${ending}` : findFree(join(place, stem), ending);
    if (format === "flac") await output.download(path, { signal });
    else await writeWhole(await openAs(output, format, signal), path);
    files.push(path);
  }
  return files;
}

export function outputsOf(ended: object): readonly Output<AnyOutput>[] {
  const { output, outputs } = ended as { output?: Output<AnyOutput>; outputs?: readonly Output<AnyOutput>[] };
  return output ? [output] : (outputs ?? []);
}

/** What an action without audio found. */
export const reportOf = (ended: object): object | undefined =>
  (ended as { report?: object | null }).report ?? undefined;

function archiveOf(ended: object): string {
  const { archive } = ended as { archive?: { readonly url: string } | null };
  if (archive) return archive.url;
  throw new UsageError("It has no archive");
}

async function saveOne(open: () => Promise<Bytes>, { kind, path: place, format }: Target, stem: string) {
  if (kind === "stdout") {
    for await (const part of await open()) await writeOut(part);
    return [];
  }
  if (kind === "folder") mkdirSync(place, { recursive: true });
  const path = kind === "file" ? place : findFree(join(place, stem), `.${format}`);
  await writeWhole(await open(), path);
  return [path];
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Names that nobody asked for replace nothing. */
function findFree(stem: string, ending: string): string {
  for (let n = 1; ; n++) {
    const path = `${stem}${n === 1 ? "" : `-${n}`}${ending}`;
    if (!existsSync(path)) return path;
  }
}

type Bytes = AsyncIterable<Uint8Array>;
/** Another form is made when it is first asked for: the server answers 503 while it is at work. */
const TRIES = 10;

async function openAs(output: Output<AnyOutput>, format: string, signal: AbortSignal): Promise<Bytes> {
  return format === "flac" ? output.stream({ signal }) : openUrl(`${output.url}&format=${format}`, signal);
}

async function openUrl(url: string, signal: AbortSignal): Promise<Bytes> {
  for (let tried = 1; ; tried++) {
    const response = await fetch(url, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      return new ConnectionError(`The download broke off: ${error}`, error);
    });
    if (response instanceof ConnectionError) {
      if (tried === TRIES) throw response;
      await sleep(1_000, undefined, { signal });
      continue;
    }
    if (response.ok) return response.body!;
    const body: unknown = await response.json().catch(() => undefined);
    const error = errorOf(response, body);
    if (tried === TRIES || error.status < 500) throw error;
    await sleep(1_000 * Math.min(error.retryAfter ?? 1, 20), undefined, { signal });
  }
}

/** `path` never holds half a file. */
async function writeWhole(bytes: Bytes, path: string): Promise<void> {
  const draft = `${path}.${randomUUID().slice(0, 8)}.part`;
  const file = await open(draft, "wx");
  try {
    for await (const part of bytes) await file.writeFile(part);
    await file.close();
    renameSync(draft, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    rmSync(draft, { force: true });
    throw error;
  }
}

const writeOut = (part: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(part, (error) => (error ? reject(error) : resolve()));
  });
