import type { DatabaseSync } from "node:sqlite";
import { type AuditedVerb, type NewAuditEntry, UNDONE } from "../../ports/mod.ts";
import { auditVerbs } from "./audit.ts";
import { peopleVerbs } from "./people.ts";
import { accountVerbs } from "./verbs_accounts.ts";
import { fileVerbs } from "./verbs_files.ts";
import { jobVerbs } from "./verbs_jobs.ts";
import { operationVerbs } from "./verbs_operations.ts";
import { webhookVerbs } from "./verbs_webhooks.ts";

/**
 * The store's writing verbs as plain functions on one connection, inside a transaction that the caller began (batch.ts).
 * The first argument of each is the store's now. They do what core/ports/mod.ts says of the verb of the same name.
 */
export function createVerbs(db: DatabaseSync) {
  const verbs = {
    ...auditVerbs(db),
    ...accountVerbs(db),
    ...peopleVerbs(db),
    ...operationVerbs(db),
    ...jobVerbs(db),
    ...fileVerbs(db),
    ...webhookVerbs(db),
  };
  return {
    ...verbs,
    audited(now: number, entry: NewAuditEntry, verb: AuditedVerb, args: readonly unknown[]): unknown {
      // The port paired verb and arguments; the border lost that.
      const answer = (verbs[verb] as (now: number, ...args: readonly unknown[]) => unknown)(now, ...args);
      if (did(verb, answer)) verbs.audit(now, entry);
      return answer;
    },
  };
}

function did(verb: AuditedVerb, answer: unknown): boolean {
  if (verb === "reportLeak") return (answer as { readonly revoked?: boolean }).revoked === true;
  return !(UNDONE.has(answer) || (verb === "grant" && answer === undefined));
}

export type Verbs = ReturnType<typeof createVerbs>;
export type Verb = keyof Verbs;

/** What a caller passes: everything but the time. */
export type Arguments<V extends Verb> = Verbs[V] extends (now: number, ...rest: infer Rest) => unknown ? Rest : never;
