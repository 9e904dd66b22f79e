/**
 * Runs code of others in a process of its own, which is ended with all that it started where it takes too long or too
 * much memory.
 */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { onStop } from "../../core/adapters/runtime/runtime.ts";

export interface Limits {
  readonly seconds: number;
  readonly memory_mb: number;
}

export interface Ended {
  /** Exit code; null where it was ended. */
  readonly code: number | null;
  /** What it printed, standard error included; the last 64 KB. */
  readonly printed: string;
  /** Why it was ended. */
  readonly why?: string;
}

const LOOK_MS = 50;
const PRINTED_MAX = 65_536;
/** Processor seconds for each second that it may take: the kernel ends what goes on when we were killed. */
const PROCESSORS = 8;
/** `why` of what was ended because we were told to stop. */
export const INTERRUPTED = "it was interrupted";

export function runLimited(args: readonly string[], cwd: string, { seconds, memory_mb }: Limits): Promise<Ended> {
  // A group of its own, so that it can be ended with all that it started.
  const limited = `ulimit -t ${Math.ceil(PROCESSORS * seconds)}; exec "$@"`;
  const child = spawn("sh", ["-c", limited, "sh", process.execPath, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: plain(),
  });
  let printed = "";
  const take = (part: Uint8Array): void => {
    printed = (printed + part.toString()).slice(-PRINTED_MAX);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  let why: string | undefined;
  const end = (reason: string): void => {
    why ??= reason;
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  };
  // Who interrupts us from a terminal does not reach another group.
  const forget = onStop(() => end(INTERRUPTED));
  const late = setTimeout(() => end(`it took longer than ${seconds} s`), seconds * 1000);
  const looking = setInterval(async () => {
    if ((await memoryOf(child.pid!)) > memory_mb * 1e6) end(`it took more than ${memory_mb} MB of memory`);
  }, LOOK_MS);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(late);
      clearInterval(looking);
      forget();
      resolve({ code: why === undefined ? code : null, printed, ...(why === undefined ? {} : { why }) });
    });
  });
}

/** Without colours, and without what the operator's server is told. */
function plain(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("TONWERK_"));
  return { ...Object.fromEntries(kept), NO_COLOR: "1", FORCE_COLOR: undefined };
}

/** Bytes in memory; 0 where the system does not say (only Linux does as cheaply). */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return 1024 * Number(/^VmRSS:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0);
}
