/**
 * The bucket on an S3 server: object `a/b.flac` is the key of that name. It is put on the condition that there is none,
 * whole or as the completion of a multipart upload, so that it is there completely or not at all and written once; each
 * part is checked by its SHA-256. Every request has a deadline. Where server, network or credentials are at fault, a
 * verb rejects with StoreUnavailable; where the key is none, with a RangeError.
 */
import { unlink } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type Bucket, contentTypeOf, OBJECT_KEY, type StoredObject } from "../../ports/mod.ts";
import { CALL_MS, createS3Client, isAbsentAt, isBadRange, unavailable } from "./client.ts";
import { applyLifecycle } from "./lifecycle.ts";
import type { S3Options } from "./options.ts";
import { resumingStream } from "./read.ts";
import { KeyTaken, taken, uploadOnce } from "./upload.ts";

export interface S3Bucket extends Bucket {
  /**
   * Has the server itself delete what is forgotten: results some days after their retention, uploads that were begun
   * and not finished after one. Rules of others stay. Resolves to the reason where the server or its owner does not
   * allow it, to null where it is done.
   */
  retain(days: number): Promise<string | null>;
}

/** Keys of one DeleteObjects. */
const DELETE_MAX = 1_000;
const START_MS = 20_000;
/** The longest that S3 signs for: 7 days. */
const SIGNED_SECONDS_MAX = 604_800;

/**
 * Makes the bucket where it is missing and that is allowed. Rejects with a message for the operator where it cannot be
 * used.
 */
export async function openS3Bucket(options: S3Options): Promise<S3Bucket> {
  const client = createS3Client(options);
  const { bucket } = options;
  const signing = createS3Client({ ...options, endpoint: options.public_endpoint ?? options.endpoint });
  const soon = () => ({ abortSignal: AbortSignal.timeout(CALL_MS) });
  // At the start nobody waits for an answer, and a busy machine starts much at once.
  const patiently = () => ({ abortSignal: AbortSignal.timeout(START_MS) });

  try {
    await makeBucket();
  } catch (error) {
    client.destroy();
    signing.destroy();
    const where = options.endpoint ?? `Amazon S3, ${options.region}`;
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new Error(`Cannot use the bucket "${bucket}" at ${where}: ${why}`, { cause: error });
  }

  async function makeBucket(): Promise<void> {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }), patiently());
    } catch (error) {
      if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== 404) throw error;
      try {
        await client.send(new CreateBucketCommand({ Bucket: bucket }), patiently());
      } catch (refused) {
        // Another node was faster.
        if (!["BucketAlreadyOwnedByYou", "BucketAlreadyExists"].includes((refused as Error).name)) throw refused;
      }
    }
  }

  async function statObject(key: string): Promise<StoredObject | undefined> {
    try {
      const found = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: checked(key) }), soon());
      return { key, bytes: found.ContentLength ?? 0, modified_at: wholeSecond(found.LastModified) };
    } catch (error) {
      if (isAbsentAt(error, key)) return undefined;
      throw error;
    }
  }

  /** Until the answer begins there is one deadline; for what follows the reader counts. */
  async function getObject(key: string, Range: string | undefined, IfMatch?: string) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), CALL_MS);
    try {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ...(Range === undefined ? {} : { Range }),
        ...(IfMatch === undefined ? {} : { IfMatch }),
      });
      return await client.send(command, { abortSignal: late.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  async function openObject(key: string, range?: { readonly start: number; readonly end: number }) {
    const bad = (size: unknown) =>
      new RangeError(`Cannot open bytes ${range?.start} to ${range?.end} of "${key}": it has ${size}`);
    if (range !== undefined && !isRange(range)) throw bad("none such");
    try {
      const found = await getObject(key, range && `bytes=${range.start}-${range.end}`);
      const body = found.Body as Readable;
      const bytes = found.ContentLength ?? 0;
      if (range !== undefined && bytes !== range.end - range.start + 1) {
        body.destroy();
        throw bad(found.ContentRange?.split("/")[1] ?? bytes);
      }
      const start = range?.start ?? 0;
      const end = start + bytes - 1;
      const reopen = async (from: number) =>
        (await getObject(key, `bytes=${from}-${end}`, found.ETag)).Body as Readable;
      return { bytes, stream: resumingStream(key, body, start, end, reopen) };
    } catch (error) {
      if (isAbsentAt(error, key)) return undefined;
      throw isBadRange(error) ? bad("fewer") : error;
    }
  }

  async function* listObjects(prefix: string): AsyncGenerator<StoredObject, void, undefined> {
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(token && { ContinuationToken: token }) }),
        soon(),
      );
      for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
        if (OBJECT_KEY.test(Key)) yield { key: Key, bytes: Size, modified_at: wholeSecond(LastModified) };
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async function deleteObjects(keys: readonly string[]): Promise<void> {
    for (let first = 0; first < keys.length; first += DELETE_MAX) {
      const Objects = [...new Set(keys.slice(first, first + DELETE_MAX))].map((Key) => ({ Key }));
      const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
      const { Errors = [] } = await client.send(command, soon());
      const failed = Errors.find(({ Code = "" }) => !NOTHING_THERE.includes(Code));
      if (failed === undefined) continue;
      const said = Object.assign(new Error(failed.Message ?? ""), { name: failed.Code ?? "Error", $metadata: {} });
      throw said;
    }
  }

  return {
    async put(key, content, content_type) {
      try {
        // Before 50 MB are sent in vain; what counts is that the server refuses.
        if ((await statObject(key)) !== undefined) throw taken(key);
        return await uploadOnce({ client, bucket, key, content_type }, content);
      } catch (error) {
        // Nobody will read it any more. One that has failed by itself rejects again, with what is thrown here already.
        if (content instanceof ReadableStream && !content.locked) await content.cancel(error).catch(() => undefined);
        throw error instanceof KeyTaken ? error : unavailable(error, `put "${key}"`);
      } finally {
        if ("path" in content) await unlink(content.path).catch(() => undefined);
      }
    },
    open: (key, range) => guarded(`open "${key}"`, () => openObject(checked(key), range)),
    stat: (key) => guarded(`look at "${key}"`, () => statObject(key)),
    delete: (keys) => guarded("delete objects", () => deleteObjects(keys.map(checked))),
    async *list(prefix) {
      const slash = prefix.lastIndexOf("/");
      const [folder, beginning] = [prefix.slice(0, Math.max(0, slash)), prefix.slice(slash + 1)];
      // No key begins like that.
      if ((slash !== -1 && !OBJECT_KEY.test(folder)) || !/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*)?$/.test(beginning)) return;
      try {
        yield* listObjects(prefix);
      } catch (error) {
        throw unavailable(error, "list objects");
      }
    },
    path(key) {
      checked(key);
      return undefined;
    },
    async address(key, seconds, disposition) {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: checked(key),
        ResponseContentType: contentTypeOf(key),
        ResponseContentDisposition: disposition,
        ResponseCacheControl: "private, no-store",
      });
      return getSignedUrl(signing, command, { expiresIn: Math.min(seconds, SIGNED_SECONDS_MAX) });
    },
    sweep: (before) =>
      guarded("end unfinished uploads", async () => {
        let ended = 0;
        let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
        while (marker !== undefined) {
          const command = new ListMultipartUploadsCommand({ Bucket: bucket, ...marker });
          const page: ListMultipartUploadsCommandOutput = await client.send(command, soon());
          for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
            if (Key === undefined || UploadId === undefined || (Initiated?.getTime() ?? before) >= before) continue;
            await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), soon());
            ended++;
          }
          const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
          marker =
            IsTruncated === true && NextKeyMarker !== undefined
              ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker && { UploadIdMarker: NextUploadIdMarker }) }
              : undefined;
        }
        return ended;
      }),
    retain: (days) => applyLifecycle(client, bucket, days),
    async close() {
      client.destroy();
      signing.destroy();
    },
  };
}

/** What servers on file systems say of a key that is no object: missing, a folder, or below an object. */
const NOTHING_THERE = ["NoSuchKey", "NotFound", "ObjectParentIsFile", "DirectoryNotEmpty", "KeyTooLongError"];

/** Everything that names an object passes here first. */
function checked(key: string): string {
  if (!OBJECT_KEY.test(key)) throw new RangeError(`"${key}" is not an object key`);
  return key;
}

function isRange({ start, end }: { readonly start: number; readonly end: number }): boolean {
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end;
}

/** A listing tells the time to the millisecond, a look at one object to the second. */
function wholeSecond(time: Date | undefined): number {
  return Math.floor((time?.getTime() ?? 0) / 1000) * 1000;
}

async function guarded<Result>(what: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw unavailable(error, what);
  }
}
