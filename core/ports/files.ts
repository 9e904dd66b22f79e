/** Uploads, and which keys of the bucket somebody names. */

/** Uploads and objects. */
export interface FilesStore {
  /** False: with it the account's uploads would have more than `bytes_max` bytes together, and nothing was written. */
  createFile(file: StoredFile, bytes_max?: number): Promise<boolean>;
  /** Bytes of the account's uploads, and when the first of them expires unless it is used; null: it has none. */
  keptUploads(account_id: string): Promise<{ readonly bytes: number; readonly next_expiry: number | null }>;
  file(id: string): Promise<StoredFile | undefined>;
  /** Raises `expires_at` to at least `until`; false for an unknown file. */
  touchFile(id: string, until: number): Promise<boolean>;
  /**
   * Forgets up to `limit` operations and files whose time is over (`expires_at` <= now), with keys, webhooks and outputs, and resolves to the
   * bucket keys that nothing names any more. What a `processing` operation uses as a source stays. Sessions, links, invitations and entries of the
   * audit log whose time is over go too.
   */
  expire(now: number, limit: number): Promise<{ readonly objects: readonly string[]; readonly more: boolean }>;
  /** Of these bucket keys, the ones that no operation or file names. */
  unnamed(keys: readonly string[]): Promise<readonly string[]>;
  /** Of these bucket keys, the ones that are the account's: its uploads, and outputs of its operations. */
  owned(account_id: string, keys: readonly string[]): Promise<readonly string[]>;
}

/** An upload. */
export interface StoredFile {
  readonly id: string;
  readonly account_id: string;
  readonly object: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly created_at: number;
  readonly expires_at: number;
}
