/**
 * Our own protocol, version 1: docs/sidecars.md says it in words, docs/sidecar.openapi.json in OpenAPI. Nothing that
 * comes back is believed.
 */
import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Audio, Job } from "../../../contract/mod.ts";
import { StemName } from "../fields.ts";
import { type Asked, exchange, fetchWhole, type Place, refusalOf } from "./exchange.ts";
import { quote, SidecarFault, wrong } from "./fault.ts";
import { FRAMES_TYPE, joinFrames } from "./frames.ts";
import { JobReader, Made, type OwnOptions } from "./job_reader.ts";
import { CONCURRENCY_MAX } from "./manifest.ts";
import { checkSamples, fitGenerated, HEALTH_BYTES_MAX, LOOK_MS, type Look, RATES, type Speaker } from "./speaker.ts";
import type { GenerateRequest, MakingTask, SidecarFacts } from "./types.ts";

export const PROTOCOL = 1;
/** Whoever works says something at least this often; docs/sidecars.md asks for a third of it. */
export const SILENCE_MS = 30_000;
/** To tell a server that nobody wants its work any more: the pool waits no longer than 2 s. */
const CANCEL_MS = 1200;
/** A piece may come this much longer than was asked for; it is cut. */
const LONG_SECONDS = 5;

const Rate = Type.Number({ minimum: RATES.min, maximum: RATES.max });
const Text = Type.String({ maxLength: 500 });
const maybe = <Schema extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const Makes = Type.Object({ sample_rate: Rate, seconds_max: Type.Number({ minimum: 0.1, maximum: 86_400 }) });

/** Of what a later version adds nothing is refused. */
export type Health = Static<typeof Health>;
export const Health = Type.Object({
  protocol: Type.Literal(PROTOCOL),
  status: Type.Union([
    Type.Literal("unloaded"),
    Type.Literal("loading"),
    Type.Literal("ready"),
    Type.Literal("busy"),
    Type.Literal("failed"),
  ]),
  reason: maybe(Type.String({ maxLength: 10_000 })),
  model: Type.Object({ name: Text, version: maybe(Text), licence: maybe(Text) }),
  tasks: Type.Object({
    generate: Type.Optional(Makes),
    song: Type.Optional(Makes),
    remix: Type.Optional(Makes),
    remix_song: Type.Optional(Makes),
    separate: Type.Optional(
      Type.Object({
        sample_rate: Rate,
        seconds_max: Type.Number({ minimum: 0.1, maximum: 86_400 }),
        stems: Type.Array(StemName, { minItems: 1, maxItems: 7, uniqueItems: true }),
      }),
    ),
  }),
  device: maybe(Text),
  memory: Type.Optional(
    Type.Object({ used_bytes: Type.Number({ minimum: 0 }), limit_bytes: maybe(Type.Number({ minimum: 0 })) }),
  ),
  concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: CONCURRENCY_MAX })),
});

export function speakOwn(place: Place, options: OwnOptions): Speaker {
  const { silence_ms } = options;
  const short = (method: Asked["method"], path: string, signal: AbortSignal, silence = LOOK_MS) =>
    fetchWhole(place, { method, path, signal, silence_ms: silence, ms_max: silence }, HEALTH_BYTES_MAX);
  const tell = async (path: string, signal: AbortSignal): Promise<void> => {
    // Whoever loads answers when it has begun; `look` says when it is done.
    const answer = await short("POST", path, signal, silence_ms);
    if (answer.status !== 202 && answer.status !== 204 && answer.status !== 200) throw refusalOf(answer);
  };

  /** One job: sends it, reads what comes, tells the server where it is not wanted any more. */
  const work = async (
    path: string,
    type: string,
    body: (id: string) => Uint8Array,
    reader: JobReader,
    { signal }: Job,
  ): Promise<void> => {
    const id = randomUUID();
    try {
      const headers = { "content-type": type, accept: FRAMES_TYPE };
      await exchange(place, { method: "POST", path, headers, body: body(id), silence_ms, signal }, (status, answer) =>
        reader.begin(status, answer),
      );
      reader.finish();
    } catch (error) {
      // The connection is closed, which says it to most; one that is between us and the server may not hand it on.
      if (signal.aborted || !(error instanceof SidecarFault) || error.code !== "away")
        await short("DELETE", `/v1/jobs/${id}`, AbortSignal.timeout(CANCEL_MS)).catch(() => undefined);
      throw error;
    }
  };

  return {
    async look(signal) {
      const answer = await short("GET", "/v1/health", signal);
      // A server that failed may say so by its status as well.
      if (answer.status !== 200 && answer.status !== 503) throw refusalOf(answer);
      return lookOf(answer.body.json());
    },
    load: (signal) => tell("/v1/load", signal),
    unload: (signal) => tell("/v1/unload", signal),
    async generate(request, job) {
      const { seconds } = request;
      const reader = new JobReader(options, job, (line) => {
        if (line.stem !== undefined) throw wrong(`it gives ${quote(line.stem)}, and no stem was asked for`);
        const { sample_rate, channels, frames } = line;
        const most = Math.ceil((seconds + LONG_SECONDS) * sample_rate);
        if (frames > most)
          throw wrong(`it wants to send ${frames} frames, at most ${most} are ${seconds} s and some more`);
        return new Made(sample_rate, channels, frames);
      });
      await work("/v1/generate", typeOf(request), (id) => askFor(id, request), reader, job);
      const [made] = reader.made;
      if (made === undefined) throw wrong("it is done and sent no audio");
      return fitGenerated(made.audio(), seconds);
    },
    async separate(audio, stems, job) {
      const { sample_rate, channels } = audio;
      const frames = channels[0]!.length;
      const seen = new Map<string, Made>();
      const reader = new JobReader(options, job, (line) => {
        const stem = stems.find((name) => name === line.stem);
        if (stem === undefined) throw wrong(`it gives ${quote(line.stem ?? null)}, asked for ${stems.join(", ")}`);
        if (seen.has(stem)) throw wrong(`it gives ${stem} twice`);
        const found = `${line.sample_rate} Hz, ${line.channels} channels, ${line.frames} frames`;
        const wanted = `${sample_rate} Hz, ${channels.length} channels, ${frames} frames`;
        if (found !== wanted) throw wrong(`its ${stem} has ${found}, its source ${wanted}`);
        const made = new Made(sample_rate, channels.length, frames);
        seen.set(stem, made);
        return made;
      });
      const body = (id: string): Uint8Array =>
        joinFrames([{ line: { job: id, stems } }, { line: audioLine(audio), channels }]);
      await work("/v1/separate", FRAMES_TYPE, body, reader, job);
      return stems.map((stem) => {
        const made = seen.get(stem)?.audio().channels;
        if (made === undefined) throw wrong(`it is done and sent no ${stem}`);
        checkSamples(`its ${stem}`, made);
        return made;
      });
    },
  };
}

/** The body of a piece to be made: words, and behind them what is made anew. */
export function askFor(id: string, { reference, ...words }: GenerateRequest): Uint8Array {
  const line = { job: id, ...words };
  if (reference === undefined) return new TextEncoder().encode(JSON.stringify(line));
  return joinFrames([{ line }, { line: audioLine(reference), channels: reference.channels }]);
}

export const typeOf = ({ reference }: GenerateRequest): string =>
  reference === undefined ? "application/json" : FRAMES_TYPE;

export function audioLine({ sample_rate, channels }: Audio): object {
  const frames = channels[0]!.length;
  return { type: "audio", sample_rate, channels: channels.length, frames, bytes: 4 * channels.length * frames };
}

/** @throws SidecarFault where it is no health of this protocol */
export function lookOf(given: unknown): Look {
  const protocol = (given as { protocol?: unknown } | null)?.protocol;
  if (protocol !== PROTOCOL) throw wrong(`it speaks protocol ${quote(protocol ?? null)}, Tonwerk speaks ${PROTOCOL}`);
  const fault = Value.Errors(Health, given).First();
  if (fault !== undefined) {
    const field = fault.path.slice(1).replaceAll("/", ".");
    throw wrong(`its health says ${quote(fault.value ?? null)} in "${field}": ${fault.message.toLowerCase()}`);
  }
  const { status, reason, model, tasks, device, memory, concurrency } = given as Health;
  const { separate, ...making } = tasks;
  if (Object.values(tasks).every((task) => task === undefined)) throw wrong("its health has no task");
  const makes = (Object.keys(making) as MakingTask[]).flatMap((task) => {
    const one = making[task];
    return one === undefined ? [] : [[task, { ...one, stems: [] }] as const];
  });
  const facts: SidecarFacts = {
    name: model.name,
    version: model.version ?? null,
    licence: model.licence ?? null,
    device: device ?? null,
    memory_mb: memory === undefined ? null : memory.used_bytes / 1e6,
    concurrency: concurrency ?? 1,
    tasks: {
      ...Object.fromEntries(makes),
      ...(separate === undefined ? {} : { separate }),
    },
  };
  return { state: status, reason: reason ?? null, facts };
}
