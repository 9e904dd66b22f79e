/** Processor time of a Postgres server, its ended backends included. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PostgresServer } from "../../test/services/postgres.ts";

/** Linux counts in hundredths of a second. */
const US_A_TICK = 10_000;

/** Since its start, µs. */
export function serverCpu(server: Pick<PostgresServer, "folder">): number {
  const postmaster = Number(readFileSync(join(server.folder, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // After the name, which may hold anything: state, parent, … 12th and 13th user and system time, then those of children waited for.
      const fields = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      if (Number(name) === postmaster) ticks += fields[11]! + fields[12]! + fields[13]! + fields[14]!;
      else if (fields[1] === postmaster) ticks += fields[11]! + fields[12]!;
    } catch {
      // It ended while we looked.
    }
  }
  return ticks * US_A_TICK;
}
