/**
 * Brings sources onto this machine: what is bound from the bucket; anything else through the one way out, or, where it
 * is another account's object and its URL still works, from the bucket as whoever holds that URL could.
 */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Limits } from "../../contract/mod.ts";
import type { FailureCode } from "../base/error_codes.ts";
import { Failure } from "../base/errors.ts";
import { messageOf } from "../base/log.ts";
import type { UrlSigner } from "../operations/urls.ts";
import {
  type Bucket,
  type Outbound,
  OutboundError,
  type OutboundFault,
  type SourceBinding,
  StoreUnavailable,
} from "../ports/mod.ts";

export interface SourceServices {
  readonly bucket: Bucket;
  readonly outbound: Outbound;
  readonly signer: UrlSigner;
}

/**
 * Brings a source onto this machine as a file: its path in the bucket where that is a file already, else a copy in
 * `folder`, of at most `limits.bytes_max` where it is fetched, for the account. Fails with `source_*`; rejects with
 * anything else when `signal` aborts.
 */
export async function fetchSource(
  { name, object, url }: SourceBinding,
  limits: Limits,
  { bucket, outbound, signer }: SourceServices,
  folder: string,
  account_id: string,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, `source-${name}`);
  const fail = (code: FailureCode, why: string) => new Failure(code, why, name);
  const lent = object === null ? signer.recognise(url) : undefined;
  if (lent?.ok === false)
    throw fail("source_unreachable", "This service signed no such URL, or it has expired: GET a fresh one");
  const key = object ?? lent?.key;
  if (key === undefined) {
    try {
      await outbound.download(url, path, { account_id, bytes_max: limits.bytes_max, signal });
      return path;
    } catch (error) {
      if (!(error instanceof OutboundError) || error.code === "aborted") throw error;
      throw fail(CODES[error.code], `Cannot fetch from "${new URL(url).host}": ${error.message}`);
    }
  }
  const gone = () => fail("source_unreachable", "The stored audio is no longer there: upload it again");
  const stored = await bucket.stat(key);
  if (stored === undefined) throw gone();
  if (lent !== undefined && stored.bytes > limits.bytes_max) {
    const bytes_max = limits.bytes_max.toLocaleString("en");
    throw fail("source_too_large", `Cannot fetch it: it has more than ${bytes_max} bytes`);
  }
  // What is bound stays while the operation runs; what is lent may go at any time, so it is copied.
  const local = lent === undefined ? bucket.path(key) : undefined;
  if (local !== undefined) return local;
  if ((await copyObject(bucket, key, path, signal)) === undefined) throw gone();
  return path;
}

/** Copies an object to `path` and resolves to it; to undefined where there is none. */
export async function copyObject(
  bucket: Bucket,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const opened = await bucket.open(key);
  if (opened === undefined) return undefined;
  try {
    await pipeline(Readable.fromWeb(opened.stream as never), createWriteStream(path), { signal });
  } catch (error) {
    if (signal.aborted || error instanceof StoreUnavailable) throw error;
    // Broken off on the way, which says nothing of the audio: the caller may try again.
    throw new StoreUnavailable(`Cannot read "${key}": ${messageOf(error)}`, {
      cause: error,
    });
  }
  return path;
}

const CODES: Readonly<Record<Exclude<OutboundFault, "aborted">, FailureCode>> = {
  forbidden_address: "source_forbidden_address",
  unreachable: "source_unreachable",
  timeout: "source_timeout",
  too_large: "source_too_large",
  bad_response: "source_unreachable",
};
