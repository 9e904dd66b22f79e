/**
 * A small perceptron: what it weighs comes from the separator's own evidence, what it says is each stem's share of a band.
 * Two hidden layers of rectified units and a softmax.
 */
export interface Network {
  readonly inputs: number;
  readonly first: number;
  readonly second: number;
  readonly outputs: number;
  /** Row by row: [first][inputs], [first], [second][first], [second], [outputs][second], [outputs]. */
  readonly weights: Float32Array;
}

export function sizeOf({ inputs, first, second, outputs }: Omit<Network, "weights">): number {
  return first * (inputs + 1) + second * (first + 1) + outputs * (second + 1);
}

/** Runs a network on evidence that comes in two parts: what a whole frame shares, and what each band has of its own. */
export class Judge {
  readonly #network: Network;
  readonly #shared: number;
  readonly #frame: Float64Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;

  /** @param shared leading inputs that are the same for all bands of a frame */
  constructor(network: Network, shared: number) {
    this.#network = network;
    this.#shared = shared;
    this.#frame = new Float64Array(network.first);
    this.#first = new Float64Array(network.first);
    this.#second = new Float64Array(network.second);
  }

  /** Takes the part of the evidence that all bands of a frame share. */
  begin(evidence: Float32Array): void {
    const { inputs, first, weights } = this.#network;
    const biases = first * inputs;
    for (let unit = 0; unit < first; unit++) {
      let sum = weights[biases + unit]!;
      const row = unit * inputs;
      for (let k = 0; k < this.#shared; k++) sum += weights[row + k]! * evidence[k]!;
      this.#frame[unit] = sum;
    }
  }

  /** Shares of the stems, which add up to 1, into `out`. @param evidence all inputs, of which the shared ones are not looked at */
  judge(evidence: Float32Array, out: Float64Array): void {
    const { inputs, first, second, outputs, weights } = this.#network;
    const shared = this.#shared;
    const one = this.#first;
    const two = this.#second;
    const frame = this.#frame;
    for (let unit = 0; unit < first; unit++) {
      let sum = frame[unit]!;
      const row = unit * inputs;
      for (let k = shared; k < inputs; k++) sum += weights[row + k]! * evidence[k]!;
      one[unit] = sum > 0 ? sum : 0;
    }
    let at = first * (inputs + 1);
    let biases = at + second * first;
    for (let unit = 0; unit < second; unit++) {
      let sum = weights[biases + unit]!;
      for (let k = 0; k < first; k++) sum += weights[at + k]! * one[k]!;
      at += first;
      two[unit] = sum > 0 ? sum : 0;
    }
    at = biases + second;
    biases = at + outputs * second;
    let highest = Number.NEGATIVE_INFINITY;
    for (let unit = 0; unit < outputs; unit++) {
      let sum = weights[biases + unit]!;
      for (let k = 0; k < second; k++) sum += weights[at + k]! * two[k]!;
      at += second;
      out[unit] = sum;
      if (sum > highest) highest = sum;
    }
    let total = 0;
    for (let unit = 0; unit < outputs; unit++) total += out[unit] = Math.exp(out[unit]! - highest);
    for (let unit = 0; unit < outputs; unit++) out[unit]! /= total;
  }
}
