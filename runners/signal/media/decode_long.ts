import type { Audio, Limits, Streamed } from "../../../contract/mod.ts";
import type { SourceFacts } from "../../../core/ports/mod.ts";
import { SampleFile } from "../../sample_file.ts";
import { Collector } from "./collector.ts";
import { type Blocks, decodeTo, RATE } from "./decode.ts";

/** Kept in memory where limits do not say otherwise: 212 MB of stereo. */
const WHOLE_SECONDS = 600;

/**
 * As `decode`; what has more than `frames_max` goes to the disk as it is decoded, whatever its header said, and is read from there.
 */
export async function decodeLong(
  path: string,
  limits: Limits,
  signal: AbortSignal,
  frames_max: number = (limits.whole_seconds ?? WHOLE_SECONDS) * RATE,
): Promise<{ readonly audio: Audio | Streamed; readonly facts: SourceFacts }> {
  let kept = new Keeping(frames_max);
  const fresh = () => {
    kept = new Keeping(frames_max);
    return kept;
  };
  const facts = await decodeTo(path, limits, signal, fresh);
  return { audio: kept.finish(), facts };
}

/** As `decodeLong`, on the disk however short it is. */
export async function decodeToDisk(
  path: string,
  limits: Limits,
  signal: AbortSignal,
): Promise<{ readonly audio: Streamed; readonly facts: SourceFacts }> {
  const { audio, facts } = await decodeLong(path, limits, signal, 0);
  if (!("samples" in audio)) throw new Error("Cannot keep the source on the disk: it has no samples");
  return { audio, facts };
}

class Keeping implements Blocks {
  readonly #frames_max: number;
  #collector = new Collector(0);
  #channels = 0;
  #frames = 0;
  #file: SampleFile | undefined;

  constructor(frames_max: number) {
    this.#frames_max = frames_max;
  }

  begin(channels: number, expected: number): void {
    this.#channels = channels;
    if (expected > this.#frames_max) this.#file = new SampleFile(channels, RATE);
    else this.#collector = new Collector(channels, expected);
  }

  push(channels: readonly Float32Array[], frames: number): void {
    if (this.#file === undefined && this.#frames + frames > this.#frames_max) {
      this.#file = new SampleFile(this.#channels, RATE);
      this.#file.push(this.#collector.finish(), this.#frames);
    }
    this.#frames += frames;
    (this.#file ?? this.#collector).push(channels, frames);
  }

  finish(): Audio | Streamed {
    return this.#file ?? { sample_rate: RATE, channels: this.#collector.finish() };
  }
}
