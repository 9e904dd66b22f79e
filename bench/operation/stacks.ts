/**
 * What is under load: one process on SQLite, or two api nodes and a worker behind nginx on Postgres, Redis and S3. Both
 * begin with ended operations.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { preload } from "../../cli/bench/preload.ts";
import { newApiKey } from "../../core/base/keys.ts";
import { freePort, runFile, type ServiceProcess, startProcess } from "../../test/process.ts";
import { startNginx } from "../../test/services/nginx.ts";
import { type PostgresServer, startPostgres } from "../../test/services/postgres.ts";
import { startRedis } from "../../test/services/redis.ts";
import { startS3 } from "../../test/services/s3.ts";
import { HERE } from "../measure.ts";
import type { Subject } from "./load.ts";

export interface Embedded extends Subject {
  readonly kind: "sqlite";
  readonly folder: string;
  readonly database: string;
  close(): Promise<void>;
}

export interface Nodes extends Subject {
  readonly kind: "postgres";
  /** The checkout. */
  readonly root: string;
  readonly folder: string;
  readonly postgres: PostgresServer;
  readonly database: string;
  /** Those behind the balancer; whoever replaces one puts the new one there. */
  readonly apis: ServiceProcess[];
  worker: ServiceProcess;
  /** Starts a node: an api behind the balancer where `port` is one of theirs; of another tree where `main` is given. */
  startNode(role: "api" | "worker", port: number, main?: string): Promise<ServiceProcess>;
  close(): Promise<void>;
}

export type Stack = Embedded | Nodes;

export interface Wanted {
  readonly operations: number;
  /** The checkout whose service is started. */
  readonly root: string;
  /** Songs that can be made at a time. */
  readonly workers: number;
}

const ACCOUNTS = 20;

/** Submissions of the load stay queued: they are another kind of work than what the worker does. */
const settings = (workers: number): Readonly<Record<string, string>> => ({
  TONWERK_SECRET: randomBytes(32).toString("base64"),
  TONWERK_PUT_PER_MINUTE: "0",
  TONWERK_GET_PER_MINUTE: "0",
  TONWERK_LONG_POLLS: "0",
  TONWERK_WORK: "generation",
  TONWERK_WORKERS: String(workers),
});

/** Undoes what was begun where the start fails. */
async function start<S extends Stack>(make: (undo: (() => Promise<unknown>)[]) => Promise<Omit<S, "close">>) {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await make(undo)), close } as S;
  } catch (error) {
    await close();
    throw error;
  }
}

async function end(node: ServiceProcess): Promise<void> {
  node.kill("SIGKILL");
  await node.exited;
}

async function preloaded(undo: (() => Promise<unknown>)[], operations: number) {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-operation-"));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const keys = Array.from({ length: ACCOUNTS }, newApiKey);
  const database = await preload({ data: join(folder, "data"), ended: operations, queued: 0, keys });
  return { folder, data: join(folder, "data"), keys, database };
}

export const startEmbedded = ({ operations, root, workers }: Wanted): Promise<Embedded> =>
  start<Embedded>(async (undo) => {
    const { folder, data, keys, database } = await preloaded(undo, operations);
    const env = { ...settings(workers), TONWERK_DATA: data, TONWERK_ROLE: "all", TONWERK_DRAIN_SECONDS: "0" };
    const node = await startProcess(env, await freePort(), 50, join(root, "core/main.ts"));
    undo.push(() => end(node));
    return { kind: "sqlite", url: node.url, keys, operations, folder, database };
  });

export const startNodes = ({ operations, root, workers }: Wanted): Promise<Nodes> =>
  start<Nodes>(async (undo) => {
    const { folder, data, keys } = await preloaded(undo, operations);
    const postgres = await startPostgres(["shared_buffers=256MB", "max_wal_size=2GB", "min_wal_size=1GB"]);
    undo.push(() => postgres.close());
    const [redis, s3] = await Promise.all([startRedis(), startS3()]);
    undo.push(() => Promise.all([redis.end(), s3.end()]));
    const database = await postgres.createDatabase();
    const env = {
      ...settings(workers),
      DATABASE_URL: postgres.url(database),
      REDIS_URL: redis.url,
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: "audio",
      S3_ACCESS_KEY_ID: s3.access_key_id,
      S3_SECRET_ACCESS_KEY: s3.secret_access_key,
      TONWERK_BASE_URL: "http://tonwerk.example",
      TONWERK_DATA: data,
      TONWERK_TRUSTED_PROXIES: "127.0.0.1",
    };
    const move = [...runFile(join(HERE, "cli/tonwerk.ts")), "migrate-store"];
    await promisify(execFile)(process.execPath, move, { env: { ...process.env, ...env }, maxBuffer: 2 ** 24 });
    await rm(data, { recursive: true });
    await postgres.sql("VACUUM ANALYZE", database);
    const live = new Set<ServiceProcess>();
    undo.push(() => Promise.all([...live].map(end)));
    const startNode: Nodes["startNode"] = async (role, port, main = join(root, "core/main.ts")) => {
      const node = await startProcess({ ...env, TONWERK_ROLE: role, TONWERK_DRAIN_SECONDS: "5" }, port, 50, main);
      live.add(node);
      void node.exited.then(() => live.delete(node));
      return node;
    };
    const ports = [await freePort(), await freePort()];
    const apis: ServiceProcess[] = [];
    for (const port of ports) apis.push(await startNode("api", port));
    const worker = await startNode("worker", await freePort());
    const nginx = await startNginx({ api: ports, from: "127.0.0.1" });
    undo.push(() => nginx.kill());
    const url = `http://127.0.0.1:${nginx.port}`;
    return { kind: "postgres", root, url, keys, operations, folder, postgres, database, apis, worker, startNode };
  });
