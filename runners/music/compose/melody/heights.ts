/** How high sections are sung against each other, and how far their tunes reach: a chorus lifts, and a hook is more than a third wide. */
import { musicOf } from "../../../packs/mod.ts";
import type { Brief } from "../brief.ts";
import type { PlanSection } from "../plan.ts";
import type { Sketch } from "./phrase.ts";
import sung from "./sung.json" with { type: "json" };

/** How much further a tune is drawn to its heights and depths, and the less by its motif, tried in turn. */
const REACHES = [1, 1.7, 2.6, 4] as const;
/** Semitones beside the lift that is wanted which are let be, tries to come nearer, and how much further each goes than is missing. */
const [NEAR, TRIES, FURTHER] = [0.8, 5, 1.4] as const;

/** How high a part of a song lies, and the lift that it has by its kind. */
interface Placed {
  readonly mean: number;
  readonly lift: number;
}

/** What has been written of a song. */
export class Heights {
  readonly #lift: number;
  /** Of the first section of each kind. */
  readonly #placed = new Map<PlanSection["kind"], Placed>();

  constructor({ genre }: Brief) {
    this.#lift = musicOf(genre).singing.chorus_lift ?? sung.chorus_lift;
  }

  /**
   * Pitches that reach as far as tunes of such sections do and lie where they should against what was written before.
   *
   * @param given the tune is a piece's that exists, and stays
   * @param write with heights so many times further apart, and the whole so many semitones higher
   */
  placed(
    { kind }: PlanSection,
    sketch: readonly Sketch[],
    given: boolean,
    write: (reach: number, up: number) => readonly number[],
  ): readonly number[] {
    let best = write(1, 0);
    if (given) return best;
    const chorus = kind === "chorus" || kind === "drop";
    const least = sung.span_min[chorus ? "chorus" : "other"];
    let reach: number = REACHES[0];
    for (const further of REACHES.slice(1)) {
      if (spanOf(best) >= least) break;
      const tried = write(further, 0);
      if (spanOf(tried) > spanOf(best)) [best, reach] = [tried, further];
    }
    const lift = chorus ? this.#lift : kind === "prechorus" || kind === "bridge" ? this.#lift / 2 : 0;
    const other = [...this.#placed.values()].find((placed) => placed.lift !== lift);
    if (other !== undefined) {
      const wanted = other.mean + lift - other.lift;
      let up = 0;
      for (let n = 0; n < TRIES; n++) {
        const missed = wanted - meanOf(best, sketch);
        if (Math.abs(missed) <= NEAR) break;
        up += FURTHER * missed;
        const tried = write(reach, up);
        if (spanOf(tried) < Math.min(least, spanOf(best))) continue;
        if (Math.abs(wanted - meanOf(tried, sketch)) < Math.abs(missed)) best = tried;
      }
    }
    if (!this.#placed.has(kind)) this.#placed.set(kind, { mean: meanOf(best, sketch), lift });
    return best;
  }
}

function spanOf(pitches: readonly number[]): number {
  return Math.max(...pitches) - Math.min(...pitches);
}

/** By how long each is sung. */
function meanOf(pitches: readonly number[], sketch: readonly Sketch[]): number {
  let [sum, time] = [0, 0];
  for (const [n, { beats }] of sketch.entries()) {
    sum += beats * pitches[n]!;
    time += beats;
  }
  return sum / Math.max(1e-9, time);
}
