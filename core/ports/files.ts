/** Uploads, and which keys of the bucket somebody names. */
import { DAY_MS } from "../base/basics.ts";
import type { KeyedCall } from "./keys.ts";

/** Uploads live this long after their last use. */
export const FILE_MS = DAY_MS;

/** Uploads and objects. */
export interface FilesStore {
  /** All or nothing; where it is not `created`, it says why. */
  createFile(file: StoredFile, terms?: UploadTerms): Promise<"created" | keyof UploadTerms>;
  /** Bytes of the account's uploads, and when the first of them expires unless it is used; null: it has none. */
  keptUploads(account_id: string): Promise<{ readonly bytes: number; readonly next_expiry: number | null }>;
  file(id: string): Promise<KeptFile | undefined>;
  /** The account's own whose time is not over, newest first; `before` is a file's id. */
  files(account_id: string, page: { before?: string; limit: number; now: number }): Promise<readonly KeptFile[]>;
  /**
   * Forgets a file of the account and resolves to the bucket keys that nothing names any more. One that an operation in
   * progress uses is gone for everybody else, and forgotten by `expire` when that has ended. An unknown one is no
   * error.
   */
  deleteFile(
    account_id: string,
    id: string,
  ): Promise<{ readonly objects: readonly string[]; readonly in_use: boolean }>;
  /** What was uploaded with this token. */
  tokenUse(id: string): Promise<{ readonly uploads: number; readonly bytes: number }>;
  /** Raises `expires_at` to at least `until`; false for an unknown file, and for one that was deleted. */
  touchFile(id: string, until: number): Promise<boolean>;
  /**
   * Forgets up to `limit` operations and files whose time is over (`expires_at` <= now), with keys, webhooks and
   * outputs, and resolves to the bucket keys that nothing names any more. What a `processing` operation uses as a
   * source stays. Sessions, links, invitations and entries of the audit log whose time is over go too.
   */
  expire(now: number, limit: number): Promise<{ readonly objects: readonly string[]; readonly more: boolean }>;
  /** Of these bucket keys, the ones that no operation or file names. */
  unnamed(keys: readonly string[]): Promise<readonly string[]>;
  /** Of these bucket keys, the ones that are the account's: its uploads, and outputs of its operations. */
  owned(account_id: string, keys: readonly string[]): Promise<readonly string[]>;
}

/** What an upload is held to. */
export interface UploadTerms {
  /** The account's uploads may have so many together. */
  readonly bytes_max?: number | undefined;
  /**
   * Binds a key, with the file's id as the response. One that the same request had whose file is gone is bound anew.
   */
  readonly call?: KeyedCall | undefined;
  readonly token?: TokenTerms | undefined;
}

/** How much may be uploaded with a token, in all. */
export interface TokenTerms {
  readonly id: string;
  readonly uploads_max: number;
  readonly bytes_max: number;
  /** When what was uploaded with it need not be known any more. */
  readonly forget_at: number;
}

/** An upload. */
export interface StoredFile {
  readonly id: string;
  readonly account_id: string;
  /** As its owner calls it. */
  readonly name: string | null;
  readonly object: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly created_at: number;
  /** 0: it was deleted, and an operation in progress uses it. */
  readonly expires_at: number;
}

export interface KeptFile extends StoredFile {
  /** By an operation in progress. */
  readonly in_use: boolean;
}
