/** A whole service in this process on a data folder of its own, with the real adapters, reached through its front door. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICE } from "../core/accounts/audit.ts";
import type { OutboundTimes } from "../core/adapters/outbound/outbound.ts";
import { loadConfig } from "../core/base/config.ts";
import { newApiKey } from "../core/base/keys.ts";
import { systemClock } from "../core/base/timers.ts";
import type { Clock } from "../core/ports/mod.ts";
import { type Service, startService } from "../core/service.ts";
import { type AccountAdmin, createAccountAdmin } from "../plugins/administration/account_admin.ts";
import { issueLink, LINK_MS } from "../plugins/dashboard/people/sign_in_links.ts";
import type { DashboardSurface } from "../plugins/dashboard/surface.ts";
import type { TestStack } from "./services/stack.ts";
import { until } from "./until.ts";

// Loaded where it is wanted: it brings the clients of three servers.
const leaseStack = async (): Promise<TestStack> => (await import("./services/stack.ts")).leaseStack();

export interface TestService {
  readonly service: Service;
  readonly key: string;
  readonly data: string;
  readonly logged: readonly string[];
  /** A request as the first account; `body` is sent as JSON unless it is bytes. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** As `call`, with the answer's JSON. */
  json(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Uploads a file and resolves to it as a source. */
  upload(file: Uint8Array): Promise<{ readonly url: string }>;
  /** Submits to an action under a key of its own, and resolves to the operation once it has ended. */
  perform(action: string, request: object, headers?: Readonly<Record<string, string>>): Promise<Answer["body"]>;
  /** What the account has. */
  credits(): Promise<number>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without our types
  readonly body: any;
}

/**
 * With TONWERK_TEST_STACK=nodes the same tests run on Postgres, Redis and S3, started for real. A service that is started again on the same
 * data gets the same servers.
 */
const ON_NODES = process.env.TONWERK_TEST_STACK === "nodes";
const stacks = new Map<string, TestStack>();

/** What the environment of a service on this data folder says of its store, queue and bucket: nothing where it is to be the one process. */
export async function stackEnv(data: string): Promise<Readonly<Record<string, string>>> {
  if (!ON_NODES) return {};
  const stack = stacks.get(data) ?? (await leaseStack());
  stacks.set(data, stack);
  return stack.env;
}

/** When every service on it is closed. */
export async function giveStackBack(data: string): Promise<void> {
  const stack = stacks.get(data);
  stacks.delete(data);
  await stack?.giveBack();
}

/**
 * A clock whose timers are done `times` sooner than they say, while the time of day is real: what a service looks at
 * now and then (lost jobs, due deliveries) it looks at that much more often.
 */
export function hastyClock(times: number): Clock {
  return { ...systemClock, after: (ms, callback) => systemClock.after(ms / times, callback) };
}

/** Changes to accounts, as if nobody asked for them just now. */
export const adminOf = ({ facade }: Service): AccountAdmin => createAccountAdmin(facade, SERVICE);

/** A link with which an owner of the account, the first one unless said, enters the dashboard. */
export async function ownerLink({ facade, first }: Service, account_id = first!.account_id): Promise<string> {
  return (await issueLink({ ...facade, base_url: facade.config.base_url }, account_id, null, LINK_MS.first)).url;
}

/** Who is signed in to the dashboard. */
export function sessionsOf({ surfaces }: Service): DashboardSurface["sessions"] {
  return (surfaces.find(({ name }) => name === "dashboard") as DashboardSurface).sessions;
}

export interface TestOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Of outbound requests. */
  readonly limits?: Partial<OutboundTimes>;
  /** Use this folder, and leave it there. */
  readonly data?: string;
}

/** The folder of files in flight: `work`, or one of this process where several share the data. */
export async function scratchOf(data: string): Promise<string> {
  const name = (await readdir(data)).find((entry) => entry.startsWith("work"));
  if (name === undefined) throw new Error(`${data} has no folder for files in flight`);
  return join(data, name);
}

export async function startTestService({
  env = {},
  clock = systemClock,
  limits = {},
  data,
}: TestOptions = {}): Promise<TestService> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), "tonwerk-")));
  const key = env.TONWERK_FIRST_KEY ?? newApiKey();
  const logged: string[] = [];
  const config = loadConfig({ TONWERK_DATA: folder, TONWERK_FIRST_KEY: key, ...(await stackEnv(folder)), ...env });
  const service = await startService(
    config,
    (event, fields) => logged.push(JSON.stringify({ event, ...fields })),
    clock,
    limits,
  );

  const call: TestService["call"] = (method, path, body, headers = {}) => {
    const binary = body instanceof Uint8Array;
    return service.app(
      new Request(new URL(path, config.base_url), {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined || binary ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : {
              body: binary ? (body as Uint8Array<ArrayBuffer>) : typeof body === "string" ? body : JSON.stringify(body),
            }),
      }),
      { address: "127.0.0.1" },
    );
  };
  const json: TestService["json"] = async (method, path, body, headers) => {
    const response = await call(method, path, body, headers);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  };
  return {
    service,
    key,
    data: folder,
    logged,
    call,
    json,
    async upload(file) {
      const { status, body } = await json("PUT", "/v1/files", file);
      assert.equal(status, 200, JSON.stringify(body));
      return { url: body.file.url };
    },
    async perform(action, request, headers) {
      const path = `/v1/${action}`;
      const { status, body } = await json("PUT", path, { idempotency_key: randomUUID(), ...request }, headers);
      assert.equal(status, 200, JSON.stringify(body));
      const [[wrapper, { id }]] = Object.entries(body) as [[string, Answer["body"]]];
      return until(async () => {
        const operation = (await json("GET", `${path}?id=${id}&wait=true`, undefined, headers)).body[wrapper];
        return operation.status !== "processing" && operation;
      });
    },
    credits: async () => (await json("GET", "/v1/account")).body.account.credits,
    async stop() {
      await service.drain(10_000);
      await service.close();
      if (data !== undefined) return;
      await rm(folder, { recursive: true, force: true });
      await giveStackBack(folder);
    },
  };
}
