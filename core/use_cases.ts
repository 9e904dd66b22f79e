/** What requests can ask for, and what they are counted by: the same parts for the HTTP API and for every surface. */
import { createFreeWork } from "./accounts/free_work.ts";
import { createKeyring } from "./accounts/keyring.ts";
import { createLimits } from "./accounts/limits.ts";
import { fileBody } from "./adapters/runtime/runtime.ts";
import { matchesHost } from "./base/addresses.ts";
import type { Secrets } from "./base/secrets.ts";
import type { HttpServices } from "./http/services.ts";
import { createOperations } from "./operations/operations.ts";
import { createUnderstand } from "./operations/understand.ts";
import { createUrlSigner } from "./operations/urls.ts";
import { createWaiters, type Waiters } from "./operations/waiters.ts";
import { RUNNERS, type StartedRunners } from "./runners.ts";
import type { Stack } from "./stack.ts";

export interface UseCases
  extends HttpServices,
    Pick<Stack, "queue" | "tallies">,
    Pick<StartedRunners, "pool" | "tasks" | "engines"> {
  readonly waiters: Waiters;
  readonly secrets: Secrets;
}

type Made = "fileBody" | "operations" | "signer" | "keyring" | "limits" | "free_work" | "waiters";

export function createUseCases(given: Omit<UseCases, Made>, packs: StartedRunners["packs"]): UseCases {
  const { config, store, clock, tallies, secrets } = given;
  const signer = createUrlSigner({
    base_url: config.base_url,
    keys: secrets.keysFor("url signing"),
    clock,
    origins: [`http://127.0.0.1:${config.port}`, `http://localhost:${config.port}`],
  });
  const services = {
    ...given,
    fileBody,
    signer,
    waiters: createWaiters(store, clock),
    limits: createLimits({ clock, tallies }),
    free_work: createFreeWork({ config, store, clock }),
    keyring: createKeyring(store, clock, config.trusted_proxies),
  };
  const private_hosts = (host: string): boolean => matchesHost(config.private_hosts, host);
  const understand = createUnderstand({ ...services, runners: RUNNERS, packs });
  return { ...services, operations: createOperations({ ...services, understand, private_hosts }) };
}
