/** The parts of a service that know people: accounts, sign-in, leak reports, mail and the operator, wired together. */
import { type AccountAdmin, createAccountAdmin } from "../../../core/accounts/admin.ts";
import { type Audit, OPERATOR, SERVICE } from "../../../core/accounts/audit.ts";
import { reportSealed } from "../../../core/accounts/sealed_secrets.ts";
import type { Config } from "../../../core/base/config.ts";
import type { Log } from "../../../core/base/log.ts";
import type { Secrets } from "../../../core/base/secrets.ts";
import type { Clock, Store, Tallies } from "../../../core/ports/mod.ts";
import type { OperatorServices } from "../../operator/call.ts";
import { startLeakMails } from "../leaks/leak_mails.ts";
import { createLeaks, type Leaks } from "../leaks/leaks.ts";
import { createMailer } from "./mail.ts";
import { createMembers } from "./members.ts";
import { createPasswords } from "./passwords.ts";
import { createSessions, type Sessions } from "./sessions.ts";

export interface PeopleServices {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Audit;
  /** What the nodes count together, where there are several. */
  readonly tallies?: Tallies | undefined;
}

export interface People {
  /** Changes to accounts. */
  readonly admin: AccountAdmin;
  /** Who is signed in to the dashboard. */
  readonly sessions: Sessions;
  readonly leaks: Leaks;
  readonly operator: OperatorServices;
  /** Resolves when what is being mailed is. */
  stop(): Promise<void>;
}

export function startPeople(services: PeopleServices): People {
  const { config, store, secrets, clock, log, audit, tallies } = services;
  const { base_url } = config;
  const mailer = createMailer(config);
  const operator = createOperator(services);
  void reportSealed({ store, secrets, log });
  const mails = startLeakMails({ store, clock, mailer, log, base_url });
  return {
    operator,
    admin: operator.admin.by(SERVICE),
    sessions: createSessions({
      config,
      store,
      clock,
      secrets,
      audit,
      passwords: createPasswords(),
      mailer,
      log,
      tallies,
    }),
    leaks: createLeaks({
      store,
      clock,
      log,
      audit,
      keys: config.leak_keys,
      can_mail: mailer !== undefined,
      wake: mails.wake,
    }),
    stop: mails.stop,
  };
}

/** What the operator's commands run on. */
export function createOperator({ config, store, secrets, clock, log, audit }: PeopleServices): OperatorServices {
  const { base_url } = config;
  const mailer = createMailer(config);
  return {
    store,
    clock,
    log,
    base_url,
    secrets,
    audit,
    admin: createAccountAdmin({ store, secrets, clock, log, base_url, audit }).by(OPERATOR),
    members: createMembers({ store, clock, mailer, log, base_url, audit }),
  };
}
