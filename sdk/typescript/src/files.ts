/** Uploads: from a path, a blob, bytes or a stream. */
import { importNode } from "./download.ts";
import { TonwerkError } from "./errors.ts";
import type { UploadedFile } from "./generated.ts";
import { writeQuery } from "./routes.ts";
import type { Call, Transport } from "./transport.ts";

/** A path (not in browsers), or the audio itself. */
export type Uploadable = string | URL | Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

export interface UploadOptions {
  /** What lists call it. */
  readonly name?: string | undefined;
  /** A UUID; a new one by default. The same file under the same key is one upload, however often it is sent. */
  readonly idempotencyKey?: string | undefined;
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

  /**
   * Uploads WAV, MP3 or FLAC. The upload works as a source, and lives 24 hours after its last use. A stream is read once, so its upload is
   * not tried again.
   *
   * @throws ValidationError `audio_invalid`
   */
  async upload(
    audio: Uploadable,
    { name, idempotencyKey = crypto.randomUUID(), signal, timeoutMs = UPLOAD_MS }: UploadOptions = {},
  ): Promise<UploadedFile> {
    const body = await bodyOf(audio);
    const { file } = await this.#transport.json<{ file: UploadedFile }>({
      method: "PUT",
      path: `/v1/files${writeQuery({ name })}`,
      headers: { "idempotency-key": idempotencyKey },
      body,
      signal,
      timeoutMs,
      idempotencyKey,
    });
    return file;
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
