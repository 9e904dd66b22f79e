import { FlacError, type FlacFrame, readFlacFile } from "../flac/mod.ts";
import { Beyond, type Sink } from "./intake.ts";
import { Pauses } from "./pause.ts";

/** Frames that are handed on at once: small FLAC blocks are gathered to about this. */
const BLOCK = 1 << 15;

/**
 * Reads a FLAC file into `sink`. What a file that was cut off still has is taken, up to its last whole frame; one that is damaged on the
 * way is not, for nobody would hear where it goes wrong.
 *
 * @throws SourceError `source_undecodable`, and what `sink` throws; the signal's reason on abort
 */
export async function readFlac(path: string, sink: Sink, signal: AbortSignal): Promise<void> {
  const gathered = new Gathered(sink);
  const pauses = new Pauses(signal);
  try {
    for await (const frame of readFlacFile(path, signal)) {
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

/** Whole numbers to full scale ±1: exact up to 24 bits, then rounded to the nearest float32. */
class Gathered {
  readonly #sink: Sink;
  #planar: Float32Array[] = [];
  #count = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  push({ info, count, channels }: FlacFrame): void {
    if (this.#planar.length === 0) {
      this.#sink.begin({ sample_rate: info.sample_rate, channels: info.channels, mask: 0, frames: info.frames });
      // A block has 65,536 samples at most.
      this.#planar = channels.map(() => new Float32Array(BLOCK + 65_536));
    }
    const unit = 2 ** (1 - info.bits);
    for (let channel = 0; channel < channels.length; channel++) {
      const from = channels[channel]!;
      const to = this.#planar[channel]!;
      for (let n = 0, at = this.#count; n < count; n++, at++) to[at] = from[n]! * unit;
    }
    this.#count += count;
    if (this.#count >= BLOCK) this.flush();
  }

  flush(): void {
    if (this.#count > 0) this.#sink.push(this.#planar, this.#count);
    this.#count = 0;
  }
}
