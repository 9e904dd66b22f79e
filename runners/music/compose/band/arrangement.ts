import { musicOf, type SceneKind } from "../../../packs/mod.ts";
import type { Plan, PlanSection } from "../plan.ts";
import type { Role } from "../score.ts";
import type { Chair } from "./chair.ts";
import { stream } from "./frame.ts";
import orders from "./orders.json" with { type: "json" };

const HARMONY: ReadonlySet<Role> = new Set(["chords", "pad", "arpeggio"]);
const RHYTHM: ReadonlySet<Role> = new Set(["drums", "percussion"]);

/** Who comes first: small numbers enter early. By kind of section; absent roles come last. */
const ORDERS: Readonly<Record<string, Partial<Record<Role, number>>>> = orders;

/**
 * In which sections each chair plays. The more energy, the more players; beginnings are thin, the second turn of a
 * section adds someone, breaks lose the drums or the bass, builds have no bass. A tune leaves sung sections to the
 * voice.
 *
 * @returns for each chair indices of sections, ascending
 */
export function arrange(plan: Plan, chairs: readonly Chair[]): number[][] {
  const entries: number[][] = chairs.map(() => []);
  const { scene } = musicOf(plan.brief.genre).styles;
  const rng = stream(plan, "arrangement");
  const bridge_loses: Role = rng() < 0.6 ? "drums" : "bass";
  const taste = chairs.map(() => rng() * 0.7);
  plan.sections.forEach((section, index) => {
    const playing = playersOf(plan, section, index, chairs, { scene, bridge_loses, taste });
    chairs.forEach((_, n) => {
      if (playing.has(n)) entries[n]!.push(index);
    });
  });
  chairs.forEach((chair, n) => {
    if (entries[n]!.length === 0 || (chair.wanted && heard(plan, entries[n]!) < 0.3))
      entries[n] = rescued(plan, chair, entries[n]!);
  });
  return entries;
}

interface Habits {
  readonly scene: SceneKind;
  readonly bridge_loses: Role;
  readonly taste: readonly number[];
}

function playersOf(
  plan: Plan,
  section: PlanSection,
  index: number,
  chairs: readonly Chair[],
  habits: Habits,
): Set<number> {
  const only = plan.sections.length === 1;
  const last = index === plan.sections.length - 1;
  const order = ORDERS[orderName(section, habits.scene)]!;
  const playing = new Set<number>();
  const queue: { n: number; rank: number }[] = [];
  const seen = new Map<Role, number>();
  const sung = section.lines > 0;
  chairs.forEach((chair, n) => {
    const nth = seen.get(chair.role) ?? 0;
    seen.set(chair.role, nth + 1);
    if (chair.role === "texture" || chair.role === "transition") {
      playing.add(n);
      return;
    }
    // The second turn of a section brings what the first left out.
    const turn = Math.min(2, section.turn) * 0.5;
    // Under a voice the tune has only the gaps between the lines.
    const yields = sung && chair.role === "lead" ? 2.2 : 0;
    const rank =
      (order[chair.role] ?? 5) +
      yields +
      nth * 1.5 +
      habits.taste[n]! -
      (chair.wanted ? 2.5 : 0) -
      (nth > 0 ? turn : 0);
    queue.push({ n, rank });
  });
  queue.sort((a, b) => a.rank - b.rank || a.n - b.n);
  const share = only ? 0.6 + 0.4 * Math.max(section.energy, plan.brief.density) : shareOf(section, last);
  const count = Math.max(Math.min(2, queue.length), Math.round(share * queue.length));
  const banned = bannedRoles(section, habits, chairs);
  for (const { n } of queue) {
    if (queue.length > 0 && countPlayers(playing, chairs) >= count) break;
    if (!only && banned.has(chairs[n]!.role) && !(chairs[n]!.wanted && section.kind !== "break")) continue;
    playing.add(n);
  }
  // Once a piece is under way its ground is laid.
  if (section.energy > 0.42 && (orderName(section, habits.scene) === "verse" || section.kind === "solo"))
    for (const { n } of queue) {
      const { role } = chairs[n]!;
      if (role === "bass" || role === "drums") playing.add(n);
    }
  // Somebody holds the harmony, always.
  if (![...playing].some((n) => HARMONY.has(chairs[n]!.role))) {
    const holder = queue.find(({ n }) => HARMONY.has(chairs[n]!.role));
    if (holder) playing.add(holder.n);
  }
  if (countPlayers(playing, chairs) === 0 && queue[0]) playing.add(queue[0].n);
  return playing;
}

/** Energy from which on the end of a piece is no way out. */
const FULL_END = 0.7;

function countPlayers(playing: ReadonlySet<number>, chairs: readonly Chair[]): number {
  let count = 0;
  for (const n of playing) if (chairs[n]!.role !== "texture" && chairs[n]!.role !== "transition") count++;
  return count;
}

function orderName({ kind, energy }: PlanSection, scene: SceneKind): string {
  if (kind === "intro") {
    if (scene === "dance") return "intro_dance";
    if (scene === "orchestral" || scene === "floating") return "intro_orchestral";
    return energy > 0.7 ? "verse" : "intro";
  }
  if (kind === "outro" && scene === "dance") return "outro_dance";
  // What ends loud ends with everybody.
  if (kind === "outro" && energy > FULL_END) return "verse";
  if (kind === "break" || kind === "bridge" || kind === "build" || kind === "solo" || kind === "outro") return kind;
  return "verse";
}

/** Of the players, by energy first. */
function shareOf({ kind, energy, turn }: PlanSection, last: boolean): number {
  if (kind === "outro" && energy > FULL_END) return 1;
  // The last chorus has players that the first has not.
  if (kind === "chorus" || kind === "drop") return energy >= 1 ? 1 : Math.min(0.95, 0.88 + 0.04 * turn);
  // Verses leave room for what comes.
  const share = kind === "verse" ? 0.2 + 0.5 * energy : 0.31 + 0.58 * energy;
  if (kind === "intro") return Math.min(share, 0.5);
  if (kind === "outro") return Math.min(share, last ? 0.55 : 0.65);
  if (kind === "break") return Math.min(share, 0.4);
  return Math.min(0.95, share + Math.min(2, turn) * 0.1);
}

function bannedRoles(
  { kind, energy }: PlanSection,
  { scene, bridge_loses }: Habits,
  chairs: readonly Chair[],
): ReadonlySet<Role> {
  const has_harmony = chairs.some(({ role }) => HARMONY.has(role));
  if (!has_harmony) return new Set();
  if (kind === "break") return energy > 0.6 ? new Set<Role>(["drums"]) : RHYTHM;
  if (kind === "build") return new Set<Role>(["bass"]);
  if (kind === "bridge" && energy < 0.75) return new Set<Role>([bridge_loses]);
  if (kind === "intro" && scene !== "dance" && energy < 0.3) return new Set<Role>(["drums"]);
  return new Set();
}

/** Share of the piece's beats. */
function heard(plan: Plan, entries: readonly number[]): number {
  let beats = 0;
  for (const index of entries) beats += plan.sections[index]!.beats;
  return beats / plan.beats;
}

/** Nobody sits there for nothing: who would not play joins the fullest sections, who was asked for most of them. */
function rescued(plan: Plan, chair: Chair, entries: readonly number[]): number[] {
  const chosen = new Set(entries);
  const free = plan.sections
    .map((section, index) => ({ section, index }))
    .filter(({ section }) => chair.role !== "lead" || section.lines === 0);
  // All is sung: there the tune has the gaps between the lines.
  const open = free.length > 0 ? free : plan.sections.map((section, index) => ({ section, index }));
  open.sort((a, b) => b.section.energy - a.section.energy || a.index - b.index);
  const aim = chair.wanted ? 0.5 : 0.15;
  for (const { index } of open) {
    if (chosen.size > 0 && heard(plan, [...chosen]) >= aim) break;
    chosen.add(index);
  }
  return [...chosen].sort((a, b) => a - b);
}
