/** Sources as the server takes them: URLs stay, files and standard input are uploaded, each once. */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tonwerk, UploadedFile } from "../../sdk/typescript/src/mod.ts";
import { type Given, isUrl } from "./read_words.ts";
import { cacheFolder, type Profile, writePrivate } from "./settings.ts";

export type Resolve = (body: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

/** A dry run sends nothing: files are named by addresses that lead nowhere. */
export const resolveForPrice: Resolve = (body) =>
  replaceGiven(body, async (given) => (isUrl(given) ? given : `https://file.invalid/${encodeURIComponent(given)}`));

export function createResolve(tonwerk: Tonwerk, profile: Profile, signal: AbortSignal): Resolve {
  const urls = new Map<string, Promise<string>>();
  const upload = async (given: string): Promise<string> => {
    if (given === "-") return (await tonwerk.files.upload(new Uint8Array(readFileSync(0)), { signal })).url;
    const key = await keyOf(given, profile);
    const kept = await findUpload(tonwerk, key);
    if (kept !== undefined) return kept;
    const file = await tonwerk.files.upload(given, { signal });
    keepUpload(key, file);
    return file.url;
  };
  return (body) =>
    replaceGiven(body, async (given) => {
      if (isUrl(given)) return given;
      let url = urls.get(given);
      if (url === undefined) {
        url = upload(given);
        urls.set(given, url);
      }
      return url;
    });
}

async function replaceGiven(
  body: Readonly<Record<string, unknown>>,
  urlOf: (given: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  const replace = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(replace));
    const given = (value as Partial<Given> | null)?.given;
    return typeof given === "string" ? { url: await urlOf(given) } : value;
  };
  const entries = await Promise.all(Object.entries(body).map(async ([name, value]) => [name, await replace(value)]));
  return Object.fromEntries(entries) as Record<string, unknown>;
}

// The same command under the same idempotency key must send the same request, so an upload's URL is remembered until it
// ends.

const uploadsPath = (): string => join(cacheFolder(), "uploads.json");
type Uploads = Readonly<Record<string, UploadedFile>>;
const ENDS_SOON_MS = 600_000;

/** One account's upload of these bytes. */
async function keyOf(path: string, { url, key }: Profile): Promise<string> {
  const hash = createHash("sha256").update(`${url}\n${key}\n`);
  for await (const part of createReadStream(path)) hash.update(part as Uint8Array);
  return hash.digest("hex");
}

function readUploads(): Uploads {
  try {
    const all = JSON.parse(readFileSync(uploadsPath(), "utf8")) as Uploads;
    const until = Date.now() + ENDS_SOON_MS;
    return Object.fromEntries(Object.entries(all).filter(([, { expires_at }]) => Date.parse(expires_at) > until));
  } catch {
    return {};
  }
}

/** Undefined where the server has it no more. */
async function findUpload(tonwerk: Tonwerk, key: string): Promise<string | undefined> {
  const kept = readUploads()[key];
  if (kept === undefined) return undefined;
  return tonwerk.files.get(kept.id).then(
    () => kept.url,
    () => undefined,
  );
}

function keepUpload(key: string, file: UploadedFile): void {
  try {
    writePrivate(uploadsPath(), JSON.stringify({ ...readUploads(), [key]: file }));
  } catch {
    // A home that cannot be written costs an upload each time.
  }
}
