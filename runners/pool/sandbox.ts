/**
 * What stands in for permissions where a runtime has none: bubblewrap, where it is installed and the system lets it
 * make namespaces. In it are the files that a process may see, no process but its own, and no network, or all of it.
 */
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import type { Confinement } from "../../core/ports/mod.ts";
import { childEnvironment } from "./environment.ts";

type Wanted = Pick<Confinement, "hosts" | "read" | "write">;

/** The number of a process's parent in the sandbox: bubblewrap's own, which ends with whoever started it. */
export const SANDBOX_PARENT = 1;

/** Where programs and libraries are: nobody's files. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/nix/store",
  "/etc/alternatives",
  "/etc/ld.so.cache",
];
/** What names and certificates are looked up in. */
const NETWORK = ["resolv.conf", "hosts", "nsswitch.conf", "ssl", "pki", "ca-certificates"].map(
  (name) => `/etc/${name}`,
);

/** Arguments of `bwrap` before the command that it is to run. */
export function sandboxArguments({ hosts, read, write }: Wanted): readonly string[] {
  const libraries = (process.env.LD_LIBRARY_PATH ?? "").split(":").filter((folder) => folder.startsWith("/"));
  const has_network = hosts.length > 0;
  const seen = [...SYSTEM, ...libraries, process.execPath, ...(has_network ? NETWORK : []), ...read].flatMap(bothOf);
  return [
    ...["--unshare-all", ...(has_network ? ["--share-net"] : []), "--die-with-parent", "--cap-drop", "ALL"],
    ...seen.flatMap((path) => ["--ro-bind-try", path, path]),
    ...write.flatMap((path) => ["--bind-try", path, path]),
    // Bun needs the first. Nothing may be put where it would be memory that nobody counts.
    ...["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"],
  ];
}

/** A link, and where it leads: runtimes load what is behind it. */
function bothOf(path: string): readonly string[] {
  try {
    const real = realpathSync(path);
    return real === path ? [path] : [path, real];
  } catch {
    return [];
  }
}

let fault: string | null | undefined;

/** Why nothing runs in a sandbox here; null: it does. Asked once, by running this runtime in one. */
export function findSandboxFault(): string | null {
  if (fault !== undefined) return fault;
  const wanted = { hosts: [], read: [], write: [] };
  const command = [...sandboxArguments(wanted), "--", process.execPath, "-e", "0"];
  const { error, status, stderr } = spawnSync("bwrap", command, { env: childEnvironment(), timeout: 30_000 });
  if (error !== undefined)
    fault = (error as { code?: unknown }).code === "ENOENT" ? "it is not installed" : error.message;
  else fault = status === 0 ? null : String(stderr).trim().slice(-500) || `exit code ${status}`;
  return fault;
}
