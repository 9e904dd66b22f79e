import { Reel } from "../../reel.ts";

/**
 * Where parts are added up. Sends run at half the rate, for a return has nothing to say above 9 kHz; on a ring, which
 * is short and whose length may be odd, at the full one.
 */
export class Buses {
  readonly frames: number;
  readonly ring: boolean;
  /** Frames of the mix for one of the sends. */
  readonly factor: 1 | 2;
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly #sends = new Map<SendName, readonly Reel[]>();
  readonly #span: number | undefined;

  /** @param span of a send's frames that lie in memory; absent: by the length. A ring is read across its end, and is short */
  constructor(frames: number, ring: boolean, span = ring ? frames : undefined) {
    // A rounded number is still a double to the engine, and indices made of it slow.
    this.frames = frames | 0;
    this.ring = ring;
    this.factor = ring ? 1 : 2;
    this.#span = span;
    this.left = new Float32Array(frames);
    this.right = new Float32Array(frames);
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
