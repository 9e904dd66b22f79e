/** What works in the background of a node, by its role: jobs, webhooks, upkeep. */

import { resolve } from "node:path";
import type { Audit } from "./accounts/audit.ts";
import { describeLooseness, type IsolationOptions, isolationOf } from "./actions/isolation.ts";
import type { OutboundTimes } from "./adapters/outbound/outbound.ts";
import { matchesHost } from "./base/addresses.ts";
import type { Config } from "./base/config.ts";
import { API_VERSION } from "./base/version.ts";
import { loadAdapter } from "./load_adapter.ts";
import type { Outbound } from "./ports/mod.ts";
import { RUNNERS, type StartedRunners } from "./runners.ts";
import type { Stack } from "./stack.ts";
import type { UseCases } from "./use_cases.ts";
import { startWebhooks } from "./webhooks/deliver.ts";
import { startUpkeep } from "./work/upkeep.ts";
import { startWorker } from "./work/worker.ts";

interface BackgroundServices extends UseCases, Pick<Stack, "shared"> {
  readonly runners: StartedRunners;
  readonly audit: Audit;
}

export interface BackgroundOptions {
  /** Of this process, unique among all. */
  readonly name: string;
  /** Of outbound requests. */
  readonly times: Partial<OutboundTimes>;
}

export interface Background {
  /** Begins nothing more, and lets what runs go on for `ms`. */
  drain(ms: number): Promise<void>;
  stop(): void;
}

/** A receiver that has not answered by then is told again by whoever starts next. */
const WEBHOOKS_DRAIN_MS = 3_000;

export async function startBackground(
  services: BackgroundServices,
  { name, times }: BackgroundOptions,
): Promise<Background> {
  const { config, runners, registry, scratch, shared } = services;
  const { pool, models, packs, sounds } = runners;
  const works = config.role !== "api";
  const outbound = works ? await openOutbound(config, times) : undefined;
  const worker = outbound
    ? startWorker(
        { ...services, outbound, pool },
        {
          name,
          setting: { runners: RUNNERS, bits: config.flac_bits, models, packs, sounds },
          folder: scratch,
          jobs_max: config.workers,
          works: [...config.work, "test"],
          // Of an upgrade under way: what another version submitted and this one does not know is left to those that
          // do.
          ...(shared ? { actions: [...registry.actions.keys()] } : {}),
          work_ms_max: config.work_seconds * 1000,
          isolate: isolationOptions(config, packs),
        },
      )
    : undefined;
  const webhooks = outbound
    ? startWebhooks({ ...services, outbound }, { name, user_agent: `Tonwerk/${API_VERSION}` })
    : undefined;
  // A listing of the whole bucket is work: nodes that answer requests leave it to those that do the jobs.
  const stopUpkeep = startUpkeep(services, { sweeps: works, unknown_ms: config.unknown_hours * 3_600_000 });
  return {
    async drain(ms) {
      await worker?.drain(ms);
      // Last: what the jobs ended is told at once.
      await webhooks?.drain(Math.min(ms, WEBHOOKS_DRAIN_MS));
    },
    stop: stopUpkeep,
  };
}

const isolationOptions = ({ isolate, sounds }: Config, packs: readonly string[]): IsolationOptions => ({
  asked: isolate,
  read: [...packs, ...(sounds === null ? [] : [resolve(sounds)])],
});

/**
 * Says which actions this machine cannot keep to their permissions, or refuses to start with them, as the operator
 * wants it.
 */
export function checkIsolation(
  { config, registry, log }: Pick<UseCases, "config" | "registry" | "log">,
  { howConfined, packs }: Pick<StartedRunners, "howConfined" | "packs">,
): void {
  if (config.role === "api") return;
  for (const [action, registered] of registry.actions) {
    const confinement = isolationOf(registered, isolationOptions(config, packs));
    const why = confinement && describeLooseness(confinement, howConfined());
    if (why === undefined) continue;
    if (config.isolate_strict === "on")
      throw new Error(`Cannot start with "${action}" in a process of its own (TONWERK_ISOLATE_STRICT): ${why}`);
    log("plugin.not_confined", { action, why });
  }
}

async function openOutbound(config: Config, limits: Partial<OutboundTimes>): Promise<Outbound> {
  const { createOutbound, listensOn } = await loadAdapter(
    "outbound",
    `TONWERK_ROLE=${config.role}`,
    () => import("./adapters/outbound/outbound.ts"),
  );
  return createOutbound({
    private_hosts: (host) => matchesHost(config.private_hosts, host),
    own: listensOn(config.host, config.port),
    dns: config.dns,
    limits,
  });
}
