/**
 * One run of a model on something to do, in a pool's thread: what it costs, and how near it comes to what another
 * program made of the same.
 */
import type { Audio, Job, Runner } from "../contract/mod.ts";
import type { ModelSettings } from "../core/ports/mod.ts";
import type { ModelFigures } from "./model_figures.ts";
import { isSidecar } from "./models/entries.ts";
import { findFamily } from "./models/families.ts";
import type { EngineOf } from "./models/family.ts";
import type { Manifest } from "./models/fields.ts";
import { Model } from "./models/model.ts";
import { specFor } from "./models/open.ts";
import { placesOf } from "./models/places.ts";
import { separateWhole } from "./models/separator.ts";
import { type SidecarManifest, sidecarRunner } from "./models/sidecars/mod.ts";
import { openSidecar, sidecarSpec } from "./models/sidecars/sidecar.ts";
import type { Task } from "./models/tasks.ts";
import { runNested } from "./pool/mod.ts";
import { random } from "./signal/dsp/random.ts";
import { decode } from "./signal/media/decode.ts";

export interface TrialInput {
  readonly manifest: Manifest | SidecarManifest;
  /** Of those that it serves; absent: the family's. */
  readonly task?: string;
  readonly settings: ModelSettings;
  readonly resident: string;
  /** Of audio that is made up. */
  readonly seconds: number;
  /** Of models that separate: a piece, and one of its stems as the original made it. */
  readonly reference?: { readonly source: string; readonly wanted: string };
}

export const trial: Runner<TrialInput, ModelFigures> = {
  name: "trial",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: tryModel }),
};

/** A reference is the operator's own file. */
const LIMITS = { seconds_min: 0.1, seconds_max: 900, bytes_max: 2 ** 31 };
const RATE = 44_100;
const MAKES: readonly Task[] = ["generate", "effect", "song", "remix", "remix_song"];
/** The first run of a server compiles. */
const BEFORE_SECONDS = 1;

async function tryModel(input: TrialInput, job: Job): Promise<ModelFigures> {
  const { manifest, settings, resident, seconds, reference } = input;
  if (isSidecar(manifest)) return trySidecar(manifest, input, job);
  const family = await findFamily(manifest.family, settings.families);
  const [place] = placesOf(manifest, settings, resident);
  const spec = await specFor(manifest, settings, place!);
  const began = performance.now();
  const open = () => Model.open(spec, manifest, settings, job, (stage) => job.progress(0, stage));
  const model = await open();
  const load_seconds = (performance.now() - began) / 1000;
  const engine = await family.create(manifest as never, model);
  const read = async (path: string) => (await decode(path, LIMITS, job.signal)).audio;
  const audio = reference === undefined ? noise(seconds) : await read(reference.source);
  job.progress(0, `running it on ${Math.round(audio.channels[0]!.length / audio.sample_rate)} s`);
  const own = cpuSeconds();
  const running = performance.now();
  let agreement: ModelFigures["agreement"] = null;
  let done = audio.channels[0]!.length / audio.sample_rate;
  if (reference === undefined) done = await run(family.serves, engine, audio, job);
  else agreement = await compare(family.serves, engine, audio, await read(reference.wanted), job);
  const wall_seconds = (performance.now() - running) / 1000;
  const { opened } = await open();
  return {
    name: manifest.id,
    task: family.serves,
    device: opened.device,
    draws: opened.draws,
    half: opened.half,
    load_seconds,
    seconds: done,
    cpu_seconds: opened.cpu_seconds - model.opened.cpu_seconds + cpuSeconds() - own,
    wall_seconds,
    slowest_run_ms: opened.slowest_run_ms,
    peak_mb: opened.peak_mb,
    agreement,
  };
}

/** By the clock: what its server takes of a processor nobody here can see. */
async function trySidecar(
  manifest: SidecarManifest,
  { settings, task = manifest.serves[0]!, seconds }: TrialInput,
  job: Job,
): Promise<ModelFigures> {
  const began = performance.now();
  const engine = (await openSidecar(manifest, task, settings, job)) as EngineOf<Task>;
  const load_seconds = (performance.now() - began) / 1000;
  await run(task as Task, engine, noise(BEFORE_SECONDS), job);
  const running = performance.now();
  const made = await run(task as Task, engine, noise(seconds), job);
  const wall_seconds = (performance.now() - running) / 1000;
  const looked = { type: "look", spec: sidecarSpec(manifest, settings) } as const;
  const answer = await runNested(sidecarRunner(manifest.id), looked, job);
  const { device, memory_mb } = answer.type === "opened" ? answer.facts : { device: null, memory_mb: null };
  const figures = { load_seconds, seconds: made, cpu_seconds: null, wall_seconds, slowest_run_ms: 1000 * wall_seconds };
  const about = { name: manifest.id, task, device: device ?? "its server", draws: [], half: null };
  return { ...about, ...figures, peak_mb: memory_mb, agreement: null };
}

/** Seconds that it made, or heard. */
async function run(task: Task, engine: EngineOf<Task>, audio: Audio, job: Job): Promise<number> {
  const seconds = audio.channels[0]!.length / audio.sample_rate;
  if (task === "separate") await (engine as EngineOf<"separate">).separate(audio, job, () => {});
  else if (task === "voice_activity") await (engine as EngineOf<"voice_activity">).detect(audio, job);
  else if (task === "transcribe") await (engine as EngineOf<"transcribe">).transcribe(audio, job);
  else if (MAKES.includes(task)) {
    const maker = engine as EngineOf<"song">;
    const made = Math.min(seconds, maker.seconds_max);
    const frames = Math.round(RATE * made);
    const reference = { ...audio, channels: audio.channels.map((channel) => channel.subarray(0, frames)) };
    const words = {
      prompt: "calm piano",
      ...(task === "song" || task === "remix_song" ? { lyrics: "[Verse]\nOnly one line" } : {}),
      ...(task === "remix" || task === "remix_song" ? { reference } : {}),
    };
    await maker.generate({ ...words, seconds: made, seed: 1 } as never, job);
    return made;
  } else {
    const sounds = Array.from({ length: Math.max(1, Math.floor(2 * seconds) - 1) }, () => ({
      name: "AA",
      seconds: 0.5,
    }));
    await (engine as EngineOf<"sing">).sing([{ start: 0.2, sounds, hertz: () => 262 }], seconds, job);
  }
  return seconds;
}

/** By stem, how far it is from `wanted`, dB; the nearest first. */
async function compare(
  task: Task,
  engine: EngineOf<Task>,
  audio: Audio,
  wanted: Audio,
  job: Job,
): Promise<ModelFigures["agreement"]> {
  if (task !== "separate") throw new Error(`A reference is of models that separate, not of one that serves ${task}`);
  const separator = engine as EngineOf<"separate">;
  const [frames, other] = [audio, wanted].map(({ channels }) => channels[0]!.length);
  if (frames !== other) throw new Error(`The reference has ${other} frames, its source ${frames}`);
  const stems = await separateWhole(separator, audio, job);
  return stems
    .map((channels, index) => ({ stem: separator.stems[index]!, db: agreementOf(channels, wanted.channels) }))
    .sort((a, b) => b.db - a.db);
}

function agreementOf(found: readonly Float32Array[], wanted: readonly Float32Array[]): number {
  let [power, error] = [1e-20, 1e-20];
  for (const [c, channel] of wanted.entries()) {
    const made = found[Math.min(c, found.length - 1)]!;
    for (let n = 0; n < channel.length; n++) {
      power += channel[n]! ** 2;
      error += (made[n]! - channel[n]!) ** 2;
    }
  }
  return 10 * Math.log10(power / error);
}

function noise(seconds: number): Audio {
  const next = random(1);
  const frames = Math.round(RATE * seconds);
  const channel = () => Float32Array.from({ length: frames }, () => 0.4 * (next() - 0.5));
  return { sample_rate: RATE, channels: [channel(), channel()] };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
