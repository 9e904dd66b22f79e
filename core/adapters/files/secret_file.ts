/** The installation's secret as a file of the data folder, where TONWERK_SECRET does not say it. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { decodeSecret, SECRET_BYTES_MIN } from "../../base/secrets.ts";

/**
 * The secret in `<folder>/secret`, made at the first start: readable by its owner alone, complete or absent, the same
 * for all who race for it. A file that others may read is refused, not repaired: who read it can sign, and only the
 * operator can judge that.
 */
export async function loadOrCreateSecret(folder: string): Promise<string> {
  const path = join(folder, "secret");
  return (await readSecret(path)) ?? (await createSecret(folder, path));
}

async function readSecret(path: string): Promise<string | undefined> {
  let file: FileHandle;
  try {
    // Not through a link: the file's mode must be the one that is checked.
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw new Error(`Cannot read the secret "${path}"`, { cause: error });
  }
  try {
    const { mode } = await file.stat();
    // Windows has no such bits.
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, "0");
      throw new Error(
        `Cannot use the secret "${path}": its mode is ${octal}, others than its owner may use it; ` +
          "if nobody did, run chmod 600 on it, else replace it and set TONWERK_SECRET_PREVIOUS to its content",
      );
    }
    const text = (await file.readFile("utf8")).trim();
    if (decodeSecret(text) === undefined) {
      throw new Error(`Cannot use the secret "${path}": it must hold base64 of at least 32 bytes`);
    }
    return text;
  } finally {
    await file.close();
  }
}

async function createSecret(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = randomBytes(SECRET_BYTES_MIN).toString("base64");
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${text}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // A link and not a rename: it fails where another start was faster, whose secret then counts.
    await link(draft, path);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw new Error(`Cannot create the secret "${path}"`, { cause: error });
    const theirs = await readSecret(path);
    if (theirs === undefined) throw new Error(`Cannot create the secret "${path}": it came and went meanwhile`);
    return theirs;
  } finally {
    await rm(draft, { force: true });
  }
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
  return text;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
