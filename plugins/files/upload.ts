/** `PUT /v1/files`: uploads that actions take as sources. */
import { createHash } from "node:crypto";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import {
  countedBody,
  DAY_MS,
  type Facade,
  FILE_MS,
  issue,
  type KeptFile,
  newId,
  type Pace,
  type Principal,
  pause,
  type Refusal,
  refuse,
  type SourceFacts,
  type SourceLimits,
  type TokenTerms,
  type UploadTerms,
} from "../../core/surface.ts";
import { renderFile } from "./kept.ts";
import { noRoom, tokenSpent } from "./refusals.ts";
import type { UploadToken } from "./tokens.ts";
import { callOf, findReplay, readKey, type Uploaded } from "./upload_key.ts";

/** Below the 30 s after which Bun closes a connection on which nothing moves. */
const IDLE_MS = 20_000;
/** A body has time for this pace: 50 MB have 15 min. */
const BYTES_PER_MS_MIN = 50_000_000 / 900_000;
/** Longest upload in seconds if no action takes a source. Nothing can use the file then, but it is still probed. */
const SECONDS_MIN_OF_MAX = 60;

const paceOf = (bytes: number): Pace => ({ idle_ms: IDLE_MS, whole_ms: bytes / BYTES_PER_MS_MIN });

/** What an upload is read from: a request, or a part of one. */
export type UploadBody = Pick<Request, "headers" | "body" | "signal">;

/** What is said of an upload beside its bytes. */
export interface UploadOptions {
  readonly name?: string | undefined;
  /** As it was sent. */
  readonly idempotency_key?: string | undefined;
  /** That it is uploaded with. */
  readonly token?: UploadToken | undefined;
  readonly pace?: Pace;
}

/**
 * Stores the body once it is known to be audio. Refuses with 408, 413 and 422, with 429 past a limit of the account,
 * and with 507 if the disk is full. A refused upload leaves nothing behind.
 */
export async function upload(
  services: Facade,
  account: Principal,
  body: UploadBody,
  options: UploadOptions = {},
): Promise<Uploaded> {
  const { config, limits, free_work } = services;
  if (services.isDraining()) throw refuse.draining();
  free_work.check(account);
  const { token } = options;
  const tooMany = () => refuse.tooMany("too_many_uploads", 1, "Too many uploads at a time");
  // First the token's own, or whoever has one could take all places of the account.
  const leaveToken = token && (await limits.enter(`token:${token.id}`, token.uploads, "upload"));
  if (token !== undefined && leaveToken === undefined) throw tooMany();
  try {
    const leave = await limits.enter(account.id, account.uploads_open ?? config.uploads_open, "upload");
    if (leave === undefined) throw tooMany();
    try {
      return await storeUpload(services, account, body, options);
    } finally {
      leave();
    }
  } finally {
    leaveToken?.();
  }
}

async function storeUpload(
  services: Facade,
  account: Principal,
  body: UploadBody,
  { name, idempotency_key: sent_key, token, pace = paceOf(services.config.source_bytes) }: UploadOptions,
): Promise<Uploaded> {
  const { store, bucket, clock, scratch } = services;
  const key = sent_key === undefined ? undefined : readKey(sent_key);
  const is_known = key !== undefined && (await store.keyUse(account.id, key)) !== undefined;
  const announced = Number(body.headers.get("content-length") ?? 0);
  // A body above the limit of all uploads is refused as such, below; one that is there already needs no room.
  const most = services.config.source_bytes;
  if (!is_known && announced <= most) await refuseFullAccount(services, account, announced);
  const bytes_max = token === undefined || is_known ? (token?.bytes ?? most) : await bytesLeft(services, token);
  await refuseFullDisk(services);
  const id = newId("file_", clock.now());
  const path = join(scratch, id);
  try {
    const hash = key === undefined ? undefined : createHash("sha256");
    const bytes = await writeBody(services, account, body, path, {
      bytes_max: Math.min(bytes_max, most),
      pace,
      onChunk: (chunk) => hash?.update(chunk),
    });
    if (bytes === 0)
      throw refuse.invalid([issue(["body"], "audio_invalid", "The body is empty: send a WAV, MP3 or FLAC file")]);
    const call = key === undefined ? undefined : callOf(services, account, key, id, hash!.digest("hex"));
    const known = is_known && call !== undefined ? await findReplay(services, account, call) : undefined;
    if (known !== undefined) return known;
    const facts = await probeUpload(services, account, path, body.signal);
    const now = clock.now();
    const file: KeptFile = {
      id,
      account_id: account.id,
      name: name ?? null,
      object: `files/${id}.${facts.format}`,
      content_type: facts.content_type,
      bytes,
      seconds: facts.seconds,
      created_at: now,
      expires_at: now + FILE_MS,
      in_use: false,
    };
    await bucket.put(file.object, { path }, facts.content_type);
    const terms: UploadTerms = { bytes_max: bytesMaxOf(services, account), call, token: token && termsOf(token) };
    const made = await store.createFile(file, terms);
    if (made === "created") return { ...renderFile(services, file), replayed: false };
    await bucket.delete([file.object]);
    if (made === "bytes_max") throw await quotaSpent(services, account, terms.bytes_max ?? 0);
    if (made === "token") throw tokenSpent();
    const twin = call && (await findReplay(services, account, call));
    if (twin !== undefined) return twin;
    throw refuse.unavailable("The upload of this key was deleted just now, try again");
  } finally {
    await rm(path, { force: true });
  }
}

// ------------------------------------------------------------------------------------------------ tokens

/** For an upload that began in the token's time, and took however long. */
function termsOf({ id, uploads, bytes, expires_at }: UploadToken): TokenTerms {
  return { id, uploads_max: uploads, bytes_max: bytes, forget_at: expires_at + DAY_MS };
}

/**
 * Refuses with 403 a token with which nothing more may be uploaded, before the body is read. Of two at once, the store
 * may take one.
 */
async function bytesLeft({ store }: Facade, token: UploadToken): Promise<number> {
  const { uploads, bytes } = await store.tokenUse(token.id);
  if (uploads >= token.uploads || bytes >= token.bytes) throw tokenSpent();
  return token.bytes - bytes;
}

// ------------------------------------------------------------------------------------------------ bytes
/** Bytes that go to the disk at once. On ext4 every sync waits for them, also that of each submission. */
const SYNC_STEP = 1 << 20;

/** Writes the body to `path` as it arrives. Resolves to its bytes. */
async function writeBody(
  services: Facade,
  account: Principal,
  body: UploadBody,
  path: string,
  {
    bytes_max,
    pace,
    onChunk,
  }: { readonly bytes_max: number; readonly pace: Pace; readonly onChunk: (chunk: Uint8Array) => void },
): Promise<number> {
  let bytes = 0;
  let synced = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of countedBody(body, bytes_max, pace)) {
      for (let offset = 0; offset < chunk.length; ) offset += (await file.write(chunk, offset)).bytesWritten;
      onChunk(chunk);
      bytes += chunk.length;
      if (bytes - synced < SYNC_STEP) continue;
      await file.datasync();
      const wait_ms = services.limits.uploadDelay(account.id, bytes - synced);
      synced = bytes;
      if (wait_ms > 0) await pause(services.clock, wait_ms, body.signal);
      await refuseFullDisk(services);
    }
  } catch (error) {
    throw (error as { code?: unknown }).code === "ENOSPC" ? noRoom() : error;
  } finally {
    await file.close();
  }
  return bytes;
}

async function probeUpload(
  services: Facade,
  account: Principal,
  path: string,
  signal: AbortSignal,
): Promise<SourceFacts> {
  try {
    return await services.probe(account.id, path, uploadLimits(services, services.config.source_bytes), signal);
  } catch (error) {
    const failure = error as Error & { code?: string };
    if (failure.code === "aborted") throw refuse.bodyBrokenOff();
    const isTimeout = failure.name === "PoolError" && failure.code === "timeout";
    if (failure.name !== "Failure" && !isTimeout) throw error;
    const why = isTimeout ? "Cannot read the body as audio in time" : failure.message;
    throw refuse.invalid([issue(["body"], "audio_invalid", why)]);
  }
}

/**
 * An upload may last as long as the longest source of any registered action. Each action then has bounds of its own.
 */
export function uploadLimits({ actions }: Pick<Facade, "actions">, bytes_max: number): SourceLimits {
  const longest = [...actions.values()].flatMap(({ action }) =>
    Object.values(action.sources).map(({ seconds_max }) => seconds_max),
  );
  return { seconds_min: 1e-6, seconds_max: Math.max(SECONDS_MIN_OF_MAX, ...longest), bytes_max };
}

// ------------------------------------------------------------------------------------------------------------ room

/** Refuses with 507 if the disk of the uploads in flight has less free than `TONWERK_FREE_BYTES_MIN`. */
async function refuseFullDisk({ config, scratch }: Facade): Promise<void> {
  if (config.free_bytes_min === 0) return;
  const disk = await statfs(scratch).catch(() => undefined);
  if (disk !== undefined && disk.bavail * disk.bsize < config.free_bytes_min) throw noRoom();
}

/** Most bytes that the account's uploads may have together; undefined: any number. */
function bytesMaxOf({ config }: Facade, account: Principal): number | undefined {
  return (account.upload_bytes ?? config.upload_bytes) || undefined;
}

/** Refuses with 429 what could not be kept, before it is read. Of two at once, the store may take one. */
async function refuseFullAccount(services: Facade, account: Principal, bytes: number): Promise<void> {
  const bytes_max = bytesMaxOf(services, account);
  if (bytes_max === undefined) return;
  const { bytes: kept } = await services.store.keptUploads(account.id);
  if (kept >= bytes_max || kept + bytes > bytes_max) throw await quotaSpent(services, account, bytes_max);
}

async function quotaSpent({ store, clock }: Facade, { id }: Principal, bytes_max: number): Promise<Refusal> {
  const { next_expiry } = await store.keptUploads(id);
  return refuse.tooMany(
    "upload_quota_reached",
    ((next_expiry ?? clock.now() + FILE_MS) - clock.now()) / 1000,
    `The account's uploads may have ${bytes_max.toLocaleString("en")} bytes together; each is deleted 24 hours after its last use`,
  );
}
