/** What a program that reads foreign bytes is kept from: resources by prlimit, everything else by bubblewrap, where these are installed. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** What a program may use. Enforced by the kernel where `prlimit` (util-linux) is installed. */
interface Allowance {
  /** Seconds by the clock; always enforced. */
  readonly wall_s: number;
  readonly cpu_s: number;
  readonly memory_bytes: number;
  /** Largest file it may write; pipes do not count. */
  readonly file_bytes: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly allowance: Allowance;
  /** Files that it reads, by absolute path; in the sandbox there are no others of ours. */
  readonly reads?: readonly string[];
  /** A folder that it may write in, by absolute path. */
  readonly writes?: string;
  /** False: without a sandbox even where there is one. */
  readonly sandbox?: boolean;
}

/** All that such a program has of our environment: what finding programs and libraries needs. No key, no secret, no home. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  LANG: "C.UTF-8",
};

export interface Confined {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether bubblewrap stands between: then a signal that ends the program shows as an exit code. */
  readonly sandboxed: boolean;
}

/**
 * The order behind `prlimit` and `bwrap`. In the sandbox there is no network, no process but its own, no file but programs and libraries
 * (read only), an empty `/tmp` and what `order.reads` and `order.writes` name. Where that cannot be had, standard error says so once.
 */
export async function confine(order: Command): Promise<Confined> {
  let { program, args } = order as { program: string; args: readonly string[] };
  const sandboxed = order.sandbox !== false && (await hasSandbox());
  if (sandboxed) {
    const seen = [...folders(), program, ...(order.reads ?? [])].flatMap(readable);
    const writable = order.writes === undefined ? [] : ["--bind", order.writes, order.writes];
    args = [...SANDBOX, ...seen, ...writable, "--", program, ...args];
    program = "bwrap";
  }
  prlimit ??= runs("prlimit", ["--version"]).then((fault) => fault === undefined);
  if (!(await prlimit)) return { program, args, sandboxed };
  const { cpu_s, memory_bytes, file_bytes } = order.allowance;
  // SIGXCPU first, which says why; a program that ignores it has a second.
  const limits = [`--cpu=${cpu_s}:${cpu_s + 1}`, `--as=${memory_bytes}`, `--fsize=${file_bytes}`, "--core=0"];
  return { program: "prlimit", args: [...limits, "--", program, ...args], sandboxed };
}

/** The signal that an exit code of bubblewrap stands for, as shells have it; null for none. */
export function signalOf(code: number | null): string | null {
  const number = (code ?? 0) - 128;
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
}

let prlimit: Promise<boolean> | undefined;
let sandbox: Promise<boolean> | undefined;

/** Asked once per thread: containers often forbid the namespaces that it is made of. */
export function hasSandbox(): Promise<boolean> {
  sandbox ??= runs("bwrap", [...SANDBOX, ...folders().flatMap(readable), "--", "true"]).then((fault) => {
    if (fault === undefined) return true;
    // Core's log is not to be had here; the line has its form.
    const line = { time: new Date().toISOString(), level: "warn", event: "decoder.not_confined", reason: fault };
    console.error(JSON.stringify(line));
    return false;
  });
  return sandbox;
}

/** Users, network, processes and mounts of its own; ends with us. */
const SANDBOX: readonly string[] = [
  ...["--unshare-all", "--die-with-parent", "--cap-drop", "ALL"],
  ...["--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/tmp"],
];

/** Where programs and libraries are: no configuration, nobody's files. */
function folders(): string[] {
  const libraries = (process.env.LD_LIBRARY_PATH ?? "").split(":").filter((folder) => folder.startsWith("/"));
  const system = ["/usr", "/bin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/alternatives", "/etc/ld.so.cache"];
  return [...system, ...libraries];
}

function readable(path: string): string[] {
  // A name without a path is found in one of the folders.
  return path.includes("/") ? ["--ro-bind-try", path, path] : [];
}

/** Undefined where the program ran and ended well, else why not. */
function runs(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: ENVIRONMENT, stdio: ["ignore", "ignore", "pipe"], windowsHide: true });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-500);
    });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(code === 0 ? undefined : complaint.trim() || `exit code ${code}`));
  });
}
