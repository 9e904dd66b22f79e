import type { Voice } from "./voice.ts";

/** One kind of sound and how it is made. */
export interface Recipe {
  readonly name: string;
  readonly group: string;
  /**
   * `event`: happens once or several times; `sweep`: takes as long as it is given; `bed`: goes on.
   */
  readonly kind: "event" | "sweep" | "bed";
  /** Natural length of one event, or of the whole where no duration is asked. */
  readonly seconds: number;
  /** Events where no count is asked; 1 where absent. */
  readonly events?: number;
  /** Seconds from one event to the next; `seconds` where absent. */
  readonly every?: number;
  /** How much that varies, as a share of it. */
  readonly jitter?: number;
  /** It happens once: a long duration holds one with its tail, not one after another. */
  readonly once?: true;
  /**
   * What it is called: terms divided by commas, lower-case without accents, singular; a term of several words wants them all. `:0.5`
   * weighs a term that other sounds share.
   */
  readonly words: string;
  /** Writes into the voice's empty channels, any level; peaks are brought together later. */
  readonly render: (voice: Voice) => void;
}
