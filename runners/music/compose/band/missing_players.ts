/**
 * Whom a band still needs: for what falls and rises between sections, for what is low, for the tempo, for the harmony.
 */
import { musicOf } from "../../../packs/mod.ts";
import { calledOn, gestureOf, type Instrument, instrumentOf } from "../instruments.ts";
import type { Plan } from "../plan.ts";
import type { Role } from "../score.ts";
import { type Chair, chairFor } from "./chair.ts";
import { stream } from "./frame.ts";
import { factsOf } from "./instrument_facts.ts";

/**
 * Risers call for what falls after them; epic music for its impacts. Only on guest lists that have a transition
 * already.
 */
export function addTransitions(
  plan: Plan,
  chairs: Chair[],
  unwanted: ReadonlySet<Instrument>,
  barred: ReadonlySet<Role>,
): void {
  if (barred.has("transition") || plan.sections.length < 2) return;
  const own = chairs.flatMap(({ role, instrument }) => (role === "transition" ? [instrument] : []));
  if (own.length === 0) return;
  const rng = stream(plan, "gestures");
  const more = own.some((instrument) => instrumentOf(instrument).gesture === "rise")
    ? ([rng() < 0.5 ? "impact" : "drop", rng() < 0.5 ? "fall" : "swell"] as const)
    : (["swell"] as const);
  for (const instrument of more.map(gestureOf))
    if (!own.includes(instrument) && !unwanted.has(instrument)) chairs.push(chairFor("transition", instrument));
}

/**
 * Something low under everything: basses with the celli of an orchestra; a left hand where a harp or a piano plays and
 * nobody else is low.
 */
export function addLowEnd(
  { brief }: Plan,
  chairs: Chair[],
  unwanted: ReadonlySet<Instrument>,
  barred: ReadonlySet<Role>,
): void {
  if (barred.has("bass")) return;
  const bass = chairs.find(({ role }) => role === "bass");
  if (bass === undefined) {
    const hands = chairs.find(
      ({ role, instrument }) =>
        (role === "chords" || role === "arpeggio") && factsOf(instrument).polyphonic && factsOf(instrument).low <= 36,
    );
    if (hands !== undefined) chairs.push(chairFor("bass", hands.instrument));
    return;
  }
  if (bass.wanted || factsOf(bass.instrument).low <= 33) return;
  const dances = chairs.some(({ role }) => role === "percussion" || role === "drums");
  const section = calledOn("string_section");
  const strings = chairs.some(({ instrument }) => section.includes(instrument));
  const { low_end, low_end_with_drums } = musicOf(brief.genre).lineup;
  const deeper = dances ? (low_end_with_drums ?? low_end) : low_end;
  if (deeper === undefined || (section.includes(deeper) && !strings)) return;
  if (!unwanted.has(deeper)) bass.instrument = deeper;
}

/** Roles whose attacks tell the tempo. */
const TELLING: ReadonlySet<Role> = new Set(["drums", "percussion", "arpeggio"]);

/** A tempo that was asked for is heard, even where nobody beats time. */
export function keepTime(
  { brief }: Plan,
  chairs: Chair[],
  unwanted: ReadonlySet<Instrument>,
  barred: ReadonlySet<Role>,
): void {
  if (!brief.explicit.includes("bpm") || barred.has("arpeggio")) return;
  const told = chairs.some(
    ({ role, instrument }) => TELLING.has(role) || (role === "chords" && !factsOf(instrument).sustains),
  );
  const plays = calledOn("keep_time").find((one) => !unwanted.has(one));
  if (!told && plays !== undefined) chairs.push(chairFor("arpeggio", plays));
}

/** Someone must hold the harmony, or at least sound. */
export function ensureSomebody(chairs: Chair[], unwanted: ReadonlySet<Instrument>, barred: ReadonlySet<Role>): void {
  const holds = chairs.some(({ role }) => role === "chords" || role === "pad" || role === "arpeggio");
  const rhythm_only = chairs.length > 0 && chairs.every(({ role }) => role === "drums" || role === "percussion");
  if (holds || (rhythm_only && chairs.some(({ wanted }) => wanted))) return;
  const roles: Role[] = ["chords", "pad", "arpeggio"];
  const role = roles.find((candidate) => !barred.has(candidate));
  const choice = calledOn("hold_harmony");
  const instrument =
    choice.find(
      (candidate) => !unwanted.has(candidate) && (role !== "pad" || factsOf(candidate).roles.includes("pad")),
    ) ?? choice.find((candidate) => !unwanted.has(candidate));
  if (role && instrument) chairs.push(chairFor(role, instrument));
}
