/**
 * `bun bench/stalls.ts [--rate 3000] [--seconds 20]`: where the slowest submissions come from. A fresh server gets submissions at a fixed rate (pace.ts),
 * while its writing thread stamps the phases of every shared commit, its main thread keeps its pauses, and a file beside the database on the same disk is
 * written and synchronised by itself 20 times a second. On Bun, with 20 accounts.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runPace } from "./k6/k6.ts";
import { startKernel } from "./k6/servers.ts";
import { columns, HERE, loadNow } from "./measure.ts";
import { startDiskProbe } from "./stalls/disk.ts";
import type { Copied, Stamped } from "./stalls/patch.ts";

const { values: options } = parseArgs({
  options: { rate: { type: "string", default: "3000" }, seconds: { type: "string", default: "20" } },
});
/** The warm-up of pace.ts. */
const WARM_UP_MS = 2_000;
/** What a commit may take without hurting anybody. */
const SLOW_MS = 20;

interface Paused {
  readonly kind: "main";
  readonly at: number;
  readonly ms: number;
}

const folder = await mkdtemp(join(tmpdir(), "tonwerk-stalls-"));
const file = join(folder, "stamps.jsonl");
const load_before = loadNow();
const target = await startKernel("this", HERE, "api", "bun", ["--preload", join(HERE, "bench/stalls/preload.ts")], {
  STALLS: file,
});
try {
  const began = Date.now();
  const probe = startDiskProbe(folder);
  const paced = await runPace(target, "submit", { rate: Number(options.rate), seconds: Number(options.seconds) });
  const syncs = await probe();
  const counted = (await readFile(file, "utf8"))
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Stamped | Copied | Paused]))
    .filter(({ at }) => at > began + WARM_UP_MS + 500);
  const commits = counted.filter((one) => one.kind === "commit");
  const copies = counted.filter((one) => one.kind === "checkpoint");
  const pauses = counted.filter((one) => one.kind === "main");
  console.log(`load ${load_before} before, ${loadNow()} after`);
  console.log(
    `${paced.rate_achieved.toFixed(0)} of ${options.rate} submissions a second: p50 ${paced.p50_ms.toFixed(1)}, p95 ${paced.p95_ms.toFixed(1)}, ` +
      `p99 ${paced.p99_ms.toFixed(1)}, most ${paced.max_ms.toFixed(1)} ms, ${paced.errors} errors\n`,
  );
  const isBesideCopy = ({ at, statements_ms, commit_ms }: Stamped): boolean =>
    copies.some((copy) => copy.at < at + statements_ms + commit_ms && copy.at + copy.ms > at + statements_ms);
  const phase = (name: string, values: readonly number[]): readonly string[] => [
    name,
    String(values.length),
    ...[0.5, 0.9, 0.99, 0.999, 1].map((q) => quantile(values, q).toFixed(2)),
  ];
  console.log(
    columns([
      ["milliseconds", "number", "p50", "p90", "p99", "p99.9", "most"],
      phase(
        "commit: first call waits",
        commits.map((one) => one.wait_ms),
      ),
      phase(
        "commit: statements",
        commits.map((one) => one.statements_ms),
      ),
      phase(
        "commit: COMMIT (write and sync)",
        commits.map((one) => one.commit_ms),
      ),
      phase(
        "  of those beside a checkpoint",
        commits.flatMap((one) => (isBesideCopy(one) ? [one.commit_ms] : [])),
      ),
      phase(
        "checkpoints",
        copies.map((one) => one.ms),
      ),
      phase(
        "main thread pauses (above 4 ms)",
        pauses.map((one) => one.ms),
      ),
      phase("disk: 4 KB written and synchronised by itself", syncs),
    ]),
  );
  console.log(
    `\ncalls in a commit: ${quantile(
      commits.map((one) => one.calls),
      0.5,
    )} at the median\n`,
  );
  const slow = commits.filter((one) => one.statements_ms + one.commit_ms > SLOW_MS);
  const mostly = slow.filter((one) => one.commit_ms > one.statements_ms).length;
  console.log(
    `${slow.length} commits took more than ${SLOW_MS} ms: ${mostly} of them mostly in COMMIT, ${slow.length - mostly} in statements`,
  );
} finally {
  await target.stop();
  await rm(folder, { recursive: true, force: true });
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
}
