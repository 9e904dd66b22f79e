import { musicOf } from "../../../packs/mod.ts";
import { clamp } from "../../../signal/dsp/numbers.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import type { Genre } from "../genres.ts";
import type { Cast, Plan, Seat } from "../plan.ts";
import type { Articulation, Note } from "../score.ts";
import { type Bar, barsOf, stream } from "./frame.ts";
import { type Style, styleOf } from "./styles.ts";

/** What every writer of a part knows. */
export interface Setting {
  readonly plan: Plan;
  readonly cast: Cast;
  readonly style: Style;
  readonly bars: readonly Bar[];
  /** Beats where the bass drum falls, ascending; empty until the drums are written. */
  readonly kicks: number[];
  readonly traits: ReadonlySet<string>;
  /** Of sections, in order of their first. */
  readonly labels: readonly string[];
}

export function settingOf(plan: Plan, cast: Cast): Setting {
  return {
    plan,
    cast,
    style: styleOf(plan.brief.genre),
    bars: barsOf(plan),
    kicks: [],
    labels: [...new Set(plan.sections.map(({ label }) => label))],
    traits: new Set(plan.brief.traits.map((trait) => trait.toLowerCase().replaceAll("_", " "))),
  };
}

/** How much is going on in a section: which of a pattern's forms is played. */
export type Intensity = "light" | "base" | "lift";

export function intensityOf(setting: Setting, bar: Bar): Intensity {
  const { kind, energy } = bar.section;
  const { plan } = setting;
  if (plan.sections.length === 1) {
    const drive = (energy + plan.brief.energy) / 2;
    return drive > 0.75 ? "lift" : drive < 0.28 ? "light" : "base";
  }
  if (kind === "chorus" || kind === "drop") return energy > 0.5 ? "lift" : "base";
  if (kind === "outro" && energy > 0.7) return "lift";
  if (kind === "intro" || kind === "outro" || kind === "break") return energy > 0.62 ? "base" : "light";
  if (energy > 0.8) return "lift";
  return energy < 0.36 ? "light" : "base";
}

/** How hard a section without any energy is struck, and what all of it adds. */
const [SOFTEST, LOUDER] = [0.54, 0.48];

/** Loudness that a section asks of everyone. */
export function strengthOf(setting: Setting, bar: Bar): number {
  const own = 0.3 * setting.plan.brief.energy + 0.7 * bar.section.energy;
  return (SOFTEST + LOUDER * own) * faded(setting, bar);
}

/** Fades that were asked for are played, by all together: over the first or the last section, a third of the piece at most. */
function faded({ plan, traits }: Setting, bar: Bar): number {
  if (plan.ring || plan.sections.length < 2) return 1;
  const [first, last] = [plan.sections[0]!, plan.sections.at(-1)!];
  let level = 1;
  if (traits.has("fade in"))
    level = Math.min(level, 0.3 + (0.7 * (bar.beat - first.beat)) / Math.min(first.beats, plan.beats / 3));
  const out = Math.min(last.beats, plan.beats / 3);
  if (traits.has("fade out")) level = Math.min(level, 0.25 + (0.75 * (plan.beats - bar.beat)) / out);
  return level;
}

interface Family<Pattern> {
  readonly base: readonly Pattern[];
  readonly lift?: readonly Pattern[];
  readonly light?: readonly Pattern[];
}

/** Of a family's forms, the ones this piece has made its own. */
export function patternOf<Pattern>(family: Family<Pattern>, intensity: Intensity, choice: number): Pattern {
  const list = (intensity === "lift" ? family.lift : intensity === "light" ? family.light : undefined) ?? family.base;
  return list[(choice >>> (intensity === "lift" ? 8 : intensity === "light" ? 16 : 0)) % list.length]!;
}

/** Added to a choice, the next of each list. */
const NEXT = 0x010101;
/** Machines play the last of so many bars another way; hands the last of a phrase, or of so many. */
const [SEQUENCED_BARS, PHRASE_BARS] = [8, 4];

/**
 * As `patternOf`, with a turn: sections of another name have another form of the pattern, and the last bar of a phrase
 * is played another way; jazz pianists play every bar so.
 *
 * @param restless another way in every bar
 */
export function turnedPatternOf(
  setting: Setting,
  family: Family<string>,
  intensity: Intensity,
  choice: number,
  bar: Bar,
  restless = false,
): string {
  if (restless) return patternOf(family, intensity, hash32(choice, bar.index + bar.section.turn * 64));
  const { sequenced } = setting.style;
  const turns = closesPhrase(bar, sequenced ? SEQUENCED_BARS : PHRASE_BARS);
  const steps = setting.labels.indexOf(bar.section.label) + (turns ? 1 : 0);
  return patternOf(family, intensity, (choice + steps * NEXT) >>> 0);
}

/** Whether a bar is the last of so many, or of a phrase that is as long. */
export function closesPhrase({ index, ends_phrase, section }: Bar, bars: number): boolean {
  return section.phrase_bars >= bars ? ends_phrase : index % bars === bars - 1;
}

/** A number of the piece for `purpose`, to choose by. */
export function choiceOf(plan: Plan, purpose: string): number {
  return Math.floor(stream(plan, purpose)() * 0x1_0000_0000) >>> 0;
}

export function nameFrom(names: readonly string[], choice: number): string {
  return names[(choice >>> 3) % names.length]!;
}

/** 2 where the family is written for about twice the tempo, 0.5 for half. Beats of three parts are not halved. */
export function rateOf({ bpm, brief }: Plan, written: number | undefined): 0.5 | 1 | 2 {
  if (!written || brief.metre.division === 3) return 1;
  if (bpm < written * 0.66) return 2;
  if (bpm > written * 1.6) return 0.5;
  return 1;
}

/** Collects the notes of one part. What a person's hand adds to them is the orchestra's. */
export class Hand {
  readonly notes: Note[] = [];
  readonly #setting: Setting;
  readonly #rng: () => number;

  constructor(setting: Setting, seat: Seat) {
    this.#setting = setting;
    this.#rng = stream(setting.plan, `hand ${seat.name}`);
  }

  get rng(): () => number {
    return this.#rng;
  }

  /** @param late_ms of the groove */
  play(beat: number, beats: number, pitch: number, velocity: number, late_ms = 0, articulation?: Articulation): void {
    const { plan } = this.#setting;
    if (beat < -1e-9 || beat >= plan.beats - 1e-6) return;
    const start = Math.max(0, beat);
    const end = plan.ring ? start + beats : Math.min(start + beats, plan.beats);
    this.notes.push({
      beat: start,
      beats: Math.max(0.02, Math.min(end - start, plan.beats)),
      pitch,
      velocity: Math.round(clamp(velocity, 0.05, 1) * 1000) / 1000,
      shift: late_ms / 1000,
      ...(articulation ? { articulation } : {}),
    });
  }

  /** In order of beat; of notes on one pitch at one moment the louder stays. */
  finished(): Note[] {
    const sorted = [...this.notes].sort((a, b) => a.beat - b.beat || a.pitch - b.pitch || b.velocity - a.velocity);
    return sorted.filter((note, n) => {
      const before = sorted[n - 1];
      return !before || before.pitch !== note.pitch || Math.abs(before.beat - note.beat) > 1e-4;
    });
  }
}

/** Milliseconds by which the second semiquaver of a quaver is late. */
export function semiquaverDelay(setting: Setting): number {
  const quaver_ms = 30_000 / setting.plan.bpm;
  // A beat that swings in quavers already swings enough.
  const left = clamp(1 - (setting.plan.brief.swing - 0.5) / 0.15, 0, 1);
  return (setting.style.sixteenth_swing - 0.5) * quaver_ms * left;
}

/** How a seat plays: as the genre does; those who came with the second genre alone play as that does, save for its time. */
export function styleFor({ plan, style }: Setting, seat: Seat): Style {
  const { genre, second_genre } = plan.brief;
  if (!second_genre || calledFor(genre, seat) || !calledFor(second_genre, seat)) return style;
  return { ...style, ...musicOf(second_genre).grooves };
}

function calledFor(genre: Genre, { instrument }: Seat): boolean {
  return musicOf(genre).lineup.bands.some((band) => band.some(({ instruments }) => instruments.includes(instrument)));
}
