/**
 * Where lines enter against the bar, and how long their last syllables are held: what singers of a genre do, made to
 * fit the stresses of the words.
 */
import { musicOf } from "../../../packs/mod.ts";
import type { Plan, PlanSection, WordLine } from "../plan.ts";
import { stream, weighted } from "../stream.ts";
import sung from "./sung.json" with { type: "json" };
import { slotsOf, sungBeats, titleOf, upbeatOf } from "./words.ts";

type Manner = "on" | "before" | "after";

/** Seconds of a syllable below which a line has no room to wait, or to hold its end. */
const COMFORTABLE_S = 0.3;
/** A pick-up of stressed words has at most so many syllables before the stress that the bar begins with, and so many beats. */
const [LEAD_SYLLABLES, LEAD_BEATS] = [4, 2];
/** Share of a line that is breath and consonants. */
const BREATH = 0.15;
/** No syllable is held for longer, nor counts as held under so many beats. */
const [HELD_S, HELD_BEATS_MIN] = [3.8, 2.6];
/** Held more often than the genre's phrases are: the last line of a section, and lines of choruses. */
const [CLOSING, IN_CHORUS] = [1.9, 1.25];

/**
 * Beats from a line's bar to the earliest of its syllables; negative for a pick-up. Lines that answer each other, first
 * to third and second to fourth, enter alike in all turns of their section.
 */
export function entryOf(plan: Plan, section: PlanSection, n: number): number {
  const { brief, bpm } = plan;
  const words = section.words!;
  const line = words[n]!;
  const bar = brief.metre.beats_per_bar;
  const room = sungBeats(slotsOf(section, bar)[n]!, bar);
  const natural = upbeatOf(line, room, 60 / bpm);
  // Of a piece that exists words go where its tune goes.
  if (plan.tune !== undefined || plan.known_chords === true) return -natural;
  const same = words.findIndex(({ text }) => text === line.text);
  const next = stream(plan.seed ^ brief.colour, `enters ${section.label} ${section.kind} ${same % 2}`);
  const weights: Readonly<Record<Manner, number>> = musicOf(brief.genre).singing.entries ?? sung.entries;
  const manner = weighted<Manner>(["on", "before", "after"], (one) => weights[one], next);
  if (manner === "after") {
    const wait = weighted(sung.after.beats, (beats) => sung.after.weights[sung.after.beats.indexOf(beats)]!, next);
    return waitOf(plan, line, room, wait, natural);
  }
  return manner === "before" && natural === 0 ? -leadOf(line, room, bar, 60 / bpm) : -natural;
}

/** The first beat is the band's: as much of `wait` as the line has room for. Only light syllables begin between beats. */
function waitOf({ brief, bpm }: Plan, { syllables }: WordLine, room: number, wait: number, natural: number): number {
  const bar = brief.metre.beats_per_bar;
  const spare = (1 - BREATH) * room - (syllables.length * COMFORTABLE_S * bpm) / 60;
  const light = syllables[0]!.stress === 0;
  const waits = [wait, 1, 0.5].filter((beats) => beats <= bar / 2 && (light || beats % 1 === 0) && beats - natural > 0);
  const late = brief.metre.division === 3 ? waits.filter((beats) => beats % 1 === 0) : waits;
  const found = late.find((beats) => beats - natural <= spare);
  return found === undefined ? -natural : found - natural;
}

/** Beats of a pick-up that begins with a stress: whole ones, so that it lies on a beat too, and the next stress opens the bar. */
function leadOf({ syllables }: WordLine, room: number, bar: number, seconds: number): number {
  const stressed = syllables.flatMap(({ stress }, n) => (stress === 1 ? [n] : []));
  const count = stressed[1];
  if (count === undefined || count > LEAD_SYLLABLES) return 0;
  const beats = Math.ceil(count * Math.min(0.5, COMFORTABLE_S / seconds));
  return beats > Math.min(LEAD_BEATS, bar / 2, room / 4) ? 0 : beats;
}

/** Beats for which a line's last syllable is to be held; 0 where it is let go. */
export function holdOf(plan: Plan, section: PlanSection, n: number, to: number): number {
  const { brief, bpm } = plan;
  const words = section.words!;
  const { syllables, text } = words[n]!;
  if (plan.tune !== undefined || syllables.at(-1)!.carries <= 0.5) return 0;
  const own = musicOf(brief.genre).singing.holds ?? sung.holds;
  const closing = words.at(-1)!.text === text;
  const chorus = section.kind === "chorus" || section.kind === "drop";
  const title = text === words[titleOf(words)]!.text;
  const next = stream(plan.seed ^ brief.colour, `held ${section.label} ${section.kind} ${text}`);
  const share = own * (closing || title ? CLOSING : 1) * (chorus ? IN_CHORUS : 1);
  if (next() >= share) return 0;
  const { beats, weights } = sung.hold_beats;
  const wanted = Math.min(
    weighted(beats, (one) => weights[beats.indexOf(one)]!, next),
    (HELD_S * bpm) / 60,
  );
  const hold = Math.min(wanted, to - (syllables.length * COMFORTABLE_S * bpm) / 60);
  return hold >= HELD_BEATS_MIN ? hold : 0;
}
