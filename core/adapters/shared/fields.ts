/** Fields of the records that stores keep as they are: the columns of both are named like them. */

import { testAccountOf } from "../../base/ids.ts";
import type { SigningSecret, UsageDay, UsagePart } from "../../ports/accounts.ts";
import {
  type Account,
  type AccountSettings,
  type ApiKey,
  DEFAULT_SETTINGS,
  type KeyRights,
  type LedgerEntry,
  type NewAccount,
} from "../../ports/accounts.ts";
import type { AuditEntry } from "../../ports/audit.ts";
import type { Endpoint } from "../../ports/endpoints.ts";
import type { StoredFile } from "../../ports/files.ts";
import type { RunningJob } from "../../ports/jobs.ts";
import type { KeyedCall } from "../../ports/keys.ts";
import type { LeakReport, OpenInvitation, Operator, Session, SignInLink, User } from "../../ports/people.ts";
import type { Webhook, WebhookAttempt } from "../../ports/webhooks.ts";

export type Fields<Row> = readonly (keyof Row & string)[];

const named = <Row>(names: string): Fields<Row> => names.split(" ") as (keyof Row & string)[];

export const SETTING_FIELDS = Object.keys(DEFAULT_SETTINGS) as readonly (keyof AccountSettings)[];

/** What an account is made with. */
export const NEW_ACCOUNT_FIELDS = ["id", "name", "credits", "created_at", ...SETTING_FIELDS] as const;

export const FIELDS = {
  account: [...NEW_ACCOUNT_FIELDS, "free_day", "free_ms"] as Fields<Account>,
  key: named<ApiKey>("id account_id label sha256 last_four created_at revoked_at used_at rights"),
  secret: named<SigningSecret>("id account_id label sealed created_at retired_at"),
  line: named<LedgerEntry>("id account_id operation_id kind credits note created_at"),
  day: named<UsageDay>("day debited refunded rebated granted operations"),
  user: named<User>("id account_id email role password created_at disabled_at"),
  session: named<Session>("sha256 user_id created_at expires_at seen_at"),
  link: named<SignInLink>("sha256 account_id user_id created_at expires_at"),
  invitation: named<OpenInvitation>("id account_id email role invited_by created_at sent_at expires_at"),
  leak: named<LeakReport>("id account_id key_id source url created_at revoked closed_at"),
  entry: named<AuditEntry>(
    "position id at account_id actor actor_email address action target details keep_until previous sha256",
  ),
  file: named<StoredFile>("id account_id name object content_type bytes seconds created_at expires_at"),
  endpoint: named<Endpoint>(
    "id account_id url host events description created_at disabled_at disabled_why last_success_at " +
      "last_failure_at last_failure_status last_failure_detail failing_since failures",
  ),
  webhook: named<Webhook>(
    "id operation_id account_id endpoint_id type url host body state created_at first_attempt_at next_attempt_at attempts",
  ),
  call: named<KeyedCall>("account_id idempotency_key fingerprint response expires_at"),
  attempt: named<WebhookAttempt>("webhook_id attempt started_at duration_ms status detail exchange"),
  part: named<UsagePart>("day action key_id operations debited refunded rebated"),
  running: named<RunningJob>("id account_id action worker attempt started_at progress stage"),
  operator: named<Operator>("user_id since"),
} as const;

/** `rights` is JSON. */
export type KeyRow = Omit<ApiKey, "rights"> & { readonly rights: string | null };

export const toKey = (row: KeyRow): ApiKey => ({
  ...row,
  rights: row.rights === null ? null : (JSON.parse(row.rights) as KeyRights),
});

/** `events` is JSON. */
export type EndpointRow = Omit<Endpoint, "events"> & { readonly events: string };

export const toEndpoint = (row: EndpointRow): Endpoint => ({ ...row, events: JSON.parse(row.events) as string[] });

/** The account beside the key's own, which what test keys submit belongs to. */
export const testAccountRow = ({
  account_id,
  created_at,
}: Pick<ApiKey, "account_id" | "created_at">): NewAccount & AccountSettings => ({
  ...DEFAULT_SETTINGS,
  id: testAccountOf(account_id),
  name: "Tests",
  credits: 0,
  created_at,
});
