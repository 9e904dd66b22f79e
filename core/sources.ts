/**
 * Client audio named in a request. A URL that this service signed is bound to its object when the operation is submitted and read from the
 * bucket; anything else is fetched by the worker, through the one way out.
 */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Failure, type FailureCode, refuse } from "./errors.ts";
import { type Outbound, OutboundError, type OutboundFault } from "./outbound.ts";
import type { AnyAction, Issue, Limits } from "./plugin.ts";
import { type Bucket, type SourceBinding, StoreUnavailable } from "./ports.ts";
import type { Submittable } from "./schema.ts";
import type { UrlSigner } from "./urls.ts";
import { issue } from "./validator.ts";
import { checkReach, type PrivateHosts } from "./web_address.ts";

/**
 * Refuses with 422 the URLs of a request that are not HTTPS, and a callback to a private literal. `allowed` hosts pass, and a source of our
 * own whatever its scheme. A source at a private literal is accepted and ends the operation, as one does whose name leads there.
 */
export function refuseUrls(
  action: AnyAction,
  { callback_url, fields }: Submittable,
  signer: UrlSigner,
  allowed: PrivateHosts,
): void {
  const issues: Issue[] = [];
  for (const name of Object.keys(action.sources)) {
    const source = fields[name] as { url: string } | undefined;
    if (source === undefined || signer.recognise(source.url) !== undefined) continue;
    const problem = checkReach(source.url, allowed);
    if (problem?.type === "url_scheme") issues.push(issue(["body", name, "url"], problem.type, problem.msg));
  }
  const problem = callback_url === null ? undefined : checkReach(callback_url, allowed);
  if (problem !== undefined) issues.push(issue(["body", "callback_url"], problem.type, problem.msg));
  if (issues.length > 0) throw refuse.invalid(issues);
}

/** Binds every source of a validated request. */
export function bindSources(
  action: AnyAction,
  fields: Readonly<Record<string, unknown>>,
  signer: UrlSigner,
): readonly SourceBinding[] {
  const bound: SourceBinding[] = [];
  for (const name of Object.keys(action.sources)) {
    const source = fields[name] as { url: string } | undefined;
    if (source === undefined) continue;
    const own = signer.recognise(source.url);
    bound.push({ name, object: own?.ok === true ? own.key : null, url: source.url });
  }
  return bound;
}

/** Refuses with `same_source` when the two sources that must differ name one URL or one stored file. */
export function refuseSameSource(action: AnyAction, sources: readonly SourceBinding[]): void {
  if (action.distinct_sources === undefined) return;
  const [one, other] = action.distinct_sources.map((name) => sources.find((source) => source.name === String(name)));
  if (one === undefined || other === undefined || identity(one) !== identity(other)) return;
  const found = issue(
    ["body", other.name, "url"],
    "same_source",
    `'${one.name}' and '${other.name}' must be different audio`,
  );
  throw refuse.invalid([found], "same_source");
}

/** Equal for sources that are certainly the same: one stored object, or one URL after normalising. */
function identity({ object, url }: SourceBinding): string {
  if (object !== null) return object;
  const normal = new URL(url);
  normal.hash = "";
  return normal.href;
}

export interface SourceServices {
  readonly bucket: Bucket;
  readonly outbound: Outbound;
  readonly signer: UrlSigner;
}

/**
 * Brings a source onto this machine as a file: its path in the bucket where that is a file already, else a copy in `folder`, of at most
 * `limits.bytes_max` where it is fetched. Fails with `source_*`; rejects with anything else when `signal` aborts.
 */
export async function fetchSource(
  { name, object, url }: SourceBinding,
  limits: Limits,
  { bucket, outbound, signer }: SourceServices,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, `source-${name}`);
  if (object === null) {
    if (signer.recognise(url) !== undefined) {
      const why = "This service signed no such URL, or it has expired: GET a fresh one";
      throw new Failure("source_unreachable", why, name);
    }
    await download(name, url, path, limits, outbound, signal);
    return path;
  }
  const gone = () => new Failure("source_unreachable", "The stored audio is no longer there: upload it again", name);
  if ((await bucket.stat(object)) === undefined) throw gone();
  const local = bucket.path(object);
  if (local !== undefined) return local;
  const opened = await bucket.open(object);
  if (opened === undefined) throw gone();
  try {
    await pipeline(Readable.fromWeb(opened.stream as never), createWriteStream(path), { signal });
  } catch (error) {
    if (signal.aborted || error instanceof StoreUnavailable) throw error;
    // Broken off on the way, which says nothing of the audio: the caller may try again.
    throw new StoreUnavailable(`Cannot read "${object}": ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
  return path;
}

async function download(
  name: string,
  url: string,
  path: string,
  { bytes_max }: Limits,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<void> {
  try {
    await outbound.download(url, path, { bytes_max, signal });
  } catch (error) {
    if (!(error instanceof OutboundError) || error.code === "aborted") throw error;
    throw new Failure(CODES[error.code], `Cannot fetch from "${new URL(url).host}": ${error.message}`, name);
  }
}

const CODES: Readonly<Record<Exclude<OutboundFault, "aborted">, FailureCode>> = {
  forbidden_address: "source_forbidden_address",
  unreachable: "source_unreachable",
  timeout: "source_timeout",
  too_large: "source_too_large",
  bad_response: "source_unreachable",
};
