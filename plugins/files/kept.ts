/** Uploads that are there: read, listed, deleted. */
import { type Facade, FILE_MS, isoTime, type KeptFile, liveAccountOf, type Principal } from "../../core/surface.ts";
import { fileNotFound } from "./refusals.ts";
import { FILE_ID } from "./schemas.ts";

export interface RenderedFile {
  readonly file: {
    readonly id: string;
    readonly name: string | null;
    readonly url: string;
    /** Of the URL. */
    readonly expires_at: string;
    /** Seconds. */
    readonly duration: number;
    readonly bytes: number;
    readonly content_type: string;
    readonly created_at: string;
    /** When it is deleted unless it is used. */
    readonly kept_until: string;
    readonly in_use: boolean;
  };
}

/** Signs an upload again, which counts as a use. Refuses unknown, foreign, deleted and expired ones with 404. */
export async function readFile(services: Facade, account: Principal, id: string): Promise<RenderedFile> {
  const { store, clock } = services;
  const now = clock.now();
  const file = await store.file(id);
  if (file === undefined || file.account_id !== account.id || file.expires_at <= now) throw fileNotFound();
  const expires_at = now + FILE_MS;
  if (!(await store.touchFile(id, expires_at))) throw fileNotFound();
  return renderFile(services, { ...file, expires_at });
}

/** The account's own, newest first; to be listed is no use. */
export async function listFiles(
  services: Facade,
  account: Principal,
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
): Promise<{ readonly files: readonly RenderedFile["file"][]; readonly next_cursor: string | null }> {
  const { store, clock } = services;
  // One more than the page holds, which shows whether there is a next page.
  const page = { ...(cursor === undefined ? {} : { before: cursor }), limit: limit + 1, now: clock.now() };
  const found = await store.files(account.id, page);
  const shown = found.slice(0, limit);
  return {
    files: shown.map((file) => renderFile(services, file).file),
    next_cursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/**
 * Of what is gone already, and of what never was, the answer is the same; 404 where it is no id. Rows first: a crash in
 * between leaves orphans, which are swept.
 */
export async function deleteFile(
  { store, audit, deleteObjects }: Facade,
  account: Principal,
  id: string,
  address: string | null,
): Promise<{ readonly file: { readonly id: string; readonly deleted: true; readonly in_use: boolean } }> {
  if (!FILE_ID.test(id)) throw fileNotFound();
  const { objects, in_use } = await store.deleteFile(account.id, id);
  await deleteObjects(objects);
  if (objects.length > 0 || in_use) {
    const actor = { id: account.key?.id ?? "service", email: null, address };
    await audit.write(audit.entry(actor, "file.deleted", { account_id: liveAccountOf(account.id), target: id }));
  }
  return { file: { id, deleted: true, in_use } };
}

export function renderFile({ sign }: Facade, file: KeptFile): RenderedFile {
  const { id, name, object, created_at, seconds, bytes, content_type, in_use } = file;
  const { url, expires_at } = sign(object, created_at);
  const times = { created_at: isoTime(created_at), kept_until: isoTime(file.expires_at) };
  return {
    file: { id, name, url, expires_at: isoTime(expires_at), duration: seconds, bytes, content_type, ...times, in_use },
  };
}
