import { AHEAD, CONTEXTS, Context, SUMMARY } from "./context.ts";
import { type Evidence, INPUTS, SHARED } from "./evidence.ts";
import { BANDS } from "./grid.ts";
import { Judge, type Network } from "./network.ts";
import type { Picture } from "./picture.ts";

export { AHEAD } from "./context.ts";

/** The separator's two networks: the second sees what the first one thinks of the neighbourhood. */
export interface Networks {
  /** Takes INPUTS. */
  readonly first: Network;
  /** Takes SECOND_INPUTS. */
  readonly second: Network;
}

/** Leading inputs of the second network that all bands of a frame share: those of the first, and a summary of its opinions. */
export const SECOND_SHARED: number = SHARED + SUMMARY;
export const SECOND_INPUTS: number = INPUTS + SUMMARY + CONTEXTS;

const OWN = INPUTS - SHARED;

/** Frame by frame, all that is put before the second network. The first runs AHEAD frames before it, and its evidence waits. */
export class Opinions {
  readonly #evidence: Evidence;
  readonly #picture: Picture;
  readonly #judge: Judge;
  readonly #context = new Context();
  readonly #verdict = new Float32Array(4 * BANDS);
  readonly #every: number;
  readonly #shared: readonly Float32Array[];
  readonly #own: readonly Float32Array[];
  #heard = 0;

  /** @param every from one frame that is judged to the next; those between are taken to be like the one before */
  constructor(first: Network, evidence: Evidence, picture: Picture, every: number) {
    this.#every = every;
    this.#evidence = evidence;
    this.#picture = picture;
    this.#judge = new Judge(first, BANDS, SHARED);
    this.#shared = Array.from({ length: AHEAD + 1 }, () => new Float32Array(SHARED));
    this.#own = Array.from({ length: AHEAD + 1 }, () => new Float32Array(OWN * BANDS));
  }

  /** Listens ahead for `frame`, the one after that of the last call, or 0. Evidence up to `frame` + AHEAD is read, none before. */
  move(frame: number): void {
    const until = Math.min(this.#picture.frames - 1, frame + AHEAD);
    for (; this.#heard <= until; this.#heard++) {
      if (this.#heard % this.#every === 0) this.#hear();
      this.#context.add(this.#verdict, this.#picture.level);
    }
    this.#context.move(frame);
  }

  #hear(): void {
    const shared = this.#shared[this.#heard % (AHEAD + 1)]!;
    this.#evidence.share(this.#heard, shared);
    const own = this.#judge.evidence;
    this.#evidence.fill(this.#heard, own);
    this.#own[this.#heard % (AHEAD + 1)]!.set(own);
    this.#judge.judge(shared, this.#verdict);
  }

  /** The second network's shared inputs, and [SECOND_INPUTS - SECOND_SHARED][BANDS] of its own, of the frame moved to, one that is judged. */
  fill(frame: number, shared: Float32Array, own: Float32Array): void {
    shared.set(this.#shared[frame % (AHEAD + 1)]!);
    this.#context.share(shared, SHARED);
    own.set(this.#own[frame % (AHEAD + 1)]!);
    this.#context.fill(own, OWN * BANDS);
  }
}
