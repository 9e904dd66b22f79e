/** The composition root: opens what is stored, loads what is plugged in, and wires them. main.ts gives it a socket. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { createFirstAccount, type FirstAccount } from "./accounts/first_account.ts";
import { ADDED, loadRegistry } from "./adapters/plugins/registry.ts";
import { openAdministration } from "./administration.ts";
import { type BackgroundOptions, checkIsolation, startBackground } from "./background.ts";
import type { Config } from "./base/config.ts";
import type { Log } from "./base/log.ts";
import { systemClock } from "./base/timers.ts";
import { createFacade } from "./facade.ts";
import { type FrontDoor, openFrontDoor } from "./front_door.ts";
import { type StartedRunners, startRunners } from "./runners.ts";
import { openStack, type Stack } from "./stack.ts";
import type { Facade, Surface } from "./surface.ts";
import { findModules, HOME, startSurfaces } from "./surfaces.ts";
import { type StartedTelemetry, startTelemetry } from "./telemetry_start.ts";
import { createUseCases, type UseCases } from "./use_cases.ts";

export interface Service
  extends Pick<Facade, "clock" | "log">,
    Pick<Stack, "store" | "queue" | "bucket">,
    Pick<StartedRunners, "pool">,
    Pick<UseCases, "registry" | "operations" | "waiters">,
    Pick<FrontDoor, "app"> {
  readonly config: Config;
  /** What surfaces are made with. */
  readonly facade: Facade;
  /** Beside the HTTP API. */
  readonly surfaces: readonly Surface[];
  readonly telemetry: StartedTelemetry;
  /** What a first start made; undefined on every later one. */
  readonly first: FirstAccount | undefined;
  /**
   * Refuses new work, answers the waiters, lets running jobs go on for `ms`, gives the rest back, and closes
   * everything. Open responses should be let out by the caller between `drain` and `close`.
   */
  drain(ms: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts everything but the socket. Rejects with a message for the operator; nothing is left running then. `times`: of
 * outbound requests.
 */
export async function startService(
  given: Config,
  log: Log,
  clock = systemClock,
  times: BackgroundOptions["times"] = {},
): Promise<Service> {
  const config: Config = { ...given, data: resolve(given.data) };
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const name = `${hostname()}-${process.pid}-${randomUUID()}`;
    const telemetry = await startTelemetry(config, process.env, name, log);
    undo.push(() => telemetry.close());
    // First: it holds the folder that the secret is in.
    const stack = await openStack(config, { clock, log, telemetry });
    undo.push(stack.close);
    const { store, queue, bucket, shared } = stack;
    const runners = await startRunners(config, log);
    undo.push(runners.close);
    const registry = await loadRegistry(config.plugins, HOME, {
      probe: runners.probe,
      long: { seconds_max: config.source_seconds, bytes_max: config.source_bytes },
      added: join(config.data, ADDED),
      ...(config.role === "api" ? {} : { environment: process.env }),
    });
    for (const { origin, reason } of registry.failed) log("plugin.failed", { origin, reason });
    const administration = await openAdministration(config, store, clock, log);
    checkIsolation({ config, registry, log }, runners);
    const { pool, tasks, engines, picture, convert } = runners;
    let draining = false;
    const isDraining = (): boolean => draining;
    const { secrets, audit } = administration;
    const use_cases = createUseCases(
      { config, log, clock, telemetry, ...stack, pool, tasks, engines, registry, secrets, isDraining },
      runners.packs,
    );
    const { operations, waiters } = use_cases;
    telemetry.metrics?.watch({ store, pool, waiters });

    let door: FrontDoor | undefined;
    let surfaces: readonly Surface[] = [];
    const facade = createFacade(use_cases, {
      ...{ administration, shared, runners: { picture, convert }, sounds: runners.sounds },
      runs_jobs: config.role !== "api",
      listRoutes: () => door?.routes ?? [],
      findUploads: () => surfaces.find(({ uploads }) => uploads !== undefined)?.uploads,
      findModules: (file) => findModules(file, config.plugins),
    });
    const started = await startSurfaces(facade, config.plugins);
    undo.push(started.stop);
    surfaces = started.surfaces;
    door = await openFrontDoor(use_cases, surfaces);
    // Once nothing else can stop the start: what it makes is shown this once.
    const first = await createFirstAccount({ store, secrets, config, clock, audit });
    const background = await startBackground({ ...use_cases, shared, runners, audit }, { name, times });
    undo.push(background.stop);
    return {
      ...{ app: door.app, config, store, queue, bucket, pool, registry, operations, waiters },
      ...{ facade, surfaces, telemetry, log, clock, first },
      async drain(ms) {
        draining = true;
        waiters.drain();
        for (const surface of surfaces) surface.drain?.();
        await background.drain(ms);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
