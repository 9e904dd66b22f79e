/** `tonwerk migrate-store [--dry-run]`. */
import type { Config } from "./base/config.ts";

/** Returns the exit code; rejects with a message for the operator. */
export async function migrateCommand(
  rest: readonly string[],
  config: Config,
  say: (line: string) => void,
): Promise<number> {
  const unknown = rest.filter((argument) => argument !== "--dry-run");
  if (unknown.length > 0) {
    say(`Unknown: ${unknown.join(" ")}. Usage: tonwerk migrate-store [--dry-run]`);
    return 2;
  }
  const dry_run = rest.includes("--dry-run");
  // Loaded here: other commands need no database driver.
  const { migrateStore } = await import("./migrate_store.ts");
  const { rows, objects, bytes } = await migrateStore(config, { dry_run, say });
  if (dry_run) return 0;
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
  say(
    `Moved ${count} rows and ${objects} objects (${(bytes / 1e6).toFixed(1)} MB now). The data folder was not changed.`,
  );
  say(
    "Start the nodes with the same DATABASE_URL, S3_* and TONWERK_SECRET, and keep the folder until they have proved themselves.",
  );
  return 0;
}
