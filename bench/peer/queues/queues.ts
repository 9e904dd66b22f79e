/** Queues on one Postgres, behind one seam: the store's own, graphile-worker and pg-boss, each as its authors would set it up. */
import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createPostgresQueue } from "../../../core/adapters/postgres/queue.ts";
import { openPostgresStore } from "../../../core/adapters/postgres/store.ts";
import { systemClock } from "../../../core/base/timers.ts";

export interface BenchQueue {
  /** Resolves when the job is committed. `account`: where the queue knows any. */
  add(index: number, account?: number): Promise<void>;
  /**
   * Does as many jobs at a time as the queue was opened for; `onJob` is called when one begins, and it ends when that
   * is done. Resolves when workers are ready.
   */
  work(onJob: OnJob): Promise<void>;
  /** What holds jobs that have ended lies in the database when this resolves. */
  close(): Promise<void>;
}

type OnJob = (index: number) => void | Promise<void>;
export type OpenQueue = (url: string, workers: number) => Promise<BenchQueue>;

const ACCOUNTS = 20;
const WORK = "generation";
const ACTION = "create.new_song";
const LEASE_MS = 30_000;
const LOOK_MS = 5_000;

/**
 * An operation's whole life: idempotency key, debit, ledger, the fair order between accounts, lease, end with its
 * output. That is more than the others write. Redis is left out: nodes hear of work through Postgres. One node submits
 * and another works, so that wake-ups go through the server as those of the others do.
 */
export const openOwn: OpenQueue = async (url, workers) => {
  const api = await openPostgresStore({ url, clock: systemClock });
  const api_queue = createPostgresQueue(api, systemClock);
  const store = await openPostgresStore({ url, clock: systemClock });
  const queue = createPostgresQueue(store, systemClock);
  for (let n = 0; n < ACCOUNTS; n++)
    await api.createAccount({ id: `acc_${n}`, name: `Account ${n}`, credits: 1_000_000_000, created_at: Date.now() });
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];

  async function work(name: string, onJob: OnJob): Promise<void> {
    while (!stopping.signal.aborted) {
      const job = await store.claim(WORK, name, LEASE_MS);
      if (job === undefined) {
        await queue.wait(WORK, LOOK_MS, stopping.signal);
        continue;
      }
      await onJob(JSON.parse(job.request).index);
      const now = Date.now();
      await store.terminate({
        id: job.id,
        attempt: job.attempt,
        status: "ready",
        outputs: "[]",
        outputs_listed: "[]",
        error: null,
        refund: false,
        completed_at: now,
        expires_at: now + 86_400_000,
        objects: [],
        webhooks: [],
      });
    }
  }

  return {
    async add(index, account = index) {
      const now = Date.now();
      const id = `op_${now.toString(32).padStart(10, "0")}${randomBytes(8).toString("hex")}`;
      const answer = await api.submit({
        id,
        account_id: `acc_${account % ACCOUNTS}`,
        action: ACTION,
        idempotency_key: randomUUID(),
        fingerprint: randomBytes(32).toString("hex"),
        cost: 3,
        work: WORK,
        weight: 1,
        request: JSON.stringify({ index }),
        sources: [],
        callback_url: null,
        response: "{}",
        created_at: now,
        metadata: null,
        deadline_at: null,
        files: [],
        files_until: now,
      });
      if (answer.kind !== "accepted") throw new Error(`Cannot go on: a submission was answered ${answer.kind}`);
      api_queue.wake(WORK, id);
    },
    work(onJob) {
      for (let n = 0; n < workers; n++) loops.push(work(`bench/${n}`, onJob));
      return Promise.resolve();
    },
    async close() {
      stopping.abort();
      await Promise.all(loops);
      for (const one of [queue, api_queue, store, api]) await one.close();
    },
  };
};

/** `addJob` with a key of its own for each job, as idempotency wants it. */
export const openGraphile: OpenQueue = async (url, workers) => {
  const { Logger, makeWorkerUtils, run } = await load<Graphile>("graphile-worker");
  const logger = new Logger(() => () => {});
  const options = { connectionString: url, logger, maxPoolSize: CONNECTIONS };
  const utils = await makeWorkerUtils(options);
  await utils.migrate();
  let runner: { stop(): Promise<void> } | undefined;
  return {
    async add(index) {
      await utils.addJob(ACTION, { index }, { jobKey: randomUUID() });
    },
    async work(onJob) {
      runner = await run({
        ...options,
        maxPoolSize: Math.max(CONNECTIONS, workers + 2),
        concurrency: workers,
        noHandleSignals: true,
        pollInterval: LOOK_MS,
        taskList: { [ACTION]: ({ index }) => onJob(index) },
      });
    },
    async close() {
      await runner?.stop();
      await utils.release();
    },
  };
};

/**
 * `send` of a job with an id of its own. A worker with one job at a time pauses between two, for half a second at
 * least, so it takes as many at once as the others have workers, goes on while there are more, and is woken by
 * `LISTEN`.
 */
export const openPgBoss: OpenQueue = async (url, workers) => {
  const { PgBoss } = await load<Boss>("pg-boss");
  const boss = new PgBoss({
    connectionString: url,
    max: CONNECTIONS,
    useListenNotify: true,
    supervise: false,
    schedule: false,
  });
  boss.on("error", (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(ACTION, { notify: true });
  return {
    async add(index) {
      await boss.send(ACTION, { index }, { id: randomUUID() });
    },
    async work(onJob) {
      await boss.work(
        ACTION,
        { batchSize: workers, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
        async (jobs) => {
          await Promise.all(jobs.map(({ data }) => onJob(data.index)));
        },
      );
    },
    close: () => boss.stop({ graceful: true }),
  };
};

/** As many as the store has. */
const CONNECTIONS = 16;

/** What is used of them: they are no dependencies of the project, so the compiler does not see their types. */
interface Graphile {
  readonly Logger: new (scope: () => () => void) => object;
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJob(task: string, payload: object, options: object): Promise<unknown>;
    release(): Promise<void>;
  }>;
  run(
    options: {
      readonly taskList: Readonly<Record<string, (payload: { readonly index: number }) => void | Promise<void>>>;
    } & Readonly<Record<string, unknown>>,
  ): Promise<{ stop(): Promise<void> }>;
}
interface Boss {
  readonly PgBoss: new (
    options: object,
  ) => {
    on(event: "error", listener: (error: Error) => void): void;
    start(): Promise<unknown>;
    stop(options: object): Promise<void>;
    createQueue(name: string, options: object): Promise<void>;
    send(name: string, data: object, options: object): Promise<string | null>;
    work(
      name: string,
      options: object,
      handler: (jobs: readonly { readonly data: { readonly index: number } }[]) => Promise<void>,
    ): Promise<string>;
  };
}

const FOLDER = fileURLToPath(new URL("./", import.meta.url));

/** From the folder's own packages, which are installed when they are first wanted. */
async function load<M>(name: string): Promise<M> {
  if (!existsSync(`${FOLDER}node_modules`)) {
    const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit"], { cwd: FOLDER, stdio: "inherit" });
    if (status !== 0) throw new Error(`Cannot install the peers: npm ci in ${FOLDER} ended with ${status}`);
  }
  return (await import(pathToFileURL(createRequire(import.meta.url).resolve(name)).href)) as M;
}
