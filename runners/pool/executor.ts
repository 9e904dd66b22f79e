/** The outer side of a thread and of a child process: the same to the pool. */
import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Confinement } from "../../core/ports/mod.ts";
import { Adopted, killGroup } from "./adopted.ts";
import { confinedCommand, type Started, watchMemory } from "./confined.ts";
import { childEnvironment } from "./environment.ts";
import { FrameReader, FrameWriter } from "./frames.ts";
import { type FromHost, JOB, type ToHost } from "./messages.ts";

export interface Executor {
  /** Of the process; absent: it is a thread, or did not start. */
  readonly pid?: number | undefined;
  /** Throws for what cannot be cloned. After the end it does nothing. */
  post(message: ToHost, transfer?: ArrayBuffer[]): void;
  /** Ends it by force, with everything it adopted. `onEnd` follows. */
  kill(why: string): void;
}

export interface Listener {
  onMessage(message: FromHost): void;
  /** Called once, when it has ended, by itself or by `kill`. */
  onEnd(why: string): void;
}

// Far above what a loaded machine takes to start a runtime (measured: 20 to 50 ms), so that it only ends what is no pool process at all.
const START_MS_MAX = 30_000;
/** How much of what a process printed last is repeated when it crashes, in characters. */
const TAIL_LENGTH = 2000;

/** On Deno threads share the process's environment, and there is no way to give them another one. */
const threadEnvironment = () => (process.versions.bun === undefined ? {} : { env: childEnvironment() });

export function startThread(listener: Listener): Executor {
  // Web Worker, not node:worker_threads: 5 min of stereo takes 4 s there on Deno.
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", ...threadEnvironment() });
  const adopted = new Adopted();
  let ended = false;

  const kill = (why: string): void => {
    if (ended) return;
    ended = true;
    // On Deno up to 2.9 a thread in a loop that never yields goes on unseen until the process ends (denoland/deno#35657).
    worker.terminate();
    adopted.kill();
    queueMicrotask(() => listener.onEnd(why));
  };
  worker.onmessage = ({ data }: MessageEvent<FromHost>) => {
    receive(data, adopted, kill, ended, listener);
  };
  worker.onmessageerror = () => kill("it sent what cannot be read");
  worker.onerror = (event) => {
    // Unhandled, this event ends the pool's own process on Deno.
    event.preventDefault();
    kill(uncaught(event.message));
  };
  // Bun only; Deno says nothing, so worker.ts reports what it can.
  worker.addEventListener("close", () => kill("its thread ended"));
  return {
    post(message, transfer = []) {
      if (!ended) worker.postMessage(message, transfer);
    },
    kill,
  };
}

/**
 * Jobs say when there is much to collect (../collect.ts). Deno takes flags of V8 from its environment too, before a file's
 * name none. V8 would keep up to 96 MB for what is young; glibc blocks of up to 32 MB that were given back, where the first that
 * is so large teaches it to, unless it is told from which size on they go to the system.
 */
const COLLECTED =
  process.versions.bun === undefined
    ? { DENO_V8_FLAGS: "--expose-gc,--max-semi-space-size=8", MALLOC_MMAP_THRESHOLD_: "4194304" }
    : {};
const collectedBy = (is_job: boolean): readonly string[] =>
  is_job && process.versions.bun !== undefined ? ["--expose-gc"] : [];

export interface ProcessOptions {
  readonly confine?: Confinement;
  /** What a process of the lane `job` hands back to the pool: nested runs of isolation `process`, as a thread does. */
  readonly is_job?: boolean;
}

export function startProcess(listener: Listener, { confine, is_job = false }: ProcessOptions = {}): Executor {
  const file = fileURLToPath(new URL("./process.ts", import.meta.url));
  // Both runtimes run a file that comes first, with the permissions of this process.
  const plain: Started = {
    program: process.execPath,
    args: [...collectedBy(is_job), file, String(process.pid), ...(is_job ? [JOB] : [])],
    env: is_job ? COLLECTED : {},
  };
  const { program, args, env } = confine === undefined ? plain : confinedCommand(confine, file, process.pid);
  // `detached`: a process group of its own.
  const child = spawn(program, args, {
    detached: true,
    env: { ...childEnvironment(), ...env },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const adopted = new Adopted();
  // What a confined process starts ends with its group or its sandbox, where numbers of processes are others; none is taken from it.
  const adopts = confine === undefined ? adopted : undefined;
  let why_killed: string | undefined;
  let ended = false;
  let printed = "";

  const kill = (why: string): void => {
    why_killed ??= why;
    adopted.kill();
    if (child.pid !== undefined && !ended) killGroup(child.pid);
  };
  const unwatch =
    confine === undefined || child.pid === undefined
      ? (): void => undefined
      : watchMemory(child.pid, confine.memory_mb, (used_mb) =>
          kill(`it held ${used_mb} MB of memory, and may hold ${confine.memory_mb}`),
        );
  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    clearTimeout(starting);
    unwatch();
    adopted.kill();
    // What it started and left behind.
    if (child.pid !== undefined) killGroup(child.pid);
    for (const stream of child.stdio) stream?.destroy();
    listener.onEnd(why_killed ?? why);
  };
  const starting = setTimeout(
    () => kill(`"${process.execPath}" did not run "${file}" within ${START_MS_MAX / 1000} s`),
    START_MS_MAX,
  );
  starting.unref();

  child.on("error", (error) => end(`Cannot start "${process.execPath}": ${error.message}`));
  const [stdin, , , frames] = child.stdio as unknown as [Writable, Readable, Readable, Readable];
  const writer = new FrameWriter(stdin);
  const reader = new FrameReader((message) => {
    clearTimeout(starting);
    receive(message as FromHost, adopts, kill, ended, listener);
  });
  frames.on("data", (chunk: Uint8Array) => {
    if (why_killed !== undefined) return;
    try {
      reader.push(chunk);
    } catch (error) {
      kill(`it sent what cannot be read: ${String(error)}`);
    }
  });
  // A broken pipe; `exit` says why.
  frames.on("error", () => frames.destroy());
  const repeat = (chunk: Uint8Array): void => {
    printed = (printed + new TextDecoder().decode(chunk)).slice(-TAIL_LENGTH);
    process.stderr.write(chunk);
  };
  child.stdout.on("data", repeat);
  child.stderr.on("data", repeat);
  child.on("exit", (code, signal) => {
    const fact = signal === null ? `exit code ${code}` : `signal ${signal}`;
    end(printed === "" ? fact : `${fact}, after printing: ${printed.trimEnd()}`);
  });
  return {
    pid: child.pid,
    post(message) {
      if (!ended && why_killed === undefined) void writer.write(message);
    },
    kill,
  };
}

/** What of an error event's text names the error: Bun puts source lines around it, Deno a word before it. */
function uncaught(message: string): string {
  const line = message.split("\n").find((line) => /^(Uncaught )?[\w() ]*(Error|Exception)\b/.test(line)) ?? message;
  return `uncaught ${line.replace(/^Uncaught /, "")}`;
}

function receive(
  message: FromHost,
  adopted: Adopted | undefined,
  kill: (why: string) => void,
  ended: boolean,
  listener: Listener,
): void {
  switch (message.type) {
    case "adopt":
      adopted?.add(message.pid);
      // It was on its way when the end came.
      if (ended) adopted?.kill();
      break;
    case "release":
      adopted?.delete(message.pid);
      break;
    case "dying":
      kill(message.why);
      break;
    default:
      if (!ended) listener.onMessage(message);
  }
}
