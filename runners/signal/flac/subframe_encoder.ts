import type { BitWriter } from "./bit_writer.ts";
import { LinearPrediction, log2, ORDER_MAX, type Predictor } from "./lpc.ts";
import { differences, FIXED, residual } from "./prediction.ts";
import { RiceCoder } from "./rice.ts";

/** Subframe types, RFC 9639 9.2.1: those of the predictors have the order added to them, for LPC less one. */
const TYPE = { constant: 0, verbatim: 1, fixed: 8, lpc: 32 } as const;

/** A residual and how it would be coded. */
interface Draft {
  readonly folded: Int32Array;
  readonly rice: RiceCoder;
  predictor: Predictor;
  bits: number;
}

/** Writes one channel of a frame in the shortest form that it finds. */
export class SubframeEncoder {
  readonly #prediction = new LinearPrediction();
  readonly #sums = new Float64Array(FIXED.length);
  #best: Draft;
  #spare: Draft;

  /** @param block most samples of a block */
  constructor(block: number) {
    const draft = (): Draft => ({
      folded: new Int32Array(block),
      rice: new RiceCoder(),
      predictor: FIXED[0]!,
      bits: Number.POSITIVE_INFINITY,
    });
    this.#best = draft();
    this.#spare = draft();
  }

  /**
   * @param x whole numbers of at most `bits` bits, its sign included, from index `ORDER_MAX` on, zeros before; overwritten
   * @param count samples, 1 to the size of a block
   * @param bits 4 to 25
   */
  encode(x: Float64Array, count: number, bits: number, out: BitWriter): void {
    if (isConstant(x, count)) {
      header(out, TYPE.constant, 0);
      out.put(x[ORDER_MAX]!, bits);
      return;
    }
    const wasted = wastedBits(x, count);
    if (wasted > 0) scale(x, count, 2 ** -wasted);
    this.#encode(x, count, bits - wasted, wasted, out);
  }

  #encode(x: Float64Array, count: number, bits: number, wasted: number, out: BitWriter): void {
    this.#best.bits = count * bits;
    if (count > FIXED.length) this.#draftAll(x, count, bits);
    const { folded, rice, predictor } = this.#best;
    const { order, precision } = predictor;
    if (this.#best.bits >= count * bits) {
      header(out, TYPE.verbatim, wasted);
      for (let n = 0; n < count; n++) out.put(x[ORDER_MAX + n]!, bits);
      return;
    }
    header(out, precision === 0 ? TYPE.fixed + order : TYPE.lpc + order - 1, wasted);
    for (let n = 0; n < order; n++) out.put(x[ORDER_MAX + n]!, bits);
    if (precision > 0) coefficients(predictor, out);
    rice.write(folded, order, count, out);
  }

  /**
   * Expectations name the few predictors worth a draft. They come from the mean square, which overrates what a few loud samples
   * cost: so the highest order is drafted as well, and the fixed predictor unless it is far behind.
   */
  #draftAll(x: Float64Array, count: number, bits: number): void {
    const sums = this.#sums;
    const seen = differences(x, count, sums);
    let order = 0;
    for (let tried = 1; tried < sums.length; tried++) if (sums[tried]! < sums[order]!) order = tried;
    const prediction = this.#prediction;
    const worth = count > 4 * ORDER_MAX && sums[order]! > 0;
    if (worth) prediction.analyse(x, count, bits);
    const mean = (Math.LN2 * sums[order]!) / seen;
    const expected = mean > 1 ? (count - order) * log2(mean) + order * bits : 0;
    if (!worth || expected < 1.2 * prediction.bits) this.#draft(FIXED[order]!, x, count, bits);
    if (!worth || prediction.order === 0) return;
    this.#draft(prediction.predictor(prediction.order), x, count, bits);
    if (prediction.order < prediction.orders) this.#draft(prediction.predictor(prediction.orders), x, count, bits);
  }

  /** Keeps the draft where it is shorter than the best so far. */
  #draft(predictor: Predictor | undefined, x: Float64Array, count: number, bits: number): void {
    const draft = this.#spare;
    if (predictor === undefined || !residual(x, count, predictor, draft.folded)) return;
    const { order, precision } = predictor;
    draft.rice.plan(draft.folded, order, count);
    draft.bits = draft.rice.bits + order * bits + (precision === 0 ? 0 : 9 + order * precision);
    if (draft.bits >= this.#best.bits) return;
    draft.predictor = predictor;
    this.#spare = this.#best;
    this.#best = draft;
  }
}

function header(out: BitWriter, type: number, wasted: number): void {
  out.put((type << 1) | (wasted > 0 ? 1 : 0), 8);
  if (wasted > 0) out.put(1, wasted);
}

function coefficients({ order, coefficients: taps, precision, shift }: Predictor, out: BitWriter): void {
  out.put(precision - 1, 4);
  out.put(shift, 5);
  for (let j = 0; j < order; j++) out.put(taps[j]!, precision);
}

function isConstant(x: Float64Array, count: number): boolean {
  const first = x[ORDER_MAX]!;
  for (let n = ORDER_MAX + 1; n < ORDER_MAX + count; n++) if (x[n] !== first) return false;
  return true;
}

/** How many of the lowest bits are 0 in all samples, which are not all 0. */
function wastedBits(x: Float64Array, count: number): number {
  let used = 0;
  for (let n = ORDER_MAX; n < ORDER_MAX + count; n++) {
    used |= x[n]!;
    // Nearly always one of the first samples is odd.
    if ((used & 1) !== 0) return 0;
  }
  return 31 - Math.clz32(used & -used);
}

function scale(x: Float64Array, count: number, factor: number): void {
  for (let n = ORDER_MAX; n < ORDER_MAX + count; n++) x[n] = x[n]! * factor;
}
