/** Accounts and what they hold, as commands and pages change them: within a service, and for a command where no server runs. */
import { resolve } from "node:path";
import { createFirstAccount, type FirstAccount } from "./accounts/accounts.ts";
import { createAccountAdmin } from "./accounts/admin.ts";
import { createAudit } from "./accounts/audit.ts";
import type { CommandServices } from "./accounts/commands.ts";
import type { Config } from "./base/config.ts";
import type { Log } from "./base/log.ts";
import { createSecrets, loadOrCreateSecret } from "./base/secrets.ts";
import { systemClock } from "./base/timers.ts";
import type { Clock, Store } from "./ports/mod.ts";
import { openStore } from "./stack.ts";

export interface Administration extends CommandServices {
  /** What a first start made; undefined on every later one. */
  readonly first: FirstAccount | undefined;
}

/** Makes the first account where there is none. `config.data` is absolute and exists. */
export async function openAdministration(
  config: Config,
  store: Store,
  clock: Clock,
  log: Log,
): Promise<Administration> {
  const services = await openAccounts(config, store, clock, log);
  const { secrets, audit } = services;
  return { ...services, first: await createFirstAccount(store, secrets, config, clock, audit) };
}

async function openAccounts(config: Config, store: Store, clock: Clock, log: Log): Promise<CommandServices> {
  const { base_url, data, audit_days: days, secret_previous } = config;
  const secret = config.secret ?? (await loadOrCreateSecret(data));
  const secrets = createSecrets({ secret, ...(secret_previous === null ? {} : { previous: secret_previous }) });
  const audit = createAudit({ store, clock, log, days });
  const admin = createAccountAdmin({ store, secrets, clock, log, base_url, audit });
  return { config, store, clock, log, secrets, audit, admin };
}

/** Rejects where somebody else holds the data folder, with a message for the operator. */
export async function openForCommand(
  given: Config,
): Promise<{ readonly services: CommandServices; close(): Promise<void> }> {
  const config = { ...given, data: resolve(given.data) };
  const clock = systemClock;
  const { store, close } = await openStore({ ...config, clock });
  try {
    return { services: await openAccounts(config, store, clock, () => undefined), close };
  } catch (error) {
    await close();
    throw error;
  }
}
