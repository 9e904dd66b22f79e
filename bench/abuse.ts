/**
 * `bun bench/abuse.ts`: what one client with a free account, or without any key, can do to everybody else. For each attack a fresh node with its
 * defaults; a victim uploads, reads and has jobs of one second done at a fixed pace, first alone, then beside the attack for a bounded time.
 *
 *     bun bench/abuse.ts [--runtime bun|deno] [--stack embedded|services] [--seconds 4] [--only name,finding] [--root folder] [--json file]
 *                        [--proxy] [--difference 30] [--tries 3]
 *
 * `--seconds`: of each phase, quiet and attack alike; 10 for p99 that are not the longest. `--root`: another checkout, whose node is attacked.
 * `--stack services`: on Postgres, Redis and S3, started here. `--proxy`: behind nginx with deploy/nginx.conf, which victim and attacker both call.
 * `--difference`: milliseconds by which a p99 may always be above the quiet one: victim,
 * attacker and node share the machine's cores, and below that a ratio tells how the system takes turns. `--tries`: how often an attack under which the
 * goal does not hold is measured, each time with a fresh node; the middle one counts. Fails where the goal does not hold.
 *
 * Attackers are a process of their own at niceness 10, for they have no machine of their own; the victim is not, so that its clock is right. Linux.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runtime as own } from "../core/adapters/runtime/runtime.ts";
import type { Attack } from "./abuse/attack.ts";
import { ATTACKS } from "./abuse/attacks.ts";
import { judge, KINDS, type Measured, middleOf, p99, quantile, quietOf } from "./abuse/judge.ts";
import { measure } from "./abuse/measure.ts";
import { STACKS, silentResolverMissing } from "./abuse/node.ts";
import { columns, HERE, loadNow, type RuntimeName } from "./measure.ts";

const { values: options } = parseArgs({
  options: {
    runtime: { type: "string", default: "bun" },
    stack: { type: "string", default: "embedded" },
    seconds: { type: "string", default: "4" },
    only: { type: "string" },
    root: { type: "string", default: HERE },
    proxy: { type: "boolean", default: false },
    json: { type: "string" },
    difference: { type: "string", default: "30" },
    tries: { type: "string", default: "3" },
  },
});
const SECONDS = Number(options.seconds);

const only = options.only?.split(",");
const asked = ATTACKS.filter(
  ({ name, finding }) => only === undefined || only.some((one) => one === name || one === finding),
);
if (asked.length === 0)
  throw new Error(`There is no attack "${options.only}", only ${ATTACKS.map(({ name }) => name).join(", ")}`);
const makeStack = STACKS[options.stack];
if (makeStack === undefined)
  throw new Error(`There is no stack "${options.stack}", only ${Object.keys(STACKS).join(", ")}`);
const stack = await makeStack();
const where = {
  root: resolve(options.root),
  runtime: options.runtime as RuntimeName,
  stack,
  has_proxy: options.proxy,
  seconds: SECONDS,
  difference_ms: Number(options.difference),
};
/** Of each attack all tries; the quiet phase of each says what is usual. */
const measured = new Map<string, Measured[]>();
const skipped: string[] = [];
console.log(
  `${options.runtime}, ${options.stack}${options.proxy ? ", behind nginx" : ""}, ${cpus().length} cores, load ${loadNow()}; ${SECONDS} s each beside a victim on ${own.name} ${own.version}`,
);
try {
  const resolver_missing = await silentResolverMissing();
  for (const attack of asked) {
    if (attack.needs === "silent_resolver" && resolver_missing !== undefined) {
      skipped.push(`${attack.name}: ${resolver_missing}`);
      continue;
    }
    try {
      await again(attack);
    } catch (error) {
      // The others say something all the same.
      skipped.push(`${attack.name}: ${error instanceof Error ? error.message : String(error)}`);
      console.log(`${attack.name}: not measured`);
    }
  }
  // When the others have told what is usual.
  const names = [...measured].filter(([, [one]]) => verdictOf(one!).broken.length > 0).map(([name]) => name);
  for (let tries = 1; tries < Number(options.tries); tries++)
    for (const name of names) await again(ATTACKS.find((attack) => attack.name === name)!);
} finally {
  await stack.close();
}
report();
process.exit(process.exitCode ?? 0);

async function again(attack: Attack): Promise<void> {
  const one = await measure(attack, where);
  measured.set(attack.name, [...(measured.get(attack.name) ?? []), one]);
  console.log(progress(one));
}

function verdictOf(one: Measured) {
  return judge(one, quietOf([...measured.values()].flat()), where.difference_ms);
}

// --------------------------------------------------------------------------------------------------------------- report

function counts(of: Readonly<Record<string, number>>): string {
  const all = Object.entries(of).map(([name, count]) => `${name}: ${count}`);
  return all.length === 0 ? "-" : all.join(", ");
}

function times(values: readonly number[]): string {
  return `${quantile(values, 0.5).toFixed(0)} / ${p99(values).toFixed(0)}`;
}

function progress({ attack, quiet, attacked, answers, faults }: Measured): string {
  const latencies = KINDS.map((kind) => `${kind} ${times(quiet.ms[kind])} -> ${times(attacked.ms[kind])}`).join(", ");
  return `${attack}: ${latencies} ms; errors ${counts(attacked.errors)}; answered ${counts(answers)}; load ${loadNow()} ${faults.join("; ")}`;
}

function report(): void {
  const all = [...measured.values()].flat();
  const usual = quietOf(all);
  const judged = [...measured.values()].map((tries) => {
    const one = middleOf(tries, usual);
    return { tries, one, verdict: verdictOf(one) };
  });
  const samples = KINDS.map((kind) => `${all[0]?.attacked.ms[kind].length ?? 0} of ${kind}`).join(", ");
  console.log(
    `\np50 / p99 in ms, by rank: of fewer than 100 samples the p99 is the longest. A phase has ${samples}. Quiet is the middle of ${all.length} such phases, ` +
      `or that of the same node where it is higher; what is ${where.difference_ms} ms above it or less says nothing.\n`,
  );
  const middle = (kind: (typeof KINDS)[number]): string =>
    `${quantile(
      all.map(({ quiet }) => quantile(quiet.ms[kind], 0.5)),
      0.5,
    ).toFixed(0)} / ${usual[kind].toFixed(0)}`;
  const quiet_mb = Math.max(...all.map((one) => one.quiet.memory_mb));
  console.log(
    columns([
      [
        "attack",
        "finding",
        "tries",
        "upload",
        "x",
        "status",
        "x",
        "job",
        "x",
        "errors",
        "MB",
        "+MB",
        "/health",
        "goal",
      ],
      ["quiet", "", "", ...KINDS.flatMap((kind) => [middle(kind), ""]), "0", quiet_mb.toFixed(0), "", "", ""],
      ...judged.map(({ tries, one, verdict }) => [
        one.attack,
        one.finding,
        String(tries.length),
        ...KINDS.flatMap((kind) => [times(one.attacked.ms[kind]), verdict.ratios[kind].toFixed(1)]),
        counts(one.attacked.errors),
        one.attacked.memory_mb.toFixed(0),
        verdict.memory_more_mb.toFixed(0),
        counts(one.attacked.health),
        verdict.broken.length === 0 ? "holds" : "BROKEN",
      ]),
    ]),
  );
  console.log("");
  for (const { one, verdict } of judged) {
    const said = [`answered ${counts(one.answers)}`, ...one.notes];
    console.log(
      `${one.attack}: ${verdict.broken.length === 0 ? "holds" : verdict.broken.join("; ")} (${said.join("; ")})`,
    );
  }
  for (const line of skipped) console.log(`not measured: ${line}`);
  if (options.json !== undefined) {
    const { runtime, stack, root, proxy } = options;
    const head = {
      at: new Date().toISOString(),
      runtime,
      stack,
      root,
      proxy,
      seconds: SECONDS,
      cores: cpus().length,
      load: loadNow(),
    };
    const rows = judged.map(({ tries, one, verdict }) => ({ tries: tries.length, ...one, ...verdict }));
    writeFileSync(options.json, `${JSON.stringify({ ...head, skipped, rows }, null, 1)}\n`);
  }
  if (skipped.length > 0 || judged.some(({ verdict }) => verdict.broken.length > 0)) process.exitCode = 1;
}
