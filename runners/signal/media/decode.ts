import { open } from "node:fs/promises";
import type { Audio, Limits } from "../../../contract/mod.ts";
import type { SourceFacts } from "../../../core/ports/mod.ts";
import { SourceError } from "../../source_error.ts";
import { Resampler } from "../dsp/resample.ts";
import { Collector } from "./collector.ts";
import { type Fold, foldInto, foldOf } from "./fold.ts";
import { Beyond, type Form, Intake, type Sink } from "./intake.ts";
import { NoDecoder } from "./mp3.ts";
import { type Choice, read } from "./readers.ts";
import { CONTENT_TYPES, type Format, sniff } from "./sniff.ts";

/** Hz of everything that is decoded. */
export const RATE = 44_100;

/**
 * Decodes a file to 44.1 kHz, mono where it is mono, else stereo.
 *
 * What there is of a file that was cut off is taken, as players do; a file that gives nothing, or is beyond its decoder, is
 * `source_undecodable`. Lengths are those of the samples that came out, whatever the header claims.
 *
 * @param choice which decoders; the default is what is best here
 * @throws SourceError with the code that says what is wrong with the file; the signal's reason on abort
 */
export async function decode(
  path: string,
  limits: Limits,
  signal: AbortSignal,
  choice: Choice = "best",
): Promise<{ readonly audio: Audio; readonly facts: SourceFacts }> {
  let kept = new Keeping();
  const fresh = () => {
    kept = new Keeping();
    return kept;
  };
  const facts = await decodeTo(path, limits, signal, fresh, choice);
  return { audio: { sample_rate: RATE, channels: kept.finish() }, facts };
}

/** Takes decoded audio as it comes: 44.1 kHz, one channel or two. */
export interface Blocks {
  /** `expected`: frames that the file claims or its size lets expect; 0 where unknown. */
  begin(channels: number, expected: number): void;
  /** The first `frames` of each channel count, and only during the call. */
  push(channels: readonly Float32Array[], frames: number): void;
}

/** As `decode`, block by block, into what `fresh` makes; into another one where a first decoder gave up on the file. */
export async function decodeTo(
  path: string,
  limits: Limits,
  signal: AbortSignal,
  fresh: () => Blocks,
  choice: Choice = "best",
): Promise<SourceFacts> {
  const { format, bytes } = await inspect(path, limits);
  let converting: Converting | undefined;
  const facts = await read(path, format, limits.seconds_max, choice, signal, () => {
    converting = new Converting(fresh());
    return new Intake(limits, bytes, converting);
  });
  converting?.finish();
  return factsOf(format, facts);
}

/**
 * Decodes all of a file and keeps nothing; refuses what `decode` refuses. What its header claims is refused before anything is decoded,
 * and what its header keeps quiet about at the bound, so that the work follows from `limits.seconds_max` and the file's bytes.
 */
export async function probe(
  path: string,
  limits: Limits,
  signal: AbortSignal,
  choice: Choice = "best",
): Promise<SourceFacts> {
  const { format, bytes } = await inspect(path, limits);
  const nothing: Sink = { begin: () => undefined, push: () => undefined };
  return factsOf(
    format,
    await read(path, format, limits.seconds_max, choice, signal, () => new Intake(limits, bytes, nothing)),
  );
}

/**
 * Refuses what the head of a file shows to be beyond the limits, before more than a first block is decoded. What passes may be refused by
 * `decode` all the same. Resolves to the seconds that the head claims, to `limits.seconds_max` where it claims nothing.
 */
export async function checkHead(path: string, limits: Limits, signal: AbortSignal): Promise<number> {
  const { format, bytes } = await inspect(path, limits);
  const seen = new Error("The head is seen");
  let seconds = limits.seconds_max;
  const begin = ({ claimed = 0, sample_rate }: Form): never => {
    if (claimed > 0) seconds = claimed / sample_rate;
    throw seen;
  };
  const fresh = (): Intake => new Intake(limits, bytes, { begin, push: () => undefined });
  await read(path, format, limits.seconds_max, "own", signal, fresh).catch((error: unknown) => {
    // Others may read what ours cannot.
    if (error !== seen && !(error instanceof Beyond || error instanceof NoDecoder)) throw error;
  });
  return seconds;
}

class Keeping implements Blocks {
  #collector: Collector | undefined;

  begin(channels: number, expected: number): void {
    this.#collector = new Collector(channels, expected);
  }

  push(channels: readonly Float32Array[], frames: number): void {
    this.#collector?.push(channels, frames);
  }

  finish(): Float32Array[] {
    return this.#collector?.finish() ?? [];
  }
}

/** Folds and resamples on arrival, so that nothing waits in memory but what it is handed on to keeps. */
class Converting implements Sink {
  readonly #to: Blocks;
  #fold: Fold | undefined;
  #folded: Float32Array[] = [];
  #resampler: Resampler | undefined;

  constructor(to: Blocks) {
    this.#to = to;
  }

  begin({ channels, mask, sample_rate, frames }: Form): void {
    const kept = Math.min(2, channels);
    this.#fold = foldOf(channels, mask);
    this.#folded = Array.from({ length: kept }, () => new Float32Array(0));
    this.#resampler = sample_rate === RATE ? undefined : new Resampler(sample_rate, RATE, kept);
    this.#to.begin(kept, Math.round((frames * RATE) / sample_rate));
  }

  push(channels: readonly Float32Array[], frames: number): void {
    const heard = this.#fold === undefined ? channels : this.#folding(channels, frames, this.#fold);
    if (this.#resampler === undefined) this.#to.push(heard, frames);
    else this.#handOn(this.#resampler.push(heard, frames));
  }

  finish(): void {
    if (this.#resampler !== undefined) this.#handOn(this.#resampler.finish());
  }

  #folding(channels: readonly Float32Array[], frames: number, fold: Fold): readonly Float32Array[] {
    if (this.#folded[0]!.length < frames) this.#folded = this.#folded.map(() => new Float32Array(2 * frames));
    foldInto(channels, frames, fold, this.#folded);
    return this.#folded;
  }

  #handOn(channels: readonly Float32Array[]): void {
    this.#to.push(channels, channels[0]!.length);
  }
}

async function inspect(path: string, limits: Limits): Promise<{ readonly format: Format; readonly bytes: number }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > limits.bytes_max) {
      throw new SourceError(
        "source_too_large",
        `Cannot take the source: it has ${size} bytes, at most ${limits.bytes_max} are allowed`,
      );
    }
    return { format: await sniff(file), bytes: size };
  } finally {
    await file.close();
  }
}

function factsOf(format: Format, { seconds, sample_rate, channels }: Form & { readonly seconds: number }): SourceFacts {
  return { format, content_type: CONTENT_TYPES[format], seconds, sample_rate, channels };
}
