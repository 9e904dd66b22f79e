/** How often a sound is heard. */
import { kindOf } from "../../language/mod.ts";
import type { Recipe } from "../recipe.ts";
import { timesSaid } from "./divide.ts";
import { recipeNamed } from "./lexicon.ts";
import { isLedBy, type Unit } from "./match.ts";

const EVENTS_MAX = 60;
/** Groups of recipes whose sounds somebody makes. */
export const LIVING: ReadonlySet<string> = new Set(["animal", "creature"]);

/** "Three knocks", "knock knock knock", "dog barks twice"; "a knock" is one, "a dog barking" says nothing of how often. */
export function countOf(units: readonly Unit[], places: readonly number[], recipe: Recipe): number | null {
  const counted = units.filter(
    // "Barks angrily three times": what is said behind counts whatever it stands beside.
    (unit) =>
      unit.count !== null &&
      (!isLedBy(unit, "number") || unit.concepts.some((concept) => COUNTED.has(kindOf(concept)))) &&
      !isOfActors(unit, recipe),
  );
  // "Two swords clash" once.
  const [first, second] = [...places].sort((one, other) => one - other);
  if (recipe.together === true && second !== undefined && counted[0] === units[first!] && isSeveral(counted[0]!))
    return 1;
  const named = counted.filter((unit) => places.some((place) => units[place] === unit));
  const count = (named.at(-1) ?? counted[0])?.count ?? null;
  if (count !== null) return Math.min(EVENTS_MAX, count);
  const said = timesSaid(units, places);
  if (said > 1) return Math.min(EVENTS_MAX, said);
  const only = units[places[0] ?? -1];
  if (only === undefined || places.length > 1 || !isLedBy(only, "single")) return null;
  // "Un perro ladra": the dog, and what it does.
  const goes_on = units.some((unit) => unit !== only && unit.word === only.word && unit.mention !== only.mention);
  return goes_on || only.written.endsWith("ing") || only.written.endsWith("s") ? null : 1;
}

const COUNTED: ReadonlySet<string> = new Set(["sound", "thing", "word", "person"]);

/** "Two people clink glasses", "two men walk": how many do it, not how often. Each coughs for himself. */
function isOfActors(unit: Unit, { name, group, together }: Recipe): boolean {
  if (!isLedBy(unit, "number") || (group === "human" && together !== true)) return false;
  return unit.concepts.some((concept) => {
    const sound = kindOf(concept) === "sound" ? recipeNamed(concept.slice("sound:".length)) : undefined;
    return kindOf(concept) === "person" || (sound !== undefined && sound.name !== name && ACTORS.has(sound.group));
  });
}

const ACTORS: ReadonlySet<string> = new Set([...LIVING, "crowd"]);

function isSeveral({ written }: Unit): boolean {
  return written.split(" ")[0]!.endsWith("s");
}
