/**
 * Several nodes as processes of their own on one machine, on Postgres, Redis and S3 started for real; S3 is reached
 * through a proxy that makes faults.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newApiKey } from "../../core/base/keys.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { freePort, type ServiceProcess, startProcess } from "../process.ts";
import { type FaultProxy, startFaultProxy } from "../services/fault_proxy.ts";
import { type PostgresServer, startPostgres } from "../services/postgres.ts";
import { type RedisServer, startRedis } from "../services/redis.ts";
import { startS3 } from "../services/s3.ts";

export const CREDITS = 1_000_000;
/** No request may take longer: the long-poll's 20 s, and as much again for a starved machine. */
const DEADLINE_MS = 40_000;

export interface Fleet {
  readonly apis: readonly ServiceProcess[];
  readonly workers: readonly ServiceProcess[];
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly s3: FaultProxy;
  readonly database_url: string;
  readonly key: string;
  /** Signed URL of an upload of a second. */
  readonly source: string;
  call(node: number, method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Submits `test.<action>` on a node; resolves to the operation. */
  submit(node: number, action: string, idempotency_key?: string): Promise<Answer>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without our types
  readonly body: any;
}

/** Tells progress and lasts until it is aborted. */
const SLOW = `({ sources, signal, progress }) => new Promise((resolve, reject) => {
  progress(0.25, "copying");
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
})`;

/**
 * Three nodes that answer, two that work; the last of each is of the next version, which has one action more. The task
 * of `test.model` is an accelerator's, and the last worker alone does such work.
 */
export async function startFleet(env: Readonly<Record<string, string>> = {}): Promise<Fleet> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const [postgres, redis, s3] = await Promise.all([startPostgres(), startRedis(), startS3()]);
    undo.push(() => Promise.all([postgres.close(), redis.end(), s3.end()]));
    const proxy = await startFaultProxy(s3.port);
    undo.push(() => proxy.close());
    const [old, next, data] = await Promise.all([
      pluginFolder(),
      pluginFolder(),
      mkdtemp(join(tmpdir(), "tonwerk-e2e-")),
    ]);
    undo.push(() => Promise.all([old, next, data].map((folder) => rm(folder, { recursive: true, force: true }))));
    for (const folder of [old, next]) {
      await addAction(folder, "test.copy");
      await addAction(folder, "test.slow", { process: SLOW });
      await addAction(folder, "test.model", { task: '"generate"' });
    }
    await addAction(next, "test.newer");

    const database_url = postgres.url(await postgres.createDatabase());
    const key = newApiKey();
    const ports = await Promise.all(Array.from({ length: 5 }, freePort));
    const all = {
      DATABASE_URL: database_url,
      REDIS_URL: redis.url,
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      S3_BUCKET: "audio",
      S3_ACCESS_KEY_ID: s3.access_key_id,
      S3_SECRET_ACCESS_KEY: s3.secret_access_key,
      // One address for all, as behind a balancer.
      TONWERK_BASE_URL: "http://tonwerk.example",
      TONWERK_DATA: data,
      TONWERK_SECRET: randomBytes(32).toString("base64"),
      TONWERK_FIRST_KEY: key,
      TONWERK_FIRST_CREDITS: String(CREDITS),
      TONWERK_PUT_PER_MINUTE: "0",
      TONWERK_GET_PER_MINUTE: "0",
      TONWERK_LONG_POLLS: "0",
      TONWERK_WORKERS: "2",
      TONWERK_GPU_TASKS: "generate",
      ...env,
    };
    // All at once: the first start of several nodes makes one account.
    const nodes = await Promise.all(
      ports.map((port, n) =>
        startProcess(
          {
            ...all,
            TONWERK_ROLE: n < 3 ? "api" : "worker",
            TONWERK_PLUGINS: n === 2 || n === 4 ? next : old,
            ...(n === 3 ? { TONWERK_WORK: "dsp,generation" } : {}),
          },
          port,
        ),
      ),
    );
    undo.push(async () => {
      for (const node of nodes) node.kill("SIGTERM");
      await Promise.all(nodes.map(({ exited }) => exited));
    });
    const apis = nodes.slice(0, 3);
    for (const { exited, output } of nodes) {
      const code = await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 0, "running"))]);
      if (code !== "running") throw new Error(`A node ended at its start with ${code}:\n${output()}`);
    }

    const call: Fleet["call"] = async (node, method, path, body, as = key) => {
      const response = await fetch(`${apis[node]?.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${as}`,
          ...(body === undefined || body instanceof Uint8Array ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined
          ? {}
          : { body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const text = await response.text();
      return { status: response.status, text, body: text === "" ? null : JSON.parse(text) };
    };
    const uploaded = await call(0, "PUT", "/v1/files", wav(tone(440, 1, { channels: 1 }).channels));
    if (uploaded.status !== 200) throw new Error(`Cannot upload: ${uploaded.text}`);
    const source = uploaded.body.file.url as string;
    return {
      apis,
      workers: nodes.slice(3),
      postgres,
      redis,
      s3: proxy,
      database_url,
      key,
      source,
      call,
      submit: (node, action, idempotency_key = crypto.randomUUID()) =>
        call(node, "PUT", `/v1/test.${action}`, { idempotency_key, source: { url: source } }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
