import { STEP } from "../../signal/dsp/control.ts";
import { Halver } from "../../signal/dsp/half_band.ts";
import type { Buses } from "./buses.ts";
import type { Channel } from "./channel.ts";
import { SPACES } from "./returns.ts";
import { BLOCK } from "./steps.ts";

/** What goes to the reverbs and the delay. */
export class Sender {
  readonly #buses: Buses;
  readonly #channel: Channel;
  readonly #thrown: Float32Array | undefined;
  readonly #left = new Float64Array(BLOCK + 2);
  readonly #right = new Float64Array(BLOCK + 2);
  readonly #halvers = [new Halver(), new Halver()];
  readonly #any: boolean;

  constructor(buses: Buses, channel: Channel, thrown: Float32Array | undefined) {
    this.#buses = buses;
    this.#channel = channel;
    this.#thrown = thrown;
    this.#any = Object.values(channel.sends).some((gain) => gain > 0) || thrown !== undefined;
  }

  clear(): void {
    for (const halver of this.#halvers) halver.clear();
  }

  /** @param kept false while a ring warms up */
  run(left: Float64Array, right: Float64Array, at: number, count: number, kept: boolean): void {
    if (!this.#any) return;
    const { factor } = this.#buses;
    let one = left;
    let two = right;
    let length = count;
    if (factor === 2) {
      one = this.#left;
      two = this.#right;
      if (count % 2 === 1) left[count] = right[count] = 0;
      length = Math.ceil(count / 2);
      this.#halvers[0]!.run(left, 2 * length, one);
      this.#halvers[1]!.run(right, 2 * length, two);
    }
    if (!kept) return;
    // `at` is a multiple of the block; a quotient would be no integer to the engine, and indices made of it slow.
    const first = factor === 2 ? at >> 1 : at;
    const { sends } = this.#channel;
    for (const name of SPACES) {
      const gain = sends[name];
      if (gain === 0) continue;
      const [reel, second] = this.#buses.send(name);
      const bus = reel!.around(first);
      const other = second?.around(first);
      const from = first - reel!.first;
      if (other === undefined)
        for (let n = 0; n < length; n++) bus[from + n] = bus[from + n]! + 0.5 * gain * (one[n]! + two[n]!);
      else
        for (let n = 0; n < length; n++) {
          bus[from + n] = bus[from + n]! + gain * one[n]!;
          other[from + n] = other[from + n]! + gain * two[n]!;
        }
    }
    const gain = sends.delay;
    const thrown = this.#thrown;
    if (gain === 0 && thrown === undefined) return;
    const [reel] = this.#buses.send("delay");
    const bus = reel!.around(first);
    const from = first - reel!.first;
    for (let n = 0; n < length; n++) {
      const more = thrown === undefined ? 0 : thrown[Math.floor((at + n * factor) / STEP)]!;
      bus[from + n] = bus[from + n]! + 0.5 * (gain + (THROW - gain) * more) * (one[n]! + two[n]!);
    }
  }
}

/** Amplitude that a thrown part is sent to the delay with. */
const THROW = 0.6;
