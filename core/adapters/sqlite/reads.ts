import type { DatabaseSync } from "node:sqlite";
import { accountReads } from "./accounts.ts";
import { auditReads } from "./audit.ts";
import { endpointReads } from "./endpoints.ts";
import type { Unended } from "./fast/unended.ts";
import { fileReads } from "./files.ts";
import { invitationReads } from "./invitations.ts";
import { leakReads } from "./leaks.ts";
import { peopleReads } from "./people.ts";
import { operationReads } from "./snapshots.ts";
import type { Now } from "./sync.ts";
import { webhookReads } from "./webhooks.ts";

/** The store's reading verbs on a connection that only reads. */
export const createReads = (db: DatabaseSync, clock: Now, unended: Unended) => ({
  ...accountReads(db),
  ...auditReads(db),
  ...peopleReads(db),
  ...invitationReads(db),
  ...leakReads(db),
  ...operationReads(db, clock, unended),
  ...fileReads(db),
  ...endpointReads(db),
  ...webhookReads(db, clock),
});
