/**
 * Whether the tail grows with the store: status reads, new submissions and pages of the list at fixed rates, for
 * minutes on end, on stores of each size in turn (the first one is what the others are compared with); p50, p99 and
 * p99.9 of each ten seconds and of all. SQLite, one process.
 *
 *     bun bench/grown.ts --data FOLDER [--sizes 1000,100000,1000000,10000000] [--minutes 10] [--submissions 1000] [--reads 500] [--lists 20]
 *         [--json FILE]
 *
 * Stores are preloaded where FOLDER has none of that size (2.4 KB an operation; ten million take a quarter of an hour
 * and 24 GB), and what is submitted stays in them. A server is started on each, and ended.
 */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { joinSlices, type Run } from "../cli/bench/pace.ts";
import { preload } from "../cli/bench/preload.ts";
import { figuresOf } from "../cli/bench/result.ts";
import { args, exit, runtime } from "../core/adapters/runtime/runtime.ts";
import { newApiKey } from "../core/base/keys.ts";
import { freePort, startProcess } from "../test/process.ts";
import { columns, loadNow } from "./measure.ts";
import { KINDS, type Kind, type Loaded, load, type Rates } from "./operation/load.ts";

const { values: options } = parseArgs({
  args: [...args],
  options: {
    data: { type: "string" },
    sizes: { type: "string", default: "1000,100000,1000000,10000000" },
    minutes: { type: "string", default: "10" },
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

async function measure(size: number, keys: readonly string[]): Promise<Loaded> {
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
  try {
    const subject = { url: node.url, keys, operations: size };
    return await load(subject, { rates, seconds: 60 * Number(options.minutes), warm_up_s: WARM_UP_S });
  } finally {
    node.kill("SIGTERM");
    await node.exited;
  }
}

const windowsOf = ({ slices }: Run) =>
  Array.from({ length: Math.ceil(slices.length / WINDOW_S) }, (_, index) =>
    figuresOf(joinSlices(slices.slice(index * WINDOW_S, (index + 1) * WINDOW_S))),
  );

const keys = await readKeys();
const found: { readonly size: number; readonly loaded: Loaded; readonly load: string }[] = [];
for (const size of options.sizes.split(",").map(Number)) {
  const loaded = await measure(size, keys);
  found.push({ size, loaded, load: loadNow() });
  console.error(`${size}: load ${loadNow()}`);
}

const ms = (value: number): string => (Number.isNaN(value) ? "few" : value.toFixed(1));
const first = found[0]!;
const whole = (loaded: Loaded, kind: Kind) => figuresOf(joinSlices(loaded[kind]!.slices));
const rows = KINDS.filter((kind) => rates[kind] > 0).flatMap((kind) =>
  found.map(({ size, loaded, load }) => {
    const { latencies, failed, most_ms } = whole(loaded, kind);
    const fresh = whole(first.loaded, kind).latencies;
    const p99s = windowsOf(loaded[kind]!).map((window) => window.latencies[QUANTILES.p99]!);
    return [
      `${kind}, ${size} operations`,
      ...Object.values(QUANTILES).map((index) => ms(latencies[index]!)),
      ms(most_ms),
      ...[QUANTILES.p99, QUANTILES["p99.9"]].map((index) => (latencies[index]! / fresh[index]!).toFixed(2)),
      `${ms(Math.min(...p99s))} to ${ms(Math.max(...p99s))}`,
      String(failed),
      load,
    ];
  }),
);
console.log(`${runtime.name} ${runtime.version}, ${options.minutes} min each, a second: ${JSON.stringify(rates)}\n`);
console.log(
  columns([
    ["", "p50", "p99", "p99.9 ms", "most", "p99 times", "p99.9 times", "p99 of 10 s", "failed", "load after"],
    ...rows,
  ]),
);
if (options.json !== undefined)
  await writeFile(options.json, `${JSON.stringify({ at: new Date().toISOString(), options, found })}\n`);
exit(0);
