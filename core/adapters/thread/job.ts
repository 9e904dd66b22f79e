/** One job in a thread: sources -> process -> master -> FLAC files. Knows no HTTP, no database and opens no socket. */
import { join } from "node:path";
import type { AnyAction, Job } from "../../../contract/mod.ts";
import { PluginFault, priceWithin } from "../../actions/faults.ts";
import { loadAction } from "../../actions/imports.ts";
import { longestOf } from "../../actions/long_sources.ts";
import { countOutputs, type StoredRequest } from "../../actions/render.ts";
import { TARGET_LUFS } from "../../actions/schema.ts";
import type { JobInput, JobOutput, JobResult, PriceQuestion, ProbeInput } from "../../actions/tasks.ts";
import type { Codec, Level, Runners, SourceFacts, Studio, Tags } from "../../ports/mod.ts";
import { type DecodedSources, type Given, runApart } from "./apart.ts";
import { apart } from "./apart_runner.ts";
import { createHelp, engineLoader, type Helpers } from "./context.ts";
import { type Decoded, decodeSources, ofSource } from "./decode.ts";
import { refuseEqualAudio, refuseEqualFiles } from "./equal_sources.ts";
import { giveBack } from "./give_back.ts";
import { runOwn } from "./own_code.ts";
import { preparer } from "./prepared.ts";
import { checkProduced, isReport, type KindPiece, makeOutput, type Piece } from "./produced.ts";
import { timeStages } from "./stages.ts";
import { standInFor } from "./stand_in.ts";

/** Shares of a job's progress: decoding, the action's own work, mastering and encoding. */
const DECODED = 0.1;
const PROCESSED = 0.75;

/** Rejects with a `Failure` for what the client should know; with anything else for our own bugs. */
export async function runJob(input: JobInput, job: Job): Promise<JobResult> {
  const timed = timeStages(job);
  const outputs = await makeOutputs(input, timed.job);
  return { outputs, stages: timed.end() };
}

async function makeOutputs(input: JobInput, job: Job): Promise<readonly JobOutput[]> {
  const runners = (await import(input.runners)) as Runners;
  const { loadStudio, runNested, askOwner, useModels, usePacks, useScratch, useSounds } = runners;
  const began = performance.now();
  useModels(input.models);
  usePacks(input.packs);
  useSounds(input.sounds);
  useScratch(input.folder);
  const prepare = preparer(input.origin, runners);
  const helpers = { runNested, askOwner, prepare, engines: engineLoader(runners) };
  try {
    return await makeIn(await loadStudio(), helpers, input, job);
  } finally {
    useScratch(undefined);
    runners.collectAfter(performance.now() - began);
  }
}

async function makeIn(studio: Studio, helpers: Helpers, input: JobInput, job: Job): Promise<readonly JobOutput[]> {
  const loaded = await loadAction(input.origin);
  const action = input.request.test === undefined ? loaded : standInFor(loaded);
  await refuseEqualFiles(action, input.sources);
  const decoded = await decodeSources(studio, input, job, DECODED);
  try {
    return await makeOf(decoded, studio, action, helpers, input, job);
  } finally {
    giveBack(...Object.values(decoded.sources).flat());
  }
}

async function makeOf(
  { sources, measured }: Decoded,
  studio: Studio,
  action: AnyAction,
  helpers: Helpers,
  input: JobInput,
  job: Job,
): Promise<readonly JobOutput[]> {
  refuseEqualAudio(action, sources);
  const { fields, cost_max } = input.request;
  if (cost_max !== undefined) {
    const question: PriceQuestion = { cost: priceWithin(action, fields, measured, cost_max) };
    await helpers.askOwner(question, job);
  }

  /** A runner's progress and the action's own is that of the action's share. */
  const own: Job = {
    signal: job.signal,
    progress: (fraction, stage) => job.progress(DECODED + fraction * (PROCESSED - DECODED), stage),
  };
  const tags = await tagsOf(studio, action, input);
  job.progress(DECODED, "processing");
  const isolated = isolatedBy(action, input, helpers, own);
  const { pieces, seeds } = await runAction(action, input, sources, helpers, own, isolated);
  return action.output === "stems"
    ? finishStems(studio, action, pieces as readonly KindPiece[], input, tags[0], job)
    : finishAll(studio, action, pieces, input, seeds, tags, job);
}

/** Undefined: it runs in this thread; a stand-in always does. */
function isolatedBy(action: AnyAction, input: JobInput, { runNested }: Helpers, job: Job) {
  const { isolation, origin, runners, models, packs, sounds, settings = {} } = input;
  if (isolation === undefined || input.request.test !== undefined) return undefined;
  const { seconds = Number.POSITIVE_INFINITY, ...confine } = isolation;
  const rest = { origin, runners, models, packs, sounds, settings };
  return (given: Given): Promise<unknown> =>
    runApart(action, apart, confine, seconds * 1000, { ...rest, given }, runNested, job);
}

/**
 * What is made of a recording without inventing anything is still that recording: title, artist and album of the first
 * source, or of each where each has its output.
 */
async function tagsOf(studio: Studio, action: AnyAction, { sources, request }: JobInput): Promise<readonly Tags[]> {
  if (action.seeded) return [];
  const count = countOutputs(action, request.fields) ?? 1;
  return Promise.all(sources.slice(0, count).map(({ path }) => studio.tags(path)));
}

/**
 * What an action makes of a validated request, checked: in delivery order, with a seed for each variation, (seed + i)
 * mod 2^32.
 */
export async function runAction(
  action: AnyAction,
  { request, settings = {} }: Pick<JobInput, "request" | "settings">,
  sources: DecodedSources,
  helpers: Helpers,
  job: Job,
  isolated?: (given: Given) => Promise<unknown>,
): Promise<{ readonly pieces: readonly Piece[]; readonly seeds: readonly number[] }> {
  const { fields, seed } = request;
  const listed = countOutputs(action, fields);
  const count = action.output === "variations" ? Number(fields.n_variations) : (listed ?? 1);
  const seeds = Array.from({ length: count }, (_, index) => (seed + index) % 2 ** 32);
  const level = levelOf(action, request);
  const given = {
    ...{ request: fields, sources, seeds },
    loudness:
      level.kind === "loudness" ? { target_lufs: level.target_lufs, allow_compression: level.allow_compression } : null,
  };
  const process = async (): Promise<unknown> => {
    if (isolated !== undefined) return isolated(given);
    // Erased types cannot show that request and context match the action.
    const prepared = await helpers.prepare(action, settings, job);
    const context = { ...given, prepared, ...createHelp(action, settings, helpers, job) } as never;
    return runOwn(action, "process", job.signal, () => action.process(context));
  };
  const produced = await ofSource(process(), undefined);
  return { pieces: checkProduced(action, produced, count, listed !== undefined), seeds };
}

/** Seconds of the longest source, as their heads have it. Rejects with a `Failure` that carries a `source_*` code. */
export async function runMeasure(
  { runners, sources }: Pick<JobInput, "runners" | "sources">,
  { signal }: Job,
): Promise<number> {
  const { loadStudio } = (await import(runners)) as Runners;
  const studio = await loadStudio();
  const lengths: { readonly name: string; readonly seconds: number }[] = [];
  for (const { name, path, limits } of sources)
    lengths.push({ name, seconds: await ofSource(studio.checkHead(path, limits, signal), name) });
  return longestOf(lengths);
}

/** Rejects with a `Failure` that carries a `source_*` code. */
export async function runProbe({ runners, path, limits }: ProbeInput, job: Job): Promise<SourceFacts> {
  const { loadStudio } = (await import(runners)) as Runners;
  const studio = await loadStudio();
  return ofSource(studio.probe(path, limits, job.signal), undefined);
}

export async function runWarmUp({ runners }: { readonly runners: string }): Promise<void> {
  await ((await import(runners)) as Runners).loadStudio();
}

export async function runCodec({ runners }: { readonly runners: string }): Promise<Codec> {
  const { loadStudio } = (await import(runners)) as Runners;
  return (await loadStudio()).codec();
}

/** The level an output is brought to, from the request's block or, without one, from the kind of action. */
function levelOf(action: AnyAction, { loudness }: StoredRequest): Level {
  if (loudness === null && action.level !== "loudness") return { kind: action.level === "peak" ? "peak" : "ceiling" };
  const { target_lufs, allow_compression } = loudness ?? { target_lufs: TARGET_LUFS, allow_compression: true };
  return { kind: "loudness", target_lufs, allow_compression };
}

/**
 * Studio errors about the samples of an output are faults of the action that made them; about a source, as when
 * `process` reads one, failures.
 */
async function ofOutput<Result>({ name }: AnyAction, work: Promise<Result>): Promise<Result> {
  try {
    return await ofSource(work, undefined);
  } catch (error) {
    if (error instanceof Error && error.name === "SampleError")
      throw new PluginFault("output", `${name}: ${error.message}`, error);
    throw error;
  }
}

async function finishAll(
  studio: Studio,
  action: AnyAction,
  pieces: readonly Piece[],
  { folder, bits, request, only }: JobInput,
  seeds: readonly number[],
  tags: readonly Tags[],
  job: Job,
): Promise<readonly JobOutput[]> {
  const level = levelOf(action, request);
  const outputs: JobOutput[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (isReport(piece)) {
      outputs.push({ engine: piece.output.engine, report: piece.output.report });
      continue;
    }
    const { output: given, kind } = piece;
    if (only !== undefined && !only.includes(index)) continue;
    const lazy = typeof given === "function";
    const output = lazy ? await makeOutput(action, index, given, job.signal) : given;
    const begun = PROCESSED + ((1 - PROCESSED) * index) / pieces.length;
    // While variations are still to be made, their making is the progress.
    const tell = (fraction: number, stage: string): void => {
      if (!lazy) job.progress(fraction, stage);
    };
    tell(begun, "mastering");
    const path = join(folder, `${index}.flac`);
    const own: Level = output.gain_db === undefined ? level : { kind: "gain", gain_db: output.gain_db };
    // Encoding and reading back take about as long as mastering does.
    const onEncode = (): void => tell(begun + (1 - PROCESSED) / 2 / pieces.length, "encoding");
    const options = {
      path,
      bits,
      tags: { ACTION: action.name, ENGINE: output.engine, ...(tags[index] ?? tags[0]) },
      onEncode,
    };
    const finished = await ofOutput(action, studio.finish(output, own, options, job.signal));
    const { seconds, loudness, ...file } = finished;
    outputs.push({
      path,
      duration: seconds,
      ...file,
      engine: output.engine,
      ...(kind === undefined ? {} : { kind }),
      loudness,
      // What comes together comes of one seed.
      ...(action.seeded ? { seed: seeds[index] ?? seeds[0]! } : {}),
      report: output.report ?? null,
    });
    if (lazy) giveBack(output.audio);
  }
  return outputs;
}

async function finishStems(
  studio: Studio,
  action: AnyAction,
  pieces: readonly KindPiece[],
  { folder, bits }: JobInput,
  tags: Tags | undefined,
  job: Job,
): Promise<readonly JobOutput[]> {
  job.progress(PROCESSED, "encoding");
  const stems = pieces.map(({ output }) => output);
  const files = stems.map(({ engine }, index) => ({
    path: join(folder, `${index}.flac`),
    bits,
    tags: { ACTION: action.name, ENGINE: engine, ...tags },
  }));
  const finished = await ofOutput(action, studio.finishStems(stems, files, job.signal));
  return finished.map(({ seconds, gain_db, ...file }, index) => ({
    path: files[index]!.path,
    duration: seconds,
    ...file,
    engine: stems[index]!.engine,
    kind: pieces[index]!.kind,
    gain_db,
    report: stems[index]!.report ?? null,
  }));
}
