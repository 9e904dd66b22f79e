/**
 * Client audio named in a request. A URL that this service signed is bound to its object when the operation is submitted and read from the
 * bucket; anything else is fetched by the worker, through the guarded way out once there is one.
 */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Failure, refuse } from "./errors.ts";
import type { AnyAction } from "./plugin.ts";
import type { Bucket, SourceBinding } from "./ports.ts";
import type { UrlSigner } from "./urls.ts";
import { issue } from "./validator.ts";

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

/**
 * Brings a source onto this machine as a file: its path in the bucket where that is a file already, else a copy in `folder`.
 * Fails with `source_*`.
 */
export async function fetchSource(
  { name, object, url }: SourceBinding,
  bucket: Bucket,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  if (object === null) {
    const { host } = new URL(url);
    throw new Failure(
      "source_unreachable",
      `Cannot fetch from "${host}": upload the audio with PUT /v1/files instead`,
      name,
    );
  }
  const gone = () => new Failure("source_unreachable", "The stored audio is no longer there: upload it again", name);
  if ((await bucket.stat(object)) === undefined) throw gone();
  const local = bucket.path(object);
  if (local !== undefined) return local;
  const opened = await bucket.open(object);
  if (opened === undefined) throw gone();
  const path = join(folder, `source-${name}`);
  await pipeline(Readable.fromWeb(opened.stream as never), createWriteStream(path), { signal });
  return path;
}
