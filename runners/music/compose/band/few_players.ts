/** One player, two or three, where that was asked for. */
import { musicOf } from "../../../packs/mod.ts";
import { calledOn, type Instrument } from "../instruments.ts";
import type { Plan } from "../plan.ts";
import type { Role } from "../score.ts";
import { pick } from "../stream.ts";
import { type Chair, chairFor } from "./chair.ts";
import { factsOf } from "./instrument_facts.ts";

/**
 * One player alone: both hands of a piano, a guitar's bass and melody; who has one voice plays the melody over his own
 * long notes.
 */
export function soloist(instrument: Instrument, barred: ReadonlySet<Role>): Chair[] {
  const { polyphonic, family } = factsOf(instrument);
  let roles: Role[];
  if (family === "kit" || family === "percussion") roles = [family === "kit" ? "drums" : "percussion"];
  else if (family === "texture") roles = ["texture"];
  else if (family === "bass") roles = ["bass"];
  else if (family === "pad_synth") roles = ["pad", "lead"];
  else if (!polyphonic) roles = ["lead", "pad"];
  else if (factsOf(instrument).low <= 41) roles = ["chords", "bass", "lead"];
  else roles = ["arpeggio", "lead"];
  const open = roles.filter((role) => !barred.has(role));
  return open.map((role) => chairFor(role, instrument, true));
}

export function soloistOf(plan: Plan, rng: () => number, unwanted: ReadonlySet<Instrument>): Instrument {
  const names = pick(musicOf(plan.brief.genre).lineup.bands, rng)
    .filter(({ role }) => role === "chords" || role === "lead" || role === "arpeggio")
    .flatMap(({ instruments }) => instruments)
    .filter(
      (instrument) => factsOf(instrument).polyphonic && factsOf(instrument).low <= 41 && !unwanted.has(instrument),
    );
  const usual = calledOn("play_alone");
  return names[0] ?? usual.find((one) => !unwanted.has(one)) ?? usual.at(-1)!;
}

/** "Guitar duo": two of a kind; undefined where not one instrument was named, or one that cannot accompany. */
export function duo(wanted: readonly Instrument[], barred: ReadonlySet<Role>): Chair[] | undefined {
  const [named] = wanted;
  if (wanted.length !== 1 || named === undefined || !factsOf(named).polyphonic) return undefined;
  const roles: Role[] = [factsOf(named).low <= 41 ? "chords" : "arpeggio", "lead"];
  return roles.filter((role) => !barred.has(role)).map((role) => chairFor(role, named, true));
}

/**
 * "Piano trio": who was named plays chords and tune, with bass and drums, or whom the genre has for it; undefined where
 * no such player was.
 */
export function trio(
  { brief }: Plan,
  chairs: readonly Chair[],
  wanted: readonly Instrument[],
  barred: ReadonlySet<Role>,
): Chair[] | undefined {
  const rhythm = (instrument: Instrument): boolean => /^(?:bass|kit)$/u.test(factsOf(instrument).family);
  const [named, ...others] = wanted.filter((instrument) => !rhythm(instrument));
  if (others.length > 0 || named === undefined || !factsOf(named).polyphonic) return undefined;
  const own: Chair[] = [chairFor("chords", named, true)];
  if (musicOf(brief.genre).lineup.chamber)
    own.push(chairFor("lead", calledOn("chamber_melody")[0]!), chairFor("bass", calledOn("chamber_bass")[0]!));
  else {
    own.push(chairFor("lead", named, true));
    for (const role of ["bass", "drums"] as const)
      own.push(
        chairs.find((chair) => chair.role === role) ??
          chairFor(role, calledOn(role === "bass" ? "trio_bass" : "trio_drums")[0]!),
      );
  }
  return own.filter(({ role }) => !barred.has(role));
}

/** Those `most` whom the piece can least do without, with everyone who was asked for. */
export function thinned(chairs: readonly Chair[], most: number): Chair[] {
  const worth: Partial<Record<Role, number>> = { lead: 5, chords: 4, bass: 3, drums: 2, arpeggio: 2.5, pad: 2 };
  const ranked = chairs.map((chair, n) => ({
    chair,
    n,
    worth: (chair.wanted ? 10 : 0) + (worth[chair.role] ?? 1) - n * 0.01,
  }));
  ranked.sort((a, b) => b.worth - a.worth);
  const kept = new Set(ranked.slice(0, Math.max(most, chairs.filter(({ wanted }) => wanted).length)).map(({ n }) => n));
  return chairs.filter((_, n) => kept.has(n));
}
