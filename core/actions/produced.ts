/** What `process` returned, checked against its declaration: an author's mistake must not reach a client as odd audio. */
import {
  type AnyAction,
  type Audio,
  type Making,
  type Output,
  SAMPLE_RATE,
  STEMS,
  type Stem,
  type StemOutput,
  type Streamed,
} from "../plugin.ts";

/** An output that names its engine: its own, or the declaration's. */
export type Named<O extends Output | StemOutput> = O & { readonly engine: string };

export type Piece = { readonly output: Named<Output> | Making; readonly kind?: never } | StemPiece;
export interface StemPiece {
  readonly output: Named<StemOutput>;
  readonly kind: Stem;
}

/** Longest output, in seconds: longer ones would not fit a worker's memory. */
const SECONDS_MAX = 1200;

/** The outputs in delivery order. Throws TypeError or RangeError that names the action, what it returned and what was expected. */
export function checkProduced(action: AnyAction, produced: unknown, variations: number): readonly Piece[] {
  const pieces = list(action, produced, variations);
  for (const [index, { output, kind }] of pieces.entries())
    if (typeof output !== "function")
      checkOutput(`${action.name}: ${kind ?? `output ${index + 1}`}`, output, kind !== undefined);
  if (action.output === "stems") checkStems(action, pieces);
  return pieces;
}

/** An output that is made only now. Throws as `checkProduced` does. */
export async function madeNow(action: AnyAction, index: number, making: Making): Promise<Named<Output>> {
  const output = named(action, await making());
  checkOutput(`${action.name}: output ${index + 1}`, output, false);
  return output;
}

/** What is no object stays as it is, for `checkOutput` to refuse. */
function named<O extends Output | StemOutput>(action: AnyAction, output: O): Named<O> {
  const engine = output?.engine ?? action.engine;
  return typeof output === "object" && output !== null ? { ...output, engine } : (output as Named<O>);
}

/** All of them, one after another, kept: for short pieces, in tests and benchmarks. */
export async function madeAll(produced: readonly (Output | Making)[]): Promise<readonly Output[]> {
  const outputs: Output[] = [];
  for (const one of produced) outputs.push(typeof one === "function" ? await one() : one);
  return outputs;
}

function list(action: AnyAction, produced: unknown, variations: number): readonly Piece[] {
  switch (action.output) {
    case "single":
      return [{ output: named(action, produced as Output) }];
    case "variations":
      if (!Array.isArray(produced) || produced.length !== variations) {
        const got = Array.isArray(produced) ? `${produced.length} outputs` : typeof produced;
        throw new RangeError(`${action.name}: Cannot deliver ${got}, expected ${variations} outputs`);
      }
      return produced.map((output: Output | Making) => ({
        output: typeof output === "function" ? output : named(action, output),
      }));
    case "stems": {
      const stems = produced as Readonly<Record<Stem, StemOutput>>;
      const names = typeof produced === "object" && produced !== null ? Object.keys(produced) : [];
      if (names.length !== STEMS.length || STEMS.some((kind) => !names.includes(kind))) {
        throw new TypeError(`${action.name}: Cannot deliver stems ${names.join(", ")}, expected ${STEMS.join(", ")}`);
      }
      return STEMS.map((kind) => ({ output: named(action, stems[kind]), kind }));
    }
  }
}

function checkOutput(what: string, output: Output | StemOutput, stem: boolean): void {
  if (typeof output !== "object" || output === null) {
    throw new TypeError(`${what}: Cannot deliver it, expected { audio }`);
  }
  if (typeof output.engine !== "string" || output.engine === "") {
    throw new TypeError(`${what}: Cannot deliver it with the engine ${JSON.stringify(output.engine)}, expected a name`);
  }
  if (isStreamed(output.audio)) {
    if (!stem) throw new TypeError(`${what}: Cannot deliver audio that is made as it is read, which only stems may be`);
    checkStreamed(what, output.audio);
  } else checkAudio(what, output.audio);
  if (output.report !== undefined) {
    try {
      if (JSON.stringify(output.report) === undefined) throw new TypeError("it has no JSON form");
    } catch (error) {
      throw new TypeError(`${what}: Cannot keep its report: ${String(error)}`);
    }
  }
}

/** Throws unless `audio` is 44.1 kHz, mono or stereo, not empty, of equal lengths and finite throughout. */
export function checkAudio(what: string, audio: Audio): void {
  if (audio?.sample_rate !== SAMPLE_RATE) {
    throw new RangeError(`${what}: Cannot deliver a sample rate of ${audio?.sample_rate} Hz, expected ${SAMPLE_RATE}`);
  }
  const { channels } = audio;
  const samples = channels[0]?.length ?? 0;
  checkShape(what, channels.length, samples);
  for (const [index, channel] of channels.entries()) {
    if (!(channel instanceof Float32Array)) throw new TypeError(`${what}: Channel ${index + 1} must be a Float32Array`);
    if (channel.length !== samples) {
      throw new RangeError(`${what}: Channel ${index + 1} has ${channel.length} samples, expected ${samples}`);
    }
    for (let position = 0; position < samples; position++) {
      if (!Number.isFinite(channel[position])) {
        throw new RangeError(
          `${what}: Sample ${position} of channel ${index + 1} is ${channel[position]}, expected a finite number`,
        );
      }
    }
  }
}

export function isStreamed(audio: Audio | Streamed): audio is Streamed {
  return typeof (audio as Partial<Streamed> | undefined)?.samples === "function";
}

/** Its samples are checked as they are read: see `Studio.finishStems`. */
function checkStreamed(what: string, { sample_rate, channels, frames, peak }: Streamed): void {
  if (sample_rate !== SAMPLE_RATE) {
    throw new RangeError(`${what}: Cannot deliver a sample rate of ${sample_rate} Hz, expected ${SAMPLE_RATE}`);
  }
  checkShape(what, channels, frames);
  if (!(peak >= 0 && peak < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${what}: Its peak is ${peak}, expected a finite number of at least 0`);
  }
}

function checkShape(what: string, channels: number, samples: number): void {
  if (channels !== 1 && channels !== 2) {
    throw new RangeError(`${what}: Cannot deliver ${channels} channels, expected 1 or 2`);
  }
  if (!Number.isInteger(samples) || samples <= 0 || samples > SECONDS_MAX * SAMPLE_RATE) {
    throw new RangeError(`${what}: Cannot deliver ${samples} samples, expected 1 to ${SECONDS_MAX * SAMPLE_RATE}`);
  }
}

function checkStems(action: AnyAction, pieces: readonly Piece[]): void {
  const shapes = new Set(
    pieces
      .flatMap(({ output, kind }) => (kind === undefined ? [] : [output.audio]))
      .map((audio) =>
        isStreamed(audio)
          ? `${audio.channels}x${audio.frames}`
          : `${audio.channels.length}x${audio.channels[0]?.length}`,
      ),
  );
  if (shapes.size !== 1) throw new RangeError(`${action.name}: Stems differ in length or channels, expected all alike`);
}
