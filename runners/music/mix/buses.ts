/** Where parts are added up. Sends run at half the rate, for a return has nothing to say above 9 kHz; on a ring, which is short and whose length may be odd, at the full one. */
export class Buses {
  readonly frames: number;
  readonly ring: boolean;
  /** Frames of the mix for one of the sends. */
  readonly factor: 1 | 2;
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly #sends = new Map<SendName, readonly [Float32Array, Float32Array]>();
  #delay: Float32Array | undefined;

  constructor(frames: number, ring: boolean) {
    // A rounded number is still a double to the engine, and indices made of it slow.
    this.frames = frames | 0;
    this.ring = ring;
    this.factor = ring ? 1 : 2;
    this.left = new Float32Array(frames);
    this.right = new Float32Array(frames);
  }

  get sendFrames(): number {
    return Math.ceil(this.frames / this.factor);
  }

  /** Made when first asked for. */
  send(name: SendName): readonly [Float32Array, Float32Array] {
    let bus = this.#sends.get(name);
    if (bus === undefined) {
      bus = [new Float32Array(this.sendFrames), new Float32Array(this.sendFrames)];
      this.#sends.set(name, bus);
    }
    return bus;
  }

  get delay(): Float32Array {
    this.#delay ??= new Float32Array(this.sendFrames);
    return this.#delay;
  }

  /** What was sent, handed over: a bus that was taken is empty. */
  take(name: SendName): readonly [Float32Array, Float32Array] | undefined {
    const bus = this.#sends.get(name);
    this.#sends.delete(name);
    return bus;
  }

  takeDelay(): Float32Array | undefined {
    const bus = this.#delay;
    this.#delay = undefined;
    return bus;
  }
}

export type SendName = "room" | "plate" | "hall";
