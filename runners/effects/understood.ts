/** What a brief holds, for the client. */
import { NOTHING, type Understood } from "../language/mod.ts";
import { roundTo } from "../signal/dsp/numbers.ts";
import type { Brief, Layer, Motion } from "./brief.ts";
import { understand } from "./text/understand.ts";

/** Reads a prompt, and says what it was taken to ask for. */
export function readEffect(prompt: string): { readonly brief: Brief; readonly understood: Understood } {
  const brief = understand(prompt);
  return { brief, understood: understoodOf(brief) };
}

type Sound = Understood["sounds"][number];

const MOTIONS: Readonly<Partial<Record<Motion, string>>> = {
  ...{ nearer: "approaching", away: "receding", passing: "passing", rising: "rising", descending: "descending" },
};
const COURSES: Readonly<Partial<Record<Motion, string>>> = { swelling: "getting louder", fading: "fading out" };
const SILENCE: Omit<Sound, "turn"> = {
  ...{ sound: "silence", material: null, count: null, distance: 0, motion: null, intensity: null, level_db: 0 },
};

export function understoodOf({
  parts,
  background,
  pauses,
  silence_after,
  place,
  pan,
  seconds,
  unwanted,
  unknown,
  guessed,
}: Brief): Understood {
  return {
    ...NOTHING,
    sounds: [...inOrder({ parts, pauses, silence_after }), ...background.map((layer) => soundOf(layer, null))],
    place,
    form: [...new Set([...parts.flat(), ...background].flatMap(formOf))],
    direction: pan,
    without: [...new Set(unwanted)],
    seconds,
    guessed: Object.entries(guessed).map(([from, value]) => ({ field: "sounds", value: spaced(value), from })),
    not_understood: [...unknown],
  };
}

/** Silence between two sounds has a turn of its own. */
function inOrder({ parts, pauses, silence_after }: Pick<Brief, "parts" | "pauses" | "silence_after">): Sound[] {
  const out: Sound[] = [];
  let turn = 0;
  for (const [index, layers] of parts.entries()) {
    if (pauses[index]?.from === "end") out.push({ ...SILENCE, turn: ++turn });
    turn++;
    const after = pauses[index]?.from === "start" ? { after_seconds: pauses[index].seconds } : {};
    out.push(...layers.map((layer) => ({ ...soundOf(layer, turn), ...after })));
  }
  return silence_after > 0 ? [...out, { ...SILENCE, turn: turn + 1 }] : out;
}

function formOf({ motion, hurry }: Layer): string[] {
  const course = motion === null ? undefined : COURSES[motion];
  return [
    ...(course === undefined ? [] : [course]),
    ...(hurry === 0 ? [] : [hurry > 0 ? "accelerating" : "slowing down"]),
  ];
}

function soundOf(
  { recipe, traits, count, every, far, motion, pan, level_db, manner, said }: Layer,
  turn: number | null,
): Sound {
  return {
    sound: spaced(recipe.name),
    material: traits.material,
    count,
    distance: roundTo(far, 3),
    motion:
      motion === null
        ? recipe.group === "passing" && recipe.kind === "sweep"
          ? "passing"
          : null
        : (MOTIONS[motion] ?? null),
    intensity: traits.intensity === 0.5 ? null : roundTo(traits.intensity, 3),
    level_db: roundTo(level_db, 1),
    turn,
    ...(said === "" ? {} : { said }),
    ...(manner.length === 0 ? {} : { manner: [...manner] }),
    ...(every === null ? {} : { every_seconds: every }),
    ...(pan === null ? {} : { direction: pan }),
  };
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}
