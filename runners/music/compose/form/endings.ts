/** How pieces of a genre end, where nobody said: on a held chord, on one stroke, with a tag. */
import { musicOf } from "../../../packs/mod.ts";
import type { Brief } from "../brief.ts";
import { stream, weighted } from "../stream.ts";
import table from "./endings.json" with { type: "json" };
import { isBright } from "./scales.ts";

export interface Ending {
  /** Of the last section; absent: as usual, quiet. */
  readonly bars?: number;
  readonly energy?: number;
  /** Everyone strikes the last first beat, and stops. */
  readonly stops?: boolean;
  /** Numerals bar by bar that lead to the last bar, which is home. */
  readonly cadence?: { readonly bright: readonly string[]; readonly dark: readonly string[] };
}

type Name = keyof typeof table.endings;
const ENDINGS: Readonly<Record<Name, Ending>> = table.endings;
const BY_SCENE: Readonly<Record<string, Partial<Record<Name, number>>>> = table.by_scene;
/** What prompts say of endings. */
const SAID: ReadonlySet<string> = new Set(["fade out", "soft ending"]);

/** @param seed equal seeds give equal endings */
export function endingOf({ genre, traits, cues = [], colour }: Brief, seed: number): Ending {
  const said = cues.some(({ event, what }) => event === "ends" || (what?.endsWith("outro") ?? false));
  if (said || traits.some((trait) => SAID.has(trait))) return ENDINGS.ring;
  const { form, styles } = musicOf(genre);
  const weights = form.endings ?? BY_SCENE[styles.scene]!;
  const names = Object.keys(ENDINGS) as Name[];
  return ENDINGS[weighted(names, (name) => weights[name] ?? 0, stream(seed ^ colour, "ending"))];
}

/** Numerals of the bars before the last one; none where the mode has other ways home. */
export function cadenceOf({ cadence }: Ending, { mode }: Brief["key"]): readonly (readonly string[])[] {
  if (cadence === undefined || !["major", "minor", "mixolydian"].includes(mode)) return [];
  return cadence[isBright(mode) ? "bright" : "dark"].map((bar) => bar.split(" "));
}
