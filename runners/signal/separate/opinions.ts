import { AHEAD, CONTEXTS, Context, SUMMARY } from "./context.ts";
import { type Evidence, INPUTS, SHARED, WORDS } from "./evidence.ts";
import { BANDS } from "./grid.ts";
import type { Inputs, Network } from "./layers.ts";
import { Judge } from "./network.ts";
import type { Picture } from "./picture.ts";

export { AHEAD } from "./context.ts";

/** The separator's two networks: the second sees what the first one thinks of the neighbourhood. */
export interface Networks {
  /** Takes `INPUTS`. */
  readonly first: Network;
  /** Takes `SECOND_INPUTS`. */
  readonly second: Network;
}

/** The second network's: those of the first, beside what they share a summary of its opinions, behind them its neighbours'. */
export const SECOND_INPUTS: Inputs = {
  ...INPUTS,
  shared: SHARED + SUMMARY,
  words: [...WORDS, ...CONTEXTS],
};

const OWN = WORDS.length * BANDS;

/** Frame by frame, all that is put before the second network. The first runs AHEAD frames before it, and its evidence waits. */
export class Opinions {
  readonly #evidence: Evidence;
  readonly #picture: Picture;
  readonly #judge: Judge;
  readonly #context = new Context();
  readonly #verdict = new Float32Array(4 * BANDS);
  readonly #every: number;
  readonly #shared: readonly Float32Array[];
  readonly #own: readonly Int16Array[];
  #heard = 0;

  /** @param every from one frame that is judged to the next; those between are taken to be like the one before */
  constructor(first: Network, evidence: Evidence, picture: Picture, every: number) {
    this.#every = every;
    this.#evidence = evidence;
    this.#picture = picture;
    this.#judge = new Judge(first, BANDS, INPUTS);
    this.#shared = Array.from({ length: AHEAD + 1 }, () => new Float32Array(SHARED));
    this.#own = Array.from({ length: AHEAD + 1 }, () => new Int16Array(OWN));
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
    const own = this.#judge.words;
    this.#evidence.fill(this.#heard, own);
    this.#own[this.#heard % (AHEAD + 1)]!.set(own);
    this.#judge.judge(shared, this.#verdict);
  }

  /** What `SECOND_INPUTS` has of the frame moved to, one that is judged: what is shared, and each band's words. */
  fill(frame: number, shared: Float32Array, own: Int16Array): void {
    shared.set(this.#shared[frame % (AHEAD + 1)]!);
    this.#context.share(shared, SHARED);
    own.set(this.#own[frame % (AHEAD + 1)]!);
    this.#context.fill(own, OWN);
  }
}
