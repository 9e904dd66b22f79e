/**
 * The queue of several nodes: a BullMQ queue for each kind of work on one Redis, `{tonwerk}:<work>`. A job there is the
 * wake-up of one operation and has its id, so that naming it twice is naming it once. A worker that is idle takes one
 * job, which ends it, and asks the store; the store alone says what is claimed. Up to a thousand wait there, and then
 * they are the operations that wait, for what scales workers.
 *
 * Redis may be away, slow, or empty of a sudden. Then wake-ups are lost, and nothing else: commands fail at once or
 * within 2 s, waiters look by themselves once a second, and the reconciler names again what is queued.
 */
import { Queue as BullQueue, Worker as BullWorker } from "bullmq";
import type { Redis } from "ioredis";
import type { Clock, Errand, Queue } from "../../ports/mod.ts";
import { createWakeUps, type WakeUps } from "../shared/wake_ups.ts";
import { openBlockingRedis, openRedis, type RedisReport } from "./client.ts";

export interface BullmqOptions {
  /** `redis://` or `rediss://`, with user, password and number of the database where needed. */
  readonly url: string;
  readonly clock: Clock;
  readonly report?: RedisReport;
}

/** In braces: all keys of the queues are in one slot of a Redis cluster. */
export const QUEUE_PREFIX = "{tonwerk}";
/** Without Redis workers look this often. */
const AWAY_MS = 1_000;
/** Jobs sent together: some 3 ms of this process, which has requests to answer. */
const BATCH_MAX = 50;
/** Wake-ups that wait to be sent, in this process. */
const PENDING_MAX = 10_000;
/**
 * Where so many wait in Redis, no more are sent: whoever finds the queue empty takes one, and looks for the next by
 * itself.
 */
const DEPTH_MAX = 1_000;
const DEPTH_MS = 1_000;
/** A close waits no longer for what Redis does not answer. */
const CLOSE_MS = 1_000;

export function createBullmqQueue({ url, clock, report }: BullmqOptions): Queue {
  const redis = openRedis({ url, ...(report === undefined ? {} : { report }) });
  const lanes = new Map<Errand, Lane>();
  let closed = false;
  const lane = (work: Errand): Lane => {
    const known = lanes.get(work) ?? createLane(work, redis, url, clock);
    lanes.set(work, known);
    return known;
  };

  return {
    wake(work, id) {
      if (!closed) lane(work).wake(id);
    },
    taken(work, id) {
      if (!closed) lane(work).taken(id);
    },
    wait(work, ms_max, signal) {
      if (closed) return Promise.resolve(undefined);
      return lane(work).wait(redis.status === "ready" ? ms_max : Math.min(ms_max, AWAY_MS), signal);
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all([...lanes.values()].map((one) => one.close()));
      redis.disconnect();
    },
  };
}

interface Lane extends Pick<Queue, "close"> {
  wake(id: string): void;
  taken(id: string): void;
  wait(ms_max: number, signal: AbortSignal): Promise<string | undefined>;
}

function createLane(work: Errand, redis: Redis, url: string, clock: Clock): Lane {
  const queue = new BullQueue(work, { connection: redis, prefix: QUEUE_PREFIX, skipVersionCheck: true });
  // Told by the connection already.
  queue.on("error", () => undefined);
  const wake_ups = createWakeUps(clock);
  /** Named here and not sent yet; taken here and not told yet. In one place, so that they arrive in this order. */
  const pending = new Set<string>();
  const taken = new Set<string>();
  let sending = false;
  let full = false;
  /** Jobs that waited in Redis when they were counted, and those sent since. */
  let depth = 0;
  let counted_at = Number.NEGATIVE_INFINITY;
  let closed = false;
  let fetcher: Fetcher | undefined;

  const isUp = () => redis.status === "ready";

  async function send(): Promise<void> {
    if (sending) return;
    sending = true;
    try {
      // What is named in one turn of the event loop, and while a batch is on its way, goes together.
      await Promise.resolve();
      while (pending.size + taken.size > 0 && isUp() && !closed) {
        const gone = first(taken);
        await Promise.all(gone.map((id) => queue.remove(id)));
        const ids = first(pending);
        if (ids.length === 0 || (await isFull())) continue;
        await queue.addBulk(ids.map((id) => ({ name: work, data: {}, opts: JOB(id) })));
        depth += ids.length;
      }
    } catch {
      // Lost: the reconciler names again what is still queued, and a wake-up too many is a look in vain.
    }
    sending = false;
    if (isUp()) return;
    // Not kept for a Redis that is away.
    pending.clear();
    taken.clear();
  }

  /** Counts once a second, and when so many were sent since that it may have become full. */
  async function isFull(): Promise<boolean> {
    const now = clock.now();
    const is_old = now < counted_at || now >= counted_at + DEPTH_MS;
    if (is_old || (!full && depth >= DEPTH_MAX)) {
      counted_at = now;
      depth = await queue.getWaitingCount();
      full = depth >= DEPTH_MAX;
    }
    return full;
  }

  return {
    wake(id) {
      if (pending.size >= PENDING_MAX || !isUp()) return;
      taken.delete(id);
      pending.add(id);
      void send();
    },

    taken(id) {
      if (pending.delete(id) || taken.size >= PENDING_MAX || !isUp()) return;
      taken.add(id);
      void send();
    },

    wait(ms_max, signal) {
      const waiting = wake_ups.wait(ms_max, signal);
      if (!closed) fetcher ??= createFetcher(work, url, wake_ups, (id) => this.wake(id));
      fetcher?.run();
      return waiting;
    },

    async close() {
      closed = true;
      wake_ups.close();
      await within(CLOSE_MS, Promise.all([fetcher?.close(), queue.close()]));
    },
  };
}

/** Takes up to a batch out of `ids`. */
function first(ids: Set<string>): string[] {
  const some: string[] = [];
  for (const id of ids) {
    if (some.length === BATCH_MAX) break;
    some.push(id);
    ids.delete(id);
  }
  return some;
}

/** Removed when it has ended, however it did. */
const JOB = (id: string) => ({ jobId: id, removeOnComplete: true, removeOnFail: true });

interface Fetcher {
  /** Goes on until nobody waits. */
  run(): void;
  close(): Promise<void>;
}

/** How long a fetcher leaves Redis alone after an error. */
const PAUSE_MS = 200;

/** Takes jobs from Redis while somebody waits here, and only then: a busy node leaves them to others. */
function createFetcher(work: Errand, url: string, wake_ups: WakeUps, putBack: (id: string) => void): Fetcher {
  const redis = openBlockingRedis({ url });
  // Without a processor: jobs are taken one at a time, when there is somebody to take them.
  const worker = new BullWorker(work, null, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    autorun: false,
    skipVersionCheck: true,
    // Jobs are active for a moment only. What a process left so when it was killed goes back to the others.
    lockDuration: 10_000,
    stalledInterval: 10_000,
    drainDelay: 5,
  });
  worker.on("error", () => undefined);
  worker.startStalledCheckTimer().catch(() => undefined);
  const token = crypto.randomUUID();
  let running = false;
  let closed = false;

  async function fetch(): Promise<void> {
    while (wake_ups.waiting > 0 && !closed) {
      try {
        const job = await worker.getNextJob(token);
        if (job?.id === undefined) continue;
        // Where that is lost, whoever waits is released all the same, and the job, a wake-up too many, goes back when
        // its lock is over.
        await job.moveToCompleted(null, token, false).catch(() => undefined);
        // Everybody may have left while it was on its way.
        if (!wake_ups.release(job.id)) putBack(job.id);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  return {
    run() {
      if (running || closed) return;
      running = true;
      void fetch().finally(() => {
        running = false;
      });
    },
    async close() {
      closed = true;
      const closing = worker.close(true);
      redis.disconnect();
      await closing.catch(() => undefined);
    },
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
