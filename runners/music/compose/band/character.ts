import { musicOf } from "../../../packs/mod.ts";
import { clamp, roundTo } from "../../../signal/dsp/numbers.ts";
import type { Plan } from "../plan.ts";
import type { MixCharacter } from "../score.ts";

/** How the desk should sound: the genre's habit, a quarter of a second genre's, and what the brief asks for. */
export function character(plan: Plan): MixCharacter {
  const { brief } = plan;
  const own = musicOf(brief.genre).mix;
  const other = brief.second_genre ? musicOf(brief.second_genre).mix : undefined;
  const habit = (field: Exclude<keyof MixCharacter, "genre">): number =>
    other ? own[field] * 0.7 + other[field] * 0.3 : own[field];
  const said = new Set(brief.explicit);
  // What the prompt said outright weighs more than what the brief only inferred.
  const blend = (field: "space" | "brightness" | "drive" | "age"): number => {
    const weight = said.has(field) ? 0.7 : 0.35;
    return rounded(habit(field) * (1 - weight) + brief[field] * weight);
  };
  return {
    genre: brief.genre,
    space: blend("space"),
    brightness: blend("brightness"),
    drive: blend("drive"),
    density: rounded(habit("density") * 0.75 + 0.25 * (0.4 * brief.density + 0.6 * brief.energy)),
    pump: rounded(habit("pump") * (0.7 + 0.6 * brief.energy) + (brief.traits.includes("side chain") ? 0.35 : 0)),
    width: rounded(habit("width") + 0.15 * (brief.space - 0.5)),
    age: blend("age"),
  };
}

function rounded(value: number): number {
  return roundTo(clamp(value, 0, 1), 3);
}
