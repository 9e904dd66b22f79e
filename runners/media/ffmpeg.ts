import { access, constants } from "node:fs/promises";
import { launch } from "./launch.ts";

export interface Ffmpeg {
  readonly path: string;
  /** As it names itself: `5.1.9`, `N-47683-g0e8eb07980`. */
  readonly version: string;
}

/**
 * The ffmpeg to use, found once per thread: `FFMPEG_PATH`, else the binary of `ffmpeg-static`, else that of
 * `@ffmpeg-installer/ffmpeg`, else `ffmpeg` on the `PATH`; the first that answers to `-version`. `FFMPEG_PATH=none` turns it off: nothing
 * but files that are damaged in the middle needs it.
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
    const answer = await ask(configured);
    if (typeof answer === "string") throw new Error(`Cannot use FFMPEG_PATH "${configured}": ${answer}`);
    return answer;
  }
  const reasons: string[] = [];
  for (const candidate of [
    () => packaged("ffmpeg-static"),
    () => packaged("@ffmpeg-installer/ffmpeg"),
    () => "ffmpeg",
  ]) {
    const path = await candidate();
    const answer = path instanceof Error ? path.message : await ask(path);
    if (typeof answer !== "string") return answer;
    reasons.push(answer);
  }
  throw new Error(`Cannot find ffmpeg (${reasons.join("; ")}): install ffmpeg or set FFMPEG_PATH to one`);
}

/** The binary inside an optional package. An error says why there is none: the package absent, or without its binary. */
async function packaged(name: string): Promise<string | Error> {
  try {
    const module: { default?: unknown } = await import(name);
    const value = module.default;
    const path = typeof value === "object" && value !== null && "path" in value ? value.path : value;
    if (typeof path !== "string") return new Error(`package "${name}" names no binary for this platform`);
    await access(path, constants.X_OK);
    return path;
  } catch (error) {
    return new Error(`package "${name}" has no binary here (${error instanceof Error ? error.name : "unknown"})`);
  }
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
