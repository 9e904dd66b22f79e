/**
 * `bun scripts/breaking_changes.ts [commit]`: refuses a change of sdk/openapi.json against the commit (of main, unless said) that would break
 * clients and that no new entry of CHANGELOG.md announces: one with the word Breaking and the path. Needs oasdiff and the history.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram } from "../test/services/programs.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const DOCUMENT = "sdk/openapi.json";
const CHANGELOG = "CHANGELOG.md";

interface Change {
  readonly level: number;
  readonly operation: string;
  readonly path: string;
  readonly text: string;
}

/** Each change that breaks clients, without those that an entry announces. */
export function findUnannounced(
  oasdiff: string,
  before: string,
  after: string,
  entries: readonly string[],
): readonly string[] {
  const printed = execFileSync(oasdiff, ["breaking", before, after, "--format", "json"], {
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  const isAnnounced = (path: string): boolean =>
    entries.some((entry) => /\bBreaking\b/u.test(entry) && entry.includes(path));
  return (JSON.parse(printed) as readonly Change[])
    .filter(({ level, path }) => level === 3 && !isAnnounced(path.replace(/^webhook:/u, "")))
    .map(({ operation, path, text }) => `${operation} ${path}: ${text}`);
}

/** Entries of a changelog that the one before has not. */
export function newEntries(before: string, after: string): readonly string[] {
  const known = new Set(before.split("\n- "));
  return after.split("\n- ").filter((entry) => !known.has(entry));
}

function run(asked: string | undefined): void {
  const head = attempt("rev-parse", "HEAD");
  const forked = ["origin/main", "main"].map((branch) => attempt("merge-base", "HEAD", branch));
  const base = asked ?? forked.find((commit) => commit !== undefined && commit !== head) ?? "HEAD~1";
  const known = attempt("show", `${base}:${DOCUMENT}`);
  if (known === undefined) {
    console.log(`${DOCUMENT}: ${base} has none to compare with`);
    return;
  }
  const oasdiff = findProgram("oasdiff");
  if (oasdiff === undefined) throw new Error("oasdiff is missing: go install github.com/oasdiff/oasdiff@v1.36.0");
  const folder = mkdtempSync(join(tmpdir(), "tonwerk-openapi-"));
  try {
    const before = join(folder, "before.json");
    writeFileSync(before, known);
    const logged = readFileSync(join(root, CHANGELOG), "utf8");
    const entries = newEntries(attempt("show", `${base}:${CHANGELOG}`) ?? "", logged);
    const found = findUnannounced(oasdiff, before, join(root, DOCUMENT), entries);
    if (found.length === 0) {
      console.log(`${DOCUMENT}: nothing breaks unannounced since ${base}`);
      return;
    }
    console.error(`These changes break clients. Take them back, or announce each path as Breaking in ${CHANGELOG}:`);
    for (const change of found) console.error(`  ${change}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What git says; undefined: it fails, for want of a history say. */
function attempt(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 100_000_000 });
  return status === 0 ? stdout.trim() : undefined;
}

if (import.meta.main) run(process.argv[2]);
