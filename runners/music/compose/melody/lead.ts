import { musicOf } from "../../../packs/mod.ts";
import kinds from "../form/kinds.json" with { type: "json" };
import type { Plan, PlanSection, Seat } from "../plan.ts";
import { stream } from "../stream.ts";
import { entryOf } from "./entries.ts";
import { type Idiom, idiomOf } from "./idioms.ts";
import { augmented, type Motif, type MotifOptions, motifOf } from "./motif.ts";
import { type Material, materialOf, type Sketch, sketched } from "./phrase.ts";
import { pitched } from "./pitch.ts";
import type { Stroke } from "./rhythm.ts";
import { onsetsOf } from "./syllables.ts";
import type { Tone } from "./touch.ts";
import { hookOf, slotsOf, sungBeats, titleOf } from "./words.ts";

/** The themes of a piece, written when first asked for: of those who play and of who sings. */
export class Themes {
  readonly #plan: Plan;
  readonly #seed: number;
  readonly #known = new Map<string, Material>();
  readonly idiom: Idiom;
  /** The label whose motif the piece is remembered by. */
  readonly hook: string;
  /** Share of the idiom's beats that nothing begins on. */
  readonly syncopation: number;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#seed = plan.seed ^ plan.brief.colour;
    this.idiom = idiomOf(plan.brief);
    this.hook = hookOf(plan.sections).label;
    const off = this.idiom.rhythms.reduce((sum, [cell, weight]) => sum + (cell.startsWith("x") ? 0 : weight), 0);
    this.syncopation = off / this.idiom.rhythms.reduce((sum, [, weight]) => sum + weight, 0);
  }

  /** What a section's tune is made of; sections on the way in, out or through borrow the hook. */
  of(section: PlanSection): Material {
    const borrowed =
      (section.kind === "intro" || section.kind === "outro" || section.kind === "build" || section.kind === "break") &&
      section.label === section.kind;
    const label = borrowed ? this.hook : section.label;
    const unit = this.#unitOf(section);
    // Each solo has a motif of its own.
    const name = `${section.kind === "solo" ? `solo ${section.turn} ` : ""}${label} ${unit}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const next = stream(this.#seed, `theme ${name}`);
    const hook = this.#motif(`hook ${unit}`, unit, 1, this.hook, 0);
    const solo = section.kind === "solo";
    const of = solo ? null : label;
    const main =
      label === this.hook && !solo ? hook : this.#motif(`main ${name}`, unit, solo ? 1.35 : 0.92, of, 0, hook);
    const second = this.#motif(`second ${name}`, unit, solo ? 1.5 : 1.05, of, 1, main);
    const material = materialOf(
      Math.max(1, Math.round(section.phrase_bars / unit)),
      solo ? { ...this.idiom, repetition: this.idiom.repetition * 0.4 } : this.idiom,
      main,
      second,
      next,
    );
    this.#known.set(name, material);
    return material;
  }

  #unitOf(section: PlanSection): number {
    const unit = Math.min(this.idiom.motif_bars, section.phrase_bars);
    return section.phrase_bars % unit === 0 ? unit : 1;
  }

  /** @param of label whose words' rhythm it has, where it is sung: that of the title, or of the line after it */
  #motif(name: string, bars: number, busy: number, of: string | null, line: 0 | 1, like?: Motif): Motif {
    const { brief, bpm, sections } = this.#plan;
    const next = stream(this.#seed, `motif ${name}`);
    const beats = bars * brief.metre.beats_per_bar;
    const sung = sections.find(({ label, words }) => label === of && words !== undefined);
    const options: MotifOptions = {
      idiom: this.idiom,
      beats,
      beat_seconds: 60 / bpm,
      compound: brief.metre.division === 3,
      busy: busy * (0.75 + 0.5 * brief.density),
      late: next() < 0.18,
    };
    if (sung === undefined) return motifOf(options, next, like);
    const words = sung.words!;
    const at = (titleOf(words) + line) % words.length;
    return motifOf({ ...options, rhythm: (strokes) => spokenOn(sung, at, strokes, beats, this.#plan) }, next, like);
  }
}

/** The rhythm of a motif as the syllables of a line have it. */
function spokenOn(section: PlanSection, line: number, strokes: readonly Stroke[], beats: number, plan: Plan): Stroke[] {
  const { metre } = plan.brief;
  const bar = metre.beats_per_bar;
  const room = sungBeats(slotsOf(section, bar)[line]!, bar);
  const turns = Array.from({ length: Math.ceil(room / beats) }, (_, turn) => turn * beats);
  const words = section.words![line]!;
  const onsets = onsetsOf(words.syllables, {
    from: entryOf(plan, section, line),
    to: FILLED * room,
    beats_per_bar: bar,
    parts: metre.division === 3 ? 6 : 4,
    seconds: 60 / plan.bpm,
    attacks: turns.flatMap((from) => strokes.map(({ at }) => from + at)),
    spoken: false,
  }).filter((at) => at >= 0 && at < beats);
  return onsets.length === 0 ? [...strokes] : onsets.map((at, n) => ({ at, beats: (onsets[n + 1] ?? beats) - at }));
}

/** Share of its room that a line's words fill. */
const FILLED = 0.85;

/** Semitones that a kind of section lies over or under the middle of the player's register. */
const LIFT: Readonly<Record<PlanSection["kind"], number>> = kinds.lift;

/** The tune that a seat plays in a section; written straight, without expression. */
export function tune(plan: Plan, seat: Seat, at: number, themes: Themes): Tone[] {
  const section = plan.sections[at]!;
  const { brief } = plan;
  const beats_per_bar = brief.metre.beats_per_bar;
  const material = themes.of(section);
  const { idiom } = themes;
  const label_seed = plan.seed ^ brief.colour;
  const own = section.kind === "solo" ? `${section.label} ${section.turn} ${seat.name}` : section.label;
  const small = stream(label_seed, `tune ${own}`);
  const thin =
    section.kind === "intro" || section.kind === "break" || section.kind === "outro" || section.kind === "build";
  const broad = thin && section.kind !== "build" && idiom.notes_per_second > 1.5 && small() < 0.5;
  const used = broad ? { ...material, main: augmented(material.main), second: augmented(material.second) } : material;
  let notes = sketched(section, beats_per_bar, used, idiom, small);
  if (thin) notes = thinned(notes, section, beats_per_bar);
  const turn = stream(label_seed, "turn", at);
  if (section.turn > 0 && !thin && section.kind !== "solo") notes = changed(notes, section, beats_per_bar, turn);
  const [low, high] = seat.range;
  const lift = LIFT[section.kind] + (section.kind === "theme" && section.energy > 0.8 ? 2.5 : 0);
  const middle = (low + high) / 2;
  const room = Math.max(0, (high - low) / 2 - 5);
  const centre = middle + Math.max(-room, Math.min(room, lift + 2 * (section.energy - 0.6)));
  const pitches = pitched(notes, {
    chords: plan.chords,
    key: brief.key,
    scale: idiom.scale,
    leap: idiom.leaps,
    range: seat.range,
    centre,
    beats_per_bar,
    motif: section.kind === "solo" ? 0.6 : 1,
    thirds: musicOf(brief.genre).styles.power_chords === true,
    next: stream(label_seed, `pitches ${own}`),
  });
  return notes.map(({ beat, beats, cadence }, n) => ({ beat, beats, pitch: pitches[n]!, cadence }));
}

/** Only the first half of each phrase: what leaves room on the way in and out. */
function thinned(notes: readonly Sketch[], section: PlanSection, beats_per_bar: number): Sketch[] {
  const phrase = section.phrase_bars * beats_per_bar;
  if (phrase < 4) return [...notes];
  const kept = notes.filter(
    ({ beat }) => (beat - section.beat) % phrase < phrase / 2 || beat - section.beat >= section.beats - beats_per_bar,
  );
  return kept.map((note, n) => {
    const until = kept[n + 1]?.beat ?? section.beat + section.beats;
    const over = until - note.beat - note.beats;
    return over >= 1 ? { ...note, beats: note.beats + Math.min(1, over / 2) } : note;
  });
}

/** A later turn is the same tune, with a few more notes, or fewer. */
function changed(notes: readonly Sketch[], section: PlanSection, beats_per_bar: number, next: () => number): Sketch[] {
  const busier = next() < 0.6;
  const from = section.beat + section.beats / 2;
  return notes.flatMap((note, n) => {
    const draw = next();
    if (note.beat < from || note.cadence !== null || draw > 0.22) return [note];
    const after = notes[n + 1];
    if (busier && note.beats >= 1 && beats_per_bar > 1) {
      const half = note.beats / 2;
      return [
        { ...note, beats: half },
        { ...note, beat: note.beat + half, beats: half, want: next() < 0.5 ? 1 : -1 },
      ];
    }
    // Joined to the next: one syncopation less.
    if (!busier && after !== undefined && note.beat % 1 !== 0 && note.beats <= 0.5 && n > 0) return [];
    return [note];
  });
}
