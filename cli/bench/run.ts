/** One measurement of an installation, from the check to the clean-up. */
import { tmpdir } from "node:os";
import { askService, checkPlan, NotReady, type Planned } from "./check.ts";
import { type Generator, measureGenerator } from "./generator.ts";
import { findKnee } from "./knee.ts";
import { describeMachine, processorTimes, sharesSince } from "./machine.ts";
import { type Load, latencyOf, type Run, runAtPace } from "./pace.ts";
import { type Bench, prepare, readExamples } from "./prepare.ts";
import { startReceiver } from "./receiver.ts";
import { ms, perSecond } from "./report/text.ts";
import { FORMAT, type Measured, type Result, sliceOf } from "./result.ts";
import { actionScenario, SCENARIOS, type Scenario } from "./scenarios.ts";
import { openService } from "./service.ts";
import { missedBy, type Slo } from "./slo.ts";

export interface Asked {
  readonly url: string;
  readonly key: string;
  /** Names of scenarios or actions; `actions`: each action of the server. Empty: all but webhooks and actions. */
  readonly scenarios: readonly string[];
  /** Of the scenarios that submit: what they submit. */
  readonly action: string;
  readonly rate: number | undefined;
  readonly knee: boolean;
  readonly slo: Slo | undefined;
  readonly seconds: number;
  readonly rounds: number;
  readonly source_s: number;
  /** Where webhooks arrive: `host:port` here, and the URL by which the service reaches that. */
  readonly listen: { readonly hostname: string; readonly port: number };
  readonly callback_url: string | undefined;
  say(line: string): void;
}

const DEFAULT = ["status", "submit", "replay", "long-poll", "upload", "download"];
const WARM_UP_S = 2;
/** The search ends when its bounds are this near: a tenth is less than a busy machine tells apart. */
const KNEE_WITHIN = 1.1;
/** Seconds of one step of the search. */
const KNEE_STEP_S = 4;
const KNEE_REPEATS = 3;
/** A generator near its own limit measures itself. */
const GENERATOR_SHARE = 0.7;
const PATIENCE_MS = 65_000;

/** @throws NotReady where something has to be changed first. */
export async function runBench(asked: Asked): Promise<Result> {
  const { url, key, knee, seconds, rounds, say } = asked;
  const call = openService(url, key);
  const service = await askService(url, call);
  const { account, capabilities } = service;
  const examples = await readExamples(call);
  const chosen = chooseScenarios(asked, [...examples.keys()]);
  const planned = chosen.map(({ name, scenario, action }): Planned => {
    const rate = knee ? Number.POSITIVE_INFINITY : (asked.rate ?? scenario.rate);
    const cost =
      (capabilities.actions.find((one) => one.name === action)?.cost ?? 1) *
      (scenario.puts > 0 && name !== "upload" && name !== "replay" ? 1 : 0);
    return { name, scenario, rate, iterations: Math.ceil(rate * (seconds + WARM_UP_S) * rounds) + 21, cost };
  });
  const notes = checkPlan(service, planned);
  for (const note of notes) say(note);
  const machine = await describeMachine(tmpdir());
  say("measuring the generator's own limit");
  const generator = await measureGenerator();
  const receiver = chosen.some(({ scenario }) => scenario.webhooks)
    ? await startReceiver(asked.listen.hostname, asked.listen.port)
    : undefined;
  const bench: Bench = {
    url,
    key,
    call,
    is_test: account.key.test,
    examples,
    source_s: asked.source_s,
    receiver: receiver && { ...receiver, callback_url: asked.callback_url ?? receiver.url },
  };
  const measured: Measured[] = [];
  try {
    for (const one of chosen) measured.push(await measure(bench, asked, generator, one));
  } finally {
    await receiver?.close();
  }
  return {
    format: FORMAT,
    at: new Date().toISOString(),
    url,
    version: service.version,
    is_test_key: account.key.test,
    machine,
    generator,
    notes,
    measured,
  };
}

interface Chosen {
  readonly name: string;
  readonly scenario: Scenario;
  readonly action: string;
}

function chooseScenarios({ scenarios, action }: Asked, actions: readonly string[]): readonly Chosen[] {
  const names = (scenarios.length > 0 ? scenarios : DEFAULT).flatMap((name) => (name === "actions" ? actions : [name]));
  return names.map((name) => {
    const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
    if (scenario !== undefined) return { name, scenario, action };
    if (actions.includes(name)) return { name, scenario: actionScenario(name), action: name };
    throw new NotReady(
      `There is no scenario "${name}": there are ${Object.keys(SCENARIOS).join(", ")}, actions (each of them), and ${actions.join(", ")}`,
    );
  });
}

async function measure(
  bench: Bench,
  asked: Asked,
  generator: Generator,
  { name, scenario, action }: Chosen,
): Promise<Measured> {
  const { say, seconds, rounds, knee } = asked;
  say(`${name}: ${scenario.sentence}`);
  const { prepared, clean } = await prepare(bench, action, scenario).catch((error: unknown) => {
    if (scenario.webhooks && /callback_url|url_/u.test(String(error)))
      throw new NotReady(`The service may not send webhooks to ${bench.receiver?.callback_url}: ${CALLBACK_HELP}`);
    throw error;
  });
  const slo: Slo = asked.slo ?? { latencies: [{ q: 0.99, name: "p99", ms: scenario.p99_ms }], errors: 0 };
  const begin = scenario.begin(prepared);
  const before = processorTimes();
  const once = (load: Pick<Load, "rate" | "seconds" | "warm_up_s">): Promise<Run> =>
    runAtPace(begin, { ...load, patience_ms: PATIENCE_MS });
  const notes: string[] = [];
  const runs: Run[] = [];
  let found: Measured["knee"] = null;
  try {
    let rate = asked.rate ?? scenario.rate;
    if (knee) {
      await once({ rate, seconds: 1, warm_up_s: WARM_UP_S });
      found = await findKnee({
        first: scenario.works ? scenario.rate : 10 * scenario.rate,
        most: GENERATOR_SHARE * generator.most,
        repeats: KNEE_REPEATS,
        within: KNEE_WITHIN,
        slo,
        measure: (rate) => once({ rate, seconds: KNEE_STEP_S, warm_up_s: 0.5 }),
        tell: ({ run, missed }) =>
          say(
            `  ${perSecond(run.rate)}/s: p99 ${ms(latencyOf(sliceOf([run]), 0.99))} ms, ${missed === null ? "kept" : `missed: ${missed}`}`,
          ),
      });
      rate = found.rate;
    }
    if (rate > 0)
      for (let round = 0; round < rounds; round++) runs.push(await once({ rate, seconds, warm_up_s: WARM_UP_S }));
  } finally {
    const cleaned = await clean();
    notes.push(...cleaned);
  }
  // Nobody who named no objective is told that one was missed.
  const missed = asked.slo === undefined && !knee ? [] : runs.flatMap((run) => missedBy(run, slo) ?? []);
  const isUnreached = scenario.webhooks === true && runs.every((run) => run.achieved === 0);
  if (isUnreached) notes.push(`no webhook came: ${CALLBACK_HELP}`);
  return {
    scenario: name,
    sentence: scenario.sentence,
    action,
    slo,
    runs,
    knee: found,
    missed,
    shares: sharesSince(before),
    notes,
  };
}

const CALLBACK_HELP =
  "start it with TONWERK_PRIVATE_HOSTS=127.0.0.1 where it runs on this machine; elsewhere say --listen 0.0.0.0:9000 and " +
  "--callback https://… (an address that leads there)";
