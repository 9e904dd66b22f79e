/** The inner side of a pool, in a thread or a child process: sets runners up, runs them, answers messages. */
import type { Job, Runner } from "../../contract/mod.ts";
import { free, transferables } from "./buffers.ts";
import { Cost } from "./cost.ts";
import { bidFarewell } from "./farewell.ts";
import { connect } from "./link.ts";
import { find, loaded } from "./loaded.ts";
import { type FromHost, fromWire, type RunnerName, type ToHost, toWire, type WireError } from "./messages.ts";
import { Progress } from "./progress.ts";

/** Sends to the pool; throws for what cannot be cloned. What is in `transfer` may be moved instead of copied. */
export type Send = (message: FromHost, transfer?: ArrayBuffer[]) => void;

export interface HostOptions {
  /** It is a process, not a thread. */
  readonly isolated: boolean;
  /** Native code runs right here, and is not handed to the pool. */
  readonly nests_here: boolean;
}

/** Connects this thread or process to its pool and says that it is ready. Returns what takes the pool's messages. */
export function host(send: Send, { isolated, nests_here }: HostOptions): (message: ToHost) => void {
  const running = new Map<number, AbortController>();
  const nested = new Map<number, Nested>();
  const cost = new Cost(isolated);
  let nested_id = 0;

  const run = async ({ id, runner, input }: ToHost & { type: "run" }): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    const telling = nests_here ? undefined : setInterval(() => send({ type: "holds", mb: heldMb() }), TELL_MS);
    const progress = new Progress((fraction, stage) => send({ type: "progress", id, fraction, stage }));
    let spent = (): number => 0;
    try {
      const engine = await loaded(await find(runner));
      // From here on: what it takes to load a runner is nobody's in particular.
      spent = cost.begin();
      controller.signal.throwIfAborted();
      const job: Job = {
        signal: controller.signal,
        progress: (fraction, stage) => progress.report(fraction, stage),
      };
      const output = await engine.run(input, job);
      progress.stop();
      send({ type: "done", id, output, cost_ms: spent() }, transferables(output));
      // What a process was sent is its own; in a thread it may be shared.
      if (isolated) free(input);
    } catch (error) {
      progress.stop();
      send({ type: "failed", id, error: toWire(error), cost_ms: spent() });
    } finally {
      clearInterval(telling);
      running.delete(id);
    }
  };

  /** Sends what is answered as nested runs are. */
  const elsewhere = <Output>(message: (id: number) => FromHost, job: Job): Promise<Output> =>
    new Promise((resolve, reject) => {
      const id = ++nested_id;
      const end = (): void => {
        nested.delete(id);
        job.signal.removeEventListener("abort", abort);
      };
      const abort = (): void => {
        end();
        send({ type: "nest_abort", id });
        // At once: what the other process does until it stops is the pool's business.
        reject(job.signal.reason);
      };
      send(message(id));
      job.signal.addEventListener("abort", abort);
      nested.set(id, {
        progress: (fraction, stage) => job.progress(fraction, stage),
        done: (output) => {
          end();
          resolve(output as Output);
        },
        failed: (error) => {
          end();
          reject(error);
        },
      });
    });

  const runElsewhere = <Input, Output>(
    runner: Runner<Input, Output>,
    input: Input,
    job: Job,
    ms_max: number,
  ): Promise<Output> => {
    const { from, name, resident, at_once, confine } = runner as RunnerName;
    return elsewhere(
      (id) => ({ type: "nest", id, runner: { from, name, resident, at_once, confine }, input, ms_max }),
      job,
    );
  };

  connect({
    isolated: nests_here,
    adopt(pid) {
      cost.started(pid);
      send({ type: "adopt", pid });
    },
    awaitEnd: () => send({ type: "awaits_end" }),
    release(pid) {
      cost.ended(pid);
      send({ type: "release", pid });
    },
    run: runElsewhere,
    choose: ({ from, name }, residents, job) =>
      elsewhere((id) => ({ type: "choose", id, runner: { from, name }, residents }), job),
    ask: (question, job) => elsewhere((id) => ({ type: "ask", id, question }), job),
  });
  // Handlers keep the runtime from ending without a word; the pool ends this thread or process on hearing it.
  process.on("uncaughtException", (error) => send({ type: "dying", why: `uncaught ${describe(error)}` }));
  process.on("unhandledRejection", (reason) =>
    send({ type: "dying", why: `unhandled rejection of ${describe(reason)}` }),
  );
  send({ type: "ready" });

  return (message) => {
    switch (message.type) {
      case "run":
        // Its errors are all answered inside; what the answering itself throws is an unhandled rejection, above.
        void run(message);
        break;
      case "abort":
        running.get(message.id)?.abort(new DOMException("The run was aborted", "AbortError"));
        break;
      case "end": {
        const errors: WireError[] = [];
        void bidFarewell((error) => errors.push(toWire(error))).then(() => send({ type: "ended", errors }));
        break;
      }
      case "nested_progress":
        nested.get(message.id)?.progress(message.fraction, message.stage);
        break;
      case "nested_done":
        nested.get(message.id)?.done(message.output);
        break;
      case "nested_failed":
        nested.get(message.id)?.failed(fromWire(message.error));
        break;
    }
  };
}

const TELL_MS = 250;

/** Bun counts the memory of arrays as part of the heap, Deno beside it. */
function heldMb(): number {
  const { heapUsed, external } = process.memoryUsage();
  return Math.max(heapUsed, external) / 2 ** 20;
}

interface Nested {
  progress(fraction: number, stage: string): void;
  done(output: unknown): void;
  failed(error: Error): void;
}

function describe(thrown: unknown): string {
  const { name, message } = toWire(thrown);
  return `${name}: ${message}`;
}
