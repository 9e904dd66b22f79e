/**
 * The author kit: prove an action in a test of its own, with the very checks of the service.
 *
 * ```ts
 * import { test } from "node:test";
 * import { checkAction, runAction, tone } from "../../core/testing.ts";
 * import action from "../../plugins/adapt.normalise_loudness/action.ts";
 *
 * test("adapt.normalise_loudness is a sound declaration", () => checkAction(action, { accepts: [...], refuses: [...] }));
 * test("adapt.normalise_loudness returns its source", async () => {
 *   const { outputs } = await runAction(action, { request: { source: { url: "https://example.com/a.flac" } }, sources: { source: tone(440, 2) } });
 * });
 * ```
 */
import assert from "node:assert/strict";
import { inspectAction, isAction } from "./actions/declaration.ts";
import { checkPolicy } from "./actions/policy.ts";
import { checkAudio, checkProduced, isStreamed, madeNow, type Named } from "./actions/produced.ts";
import { compileAction } from "./actions/schema.ts";
import { FAILURES, Failure } from "./base/errors.ts";
import {
  type AnyAction,
  type Audio,
  type Output,
  type Runner,
  SAMPLE_RATE,
  type Stem,
  type StemOutput,
} from "./plugin.ts";
import type { Runners } from "./ports/mod.ts";
import { loudnessOf, runAction as processAction, seedsOf } from "./work/pool_job.ts";

/** Where runners are loaded from, as main.ts does. */
const RUNNERS = new URL("../runners/mod.ts", import.meta.url).href;
const KEY = "00000000-0000-4000-8000-000000000000";

type Body = Readonly<Record<string, unknown>>;

export interface Cases {
  /** Bodies, without `idempotency_key`, that must be accepted, beside the declared examples. */
  readonly accepts?: readonly Body[];
  /** Bodies that must be refused, each with every `loc` (joined by dots, without `body`) and `type` of its 422 entries, in any order. */
  readonly refuses?: readonly (readonly [body: Body, entries: readonly (readonly [loc: string, type: string])[]])[];
}

/** Throws unless the registry would take the action, and its schema accepts and refuses what the cases say. */
export function checkAction(action: unknown, { accepts = [], refuses = [] }: Cases = {}): void {
  assert.ok(isAction(action), "It is not an action, expected what defineAction() returns");
  assert.deepEqual(inspectAction(action), [], `"${action.name}" would be refused at boot`);
  assert.ok(Object.isFrozen(action), `"${action.name}" can be changed after its declaration`);
  const schema = compileAction(action);
  const validate = (body: Body) => schema.validate({ idempotency_key: KEY, ...body }, { dry_run: false });
  for (const body of [...action.examples, ...accepts] as Body[]) {
    const checked = validate(body);
    assert.ok(checked.ok, `Refused ${JSON.stringify(body)}: ${JSON.stringify(checked.ok ? null : checked.issues)}`);
    const { fields } = checked.value;
    const before = JSON.stringify(fields);
    const costs: readonly [number, number] = [
      action.cost(fields as never),
      action.cost(structuredClone(fields) as never),
    ];
    assert.ok(
      Number.isSafeInteger(costs[0]) && costs[0] >= 0,
      `Cost of ${before} must be a whole number of at least 0: it is ${costs[0]}`,
    );
    assert.equal(costs[0], costs[1], `Cost of ${before} must depend on the request only`);
    assert.equal(JSON.stringify(fields), before, "cost and check must not change the request");
    // Whatever is accepted, a mistyped field beside it must not be.
    const mistyped = validate({ ...body, no_such_field: 1 });
    assert.ok(
      !mistyped.ok && mistyped.issues.some(({ type }) => type === "extra_forbidden"),
      "Accepted an unknown field",
    );
  }
  const seen = new Set<string>();
  for (const [body, expected] of refuses) {
    const text = JSON.stringify(body);
    assert.ok(!seen.has(text), `The case ${text} is listed twice`);
    seen.add(text);
    const checked = validate(body);
    const entries = checked.ok ? [] : checked.issues.map(({ loc, type }) => [loc.slice(1).join("."), type].join(" "));
    assert.deepEqual(entries.sort(), expected.map(([loc, type]) => `${loc} ${type}`).sort(), `422 entries of ${text}`);
  }
}

export interface RunRequest {
  /** The body without `idempotency_key`. */
  readonly request: Body;
  /** Decoded audio for every source that the request names. */
  readonly sources?: Readonly<Record<string, Audio>>;
  readonly signal?: AbortSignal;
}

export interface RunResult {
  /** In delivery order, before mastering. */
  readonly outputs: readonly (Named<Output> & { readonly kind?: Stem })[];
  readonly cost: number;
  readonly seeds: readonly number[];
  /** Every call of `progress`. */
  readonly progress: readonly { readonly fraction: number; readonly stage: string }[];
}

/**
 * Validates the request, runs `process` with its real runners in this thread, and checks what comes back as the service does.
 * Rejects with the action's `Failure`, with an AssertionError for a refused request or a broken rule of the contract: sources must
 * match their limits and stay unchanged, progress must rise from 0 to 1, failures must be declared.
 */
export async function runAction(action: unknown, { request, sources = {}, signal }: RunRequest): Promise<RunResult> {
  assert.ok(isAction(action), "It is not an action, expected what defineAction() returns");
  const checked = compileAction(action).validate({ idempotency_key: KEY, ...request }, { dry_run: false });
  assert.ok(checked.ok, `The request is refused: ${JSON.stringify(checked.ok ? null : checked.issues)}`);
  const { fields, loudness, seed } = checked.value;
  checkSources(action, fields, sources);
  checkPolicy(action, fields);

  const { runNested } = (await import(RUNNERS)) as Runners;
  const aborted = signal ?? new AbortController().signal;
  const seeds = seedsOf(action, { fields, loudness, seed: seed ?? 0 });
  const progress: { fraction: number; stage: string }[] = [];
  const report = (fraction: number, stage: string): void => {
    const last = progress.at(-1)?.fraction ?? 0;
    assert.ok(
      fraction >= last && fraction <= 1,
      `progress(${fraction}) must lie between ${last}, reported before, and 1`,
    );
    assert.ok(stage.length > 0 && stage.length <= 80, `The stage "${stage}" must have 1 to 80 characters`);
    progress.push({ fraction, stage });
  };
  const before = fingerprint(sources);
  const produced = await processAction(action, {
    request: fields,
    sources,
    seeds,
    loudness: loudnessOf(action, { fields, loudness, seed: seed ?? 0 }),
    signal: aborted,
    progress: report,
    run: <Input, Result>(runner: Runner<Input, Result>, input: Input): Promise<Result> =>
      runNested(runner, input, { signal: aborted, progress: report }),
    fail: (code: string, message: string, source?: string): never => {
      assert.ok(action.failures.includes(code), `It fails with "${code}", which it does not declare`);
      assert.ok(!Object.hasOwn(FAILURES, code), `"${code}" is a shared code`);
      throw new Failure(code, message, source);
    },
  });
  const outputs: (Named<Output> & { readonly kind?: Stem })[] = [];
  for (const [index, { output: given, kind }] of checkProduced(action, produced, seeds.length).entries()) {
    const output: Named<Output> | Named<StemOutput> =
      typeof given === "function" ? await madeNow(action, index, given) : given;
    const audio = whole(output);
    checkAudio(kind ?? "output", audio);
    outputs.push(kind === undefined ? { ...output, audio } : { ...output, audio, kind });
  }
  assert.equal(fingerprint(sources), before, "process must not write to its sources");
  return { outputs, cost: action.cost(fields as never), seeds: action.seeded ? seeds : [], progress };
}

/** All samples at once, also of what is made as it is read: tests are short. */
function whole({ audio }: Output | StemOutput): Audio {
  if (!isStreamed(audio)) return audio;
  const channels = Array.from({ length: audio.channels }, () => new Float32Array(audio.frames));
  const step = 8192;
  for (let from = 0; from < audio.frames; from += step) {
    const to = Math.min(audio.frames, from + step);
    audio.samples(
      from,
      to,
      channels.map((channel) => channel.subarray(from, to)),
    );
  }
  return { sample_rate: audio.sample_rate, channels };
}

function checkSources(action: AnyAction, fields: Body, sources: Readonly<Record<string, Audio>>): void {
  for (const [name, limits] of Object.entries(action.sources)) {
    const audio = sources[name];
    assert.equal(
      audio !== undefined,
      fields[name] !== undefined,
      `Source "${name}" must be given both as a URL and as audio, or not at all`,
    );
    if (audio === undefined) continue;
    checkAudio(`source "${name}"`, audio);
    const seconds = audio.channels[0]!.length / SAMPLE_RATE;
    const { seconds_min, seconds_max } = limits;
    assert.ok(
      seconds >= seconds_min && seconds <= seconds_max,
      `Source "${name}" lasts ${seconds} s, expected ${seconds_min} to ${seconds_max}`,
    );
  }
  for (const name of Object.keys(sources))
    assert.ok(Object.hasOwn(action.sources, name), `"${name}" is no source of ${action.name}`);
}

/** A sum over the bits of all samples: enough to notice a write. */
function fingerprint(sources: Readonly<Record<string, Audio>>): string {
  let sum = 0;
  for (const { channels } of Object.values(sources)) {
    for (const { buffer, byteOffset, length } of channels) {
      const bits = new Uint32Array(buffer, byteOffset, length);
      for (let index = 0; index < length; index++) sum = (Math.imul(sum, 31) + bits[index]!) | 0;
    }
  }
  return String(sum);
}

/** A sine of `hertz` in every channel, full scale × `amplitude`. */
export function tone(hertz: number, seconds: number, { amplitude = 0.5, channels = 2 } = {}): Audio {
  return make(
    seconds,
    channels,
    () => (position) => amplitude * Math.sin((2 * Math.PI * hertz * position) / SAMPLE_RATE),
  );
}

/** White noise between ±`amplitude`, the same for the same `seed`, different in each channel. */
export function noise(seconds: number, { amplitude = 0.5, channels = 2, seed = 1 } = {}): Audio {
  return make(seconds, channels, (channel) => {
    // xorshift32 (Marsaglia 2003), good enough for test signals; 0 is its fixed point.
    let state = (Math.imul(seed, 0x9e3779b1) ^ (channel + 1)) >>> 0 || 1;
    return () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return amplitude * ((state >>> 0) / 2 ** 31 - 1);
    };
  });
}

export function silence(seconds: number, { channels = 2 } = {}): Audio {
  return make(seconds, channels, () => () => 0);
}

function make(seconds: number, channels: number, voice: (channel: number) => (position: number) => number): Audio {
  const samples = Math.round(seconds * SAMPLE_RATE);
  const made = Array.from({ length: channels }, (_, channel) => {
    const at = voice(channel);
    return Float32Array.from({ length: samples }, (_, position) => at(position));
  });
  return { sample_rate: SAMPLE_RATE, channels: made };
}
