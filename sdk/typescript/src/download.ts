/** Downloads that go on where they broke off and end with the right checksum. */
import { ApiError, ChecksumError, ConnectionError, errorOf, TonwerkError } from "./errors.ts";
import { LONGEST_RETRY_AFTER_S, parse, sleep, type Transport } from "./transport.ts";

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with bytes so far and bytes in all, where that is known. */
  readonly onProgress?: ((bytes: number, total: number | undefined) => void) | undefined;
}

export interface Downloadable {
  readonly url: string;
  /** Undefined: what the server says as it begins. */
  readonly bytes?: number | undefined;
  /** Undefined: it is a form of the file that is made when it is asked for. Its length is checked, and that no other follows in its middle. */
  readonly sha256?: string | undefined;
  /** A URL that works, once one has expired. */
  refresh(): Promise<string>;
}

const TRIES = 5;

/** The file's bytes as they come. The stream fails where they are not the file, so a reader that ends without an error has the file. */
export function openDownload(
  transport: Transport,
  from: Downloadable,
  options: DownloadOptions = {},
): ReadableStream<Uint8Array> {
  const parts = readParts(transport, from, options);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* readParts(
  transport: Transport,
  { url: first, bytes: known, sha256, refresh }: Downloadable,
  { signal, onProgress }: DownloadOptions,
): AsyncGenerator<Uint8Array, undefined> {
  const hash = sha256 === undefined ? undefined : await startSha256();
  let url = first;
  let bytes = 0;
  let total = known;
  let etag: string | null = null;
  for (let failed = 0; ; ) {
    try {
      const response = await transport.fetch(url, {
        headers: bytes === 0 ? {} : { range: `bytes=${bytes}-` },
        ...(signal === undefined ? {} : { signal }),
      });
      if (!response.ok) throw errorOf(response, parse(await response.text()));
      if (bytes === 0) {
        total ??= numberOf(response.headers.get("content-length"));
        etag = response.headers.get("etag");
      } else if (response.status !== 206) {
        throw new ChecksumError("The download broke off, and the server does not continue it");
      } else if (response.headers.get("etag") !== etag) {
        throw new ChecksumError("The download broke off, and the server has another file now");
      }
      for await (const part of partsOf(response)) {
        bytes += part.byteLength;
        failed = 0;
        hash?.update(part);
        onProgress?.(bytes, total);
        yield part;
      }
      if (bytes < (total ?? 0)) throw new ConnectionError("The download broke off", undefined);
      break;
    } catch (error) {
      signal?.throwIfAborted();
      failed += 1;
      const is_expired = error instanceof ApiError && error.status === 403;
      const wait_s = (error instanceof ApiError ? error.retryAfter : undefined) ?? 0;
      const is_final = error instanceof ApiError && error.status < 500 && error.status !== 429 && !is_expired;
      if (error instanceof ChecksumError || is_final || wait_s > LONGEST_RETRY_AFTER_S || failed >= TRIES) throw error;
      if (is_expired) url = await refresh();
      else await sleep(Math.max(wait_s * 1000, 250 * 2 ** failed * (0.5 + Math.random() / 2)), signal);
    }
  }
  if ((total !== undefined && bytes !== total) || (hash !== undefined && (await hash.digest()) !== sha256))
    throw new ChecksumError("The download is not the file that was made");
  return undefined;
}

const numberOf = (header: string | null): number | undefined => (header === null ? undefined : Number(header));

/** All parts. */
export async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array[] = [];
  for await (const part of streamParts(stream)) parts.push(part);
  return parts as Uint8Array<ArrayBuffer>[];
}

/** Writes beside `path` and moves it there when it is whole, so that `path` never holds half a file. Not in browsers. */
export async function writeFile(stream: ReadableStream<Uint8Array>, path: string): Promise<void> {
  const { open, rename, rm } = await importNode<typeof import("node:fs/promises")>("node:fs/promises").catch(() => {
    throw new TonwerkError("There are no paths here: use blob(), arrayBuffer() or stream()");
  });
  const unfinished = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  const file = await open(unfinished, "wx");
  try {
    for await (const part of streamParts(stream)) await file.writeFile(part);
    await file.close();
    await rename(unfinished, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Bundlers for browsers leave an import alone whose name is a variable. */
export async function importNode<Module>(name: string): Promise<Module> {
  return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as Module;
}

async function* partsOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body !== null) yield* streamParts(response.body);
}

/** Safari has no asynchronous iteration of streams. */
async function* streamParts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let is_done = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      is_done = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!is_done) await reader.cancel().catch(() => undefined);
  }
}

interface Sha256 {
  update(part: Uint8Array): void;
  /** Lower-case hexadecimal. */
  digest(): Promise<string>;
}

/** By the runtime's own hash where it streams; browsers have one that wants all bytes at once. */
async function startSha256(): Promise<Sha256> {
  try {
    const { createHash } = await importNode<typeof import("node:crypto")>("node:crypto");
    const hash = createHash("sha256");
    return { update: (part) => void hash.update(part), digest: async () => hash.digest("hex") };
  } catch {
    const parts: Uint8Array[] = [];
    return {
      update: (part) => void parts.push(part),
      async digest() {
        const bytes = await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer();
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
        return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
      },
    };
  }
}
