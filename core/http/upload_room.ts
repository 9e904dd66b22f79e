/** Whether there is room for an upload: on the disk, where jobs come first, and among what its account may keep. */
import { statfs } from "node:fs/promises";
import type { Principal } from "../accounts/accounts.ts";
import type { Config } from "../base/config.ts";
import { type Refusal, refuse } from "../base/errors.ts";
import { FILE_MS } from "../operations/submit.ts";
import type { Clock, FilesStore } from "../ports/mod.ts";

export interface RoomServices {
  readonly config: Pick<Config, "upload_bytes" | "free_bytes_min">;
  readonly store: Pick<FilesStore, "keptUploads">;
  readonly clock: Pick<Clock, "now">;
  /** Folder for uploads in flight. */
  readonly folder: string;
}

/** Refuses with 507 where the disk of the uploads in flight has less free than `TONWERK_FREE_BYTES_MIN`. */
export async function refuseFullDisk({ config, folder }: RoomServices): Promise<void> {
  if (config.free_bytes_min === 0) return;
  const disk = await statfs(folder).catch(() => undefined);
  if (disk !== undefined && disk.bavail * disk.bsize < config.free_bytes_min) throw refuse.noRoom();
}

/** Most bytes that the account's uploads may have together; undefined: any number. */
export function bytesMaxOf({ config }: Pick<RoomServices, "config">, account: Principal): number | undefined {
  return (account.upload_bytes ?? config.upload_bytes) || undefined;
}

/** Refuses with 429 what could not be kept, before it is read. Two at once may pass; the store then takes one of them. */
export async function refuseFullAccount(services: RoomServices, account: Principal, bytes: number): Promise<void> {
  const bytes_max = bytesMaxOf(services, account);
  if (bytes_max === undefined) return;
  const { bytes: kept } = await services.store.keptUploads(account.id);
  if (kept >= bytes_max || kept + bytes > bytes_max) throw await quotaSpent(services, account, bytes_max);
}

export async function quotaSpent(
  { store, clock }: RoomServices,
  { id }: Principal,
  bytes_max: number,
): Promise<Refusal> {
  const { next_expiry } = await store.keptUploads(id);
  return refuse.tooManyRequests(
    ((next_expiry ?? clock.now() + FILE_MS) - clock.now()) / 1000,
    `The account's uploads may have ${bytes_max.toLocaleString("en")} bytes together; each is deleted 24 hours after its last use`,
  );
}
