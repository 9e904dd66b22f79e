/** Servers of others that tests start for real, each with a watchdog that ends it with the process that asked for it, however that ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Path of a program; undefined: it is not installed here. */
export function findProgram(name: string): string | undefined {
  // Where Debian and `go install` put what is not always on the PATH.
  const places = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", join(homedir(), "go/bin")];
  return places.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const setpriv = findProgram("setpriv");
/**
 * What to put before a command so that it gets the signal when its parent is gone: a watchdog may be killed too (Bun kills the children of
 * a test that runs out of time). Nothing where util-linux is not installed.
 */
export function endsWithParent(signal: "KILL" | "QUIT"): readonly string[] {
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", signal, "--"];
}

export interface Running {
  /** Kills it at once and resolves when it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts a server and resolves once `isReady` does; rejects with what it printed where it never is. `folder`: what it keeps, removed when
 * this process is gone; `kill` leaves it.
 */
export async function startServer(
  program: string,
  args: readonly string[],
  isReady: () => Promise<boolean>,
  { env = {}, folder = "" }: { readonly env?: Readonly<Record<string, string>>; readonly folder?: string } = {},
): Promise<Running> {
  const command = [...endsWithParent("KILL"), program, ...args];
  const watchdog = spawn("/bin/sh", ["-c", WATCHDOG, "watchdog", folder, ...command], {
    stdio: ["pipe", "ignore", "pipe"],
    env: { ...process.env, ...env },
    detached: true,
  });
  const gone = new Promise<void>((resolve) => watchdog.once("exit", () => resolve()));
  let printed = "";
  watchdog.stderr.on("data", (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-4_000);
  });
  letGo(watchdog);
  const kill = async (): Promise<void> => {
    watchdog.stdin.end("keep\n");
    await gone;
  };
  const deadline = Date.now() + START_MS;
  while (!(await isReady().catch(() => false))) {
    if (Date.now() > deadline) {
      await kill();
      throw new Error(`Cannot start ${program}: ${printed || "it printed nothing"}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { kill };
}

const START_MS = 100_000;

/** Arguments: folder or nothing, then the server's command. Its input ends when the one who started it lets go, or is gone. */
const WATCHDOG = `
folder="$1"; shift
"$@" </dev/null >&2 & pid=$!
read -r order
kill -9 $pid
wait $pid 2>/dev/null
[ "$order" = keep ] || [ -z "$folder" ] || rm -rf "$folder"
`;

/** The process may end while this one runs. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as { unref?: () => void } | null)?.unref?.();
}
