/** What requests can ask for, and what they are counted by: the same parts for the HTTP API and for every surface. */
import { createFreeWork, type FreeWork } from "./accounts/free_work.ts";
import { createKeyring, type Keyring } from "./accounts/keyring.ts";
import { createLimits, type Limits } from "./accounts/limits.ts";
import type { Registry } from "./actions/registry.ts";
import { matchesHost } from "./base/addresses.ts";
import type { Config } from "./base/config.ts";
import type { Secrets } from "./base/secrets.ts";
import type { FileServices } from "./http/files.ts";
import { createOperations, type Operations } from "./operations/operations.ts";
import { createUrlSigner, type UrlSigner } from "./operations/urls.ts";
import { createWaiters, type Waiters } from "./operations/waiters.ts";
import type { Clock, Pool } from "./ports/mod.ts";
import type { Telemetry } from "./ports/telemetry.ts";
import { RUNNERS } from "./runners.ts";
import type { Stack } from "./stack.ts";

export interface UseCases {
  readonly operations: Operations;
  readonly files: FileServices;
  readonly signer: UrlSigner;
  readonly waiters: Waiters;
  readonly keyring: Keyring;
  readonly limits: Limits;
  readonly free_work: FreeWork;
}

export function createUseCases(services: {
  readonly config: Config;
  readonly stack: Stack;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, "url_keys">;
  readonly registry: Registry;
  readonly pool: Pool;
  readonly telemetry: Telemetry;
  /** True once the node is going away: nothing new is accepted. */
  isDraining(): boolean;
}): UseCases {
  const { config, stack, clock, secrets, registry, pool, telemetry, isDraining } = services;
  const { store, queue, bucket, tallies, scratch } = stack;
  const signer = createUrlSigner({
    base_url: config.base_url,
    keys: secrets.url_keys,
    clock,
    origins: [`http://127.0.0.1:${config.port}`, `http://localhost:${config.port}`],
  });
  const waiters = createWaiters(store, clock);
  const limits = createLimits({ clock, tallies });
  const free_work = createFreeWork({ config, store, clock });
  const operations = createOperations({
    ...{ config, store, queue, clock, registry, signer, waiters, telemetry, tallies, limits, free_work, isDraining },
    private_hosts: (host) => matchesHost(config.private_hosts, host),
  });
  const { sign } = operations;
  return {
    operations,
    files: {
      ...{ config, limits, free_work, store, bucket, clock, pool, registry, sign },
      runners: RUNNERS,
      folder: scratch,
    },
    signer,
    waiters,
    keyring: createKeyring(store, clock, config.trusted_proxies),
    limits,
    free_work,
  };
}
