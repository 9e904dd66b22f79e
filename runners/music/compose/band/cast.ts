import { musicOf } from "../../../packs/mod.ts";
import { instrumentOf } from "../instruments.ts";
import { levelAsked } from "../loudness.ts";
import type { Cast, Plan, Seat } from "../plan.ts";
import type { Role } from "../score.ts";
import { arrange } from "./arrangement.ts";
import type { Chair } from "./chair.ts";
import { chairsOf } from "./chairs.ts";
import { stagedSections } from "./entrances.ts";
import { stream } from "./frame.ts";
import { factsOf, rangeFor } from "./instrument_facts.ts";

/**
 * Who plays, where they sit and in which sections they play. In every section somebody plays who can hold the harmony.
 */
export function cast(plan: Plan): Cast {
  const chairs = chairsOf(plan);
  const pans = panned(chairs, musicOf(plan.brief.genre).mix.width, stream(plan, "pan"));
  const entries = arrange(plan, chairs);
  const counts = new Map<Role, number>();
  const seats: Seat[] = chairs.map((chair, n) => {
    const count = (counts.get(chair.role) ?? 0) + 1;
    counts.set(chair.role, count);
    return {
      name: count === 1 ? chair.role : `${chair.role} ${count}`,
      role: chair.role,
      instrument: chair.instrument,
      pan: pans[n]!,
      level_db: levelOf(chair, count, plan) + levelAsked(plan.brief, chair),
      sections: stagedSections(plan, chair, entries[n]!),
      range: registerOf(chair, chairs),
    };
  });
  return { seats };
}

const CENTRE: ReadonlySet<Role> = new Set(["drums", "bass", "lead", "vocal", "texture", "transition"]);
/** How much of the picture a player fills, for the balance of left and right. */
const WEIGHT: Partial<Record<Role, number>> = {
  chords: 1,
  pad: 0.6,
  arpeggio: 0.8,
  counter: 0.7,
  percussion: 0.6,
  lead: 0.7,
};

/** Nobody sits in one loudspeaker alone. */
const WIDEST = 0.8;

/** Basses, drums and the tune in the middle; the others alternate, and the heavier side gets the next. */
function panned(chairs: readonly Chair[], width: number, rng: () => number): number[] {
  const pans = chairs.map(() => 0);
  const leads = chairs.filter(({ role }) => role === "lead").length;
  const alone = new Set(chairs.map(({ instrument }) => instrument)).size === 1;
  const wide: number[] = [];
  let leads_seen = 0;
  chairs.forEach((chair, n) => {
    if (alone) return;
    if (chair.role === "lead" && leads > 1 && leads_seen++ > 0) wide.push(n);
    else if (!CENTRE.has(chair.role) && !isDoubled(chair)) wide.push(n);
  });
  if (wide.length === 0) return pans;
  if (wide.length === 1) {
    pans[wide[0]!] = rng() < 0.5 ? -0.15 : 0.15;
    return pans;
  }
  const first = rng() < 0.5 ? -1 : 1;
  let balance = 0;
  for (const [turn, n] of wide.entries()) {
    const { role } = chairs[n]!;
    const drawn = role === "pad" ? 0.25 + 0.15 * rng() : role === "percussion" ? 0.4 + 0.25 * rng() : 0.5 + 0.3 * rng();
    const amount = drawn * (0.5 + 0.85 * width);
    const side = turn === 0 ? first : balance > 0 ? -1 : 1;
    pans[n] = side * amount;
    balance += pans[n]! * (WEIGHT[role] ?? 0.5);
  }
  // What is left over is taken from each, so that the whole stands upright.
  let total = 0;
  for (const n of wide) total += WEIGHT[chairs[n]!.role] ?? 0.5;
  for (const n of wide) {
    const pan = Math.round((pans[n]! - balance / total) * 100) / 100;
    pans[n] = Math.min(WIDEST, Math.max(-WIDEST, pan));
  }
  return pans;
}

/** What rhythm players play through an amplifier they play twice, once for each side. */
function isDoubled({ role, instrument }: Chair): boolean {
  return role === "chords" && instrumentOf(instrument).sampled?.amplifier !== undefined;
}

function levelOf(chair: Chair, count: number, { brief }: Plan): number {
  let level = 0;
  if (chair.role === "bass" && brief.traits.includes("bass heavy")) level += 2;
  if ((chair.role === "drums" || chair.role === "percussion") && brief.traits.includes("percussive")) level += 1.5;
  if (chair.wanted) level += chair.role === "pad" || chair.role === "counter" || chair.role === "percussion" ? 3 : 1.5;
  if (count > 1) level -= chair.role === "chords" || chair.role === "pad" ? 2 : 1;
  if (chair.guest) level -= 0.5;
  return level;
}

/** One player's hands keep out of each other's way; everyone else has the register of his role. */
function registerOf(chair: Chair, chairs: readonly Chair[]): readonly [number, number] {
  const { instrument, role } = chair;
  const own = rangeFor(instrument, role);
  const shared = chairs.filter((other) => other.instrument === instrument);
  if (shared.length < 2 || !factsOf(instrument).polyphonic) return own;
  const { low, high } = factsOf(instrument);
  if (role === "bass") return [low, Math.min(high, 52)];
  if (role === "lead") return [Math.max(low, Math.min(64, high - 17)), Math.min(high, 88)];
  if (role === "chords" && shared.some((other) => other.role === "lead"))
    return [Math.max(low, 48), Math.min(high, 69)];
  return own;
}
