/** Another commit in a work tree of its own, ready to be started. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HERE } from "../measure.ts";

export interface Checkout {
  /** The commit, shortened. */
  readonly name: string;
  readonly folder: string;
  remove(): Promise<void>;
}

/** With the packages of this checkout where both ask for the same ones, else with its own, installed by its own set-up. */
export async function checkOut(commit: string): Promise<Checkout> {
  const name = git("rev-parse", "--short", "--verify", `${commit}^{commit}`).trim();
  const parent = await mkdtemp(join(tmpdir(), "tonwerk-against-"));
  const folder = join(parent, name);
  git("worktree", "add", "--detach", folder, name);
  const remove = async (): Promise<void> => {
    git("worktree", "remove", "--force", folder);
    await rm(parent, { recursive: true, force: true });
  };
  try {
    if (await asksForTheSame(folder)) await symlink(join(HERE, "node_modules"), join(folder, "node_modules"));
    else
      execFileSync("node", ["scripts/setup.mjs", "--test"], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  } catch (error) {
    await remove();
    throw error;
  }
  return { name, folder, remove };
}

/** Of this checkout, as `git describe` names it. */
export const commitHere = (): string => git("describe", "--always", "--dirty").trim();

async function asksForTheSame(folder: string): Promise<boolean> {
  const packages = (root: string, file: string): Promise<string> => readFile(join(root, file), "utf8");
  const [ours, theirs] = await Promise.all([
    packages(HERE, "package-lock.json"),
    packages(folder, "package-lock.json"),
  ]);
  return ours === theirs;
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: HERE, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
