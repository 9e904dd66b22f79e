import { Reel } from "../../reel.ts";
import { RATE } from "./channel.ts";

/** Frames up to which the mix lies in memory: of 214 s on the disk costs 7 % more processor time. */
const MIX_IN_MEMORY = 240 * RATE;

/**
 * Where parts are added up. Sends run at half the rate, for a return has nothing to say above 9 kHz; on a ring, which
 * is short and whose length may be odd, at the full one.
 */
export class Buses {
  readonly frames: number;
  readonly ring: boolean;
  /** Frames of the mix for one of the sends. */
  readonly factor: 1 | 2;
  /** Left and right. Of a long one a span lies in memory while parts are played, whose stems have as much. */
  readonly mix: readonly [Reel, Reel];
  readonly #sends = new Map<SendName, readonly Reel[]>();
  readonly #span: number | undefined;

  /** @param span of frames that lie in memory; absent: by the length. A ring is read across its end, and is short */
  constructor(frames: number, ring: boolean, span = ring ? frames : undefined) {
    // A rounded number is still a double to the engine, and indices made of it slow.
    this.frames = frames | 0;
    this.ring = ring;
    this.factor = ring ? 1 : 2;
    this.#span = span;
    const in_memory = span ?? (frames <= MIX_IN_MEMORY ? frames : undefined);
    this.mix = [new Reel(this.frames, in_memory), new Reel(this.frames, in_memory)];
  }

  /** All of the mix, in memory from now on. */
  get left(): Float32Array<ArrayBuffer> {
    return this.mix[0].whole();
  }

  get right(): Float32Array<ArrayBuffer> {
    return this.mix[1].whole();
  }

  get sendFrames(): number {
    return Math.ceil(this.frames / this.factor);
  }

  /** One channel, or two for a hall, in which all have their places. Made when first asked for. */
  send(name: SendName): readonly Reel[] {
    let bus = this.#sends.get(name);
    if (bus === undefined) {
      bus = Array.from({ length: name === "hall" ? 2 : 1 }, () => new Reel(this.sendFrames, this.#span));
      this.#sends.set(name, bus);
    }
    return bus;
  }

  /** What was sent, handed over, as two channels, which may be the same: a bus that was taken is empty. */
  take(name: SendName): readonly [Reel, Reel] | undefined {
    const bus = this.#sends.get(name);
    this.#sends.delete(name);
    return bus === undefined ? undefined : [bus[0]!, bus[1] ?? bus[0]!];
  }
}

export type SendName = "room" | "plate" | "hall" | "delay";
