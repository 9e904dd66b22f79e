/** What a brief holds, for the client. */
import { NOTHING, type Understood } from "../language/mod.ts";
import { roundTo } from "../signal/dsp/numbers.ts";
import { type Brief, type Layer, understand } from "./text/understand.ts";

/** Reads a prompt, and says what it was taken to ask for. */
export function readEffect(prompt: string): { readonly brief: Brief; readonly understood: Understood } {
  const brief = understand(prompt);
  return { brief, understood: understoodOf(brief) };
}

export function understoodOf({
  parts,
  background,
  environment,
  pan,
  seconds,
  unwanted,
  unknown,
  guessed,
}: Brief): Understood {
  return {
    ...NOTHING,
    sounds: [
      ...parts.flatMap((layers, index) => layers.map((layer) => soundOf(layer, index + 1))),
      ...background.map((layer) => soundOf(layer, null)),
    ],
    place: environment,
    direction: pan,
    without: [...new Set(unwanted)],
    seconds,
    guessed: Object.entries(guessed).map(([from, value]) => ({ field: "sounds", value: spaced(value), from })),
    not_understood: [...unknown],
  };
}

function soundOf(
  { recipe, traits, count, far, motion, level_db }: Layer,
  turn: number | null,
): Understood["sounds"][number] {
  return {
    sound: spaced(recipe.name),
    material: traits.material,
    count,
    distance: roundTo(far, 3),
    motion,
    intensity: traits.intensity === 0.5 ? null : roundTo(traits.intensity, 3),
    level_db: roundTo(level_db, 1),
    turn,
  };
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}
