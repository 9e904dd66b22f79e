/** Another commit in a work tree of its own, ready to be started. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HERE } from "../measure.ts";

export interface Checkout {
  /** The commit, shortened. */
  readonly name: string;
  readonly folder: string;
  remove(): Promise<void>;
}

/** With packages, and kernels where it compiles some, of its own: as its own set-up makes them. */
export async function checkOut(commit: string): Promise<Checkout> {
  const name = nameCommit(commit);
  const parent = await mkdtemp(join(tmpdir(), "tonwerk-against-"));
  const folder = join(parent, name);
  git("worktree", "add", "--detach", folder, name);
  const remove = async (): Promise<void> => {
    git("worktree", "remove", "--force", folder);
    await rm(parent, { recursive: true, force: true });
  };
  try {
    // Not linked to this checkout's packages: a set-up there would change them here.
    execFileSync("node", ["scripts/setup.mjs", "--test"], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  } catch (error) {
    await remove();
    throw error;
  }
  return { name, folder, remove };
}

/** What `checkOut` calls it. */
export const nameCommit = (commit: string): string =>
  git("rev-parse", "--short", "--verify", `${commit}^{commit}`).trim();

/** Of this checkout, as `git describe` names it. */
export const commitHere = (): string => git("describe", "--always", "--dirty").trim();

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: HERE, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
