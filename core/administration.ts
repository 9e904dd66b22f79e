/** What accounts are changed with: within a service, and by a command where no server runs. */
import { type Audit, createAudit } from "./accounts/audit.ts";
import type { Config } from "./base/config.ts";
import type { Log } from "./base/log.ts";
import { createSecrets, type Secrets } from "./base/secrets.ts";
import { loadAdapter } from "./load_adapter.ts";
import type {
  AccountsStore,
  AuditStore,
  Clock,
  EndpointsStore,
  FilesStore,
  JobsStore,
  KeysStore,
  LeaksStore,
  OperationsStore,
  PeopleStore,
  WebhooksStore,
} from "./ports/mod.ts";

const loadSecretFile = () => loadAdapter("files", "no TONWERK_SECRET", () => import("./adapters/files/secret_file.ts"));

/** What surfaces and their commands may read of the configuration. */
export type SurfaceConfig = Pick<
  Config,
  | "base_url"
  | "data"
  | "trusted_proxies"
  | "put_per_minute"
  | "get_per_minute"
  | "long_polls"
  | "uploads_open"
  | "source_bytes"
  | "free_bytes_min"
  | "upload_bytes"
  | "leak_keys"
  | "smtp_url"
  | "mail_from"
  | "retention_days"
  | "webhook_endpoints"
  | "audit_days"
  | "role"
  | "workers"
>;

/**
 * Accounts, people, endpoints and uploads are changed here, and deliveries are made due. Operations are only read: the
 * facade has the verbs that change them.
 */
export type SurfaceStore = AccountsStore &
  AuditStore &
  EndpointsStore &
  LeaksStore &
  PeopleStore &
  Pick<FilesStore, "createFile" | "deleteFile" | "file" | "files" | "keptUploads" | "tokenUse" | "touchFile"> &
  Pick<KeysStore, "keyUse"> &
  Pick<JobsStore, "queueStats" | "running"> &
  Pick<OperationsStore, "operation" | "snapshot" | "snapshots" | "search" | "endedAfter" | "onEnded" | "onProgress"> &
  Pick<
    WebhooksStore,
    "announce" | "deliveries" | "resend" | "webhook" | "webhookAttempts" | "webhooks" | "webhooksBehind"
  >;

export interface Administration {
  readonly config: SurfaceConfig;
  readonly store: SurfaceStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly audit: Audit;
}

/** `config.data` is absolute and exists. */
export async function openAdministration(
  config: Config,
  store: SurfaceStore,
  clock: Clock,
  log: Log,
): Promise<Administration> {
  const { data, audit_days: days, secret_previous } = config;
  const secret = config.secret ?? (await (await loadSecretFile()).loadOrCreateSecret(data));
  const secrets = createSecrets({ secret, ...(secret_previous === null ? {} : { previous: secret_previous }) });
  return { config, store, clock, log, secrets, audit: createAudit({ store, clock, log, days }) };
}
