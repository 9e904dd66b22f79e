/**
 * What `process` returned, checked against its declaration: an author's mistake must not reach a client as odd audio.
 */

import {
  type AnyAction,
  type Audio,
  type Making,
  type Output,
  type ReportOutput,
  SAMPLE_RATE,
  type Streamed,
  type StreamedOutput,
} from "../../../contract/mod.ts";
import { describeValue, thrownBy } from "../../actions/faults.ts";
import { LONG_SECONDS_MAX } from "../../actions/long_sources.ts";
import { kindsOf } from "../../actions/outputs.ts";
import { asFault, runOwn } from "./own_code.ts";
import { checkDeclared, checkReportValue } from "./reports.ts";

/** An output that names its engine: its own, or the declaration's. */
export type Named<O extends Output | StreamedOutput | ReportOutput> = O & { readonly engine: string };

export type Piece =
  | { readonly output: Named<Output | StreamedOutput> | Making; readonly kind?: never }
  | KindPiece
  | ReportPiece;
/** One of those that come together. */
export interface KindPiece {
  readonly output: Named<StreamedOutput>;
  readonly kind: string;
}
export interface ReportPiece {
  readonly output: Named<ReportOutput>;
  readonly kind: "report";
}

export const isReport = (piece: Piece): piece is ReportPiece => piece.kind === "report";

/** Longest output, in seconds: longer ones would not fit a worker's memory, or be longer than what they are made of. */
const SECONDS_MAX = 1200;

/**
 * The outputs in delivery order. Throws a PluginFault that names the action, what it returned and what was expected.
 */
export function checkProduced(action: AnyAction, produced: unknown, count: number, is_list: boolean): readonly Piece[] {
  return asFault("output", () => checkPieces(action, produced, count, is_list));
}

function checkPieces(action: AnyAction, produced: unknown, count: number, is_list: boolean): readonly Piece[] {
  switch (action.output) {
    case "single":
      if (is_list)
        return listOf<Output | StreamedOutput>(action, produced, count).map((output, index) => ({
          output: checkOutput(action, `output ${index + 1}`, output, "streamed"),
        }));
      return [{ output: checkOutput(action, "output 1", produced as Output | StreamedOutput, "streamed") }];
    case "variations":
      return listOf<Output | Making>(action, produced, count).map((output, index) => ({
        output: typeof output === "function" ? output : checkOutput(action, `output ${index + 1}`, output),
      }));
    case "report":
      return [{ output: checkReport(action, produced as ReportOutput), kind: "report" }];
    default:
      return checkKinds(action, produced);
  }
}

function listOf<Each>(action: AnyAction, produced: unknown, count: number): readonly Each[] {
  if (Array.isArray(produced) && produced.length === count) return produced as readonly Each[];
  const got = Array.isArray(produced) ? `${produced.length} outputs` : typeof produced;
  throw new RangeError(`${action.name}: Cannot deliver ${got}, expected ${count} outputs`);
}

/** Makes an output that is made only when its turn comes. Throws as `checkProduced` does. */
export async function makeOutput(
  action: AnyAction,
  index: number,
  making: Making,
  signal: AbortSignal,
): Promise<Named<Output>> {
  const made = await runOwn(action, "process", signal, making);
  return asFault("output", () => checkOutput(action, `output ${index + 1}`, made));
}

function checkKinds(action: AnyAction, produced: unknown): readonly KindPiece[] {
  const made = produced as Readonly<Record<string, StreamedOutput | undefined>>;
  const kinds = [...(kindsOf(action)?.keys() ?? [])];
  const names = typeof produced === "object" && produced !== null ? Object.keys(produced) : [];
  if (names.length !== kinds.length || kinds.some((kind) => !names.includes(kind))) {
    const missing = names.length === 0 ? [] : kinds.filter((kind) => !names.includes(kind));
    const unknown = names.filter((name) => !kinds.includes(name));
    const wrong = [...missing.map((kind) => `without ${kind}`), ...unknown.map((name) => `with ${name}`)];
    const got = wrong.join(" and ") || describeValue(produced);
    const wish = `${kinds.join(", ")}, undefined for what was not asked for`;
    throw new TypeError(`${action.name}: Cannot deliver ${got}, expected ${wish}`);
  }
  const pieces = kinds.flatMap((kind) => {
    const output = made[kind];
    return output === undefined ? [] : [{ output: checkOutput(action, kind, output, "streamed"), kind }];
  });
  if (pieces.length === 0)
    throw new TypeError(`${action.name}: Cannot deliver no output at all, expected at least one`);
  const shapes = pieces.map(({ output: { audio } }) => shapeOf(audio).join());
  if (action.output === "stems" && new Set(shapes).size !== 1) {
    throw new RangeError(`${action.name}: Stems differ in length or channels, expected all alike`);
  }
  return pieces;
}

function checkOutput<O extends Output | StreamedOutput>(
  action: AnyAction,
  name: string,
  output: O,
  may_be?: "streamed",
): Named<O> {
  const what = `${action.name}: ${name}`;
  const engine = checkTold(action, what, output, "audio");
  const { audio, gain_db } = output;
  if (gain_db !== undefined && !Number.isFinite(gain_db))
    throw new RangeError(`${what}: Cannot apply a gain of ${gain_db} dB, expected a finite number`);
  if (!isStreamed(audio)) checkAudio(what, audio);
  else if (may_be === "streamed") {
    checkStreamed(what, audio);
    // What may be streamed takes any `Streamed`.
    return { ...output, engine, audio: guarded(action, audio) } as Named<O>;
  } else throw new TypeError(`${what}: Cannot deliver audio that is made as it is read, which a variation may not be`);
  return { ...output, engine };
}

function checkReport(action: AnyAction, output: ReportOutput): Named<ReportOutput> {
  const what = `${action.name}: the output`;
  const engine = checkTold(action, what, output, "report");
  asFault("report", () => {
    checkReportValue(what, output.report);
    checkDeclared(what, action, output.report);
  });
  if ("audio" in output) throw new TypeError(`${what}: Cannot deliver audio, expected a report alone`);
  return { ...output, engine };
}

/** What all outputs tell of themselves; returns what made this one. */
function checkTold(
  action: AnyAction,
  what: string,
  output: Output | StreamedOutput | ReportOutput,
  wanted: "audio" | "report",
): string {
  const is_object = typeof output === "object" && output !== null;
  if (!is_object || !(wanted in output)) {
    // By its keys: what is audio itself would be millions of numbers.
    const got = is_object ? `{ ${Object.keys(output).join(", ")} }` : describeValue(output);
    throw new TypeError(`${what}: Cannot deliver ${got}, expected { ${wanted} }`);
  }
  const { report, engine = action.engine } = output;
  if (typeof engine !== "string" || engine === "") {
    throw new TypeError(`${what}: Cannot deliver it with the engine ${JSON.stringify(engine)}, expected a name`);
  }
  if (wanted === "audio" && report !== undefined) asFault("report", () => checkReportValue(what, report));
  return engine;
}

/** Throws unless `audio` is 44.1 kHz, mono or stereo, not empty, of equal lengths and finite throughout. */
export function checkAudio(what: string, audio: Audio): void {
  checkShape(what, audio);
  const samples = audio.channels[0]?.length ?? 0;
  for (const [index, channel] of audio.channels.entries()) {
    if (!(channel instanceof Float32Array)) throw new TypeError(`${what}: Channel ${index + 1} must be a Float32Array`);
    if (channel.length !== samples) {
      throw new RangeError(`${what}: Channel ${index + 1} has ${channel.length} samples, expected ${samples}`);
    }
    for (let position = 0; position < samples; position++) {
      if (!Number.isFinite(channel[position])) {
        const found = `Sample ${position} of channel ${index + 1} is ${channel[position]}`;
        throw new RangeError(`${what}: ${found}, expected a finite number`);
      }
    }
  }
}

export function isStreamed(audio: Audio | Streamed): audio is Streamed {
  return typeof (audio as Partial<Streamed> | undefined)?.samples === "function";
}

/** Its samples are checked as they are read: see `Studio.finish` and `finishStems`. */
function checkStreamed(what: string, audio: Streamed): void {
  checkShape(what, audio);
  if (!(audio.peak >= 0 && audio.peak < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${what}: Its peak is ${audio.peak}, expected a finite number of at least 0`);
  }
}

/**
 * The same, which says that it is the author's code that threw. What is not finite is a `SampleError` of whoever reads
 * it.
 */
function guarded(action: AnyAction, audio: Streamed): Streamed {
  return {
    sample_rate: audio.sample_rate,
    channels: audio.channels,
    frames: audio.frames,
    peak: audio.peak,
    samples(from, to, out) {
      try {
        audio.samples(from, to, out);
      } catch (error) {
        throw thrownBy(action, "output", error);
      }
    },
  };
}

const shapeOf = (audio: Audio | Streamed): readonly [channels: number, samples: number] =>
  isStreamed(audio) ? [audio.channels, audio.frames] : [audio.channels.length, audio.channels[0]?.length ?? 0];

function checkShape(what: string, audio: Audio | Streamed): void {
  if (audio?.sample_rate !== SAMPLE_RATE) {
    throw new RangeError(`${what}: Cannot deliver a sample rate of ${audio?.sample_rate} Hz, expected ${SAMPLE_RATE}`);
  }
  const [channels, samples] = shapeOf(audio);
  if (channels !== 1 && channels !== 2) {
    throw new RangeError(`${what}: Cannot deliver ${channels} channels, expected 1 or 2`);
  }
  const samples_max = SAMPLE_RATE * (isStreamed(audio) ? LONG_SECONDS_MAX : SECONDS_MAX);
  if (!Number.isInteger(samples) || samples <= 0 || samples > samples_max) {
    throw new RangeError(`${what}: Cannot deliver ${samples} samples, expected 1 to ${samples_max}`);
  }
}
