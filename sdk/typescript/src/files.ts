/** Uploads: from a path, a blob, bytes or a stream. */
import { importNode } from "./download.ts";
import { TonwerkError } from "./errors.ts";
import type { Call, Transport } from "./transport.ts";

/** An upload. It works as a source, and lives 24 hours after its last use. */
export interface UploadedFile {
  readonly id: string;
  readonly url: string;
  readonly expires_at: string;
  /** Seconds. */
  readonly duration: number;
}

/** A path (not in browsers), or the audio itself. */
export type Uploadable = string | URL | Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

export interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for a whole try; 10 minutes. */
  readonly timeoutMs?: number | undefined;
}

const UPLOAD_MS = 600_000;

export class Files {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Uploads WAV, MP3 or FLAC. A stream is read once, so its upload is not tried again. @throws ValidationError `audio_invalid` */
  async upload(audio: Uploadable, { signal, timeoutMs = UPLOAD_MS }: UploadOptions = {}): Promise<UploadedFile> {
    const body = await bodyOf(audio);
    const { file } = await this.#transport.json<{ file: UploadedFile }>({
      method: "PUT",
      path: "/v1/files",
      body,
      signal,
      timeoutMs,
    });
    return file;
  }

  /** The upload with a URL that works. @throws NotFoundError */
  async get(id: string): Promise<UploadedFile> {
    const path = `/v1/files?id=${encodeURIComponent(id)}`;
    return (await this.#transport.json<{ file: UploadedFile }>({ method: "GET", path })).file;
  }
}

async function bodyOf(audio: Uploadable): Promise<NonNullable<Call["body"]>> {
  if (audio instanceof ReadableStream) {
    let stream: ReadableStream<Uint8Array> | undefined = audio;
    return () => {
      const once = stream;
      stream = undefined;
      return once;
    };
  }
  if (typeof audio === "string" || audio instanceof URL) {
    const blob = await openFile(audio);
    return () => blob;
  }
  return () => audio as BodyInit;
}

/** A blob that is read from the disk while it is sent. */
async function openFile(path: string | URL): Promise<Blob> {
  const { readFile, open } = await importNode<typeof import("node:fs/promises")>("node:fs/promises").catch(() => {
    throw new TonwerkError("Paths cannot be read here: upload a Blob, bytes or a stream");
  });
  await (await open(path)).close();
  try {
    const { openAsBlob } = await importNode<typeof import("node:fs")>("node:fs");
    return (await openAsBlob(path)) as Blob;
  } catch {
    // Deno has no such function.
    return new Blob([await readFile(path)]);
  }
}
