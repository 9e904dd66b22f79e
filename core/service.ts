/** The composition root: picks adapters, loads runners and plugins by their origins, and wires the rest. main.ts gives it a socket. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAssets } from "../plugins/dashboard/assets.ts";
import { createDashboard, withDashboard } from "../plugins/dashboard/dashboard.ts";
import { createOperator, startPeople } from "../plugins/dashboard/people/people.ts";
import type { Sessions } from "../plugins/dashboard/people/sessions.ts";
import { createPictures } from "../plugins/dashboard/pictures.ts";
import type { OperatorServices } from "../plugins/operator/call.ts";
import { answerOperator } from "../plugins/operator/operator.ts";
import { listenForOperator } from "../plugins/operator/socket.ts";
import { createFirstAccount, type FirstAccount } from "./accounts/accounts.ts";
import type { AccountAdmin } from "./accounts/admin.ts";
import { createAudit } from "./accounts/audit.ts";
import { createFreeWork } from "./accounts/free_work.ts";
import { createKeyring } from "./accounts/keyring.ts";
import { createLimits } from "./accounts/limits.ts";
import { loadRegistry, type Registry } from "./actions/registry.ts";
import { matchesHost } from "./base/addresses.ts";
import type { Config } from "./base/config.ts";
import { ownDataFolder } from "./base/data_folder.ts";
import type { Log } from "./base/log.ts";
import { createSecrets, loadOrCreateSecret, type Secrets } from "./base/secrets.ts";
import { systemClock } from "./base/timers.ts";
import { API_VERSION } from "./base/version.ts";
import { type App, createApp } from "./http/app.ts";
import type { FileServices } from "./http/files.ts";
import { createOperations, type Operations } from "./operations/operations.ts";
import { createUrlSigner } from "./operations/urls.ts";
import { createWaiters, type Waiters } from "./operations/waiters.ts";
import { createOutbound, type Times } from "./outbound/outbound.ts";
import { listensOn } from "./outbound/own.ts";
import type { Bucket, Clock, Engines, ModelSettings, Pool, Queue, Runners, Store } from "./ports/mod.ts";
import type { Telemetry } from "./ports/telemetry.ts";
import { openStack, openStore, type StackOptions } from "./stack.ts";
import { measuredStack } from "./telemetry/measured.ts";
import { startTelemetry } from "./telemetry_start.ts";
import { startWebhooks } from "./webhooks/deliver.ts";
import { createDrawing, createWishes, startDrawingForOthers } from "./work/drawings.ts";
import { codec } from "./work/job.ts";
import { startUpkeep } from "./work/upkeep.ts";
import { startWorker } from "./work/worker.ts";

export interface Service {
  readonly app: App;
  readonly config: Config;
  readonly store: Store;
  readonly queue: Queue;
  readonly bucket: Bucket;
  readonly pool: Pool;
  readonly registry: Registry;
  readonly operations: Operations;
  readonly files: FileServices;
  readonly waiters: Waiters;
  /** Who is signed in to the dashboard. */
  readonly sessions: Sessions;
  /** Changes to accounts. */
  readonly admin: AccountAdmin;
  readonly telemetry: Telemetry;
  readonly log: Log;
  readonly clock: Clock;
  /** What a first start made; undefined on every later one. */
  readonly first: FirstAccount | undefined;
  /**
   * Refuses new work, answers the waiters, lets running jobs go on for `ms`, gives the rest back, and closes everything.
   * Open responses should be let out by the caller between `drain` and `close`.
   */
  drain(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The folder that the code lives in: relative origins start here. */
const HOME = new URL("../", import.meta.url);
const RUNNERS = new URL("runners/mod.ts", HOME).href;
/** A pool thread that nobody needed for this long gives its memory back. */
const THREAD_IDLE_MS = 60_000;
/** A receiver that has not answered by then is told again by whoever starts next. */
const WEBHOOKS_DRAIN_MS = 3_000;

/** Starts everything but the socket. Rejects with a message for the operator; nothing is left running then. `limits`: of outbound requests. */
export async function startService(
  config: Config,
  log: Log,
  clock: Clock = systemClock,
  limits: Partial<Times> = {},
): Promise<Service> {
  const data = resolve(config.data);
  await ownDataFolder(data, log);
  const undo: (() => unknown)[] = [];
  try {
    const node = `${hostname()}-${process.pid}-${randomUUID()}`;
    const telemetry = await startTelemetry(config, process.env, node, log);
    undo.push(() => telemetry.close());
    // First: it holds the folder that the secret is in.
    const stack = await openStack({ ...config, data, clock, log, s3: s3Of(config) });
    undo.push(stack.close);
    const { tallies, scratch, shared } = stack;
    const { store, queue, bucket } = measuredStack(stack, telemetry);
    const runners = (await import(RUNNERS)) as Runners;
    const registry = await loadRegistry(config.plugins, HOME.href);
    for (const { origin, reason } of registry.failed) log("plugin.failed", { origin, reason });

    const secrets = await openSecrets(config, data);
    const signer = createUrlSigner({
      base_url: config.base_url,
      keys: secrets.url_keys,
      clock,
      origins: [`http://127.0.0.1:${config.port}`, `http://localhost:${config.port}`],
    });
    const private_hosts = (host: string): boolean => matchesHost(config.private_hosts, host);
    const outbound = createOutbound({
      private_hosts,
      own: listensOn(config.host, config.port),
      dns: config.dns,
      limits,
    });
    const waiters = createWaiters(store, clock);
    let draining = false;
    const isDraining = (): boolean => draining;
    const rate_limits = createLimits({ clock, tallies });
    const free_work = createFreeWork({ config, store, clock });
    const operations = createOperations({
      config,
      store,
      queue,
      clock,
      registry,
      signer,
      waiters,
      telemetry,
      tallies,
      limits: rate_limits,
      free_work,
      private_hosts,
      isDraining,
    });
    const audit = createAudit({ store, clock, log, days: config.audit_days });
    const first = await createFirstAccount(store, secrets, config, clock, audit);
    const pool = runners.createPool({
      // One more than the jobs, for pictures and the like while all workers are busy.
      threads_max: 2 * config.workers + 1,
      // At least two: one account may have half of them.
      probes_max: config.workers + 1,
      processes_max: config.workers,
      stand_by: { runner: codec, input: { runners: RUNNERS } },
      idle_ms: THREAD_IDLE_MS,
      onResident({ name, state, reason, ended }) {
        if (state !== "failed") return;
        log("model.failed", { id: name, reason });
        if (ended) engines?.reload(name);
      },
    });
    undo.push(() => pool.close());
    telemetry.metrics?.watch({ store, pool, waiters });
    const models: ModelSettings = {
      models: config.models === null ? null : resolve(config.models),
      providers: config.providers,
      model_mb: config.model_mb,
      model_seconds: config.model_seconds,
      shipped: config.shipped_models === "on",
    };
    let engines: Engines | undefined;
    engines = await runners.createEngines(config.role === "api" ? undefined : pool, models, log);
    undo.push(() => engines?.close());

    const { admin, sessions, leaks, operator, stop } = startPeople({
      config,
      store,
      secrets,
      clock,
      log,
      audit,
      tallies,
    });
    undo.push(stop);
    if (!shared) {
      // On Postgres the operator's commands open the store themselves, and several nodes may share this folder.
      const socket = await listenForOperator(data, (line) => answerOperator(operator, line));
      undo.push(() => socket.close());
    }

    const files: FileServices = {
      config,
      limits: rate_limits,
      free_work,
      store,
      bucket,
      clock,
      pool,
      registry,
      sign: operations.sign,
      runners: RUNNERS,
      folder: scratch,
    };
    const api = createApp({
      config,
      store,
      bucket,
      clock,
      pool,
      registry,
      operations,
      signer,
      limits: rate_limits,
      keyring: createKeyring(store, clock, config.trusted_proxies),
      engines,
      leaks,
      log,
      telemetry,
      runners: RUNNERS,
      files,
      isDraining,
    });
    // Where jobs run: audio of anybody's is not decoded beside the requests of everybody.
    const draw =
      config.role === "api"
        ? createWishes({ bucket, queue, clock })
        : createDrawing({ bucket, pool, picture: runners.picture, log, folder: scratch });
    const stopDrawing =
      shared && config.role !== "api" ? startDrawingForOthers({ bucket, queue, store, clock, log }, draw) : undefined;
    undo.push(() => stopDrawing?.());
    const dashboard = createDashboard(
      {
        config,
        store,
        bucket,
        clock,
        pool,
        registry,
        operations,
        signer,
        limits: rate_limits,
        log,
        sessions,
        admin,
        files,
        pictures: createPictures({ bucket, draw, limits: rate_limits }),
        isDraining,
      },
      await loadAssets(),
    );
    const app = config.role === "worker" ? onlyProbes(api) : withDashboard(api, dashboard);
    const worker =
      config.role === "api"
        ? undefined
        : startWorker(
            { store, queue, bucket, outbound, signer, clock, pool, registry, operations, free_work, telemetry, log },
            {
              name: node,
              runners: RUNNERS,
              folder: scratch,
              jobs_max: config.workers,
              works: config.work,
              // Of an upgrade under way: what another version submitted and this one does not know is left to those that do.
              ...(shared ? { actions: [...registry.actions.keys()] } : {}),
              work_ms_max: config.work_seconds * 1000,
              bits: config.flac_bits,
              models,
            },
          );
    const webhooks =
      config.role === "api"
        ? undefined
        : startWebhooks(
            { store, clock, outbound, secrets, telemetry, log },
            { name: node, user_agent: `Tonwerk/${API_VERSION}` },
          );
    // A listing of the whole bucket is work: nodes that answer requests leave it to those that do the jobs.
    const stopUpkeep = startUpkeep(
      { store, queue, bucket, clock, operations, log },
      { sweeps: config.role !== "api", unknown_ms: config.unknown_hours * 3_600_000 },
    );
    return {
      app,
      config,
      store,
      queue,
      bucket,
      pool,
      registry,
      operations,
      files,
      waiters,
      sessions,
      admin,
      telemetry,
      log,
      clock,
      first,
      async drain(ms) {
        draining = true;
        stopDrawing?.();
        waiters.drain();
        await worker?.drain(ms);
        // Last: what the jobs ended is told at once.
        await webhooks?.drain(Math.min(ms, WEBHOOKS_DRAIN_MS));
      },
      async close() {
        stopUpkeep();
        for (const step of undo.reverse()) await step();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

async function openSecrets(config: Config, data: string): Promise<Secrets> {
  const secret = config.secret ?? (await loadOrCreateSecret(data));
  return createSecrets({
    secret,
    ...(config.secret_previous === null ? {} : { previous: config.secret_previous }),
  });
}

/** For commands where no server runs: the store alone, of the data folder under its lock or on Postgres. Rejects where somebody else holds the lock. */
export async function openForOperator(
  config: Config,
): Promise<{ readonly operator: OperatorServices; close(): Promise<void> }> {
  const data = resolve(config.data);
  const clock = systemClock;
  const { store, close } = await openStore({ data, database_url: config.database_url, clock });
  try {
    const secrets = await openSecrets(config, data);
    const log: Log = () => undefined;
    const audit = createAudit({ store, clock, log, days: config.audit_days });
    return { operator: createOperator({ config, store, secrets, clock, log, audit }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A worker answers those who look after it, and no client. */
function onlyProbes(app: App): App {
  const missing = async () => Response.json({ detail: "Not found" }, { status: 404 });
  return (request, peer) => (PROBES.has(new URL(request.url).pathname) ? app(request, peer) : missing());
}

const PROBES: ReadonlySet<string> = new Set(["/health", "/metrics"]);

/** Where the environment has the audio; null: files in the data folder. */
export function s3Of(config: Config): StackOptions["s3"] {
  const { s3_bucket, s3_endpoint, s3_public_endpoint, s3_access_key_id, s3_secret_access_key } = config;
  if (s3_bucket === null) return null;
  const credentials =
    s3_access_key_id === null || s3_secret_access_key === null
      ? null
      : { access_key_id: s3_access_key_id, secret_access_key: s3_secret_access_key };
  return {
    bucket: s3_bucket,
    endpoint: s3_endpoint,
    public_endpoint: s3_public_endpoint === "none" ? null : s3_public_endpoint,
    redirect: s3_public_endpoint !== "none",
    region: config.s3_region,
    credentials,
    path_style: config.s3_addressing === "auto" ? s3_endpoint !== null : config.s3_addressing === "path",
  };
}

/** For `welcome`: where the example clip of this installation is. */
export const examplePath = fileURLToPath(new URL("examples/song.flac", HOME));
