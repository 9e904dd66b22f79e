/** Which server and key a command uses: profiles in a file that only its owner reads, or the environment. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "./exit_codes.ts";

export interface Profile {
  readonly url: string;
  readonly key: string;
}

export interface Settings {
  /** The profile that is used where none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Of `tonwerk listen`: what signs, and where it sent last. */
  readonly listen?: { readonly secret: string; readonly forward?: string | undefined };
}

export interface Server {
  readonly url: string;
  /** Undefined where nobody said one. */
  readonly key: string | undefined;
}

const DEFAULT_URL = "http://127.0.0.1:8787";

function settingsPath(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "tonwerk", "config.json");
}

export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tonwerk");
}

/** @throws UsageError where others may read the file: who did has the keys, and only their owner can judge that. */
export function readSettings(path: string = settingsPath()): Settings {
  if (!existsSync(path)) return { profiles: {} };
  // Windows has no such bits.
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
    throw new UsageError(`Others may read "${path}", which holds API keys: run chmod 600 on it, and replace the keys`);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Settings;
  } catch {
    throw new UsageError(`"${path}" is not JSON`);
  }
}

export function writeSettings(settings: Settings): void {
  writePrivate(settingsPath(), `${JSON.stringify(settings, null, 2)}\n`);
}

/** Whole or not at all, and only for its owner. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

/** `--profile`, else TONWERK_URL and TONWERK_KEY, else TONWERK_PROFILE or the current profile. */
export function chooseServer(profile: string | undefined): Server {
  const { env } = process;
  if (profile === undefined && env.TONWERK_KEY)
    return { url: trim(env.TONWERK_URL || DEFAULT_URL), key: env.TONWERK_KEY };
  const { profiles, current } = readSettings();
  const name = profile ?? (env.TONWERK_PROFILE || current);
  if (name === undefined) return { url: trim(env.TONWERK_URL || DEFAULT_URL), key: undefined };
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found === undefined)
    throw new UsageError(`There is no profile "${name}"; tonwerk profile add ${name} --url <url> makes it`);
  // A URL of the environment alone must not get a key that belongs to another server.
  return env.TONWERK_URL && profile === undefined && trim(env.TONWERK_URL) !== found.url
    ? { url: trim(env.TONWERK_URL), key: undefined }
    : found;
}

/** @throws UsageError where nobody said a key. */
export function requireKey({ url, key }: Server): Profile {
  if (key !== undefined) return { url, key };
  throw new UsageError(`No API key for ${url}: set TONWERK_KEY, or run tonwerk profile add <name> --url ${url}`);
}

export const trim = (url: string): string => url.replace(/\/+$/u, "");
