import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { launch } from "./launch.ts";

export interface Ffmpeg {
  readonly path: string;
  /** As it names itself: `5.1.9`, `N-47683-g0e8eb07980`. */
  readonly version: string;
}

/**
 * The ffmpeg to use, found once per thread: `FFMPEG_PATH`, else `ffmpeg` on the `PATH`, which its distribution keeps up to date; none comes
 * with Tonwerk. `FFMPEG_PATH=none` turns it off: nothing but files that are damaged in the middle needs it.
 *
 * @throws Error where `FFMPEG_PATH` does not work, or there is none at all
 */
export function ffmpeg(): Promise<Ffmpeg> {
  found ??= find().catch((error: unknown) => {
    // One may be installed later: ask again next time.
    found = undefined;
    throw error;
  });
  return found;
}

let found: Promise<Ffmpeg> | undefined;

/** Looks again, with another environment: for tests and for a changed configuration. */
export async function find(environment: Readonly<Record<string, string | undefined>> = process.env): Promise<Ffmpeg> {
  const configured = environment.FFMPEG_PATH;
  if (configured === "none") throw new Error("Cannot use ffmpeg: FFMPEG_PATH is none");
  if (configured !== undefined && configured !== "") {
    const path = /[/\\]/.test(configured) ? resolve(configured) : onPath(configured, environment.PATH);
    const answer = path === undefined ? "it is not on the PATH" : await ask(path);
    if (typeof answer === "string") throw new Error(`Cannot use FFMPEG_PATH "${configured}": ${answer}`);
    return answer;
  }
  const path = onPath("ffmpeg", environment.PATH);
  const answer = path === undefined ? "none is on the PATH" : await ask(path);
  if (typeof answer === "string") throw new Error(`Cannot find ffmpeg (${answer}): install ffmpeg or set FFMPEG_PATH`);
  return answer;
}

function onPath(name: string, folders = ""): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return folders
    .split(delimiter)
    .map((folder) => join(folder, file))
    .find((path) => isAbsolute(path) && existsSync(path));
}

/** What the program says of itself, or why it cannot be used. */
async function ask(path: string): Promise<Ffmpeg | string> {
  const chunks: Uint8Array[] = [];
  try {
    const { code } = await launch({
      program: path,
      args: ["-version"],
      allowance: { wall_s: 10, cpu_s: 10, memory_bytes: 2 ** 30, file_bytes: 0 },
      signal: new AbortController().signal,
      output: (bytes) => chunks.push(bytes.slice()),
    });
    const version = /^ffmpeg version (\S+)/.exec(Buffer.concat(chunks).toString("utf8"))?.[1];
    if (version === undefined) return `"${path}" does not answer to -version (exit code ${code})`;
    return { path, version: version.replace(/-static$/, "") };
  } catch (error) {
    return `"${path}" cannot be started (${error instanceof Error ? error.message : String(error)})`;
  }
}
