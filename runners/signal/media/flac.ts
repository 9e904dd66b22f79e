import { Pauses } from "../../breathe.ts";
import { FlacError, type FlacFrame, readFlacFile } from "../flac/mod.ts";
import { Beyond, type Sink, unsupported } from "./intake.ts";

/** Frames that are handed on at once: small FLAC blocks are gathered to about this. */
const BLOCK = 1 << 15;
/**
 * Blocks that a file may have for each second that it may last: of 192 samples at 192 kHz, the smallest with a code of
 * its own. In smaller ones a file of 50 MB would have millions, and each takes microseconds however little is in it.
 */
const BLOCKS_PER_SECOND_MAX = 1000;
/** Frames of a block that is worth handing on alone. */
const LARGE = 4000;

/**
 * Reads a FLAC file into `sink`. What a file that was cut off still has is taken, up to its last whole frame; one that is damaged on the
 * way is not, for nobody would hear where it goes wrong.
 *
 * @throws SourceError `source_undecodable`, `source_unsupported_format` for too many blocks, and what `sink` throws; the signal's reason on
 *   abort
 */
export async function readFlac(path: string, sink: Sink, signal: AbortSignal, seconds_max: number): Promise<void> {
  const blocks_max = BLOCKS_PER_SECOND_MAX * seconds_max;
  const gathered = new Gathered(sink);
  const pauses = new Pauses(signal);
  let blocks = 0;
  try {
    for await (const frame of readFlacFile(path, signal, { floats: true })) {
      if (++blocks > blocks_max) throw unsupported(`it has more than ${blocks_max} blocks`);
      gathered.push(frame);
      // A few bytes can be minutes of silence.
      const pause = pauses.due();
      if (pause !== undefined) await pause;
    }
  } catch (error) {
    if (!(error instanceof FlacError)) throw error;
    if (error.fault !== "truncated") throw new Beyond(error.message.replace("Cannot decode the FLAC: ", ""));
  }
  gathered.flush();
}

/** Hands on blocks as they are where they are large enough, small ones together. */
class Gathered {
  readonly #sink: Sink;
  #planar: Float32Array[] = [];
  #count = 0;
  #begun = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  push({ info, count, floats }: FlacFrame): void {
    if (!this.#begun) {
      const { sample_rate, channels, frames } = info;
      this.#sink.begin({ sample_rate, channels, mask: 0, frames, claimed: frames, finite: true });
      this.#begun = true;
    }
    if (this.#count === 0 && count >= LARGE) {
      this.#sink.push(floats, count);
      return;
    }
    // A block has 65,536 samples at most.
    if (this.#planar.length === 0) this.#planar = floats.map(() => new Float32Array(BLOCK + 65_536));
    for (const [channel, samples] of floats.entries()) this.#planar[channel]!.set(samples, this.#count);
    this.#count += count;
    if (this.#count >= BLOCK) this.flush();
  }

  flush(): void {
    if (this.#count > 0) this.#sink.push(this.#planar, this.#count);
    this.#count = 0;
  }
}
