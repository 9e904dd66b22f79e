/** The singer's line: the tune of each section's theme, fitted to the syllables of its words. */
import { musicOf } from "../../../packs/mod.ts";
import type { Brief } from "../brief.ts";
import type { Plan, PlanSection, Singer, WordLine, WordSyllable } from "../plan.ts";
import type { SectionKind, VoiceLine, VoiceNote } from "../score.ts";
import { stream } from "../stream.ts";
import { entryOf, holdOf } from "./entries.ts";
import { EARLY, fitted, type Timed } from "./fit.ts";
import { Heights } from "./heights.ts";
import { Themes } from "./lead.ts";
import { breathOf, climaxOf, phrased, type Sketch } from "./phrase.ts";
import { type PitchOptions, pitched, scaleOf } from "./pitch.ts";
import { lengthsOf, onsetsOf, pushedOnsets } from "./syllables.ts";
import { neighbour } from "./touch.ts";
import { type FirstVerse, firstVerse, variedVerse } from "./verses.ts";
import { type LineSlot, slotsOf, sungBeats } from "./words.ts";

/** Lines of every section that has words, in order, written straight; none without a singer. */
export function voiceOf(plan: Plan): VoiceLine[] {
  const { singer } = plan;
  if (singer === undefined) return [];
  const writer = new Writer(plan, singer);
  const all = plan.sections.flatMap((section, at) => (section.words === undefined ? [] : writer.time(section, at)));
  return plan.sections.flatMap((section, at) => writer.sing(section, at, all));
}

/** Whether a section is spoken in rhythm, as verses of some genres are. */
export function isSpoken({ genre }: Pick<Brief, "genre">, kind: SectionKind): boolean {
  return musicOf(genre).singing.rapped === true && kind !== "chorus" && kind !== "prechorus" && kind !== "bridge";
}

/** Seconds to breathe in before a line. */
const BREATH_S = 0.4;
/** Semitones over the usual range that a later verse's peak may take. */
const PEAK_ROOM = 3;
/** Seconds that a walk over the bar's grid leaves to a last syllable. */
const VOWEL_S = 0.5;

class Writer {
  readonly #plan: Plan;
  readonly #singer: Singer;
  readonly #themes: Themes;
  /** Pitches of lines by name. */
  readonly #sung = new Map<string, readonly number[]>();
  readonly #heights: Heights;
  /** Which of its theme's phrases a line is. */
  readonly #kinds = new Map<string, "a" | "b">();
  /** Verses of a label so far, and how the first of them was sung. */
  readonly #rounds = new Map<string, number>();
  readonly #firsts = new Map<string, FirstVerse>();
  /** Where the section before stops singing; nobody begins before the first downbeat. */
  #until = 0;

  constructor(plan: Plan, singer: Singer) {
    this.#plan = plan;
    this.#singer = singer;
    this.#themes = new Themes(plan);
    this.#heights = new Heights(plan.brief);
  }

  /** The lines of a section that has words, after those of the sections before. */
  time(section: PlanSection, at: number): Timed[] {
    const lines = this.#timed(section, at, isSpoken(this.#plan.brief, section.kind));
    const last = lines.at(-1);
    if (last !== undefined) this.#until = last.slot.beat + last.starts.at(-1)! + last.lengths.at(-1)!;
    return lines;
  }

  /** @param all lines of the piece */
  sing(section: PlanSection, at: number, all: readonly Timed[]): VoiceLine[] {
    const lines = all.filter((line) => line.section === at);
    const range = rangeOf(this.#singer, section.kind);
    this.#write(section, lines, range, all);
    return lines.map((line) => {
      const pitches = this.#sung.get(line.name)!;
      const notes = line.words.syllables.map((syllable, k) =>
        this.#note(section, line, syllable, k, pitches[k]!, line.spoken ? undefined : range),
      );
      return { section: at, spoken: line.spoken, notes };
    });
  }

  #timed(section: PlanSection, at: number, spoken: boolean): Timed[] {
    const { brief, bpm, sections } = this.#plan;
    const bar = brief.metre.beats_per_bar;
    const seconds = 60 / bpm;
    const words = section.words!;
    const varies = section.kind === "verse" && !spoken && this.#plan.tune === undefined;
    const round = varies ? (this.#rounds.get(section.label) ?? 0) : 0;
    this.#rounds.set(section.label, round + 1);
    const slots = slotsOf(section, bar);
    const after = sections[at + 1];
    const follows = after?.words === undefined ? [] : slotsOf(after, bar).slice(0, 1);
    const enters = [...slots, ...follows].map((_, n) => {
      if (spoken) return 0;
      return n < words.length ? entryOf(this.#plan, section, n) : entryOf(this.#plan, after!, 0);
    });
    return words.map((line, n): Timed => {
      const slot = slots[n]!;
      const beats = sungBeats(slot, bar);
      // Time to breathe in before the next line, whose pick-up comes early.
      const breath = Math.min(Math.max(0.5, BREATH_S / seconds), 0.2 * beats);
      // What is said again is sung again, whatever follows it.
      const pickups = words.map(({ text }, m) => (text === line.text ? -(enters[m + 1] ?? 0) : 0));
      const taken = beats < slot.beats ? 0 : Math.max(0, ...pickups);
      const free = n > 0 ? Number.POSITIVE_INFINITY : Math.max(0, slot.beat - this.#until - 0.35 / seconds);
      const to = beats - breath - Math.min(taken, 0.4 * beats);
      const held = spoken ? 0 : holdOf(this.#plan, section, n, to - Math.max(0, enters[n]!));
      const sketch = this.#tune(section, line, n, slot, beats, spoken);
      const onsets = onsetsOf(line.syllables, {
        from: Math.max(enters[n]!, -free),
        // What is held needs no more room than its vowel.
        to: held > 0 ? to - held + VOWEL_S / seconds : to,
        beats_per_bar: bar,
        parts: brief.metre.division === 3 ? 6 : 4,
        seconds,
        attacks: sketch.map(({ beat }) => beat - slot.beat),
        spoken,
      });
      const name = `${section.label} ${section.kind} ${line.syllables.length} ${line.text}${round > 0 ? ` ${round}` : ""}`;
      const next = stream(this.#plan.seed ^ brief.colour, `pushed ${name}`);
      const starts =
        spoken || brief.metre.division === 3
          ? onsets
          : pushedOnsets(onsets, line.syllables, bar, () => next() < PUSHES * this.#themes.syncopation);
      return {
        section: at,
        name,
        spoken,
        words: line,
        slot,
        onsets,
        starts,
        lengths: lengthsOf(line.syllables, starts, to + 0.3 * breath, seconds, held),
        sketch,
      };
    });
  }

  /** The tune that a line would have without words: of a piece that exists its own, else its section's theme. */
  #tune(section: PlanSection, line: WordLine, n: number, slot: LineSlot, beats: number, spoken: boolean): Sketch[] {
    const { tune, brief } = this.#plan;
    if (spoken) return [];
    const count = section.words!.length;
    const last = n === count - 1;
    const given = tune?.filter(({ beat }) => beat >= slot.beat - EARLY && beat < slot.beat + beats) ?? [];
    if (given.length > 0)
      return given.map(({ beat, beats: long, pitch }, k): Sketch => {
        const cadence = last && k === given.length - 1 ? "full" : null;
        return { beat, beats: long, want: null, height: 0, cadence, like: pitch };
      });
    const material = this.#themes.of(section);
    const name = `${section.label} ${line.text}`;
    const kind = this.#kinds.get(name) ?? material.scheme[n % material.scheme.length]!;
    this.#kinds.set(name, kind);
    // What leads to a chorus stays open.
    const open = section.kind === "prechorus" || section.kind === "build";
    const place = {
      beat: slot.beat,
      beats,
      until: slot.beat + beats,
      close: !open && (last || n % 2 === 1) ? ("full" as const) : ("half" as const),
      climax: n === climaxOf(count),
    };
    const small = stream(this.#plan.seed ^ brief.colour, `sung ${name}`);
    const sketch = phrased(material, kind, place, breathOf(this.#themes.idiom, brief.metre.beats_per_bar), small);
    // A slot may end before a motif begins.
    return sketch.length > 0 ? sketch : [{ beat: slot.beat, beats, want: null, height: 0, cadence: place.close }];
  }

  /** Pitches for the lines of a section that were not sung before; they go with the chords of all places where they come again. */
  #write(section: PlanSection, lines: readonly Timed[], range: Range, all: readonly Timed[]): void {
    const { brief, chords, seed } = this.#plan;
    const { idiom } = this.#themes;
    const fresh = lines.filter(
      ({ name }, n) => !this.#sung.has(name) && lines.findIndex((one) => one.name === name) === n,
    );
    if (fresh[0] === undefined) return;
    if (fresh[0].spoken) {
      for (const { name, words } of fresh) this.#sung.set(name, this.#speech(words));
      return;
    }
    const sketch = fresh.map((line) =>
      fitted(
        line,
        all.filter((other) => other.name === line.name && other !== line),
      ),
    );
    const next = (): (() => number) => stream(seed ^ brief.colour, `voice ${section.label}`);
    const options: Omit<PitchOptions, "next"> = {
      chords,
      key: brief.key,
      scale: idiom.scale,
      leap: idiom.leaps,
      range: [range.low, range.high],
      centre: range.home,
      beats_per_bar: brief.metre.beats_per_bar,
      thirds: musicOf(brief.genre).styles.power_chords === true,
    };
    const verse = section.kind === "verse" && this.#plan.tune === undefined;
    const first = verse ? this.#firsts.get(section.label) : undefined;
    if (first !== undefined) {
      const round = stream(seed ^ brief.colour, `verse ${section.label}`, section.turn);
      const high = Math.min(this.#singer.range[1], range.high + PEAK_ROOM);
      const later = variedVerse(first, fresh, sketch, high, round);
      this.#keep(
        fresh,
        pitched(later.flat(), { ...options, range: [range.low, high], centre: first.mean, next: next() }),
      );
      return;
    }
    const written = this.#heights.placed(section, sketch.flat(), this.#plan.tune !== undefined, (reach, up) => {
      const centre = Math.max(range.low, Math.min(range.high, range.home + up));
      const reaching = sketch.flat().map((note) => ({ ...note, height: reach * note.height }));
      return pitched(reaching, { ...options, centre, motif: 1 / reach, next: next() });
    });
    this.#keep(fresh, written);
    if (verse) this.#firsts.set(section.label, firstVerse(lines.map((line) => [line, this.#sung.get(line.name)!])));
  }

  #keep(lines: readonly Timed[], written: readonly number[]): void {
    const pitches = [...written];
    for (const { name, words } of lines) this.#sung.set(name, pitches.splice(0, words.syllables.length));
  }

  /** Speech: stressed syllables a little higher, the whole falling to its end. */
  #speech({ text, syllables }: WordLine): number[] {
    const [low, high] = this.#singer.range;
    const base = low + 0.3 * (high - low);
    const next = stream(this.#plan.seed, `spoken ${text}`);
    return syllables.map(({ stress }, n) => {
      const place = n / Math.max(1, syllables.length - 1);
      const chance = (next() - 0.5) * 1.4;
      return base + (stress === 1 ? 2.2 : stress === 2 ? 1.2 : 0) + chance - 1.6 * place;
    });
  }

  #note(
    { label, energy }: PlanSection,
    { words, slot, starts, lengths }: Timed,
    { stress, backing }: WordSyllable,
    k: number,
    pitch: number,
    range: Range | undefined,
  ): VoiceNote {
    const { bpm } = this.#plan;
    const [beat, beats] = [slot.beat + starts[k]!, lengths[k]!];
    const on = Math.abs(starts[k]! - Math.round(starts[k]!)) < 0.02 ? 0.05 : 0;
    const turns = k === words.syllables.length - 1 && (beats * 60) / bpm >= MELISMA_S;
    return {
      beat,
      beats,
      pitches:
        range === undefined
          ? [
              { beat: 0, pitch: pitch + 0.6 },
              { beat: 0.55 * beats, pitch: pitch - 0.7 },
            ]
          : turns
            ? this.#melisma(pitch, beats, range, `${label} ${words.text}`)
            : [{ beat: 0, pitch }],
      velocity: Math.min(1, 0.64 + 0.1 * (stress === 1 ? 1 : stress === 2 ? 0.5 : 0) + on + 0.16 * energy),
      stressed: stress > 0,
      backing,
    };
  }

  /** A long last syllable may turn through the note above it, or fall to its pitch by a step. */
  #melisma(pitch: number, beats: number, { low, high }: Range, line: string): VoiceNote["pitches"] {
    const { brief, seed } = this.#plan;
    const plain = [{ beat: 0, pitch }];
    const next = stream(seed ^ brief.colour, `melisma ${line}`);
    const draw = next();
    if (draw >= (musicOf(brief.genre).singing.melismas ? 0.7 : 0.3)) return plain;
    const step = Math.min(0.5, 0.3 * beats);
    const { all } = scaleOf(brief.key, "mode");
    const above = neighbour(pitch, all, 1);
    if (above > high || neighbour(pitch, all, -1) < low) return plain;
    const from = { beat: 0, pitch: above };
    return next() < 0.5
      ? [from, { beat: step, pitch }]
      : [
          { beat: 0, pitch },
          { ...from, beat: step },
          { beat: 2 * step, pitch },
        ];
  }
}

/** Share of its chances to be early that a voice takes, of a band that is always off the beat. */
const PUSHES = 0.6;
/** Seconds of a syllable that has room for a melisma. */
const MELISMA_S = 0.75;

interface Range {
  readonly low: number;
  readonly high: number;
  readonly home: number;
}

/** Verses lie low in the voice, choruses a third or so higher; all below the height where words are lost. */
function rangeOf({ range: [low, high] }: Singer, kind: SectionKind): Range {
  const width = high - low;
  const lift = kind === "chorus" || kind === "drop" ? 0.56 : kind === "prechorus" || kind === "bridge" ? 0.48 : 0.36;
  const home = Math.round(low + lift * width);
  return { low: Math.max(low, home - 7), high: Math.min(high, home + 7), home };
}
