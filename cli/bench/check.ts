/**
 * Before anything is measured: whether this installation, account and key can be, and what has to be changed where not.
 */

import type { Scenario } from "./scenarios.ts";
import { type Account, type Call, type Capabilities, must } from "./service.ts";

export interface Checked {
  readonly version: string;
  readonly account: Account;
  readonly capabilities: Capabilities;
  /** What to know beside the figures. */
  readonly notes: readonly string[];
}

/** What is planned of one scenario. */
export interface Planned {
  readonly name: string;
  readonly scenario: Scenario;
  /** The highest rate that will be asked for; Infinity where the knee is looked for. */
  readonly rate: number;
  /** Iterations in all; Infinity where the knee is looked for. */
  readonly iterations: number;
  /** Credits of one submission. */
  readonly cost: number;
}

/** Why nothing is measured: one line for each thing that has to be changed. */
export class NotReady extends Error {}

export async function askService(url: string, call: Call): Promise<Omit<Checked, "notes"> & { skew_ms: number }> {
  const before = Date.now();
  const health = await call("GET", "/health").catch((error: unknown) => {
    throw new NotReady(`No server answers at ${url}: ${error instanceof Error ? error.message : error}`);
  });
  if (health.status !== 200) throw new NotReady(`${url}/health says ${health.status}: ${JSON.stringify(health.body)}`);
  // The header has whole seconds.
  const skew_ms = Date.parse(health.headers.get("date") ?? "") + 500 - (before + Date.now()) / 2;
  const account = await call("GET", "/v1/account");
  if (account.status === 401) throw new NotReady(`${url} does not know this key; tonwerk keys create makes one`);
  const capabilities = await must(call, "GET", "/v1/capabilities");
  return {
    version: capabilities.body.version,
    account: account.body.account,
    capabilities: capabilities.body,
    skew_ms,
  };
}

/** @throws NotReady with everything that stands in the way, and how it is changed. */
export function checkPlan(
  { account, skew_ms }: { readonly account: Account; readonly skew_ms: number },
  planned: readonly Planned[],
): readonly string[] {
  const { limits, key, credits } = account;
  const wrong: string[] = [];
  if (key.read_only) wrong.push("The key only reads: use one that may submit (tonwerk keys create)");
  const settings = new Set<string>();
  for (const { name, scenario, rate } of planned) {
    const needs = [
      ["put_per_minute", limits.put_per_minute, scenario.puts],
      ["get_per_minute", limits.get_per_minute, scenario.gets],
    ] as const;
    for (const [limit, allowed, each] of needs) {
      const needed = Math.ceil(60 * rate * each);
      if (allowed === 0 || each === 0 || needed <= allowed) continue;
      const asked = Number.isFinite(rate) ? `needs ${needed} a minute` : "is looked for its knee";
      wrong.push(`${name} ${asked}, and ${limit} of this account is ${allowed}: answers beyond it would be refusals`);
      settings.add(`${limit}=0`);
    }
    if (scenario.works && limits.long_polls > 0 && rate > limits.long_polls) settings.add("long_polls=0");
    if (name === "upload" && limits.uploads_open > 0 && !Number.isFinite(rate)) {
      wrong.push(`upload is looked for its knee, and uploads_open of this account is ${limits.uploads_open}`);
      settings.add("uploads_open=0");
    }
  }
  if (settings.size > 0)
    wrong.push(`  tonwerk settings set ${[...settings].join(" ")}   (as the operator; default sets them back)`);
  const needed = key.test ? 0 : planned.reduce((sum, { cost, iterations }) => sum + cost * iterations, 0);
  const left = Math.min(credits, key.budget === null ? Number.POSITIVE_INFINITY : key.budget.credits - key.budget.used);
  if (Number.isFinite(needed) && needed > left) {
    wrong.push(
      `This takes ${needed} credits, and there are ${left}: tonwerk credits grant ${needed}, or use a test key, which costs nothing ` +
        "(tonwerk keys create --mode test)",
    );
  }
  if (wrong.length > 0) throw new NotReady(wrong.join("\n"));
  return [
    ...(Math.abs(skew_ms) > 2_000
      ? [
          `The server's clock is ${(skew_ms / 1_000).toFixed(0)} s off this machine's; latencies are by this machine's alone`,
        ]
      : []),
    ...(!key.test && needed > 0
      ? [
          `The key is live: ${Number.isFinite(needed) ? needed : "very many"} credits, of which cancelled ` +
            "submissions come back; submissions make jobs, which workers begin",
        ]
      : []),
    ...(key.test && planned.some(({ scenario }) => scenario.works)
      ? [
          "The key is a test key: no source is fetched and no engine asked; what ends are made-up results of two seconds",
        ]
      : []),
    ...(limits.free_seconds.limit > 0 && planned.some(({ name }) => name === "upload" || name === "mixed")
      ? [
          `Looking at uploads is free work: ${Math.floor(limits.free_seconds.limit - limits.free_seconds.used)} s of it are left today`,
        ]
      : []),
  ];
}
