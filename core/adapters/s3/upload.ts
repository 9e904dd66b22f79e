/**
 * One object into a bucket, once: whole in one request where it is small, else in parts of which no more than two are
 * in memory.
 */
import { hash, randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type { Content } from "../../ports/mod.ts";
import { CALL_MS, isAbsent, isParentFile, isTaken, isUnknownFeature, sendMs } from "./client.ts";

/** S3 takes parts from 5 MiB and 10,000 of them: objects up to 78 GB. */
const PART_BYTES = 8_388_608;

export interface Upload {
  readonly client: S3Client;
  readonly bucket: string;
  readonly key: string;
  readonly content_type: string;
}

/** The object's key is taken. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
}

/**
 * Rejects with KeyTaken, with the content's own error, and with what the client throws. Nothing is left behind then.
 */
export async function uploadOnce(upload: Upload, content: Content): Promise<{ bytes: number }> {
  const parts = partsOf(content);
  try {
    const first = (await parts.next()).value ?? new Uint8Array(0);
    const second = first.length < PART_BYTES ? undefined : (await parts.next()).value;
    // Known again where an answer was lost and the request repeated: who wrote the object that is there?
    const writer = randomUUID();
    if (second === undefined) {
      await putWhole(upload, first, writer);
      return { bytes: first.length };
    }
    return await putParts(upload, [first, second], parts, writer);
  } finally {
    await parts.return(undefined);
  }
}

async function putWhole({ client, bucket, key, content_type }: Upload, bytes: Uint8Array, writer: string) {
  const input = {
    Bucket: bucket,
    Key: key,
    Body: bytes,
    ContentType: content_type,
    ContentLength: bytes.length,
    ChecksumSHA256: sha256(bytes),
    Metadata: { writer },
  };
  await once({ client, bucket, key }, writer, (condition) =>
    client.send(new PutObjectCommand({ ...input, ...condition }), {
      abortSignal: AbortSignal.timeout(sendMs(bytes.length)),
    }),
  );
}

async function putParts(
  { client, bucket, key, content_type }: Upload,
  begun: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
  writer: string,
): Promise<{ bytes: number }> {
  const where = { Bucket: bucket, Key: key };
  const created = await client.send(
    new CreateMultipartUploadCommand({
      ...where,
      ContentType: content_type,
      ChecksumAlgorithm: "SHA256",
      Metadata: { writer },
    }),
    { abortSignal: AbortSignal.timeout(CALL_MS) },
  );
  const UploadId = created.UploadId!;
  try {
    const done: CompletedPart[] = [];
    let bytes = 0;
    const send = async (part: Uint8Array): Promise<void> => {
      const PartNumber = done.length + 1;
      const ChecksumSHA256 = sha256(part);
      const command = new UploadPartCommand({
        ...where,
        UploadId,
        PartNumber,
        Body: part,
        ContentLength: part.length,
        ChecksumSHA256,
      });
      const { ETag } = await client.send(command, { abortSignal: AbortSignal.timeout(sendMs(part.length)) });
      done.push({ PartNumber, ETag, ChecksumSHA256 });
      bytes += part.length;
    };
    for (const part of begun) await send(part);
    for await (const part of rest) await send(part);
    await once({ client, bucket, key }, writer, (condition) =>
      client.send(
        new CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload: { Parts: done }, ...condition }),
        { abortSignal: AbortSignal.timeout(sendMs(bytes)) },
      ),
    );
    return { bytes };
  } catch (error) {
    const abort = new AbortMultipartUploadCommand({ ...where, UploadId });
    // Where that fails, too, the parts are ended with those of killed processes.
    await client.send(abort, { abortSignal: AbortSignal.timeout(CALL_MS) }).catch(() => undefined);
    throw error;
  }
}

/** Sends on the condition that there is no such object yet; where the server knows no conditions, after a look. */
async function once(
  where: Pick<Upload, "client" | "bucket" | "key">,
  writer: string,
  send: (condition: { IfNoneMatch?: "*" }) => Promise<unknown>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await send({ IfNoneMatch: "*" });
      return;
    } catch (error) {
      if (isUnknownFeature(error)) {
        if ((await writerOf(where)) !== undefined) throw taken(where.key);
        await send({});
        return;
      }
      if (!isTaken(error) && !isAbsent(error)) throw error;
      const found = await writerOf(where);
      // An earlier try had come through, and its answer was lost.
      if (found === writer) return;
      if (found !== undefined) throw taken(where.key);
      // Nothing is there: the upload is known no more, or a delete got in between. Servers on file systems say so in
      // odd ways.
      if (isAbsent(error)) throw error;
      if (tries === CONFLICTS_MAX) throw isParentFile(error) ? taken(where.key) : error;
    }
  }
}

/** How often a put is sent again that met a delete in the same place. */
const CONFLICTS_MAX = 10;

/** Undefined: no such object. */
async function writerOf({
  client,
  bucket,
  key,
}: Pick<Upload, "client" | "bucket" | "key">): Promise<string | undefined> {
  try {
    const command = new HeadObjectCommand({ Bucket: bucket, Key: key });
    const { Metadata } = await client.send(command, { abortSignal: AbortSignal.timeout(CALL_MS) });
    return Metadata?.writer ?? "";
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export function taken(key: string): KeyTaken {
  return new KeyTaken(
    `Cannot put "${key}": it exists already, or is the folder of another key, or has one as its folder`,
  );
}

const sha256 = (bytes: Uint8Array): string => hash("sha256", bytes, "base64");

/** The content in pieces of PART_BYTES, the last one shorter; each is a buffer of its own. */
async function* partsOf(content: Content): AsyncGenerator<Uint8Array, undefined, undefined> {
  let part = new Uint8Array(0);
  let filled = 0;
  for await (const chunk of chunksOf(content)) {
    // What streams carry is not checked by anybody else.
    if (!(chunk instanceof Uint8Array)) throw new TypeError("Cannot put a stream of anything but bytes");
    for (let offset = 0; offset < chunk.length; ) {
      if (part.length < PART_BYTES) part = grown(part, filled, Math.min(PART_BYTES, filled + chunk.length - offset));
      const taken = Math.min(PART_BYTES - filled, chunk.length - offset);
      part.set(chunk.subarray(offset, offset + taken), filled);
      filled += taken;
      offset += taken;
      if (filled < PART_BYTES) continue;
      yield part;
      part = new Uint8Array(0);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
  return undefined;
}

/** At least `needed` long; doubled, so that small pieces are not copied over and over. */
function grown(part: Uint8Array<ArrayBuffer>, filled: number, needed: number): Uint8Array<ArrayBuffer> {
  if (part.length >= needed) return part;
  const next = new Uint8Array(Math.min(PART_BYTES, Math.max(needed, 2 * part.length)));
  next.set(part.subarray(0, filled));
  return next;
}

async function* chunksOf(content: Content): AsyncGenerator<Uint8Array, void, undefined> {
  if (content instanceof Uint8Array) {
    yield content;
  } else if (content instanceof ReadableStream) {
    // Leaving the loop early cancels the stream.
    yield* content;
  } else {
    const handle = await open(content.path, "r");
    try {
      for (;;) {
        const chunk = new Uint8Array(FILE_CHUNK_BYTES);
        const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
        if (bytesRead === 0) return;
        yield chunk.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }
}

const FILE_CHUNK_BYTES = 1_048_576;
