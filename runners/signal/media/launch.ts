import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adopt } from "../../children.ts";
import { type Command, confine, ENVIRONMENT, signalOf } from "./confine.ts";

export interface Launch extends Command {
  readonly signal: AbortSignal;
  /**
   * Sees the output as it arrives. What it throws ends the program and is thrown by `launch`. The bytes are its own
   * only during the call.
   */
  readonly output?: (bytes: Uint8Array) => void;
  /** Writes the program's input; `write` waits while the pipe is full and takes the bytes over. */
  readonly input?: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly killed_by: string | null;
  /** The last 2,000 characters of what it complained about. */
  readonly complaint: string;
}

/**
 * Runs a program in a process group and an empty folder of its own and waits for its end. Throws the signal's reason on abort, and an
 * error when the time is up or it cannot be started; the whole group is killed first. A program that fails by itself is not an error here.
 *
 * It sees none of our environment but what finding libraries needs: no key, no secret. Where there is a sandbox (see confine.ts) it sees
 * neither our files nor the network.
 */
export async function launch(order: Launch): Promise<Ended> {
  order.signal.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-launch-"));
  try {
    return await launchIn(folder, order);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function launchIn(cwd: string, order: Launch): Promise<Ended> {
  const { program, args, sandboxed } = await confine(order);
  order.signal.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    detached: GROUPS,
    env: ENVIRONMENT,
    stdio: [order.input === undefined ? "ignore" : "pipe", order.output === undefined ? "ignore" : "pipe", "pipe"],
    windowsHide: true,
  });
  // A thread that is ended while this runs must not leave it behind.
  adopt(child);
  const ended = await watch(child, order);
  const killed_by = sandboxed ? signalOf(ended.code) : null;
  return killed_by === null ? ended : { ...ended, code: null, killed_by };
}

/** Process groups and their signals are POSIX. */
const GROUPS = process.platform !== "win32";

const COMPLAINT_MAX = 2000;

function watch(child: ChildProcess, order: Launch): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let complaint = "";
    let refusal: { reason: unknown } | undefined;

    const stop = (reason: unknown): void => {
      if (refusal !== undefined) return;
      refusal = { reason };
      kill(child);
    };
    const onAbort = (): void => stop(order.signal.reason);
    const timer = setTimeout(
      () => stop(new Error(`Cannot finish "${order.program}": it ran for more than ${order.allowance.wall_s} s`)),
      order.allowance.wall_s * 1000,
    );
    const done = (finish: () => void): void => {
      clearTimeout(timer);
      order.signal.removeEventListener("abort", onAbort);
      finish();
    };

    order.signal.addEventListener("abort", onAbort);
    child.on("error", (error) => done(() => reject(refusal === undefined ? error : refusal.reason)));
    // After a kill nothing of its output matters, and a stray grandchild may hold the pipes: its exit is enough.
    child.on("exit", () => {
      if (refusal === undefined) return;
      child.stdout?.destroy();
      child.stderr?.destroy();
      done(() => reject(refusal?.reason));
    });
    child.on("close", (code, killed_by) =>
      done(() => (refusal === undefined ? resolve({ code, killed_by, complaint }) : reject(refusal.reason))),
    );
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-COMPLAINT_MAX);
    });
    child.stdout?.on("data", (bytes: Uint8Array) => {
      if (refusal !== undefined) return;
      try {
        order.output?.(bytes);
      } catch (error) {
        stop(error);
      }
    });
    if (child.stdin !== null && order.input !== undefined) feed(child.stdin, order.input, stop);
  });
}

/** A program that ends early closes its input: that shows in its exit code, so the broken pipe itself is no error of ours. */
function feed(
  pipe: NonNullable<ChildProcess["stdin"]>,
  input: NonNullable<Launch["input"]>,
  stop: (reason: unknown) => void,
): void {
  let broken = false;
  let resume: (() => void) | undefined;
  const release = (): void => {
    resume?.();
    resume = undefined;
  };
  pipe.on("error", () => {
    broken = true;
    release();
  });
  pipe.on("close", () => {
    broken = true;
    release();
  });
  pipe.on("drain", release);
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (broken || pipe.write(bytes)) return;
    await new Promise<void>((resolve) => {
      resume = resolve;
      if (broken) release();
    });
  };
  input(write).then(
    () => pipe.end(),
    (error: unknown) => stop(error),
  );
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (GROUPS) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // The group is gone, or was never made: the child itself is what is left to end.
    child.kill("SIGKILL");
  }
}
