/**
 * What clients notice while an installation is operated: percentiles of reads and submissions at fixed rates while
 * workers make songs, a node is replaced, a worker is killed, retention sweeps, a backup runs, a migration runs, and
 * Postgres vacuums (operation/happenings.ts). Quiet phases and such in which it happens take turns on one stack
 * (operation/stacks.ts); of the latter only the seconds in which it happened count. Ratios are taken within a round. A
 * request that fails is behind all others in a percentile; nothing is tried again here, but nginx passes what a node
 * refuses or breaks off to the other one, as deploy/nginx.conf says.
 *
 *     bun bench/operation.ts [--stack sqlite,postgres] [--only backup,node] [--rounds 3] [--seconds 10] [--operations 100000]
 *         [--reads 400] [--submissions 100] [--workers 2] [--root another/checkout] [--json FILE]
 *
 * On Deno: `deno run -A --no-check --unstable-no-legacy-abort bench/operation.ts`. Needs sqlite3; for Postgres also
 * PostgreSQL, redis-server, versitygw and nginx. Starts everything on the loopback interface, and ends it.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { joinSlices } from "../cli/bench/pace.ts";
import { args, exit, runtime } from "../core/adapters/runtime/runtime.ts";
import { HERE, loadNow } from "./measure.ts";
import { cutRun, type Round, type Row, summaryOf, tableOf } from "./operation/figures.ts";
import { HAPPENINGS, type Happening, type Window } from "./operation/happenings.ts";
import { KINDS, type Kind, type Loaded, load, type Rates } from "./operation/load.ts";
import { keepWorking } from "./operation/songs.ts";
import { type Stack, startEmbedded, startNodes } from "./operation/stacks.ts";

const { values: options } = parseArgs({
  args: [...args],
  options: {
    stack: { type: "string", default: "sqlite,postgres" },
    only: { type: "string" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    operations: { type: "string", default: "100000" },
    reads: { type: "string", default: "400" },
    submissions: { type: "string", default: "100" },
    workers: { type: "string", default: "2" },
    root: { type: "string", default: HERE },
    json: { type: "string" },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const rates: Rates = { reads: Number(options.reads), submissions: Number(options.submissions), lists: 0 };
const WARM_UP_S = 3;
/** Of the first phase of a stack, whose processes compile. */
const FIRST_S = 10;

const say = (line: string): void => console.error(line);

async function quietPhase(stack: Stack): Promise<Loaded> {
  return load(stack, { rates, seconds, warm_up_s: WARM_UP_S });
}

interface Happened {
  readonly loaded: Loaded;
  readonly counted_at: number;
  readonly window: Window;
}

async function happeningPhase(stack: Stack, happening: Happening, round: number): Promise<Happened> {
  const counted = Promise.withResolvers<number>();
  const over = Promise.withResolvers<void>();
  const phase_s = Math.max(seconds, happening.seconds ?? 0);
  const loading = load(stack, { rates, seconds: phase_s, warm_up_s: WARM_UP_S, onCounted: counted.resolve });
  const counted_at = await counted.promise;
  const from = performance.now();
  let window: Window | undefined;
  const narrow = (narrowed: Window): void => {
    window = narrowed;
  };
  const happens = happening.happen(stack, { round, over: over.promise, narrow }).then(() => {
    window ??= [from, performance.now()];
  });
  void loading.then(() => over.resolve());
  const [loaded] = await Promise.all([loading, happens]);
  return { loaded, counted_at, window: window! };
}

/** One round of each kind. */
async function measureRound(stack: Stack, happening: Happening, round: number): Promise<ReadonlyMap<Kind, Round>> {
  const isQuietFirst = round % 2 === 0;
  const quiet_before = isQuietFirst ? await quietPhase(stack) : undefined;
  await happening.before?.(stack, round);
  const { loaded, counted_at, window } = await happeningPhase(stack, happening, round);
  await happening.after?.(stack, round);
  const quiet = quiet_before ?? (await quietPhase(stack));
  const took_s = (window[1] - window[0]) / 1_000;
  say(`  round ${round + 1}: ${took_s.toFixed(1)} s, load ${loadNow()}`);
  return new Map(
    KINDS.flatMap((kind) => {
      const [calm, busy] = [quiet[kind], loaded[kind]];
      if (calm === undefined || busy === undefined) return [];
      const slices = cutRun(busy, counted_at, window);
      return [[kind, { quiet: joinSlices(calm.slices), during: joinSlices(slices), seconds: slices.length }] as const];
    }),
  );
}

async function measureHappening(stack: Stack, happening: Happening): Promise<readonly Row[]> {
  say(`${stack.kind}, ${happening.name}: ${happening.sentence}`);
  const songs = happening.songs === undefined ? undefined : await keepWorking(stack, happening.songs, 20);
  const found: ReadonlyMap<Kind, Round>[] = [];
  for (let round = 0; round < rounds; round++) found.push(await measureRound(stack, happening, round));
  await songs?.cancel();
  return KINDS.filter((kind) => rates[kind] > 0).map((kind) => ({
    happening: happening.name,
    stack: stack.kind,
    kind,
    rounds: found.map((round) => round.get(kind)!),
  }));
}

const rows: Row[] = [];
const only = options.only?.split(",");
for (const kind of options.stack.split(",")) {
  const chosen = HAPPENINGS.filter((one) => one.kind === kind && (only === undefined || only.includes(one.name)));
  if (chosen.length === 0) continue;
  say(`starting ${kind} with ${options.operations} ended operations`);
  const wanted = { operations: Number(options.operations), root: options.root, workers: Number(options.workers) };
  const stack = await (kind === "sqlite" ? startEmbedded : startNodes)(wanted);
  try {
    await load(stack, { rates, seconds: 1, warm_up_s: FIRST_S });
    // Each is of the kind of this stack.
    for (const happening of chosen) rows.push(...(await measureHappening(stack, happening as Happening)));
  } finally {
    await stack.close();
  }
}
const summaries = rows.map(summaryOf);
console.log(
  `${runtime.name} ${runtime.version}, ${options.reads} reads and ${options.submissions} submissions a second, ${options.operations} operations, load ${loadNow()}\n`,
);
console.log(tableOf(summaries));
if (options.json !== undefined)
  await writeFile(options.json, `${JSON.stringify({ at: new Date().toISOString(), options, summaries, rows })}\n`);
exit(0);
