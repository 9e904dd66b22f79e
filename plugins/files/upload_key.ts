/** Idempotency keys of uploads: the file that a key has, found by its bytes. */
import {
  canonicalUuid,
  DAY_MS,
  type Facade,
  issue,
  type KeyedCall,
  type Principal,
  Refusal,
  refuse,
} from "../../core/surface.ts";
import { type RenderedFile, readFile } from "./kept.ts";

export interface Uploaded extends RenderedFile {
  /** The key and the bytes are those of an upload that is there already, which this is. */
  readonly replayed: boolean;
}

const KEY_HEADER = ["header", "idempotency-key"] as const;

export function readKey(sent: string): string {
  const key = canonicalUuid(sent);
  if (key !== undefined) return key;
  throw refuse.invalid([issue(KEY_HEADER, "uuid", "Must be a UUID such as 3f2b8c1e-9d4a-4c6b-8e57-0a1b2c3d4e5f")]);
}

export function callOf(
  { clock, config }: Facade,
  account: Principal,
  idempotency_key: string,
  id: string,
  sha256: string,
): KeyedCall {
  return {
    account_id: account.id,
    idempotency_key,
    // No submission's, nor a call's of `operations.*`: those are hashes of 64 digits.
    fingerprint: `files ${sha256}`,
    response: id,
    expires_at: clock.now() + config.retention_days * DAY_MS,
  };
}

/**
 * The upload that the key has, signed anew; undefined where it has none, or had one that is gone. Refuses with 422 the
 * key of anything else.
 */
export async function findReplay(services: Facade, account: Principal, call: KeyedCall): Promise<Uploaded | undefined> {
  const used = await services.store.keyUse(account.id, call.idempotency_key);
  if (used === undefined) return undefined;
  if (used.fingerprint !== call.fingerprint || used.response === null) throw refuse.keyReused(KEY_HEADER);
  try {
    return { ...(await readFile(services, account, used.response)), replayed: true };
  } catch (error) {
    if (error instanceof Refusal && error.code === "file_not_found") return undefined;
    throw error;
  }
}
