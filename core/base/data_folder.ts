/** Only its owner may read the data folder: it holds the secret that signs URLs, all accounts, and their audio. */
import { chmod, lstat, mkdir } from "node:fs/promises";
import type { Log } from "./log.ts";

const OTHERS = 0o077;
const MODE = 0o700;

/** From now on, only this user may read what the process and its children make, databases and their logs included. */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/** Makes the folder, or takes others' rights to it away. Rejects with a message for the operator if it may not. */
export async function ownDataFolder(folder: string, log: Log): Promise<void> {
  await mkdir(folder, { recursive: true, mode: MODE });
  const found = await lstat(folder);
  // Without users there is nobody to shut out. A link's own mode means nothing.
  if (process.getuid === undefined || found.isSymbolicLink()) return;
  if ((found.mode & OTHERS) === 0) return;
  const was = (found.mode & 0o777).toString(8);
  try {
    await chmod(folder, MODE);
  } catch (cause) {
    throw new Error(
      `Cannot use "${folder}": others may enter it (mode ${was}) and it belongs to user ${found.uid}, not to ${process.getuid()}; ` +
        "give it to the user who runs this (chown), or set TONWERK_DATA to a folder below it, which is made",
      { cause },
    );
  }
  log("data.tightened", { path: folder, was, now: MODE.toString(8) });
}
