/** How sounds and things may be: loud, far, wet, swelling. */
import { kindOf } from "../../language/mod.ts";
import type { Layer, Motion } from "../brief.ts";
import type { Unit } from "./match.ts";
import shades from "./shades.json" with { type: "json" };

/** A change of one trait; size, intensity and bright add up, the others multiply. */
interface Shade {
  readonly size?: number;
  readonly intensity?: number;
  readonly speed?: number;
  readonly pitch?: number;
  /** How long one time of it lasts. */
  readonly length?: number;
  readonly bright?: number;
  /** 0 near to 1 far away. */
  readonly far?: number;
  /** How much louder than other sounds beside it. */
  readonly level_db?: number;
  /** Name of the contrary. */
  readonly opposite: string;
}

export const SHADES: Readonly<Record<string, Shade>> = shades;

const HURRY: Readonly<Record<string, number>> = { hurrying: 1, slowing: -1 };
const MOTIONS: ReadonlySet<string> = new Set("nearer away passing rising descending swelling fading".split(" "));

/** How a sound moves, and whether it gets faster, where nothing of it was said `before`. */
export function motionOf(
  units: readonly Unit[],
  before: Pick<Layer, "motion" | "hurry">,
): Pick<Layer, "motion" | "hurry"> {
  let { motion, hurry } = before;
  for (const unit of units)
    for (const name of [...conceptsOf(unit, "motion"), ...courseOf(unit)]) {
      if (!MOTIONS.has(name) || unit.polarity !== "wanted") hurry ||= HURRY[name] ?? 0;
      // "Approaches, then drives off": it comes and goes.
      else if (motion === "nearer" && name === "away") motion = "passing";
      else motion ??= name as Motion;
    }
  return { motion, hurry };
}

/** "Crescendo" swells. */
function courseOf(unit: Unit): Motion[] {
  return conceptsOf(unit, "dynamics").flatMap((name) =>
    name === "rising" ? "swelling" : name === "falling" ? "fading" : [],
  );
}

export function conceptsOf({ concepts }: Unit, kind: string): string[] {
  const own = concepts.filter((concept) => kindOf(concept) === kind);
  return own.map((concept) => concept.slice(kind.length + 1));
}

/** What is said to be otherwise is the contrary; little of a sound is a soft one. */
export function shadesOf(unit: Unit, sound: string): string[] {
  const names = ["quality", "dynamics", "distance"].flatMap((kind) => conceptsOf(unit, kind));
  const known = [...new Set(names)].filter((name) => name in SHADES);
  if (unit.polarity === "wanted" || unit.polarity === "compared") return known;
  if (known.length > 0) return known.map((name) => SHADES[name]!.opposite);
  return unit.polarity !== "unwanted" && conceptsOf(unit, "sound").includes(sound) ? ["soft"] : [];
}
