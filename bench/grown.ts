/**
 * Whether the tail grows with the store: status reads, new submissions and pages of the list at fixed rates, for
 * minutes on end, on stores of each size in turn (the first one is what the others are compared with, within each
 * round); p50, p99 and p99.9 of each ten seconds and of all. SQLite, one process. Beside it 4 KB are written and
 * synchronised, for no submission is faster than the disk, and the generator tells how late it was itself.
 *
 *     bun bench/grown.ts --data FOLDER [--sizes 1000,100000,1000000,10000000] [--minutes 10] [--rounds 1]
 *         [--submissions 1000] [--reads 500] [--lists 20] [--recent 10000] [--json FILE]
 *
 * Stores are preloaded where FOLDER has none of that size (2.4 KB an operation; ten million take some ten minutes and
 * 24 GB), and what is submitted stays in them. A server is started on each, and ended. Reads ask for the newest
 * `--recent` of the preloaded operations; as many as there are: all.
 */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mergeCounts, quantileOf } from "../cli/bench/histogram.ts";
import { joinSlices, type Run } from "../cli/bench/pace.ts";
import { preload } from "../cli/bench/preload.ts";
import { figuresOf } from "../cli/bench/result.ts";
import { args, exit, runtime } from "../core/adapters/runtime/runtime.ts";
import { newApiKey } from "../core/base/keys.ts";
import { freePort, startProcess } from "../test/process.ts";
import { columns, loadNow, median } from "./measure.ts";
import { KINDS, type Kind, type Loaded, load, type Rates } from "./operation/load.ts";
import { startDiskProbe } from "./stalls/disk.ts";

const { values: options } = parseArgs({
  args: [...args],
  options: {
    data: { type: "string" },
    sizes: { type: "string", default: "1000,100000,1000000,10000000" },
    minutes: { type: "string", default: "10" },
    rounds: { type: "string", default: "1" },
    recent: { type: "string", default: "10000" },
    reads: { type: "string", default: "500" },
    submissions: { type: "string", default: "1000" },
    lists: { type: "string", default: "20" },
    json: { type: "string" },
  },
});
if (options.data === undefined) throw new Error("Cannot begin without --data, a folder with room for the stores");
const folder = options.data;
const rates: Rates = {
  reads: Number(options.reads),
  submissions: Number(options.submissions),
  lists: Number(options.lists),
};
const ACCOUNTS = 20;
const WINDOW_S = 10;
const WARM_UP_S = 15;
const QUANTILES = { p50: 0, p99: 3, "p99.9": 4 } as const;

async function readKeys(): Promise<readonly string[]> {
  const file = join(folder, "keys.json");
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as string[];
  const made = Array.from({ length: ACCOUNTS }, newApiKey);
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(made));
  return made;
}

interface Measured {
  readonly size: number;
  readonly loaded: Loaded;
  /** Milliseconds of each synchronisation by itself. */
  readonly syncs: readonly number[];
  readonly load: string;
}

async function measure(size: number, keys: readonly string[]): Promise<Measured> {
  const data = join(folder, String(size));
  if (!(await stat(join(data, "tonwerk.db")).catch(() => undefined))) {
    console.error(`writing ${size} operations`);
    await preload({ data, ended: size, queued: 0, keys });
  }
  const env = {
    TONWERK_DATA: data,
    TONWERK_ROLE: "api",
    TONWERK_PUT_PER_MINUTE: "0",
    TONWERK_GET_PER_MINUTE: "0",
    TONWERK_LONG_POLLS: "0",
  };
  const node = await startProcess(env, await freePort());
  const probe = startDiskProbe(folder);
  try {
    const subject = { url: node.url, keys, operations: size, recent: Number(options.recent) };
    const loaded = await load(subject, { rates, seconds: 60 * Number(options.minutes), warm_up_s: WARM_UP_S });
    return { size, loaded, syncs: await probe(), load: loadNow() };
  } finally {
    await probe();
    node.kill("SIGTERM");
    await node.exited;
  }
}

const windowsOf = ({ slices }: Run) =>
  Array.from({ length: Math.ceil(slices.length / WINDOW_S) }, (_, index) =>
    figuresOf(joinSlices(slices.slice(index * WINDOW_S, (index + 1) * WINDOW_S))),
  );

const keys = await readKeys();
const sizes = options.sizes.split(",").map(Number);
const found: Measured[] = [];
for (let round = 0; round < Number(options.rounds); round++)
  for (const size of sizes) {
    found.push(await measure(size, keys));
    console.error(`${size}: load ${loadNow()}`);
  }

const ms = (value: number): string => (Number.isNaN(value) ? "few" : value.toFixed(1));
const ofSize = (size: number): readonly Measured[] => found.filter((one) => one.size === size);
const latenciesOf = ({ loaded }: Measured, kind: Kind): readonly number[] =>
  figuresOf(joinSlices(loaded[kind]!.slices)).latencies;
const rows = KINDS.filter((kind) => rates[kind] > 0).flatMap((kind) =>
  sizes.map((size) => {
    const rounds = ofSize(size);
    const { latencies, failed, most_ms } = figuresOf(joinSlices(rounds.flatMap(({ loaded }) => loaded[kind]!.slices)));
    const p99s = rounds.flatMap(({ loaded }) =>
      windowsOf(loaded[kind]!).map((window) => window.latencies[QUANTILES.p99]!),
    );
    const first = ofSize(sizes[0]!).map((one) => latenciesOf(one, kind));
    const timesFirst = (index: number): string =>
      median(rounds.map((one, round) => latenciesOf(one, kind)[index]! / first[round]![index]!)).toFixed(2);
    return [
      `${kind}, ${size} operations`,
      ...Object.values(QUANTILES).map((index) => ms(latencies[index]!)),
      ms(most_ms),
      ...[QUANTILES.p99, QUANTILES["p99.9"]].map(timesFirst),
      `${ms(Math.min(...p99s))} to ${ms(Math.max(...p99s))}`,
      String(failed),
    ];
  }),
);
const beside = sizes.map((size) => {
  const rounds = ofSize(size);
  const syncs = rounds.flatMap((one) => one.syncs).sort((one, other) => one - other);
  const late = mergeCounts(rounds.flatMap(({ loaded }) => Object.values(loaded).map((run) => run.late)));
  return [
    `${size} operations`,
    ...[0.5, 0.99, 0.999, 1].map((q) => ms(syncs[Math.floor(q * (syncs.length - 1))]!)),
    ...[0.99, 0.999].map((q) => ms(quantileOf(late, 0, q))),
    rounds.map((one) => one.load).join("; "),
  ];
});
console.log(
  `${runtime.name} ${runtime.version}, ${options.minutes} min each, ${options.rounds} rounds, a second: ${JSON.stringify(rates)}\n`,
);
console.log(
  columns([["", "p50", "p99", "p99.9 ms", "most", "p99 times", "p99.9 times", "p99 of 10 s", "failed"], ...rows]),
);
console.log(
  columns([["", "4 KB kept: p50", "p99", "p99.9", "most", "generator late: p99", "p99.9", "load after"], ...beside]),
);
if (options.json !== undefined)
  await writeFile(options.json, `${JSON.stringify({ at: new Date().toISOString(), options, found })}\n`);
exit(0);
