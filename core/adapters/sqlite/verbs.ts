import type { DatabaseSync } from "node:sqlite";
import { type AuditedVerb, type NewAuditEntry, UNDONE } from "../../ports/mod.ts";
import { accountVerbs } from "./accounts.ts";
import { auditVerbs } from "./audit.ts";
import { endpointVerbs } from "./endpoints.ts";
import { fileVerbs } from "./files.ts";
import { invitationVerbs } from "./invitations.ts";
import { jobVerbs } from "./jobs.ts";
import { createKeyIndex } from "./key_index.ts";
import { keyVerbs } from "./keys.ts";
import { leakVerbs } from "./leaks.ts";
import { operationVerbs } from "./operations.ts";
import { peopleVerbs } from "./people.ts";
import type { Now } from "./sync.ts";
import { webhookVerbs } from "./webhooks.ts";

/** The store's writing verbs on one connection, inside a transaction that the caller began (batch.ts). */
export function createVerbs(db: DatabaseSync, clock: Now, keys = createKeyIndex(db)) {
  const verbs = {
    ...auditVerbs(db),
    ...accountVerbs(db, clock),
    ...peopleVerbs(db),
    ...invitationVerbs(db),
    ...leakVerbs(db),
    ...operationVerbs(db, keys),
    ...jobVerbs(db, clock),
    ...keyVerbs(db, keys),
    ...fileVerbs(db, keys),
    ...endpointVerbs(db),
    ...webhookVerbs(db, clock, keys),
  };
  return {
    ...verbs,
    audited(entry: NewAuditEntry, verb: AuditedVerb, args: readonly unknown[]): unknown {
      // The port paired verb and arguments; the border lost that.
      const answer = (verbs[verb] as (...args: readonly unknown[]) => unknown)(...args);
      if (!UNDONE.has(answer) && !(verb === "grant" && answer === undefined)) verbs.audit(entry);
      return answer;
    },
  };
}

export type Verbs = ReturnType<typeof createVerbs>;
export type Verb = keyof Verbs;
