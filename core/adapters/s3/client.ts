/** The S3 client with its deadlines, and what its errors mean here. */
import { S3Client } from "@aws-sdk/client-s3";
import { StoreUnavailable } from "../../ports/mod.ts";

import type { S3Options } from "./options.ts";

/** Of a request that carries no audio, its repetitions included, and between two chunks of an answer. */
export const CALL_MS = 5_000;
export const IDLE_MS = 5_000;
/** Of one that carries `bytes`: at 4 Mbit/s it is in time. */
export const sendMs = (bytes: number): number => CALL_MS + bytes / 500;
/** Tries of one request, the first included, with growing pauses: 5xx, time-outs and broken connections. */
const ATTEMPTS_MAX = 4;

export function createS3Client({ bucket: _, endpoint, region, credentials, path_style }: S3Options): S3Client {
  return new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    forcePathStyle: path_style,
    ...(credentials === null
      ? {}
      : {
          credentials: {
            accessKeyId: credentials.access_key_id,
            secretAccessKey: credentials.secret_access_key,
          },
        }),
    maxAttempts: ATTEMPTS_MAX,
    // Checksums are ours: of the bytes as they were read, sent with each part. The client's own would go in trailers
    // that not every server reads.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // `requestTimeout`: until the answer begins.
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
}

interface S3Error {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const statusOf = (error: unknown): number | undefined => (error as S3Error).$metadata?.httpStatusCode;
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

/** No such object. */
export const isAbsent = (error: unknown): boolean => statusOf(error) === 404 && nameOf(error) !== "NoSuchBucket";

/** As `isAbsent`, and for a key that no server on a file system could store: those say 400 and no more. */
export const isAbsentAt = (error: unknown, key: string): boolean =>
  isAbsent(error) || (statusOf(error) === 400 && key.split("/").some(({ length }) => length > 255));

/** There is an object, or one was put or deleted there meanwhile. */
export const isTaken = (error: unknown): boolean =>
  statusOf(error) === 412 || statusOf(error) === 409 || isParentFile(error);

/** Servers on file systems: part of the key is an object, or the key is a folder. */
export const isParentFile = (error: unknown): boolean =>
  nameOf(error) === "ObjectParentIsFile" || nameOf(error) === "ExistingObjectIsDirectory";

export const isBadRange = (error: unknown): boolean => statusOf(error) === 416;

/** The server has no such feature. */
export const isUnknownFeature = (error: unknown): boolean =>
  statusOf(error) === 501 || nameOf(error) === "NotImplemented" || nameOf(error) === "MethodNotAllowed";

/**
 * The error as it is, or a StoreUnavailable where server, network or credentials are at fault: then the caller may try
 * again, and no work is lost to a mistake that somebody puts right.
 */
export function unavailable(error: unknown, what: string): unknown {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return error;
  const { $metadata, code, name, message } = error as S3Error;
  const status = $metadata?.httpStatusCode;
  const is_ours =
    $metadata === undefined &&
    // An answer that the client could not read.
    !("$response" in error) &&
    typeof code !== "string" &&
    name !== "TimeoutError" &&
    name !== "AbortError";
  if (
    is_ours ||
    (status !== undefined && status < 500 && ![401, 403, 408, 429].includes(status) && name !== "NoSuchBucket")
  ) {
    return error;
  }
  return new StoreUnavailable(`Cannot ${what}: ${name === "Error" ? "" : `${name}: `}${message}`, { cause: error });
}
