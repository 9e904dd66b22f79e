/** The form that new lyrics ask for, filled with the chords and the tune of a source. */
import type { Given, GivenChord, GivenNote, GivenSection, OutlineSection } from "../compose/mod.ts";

export interface Origin {
  readonly sections: readonly GivenSection[];
  /** Undefined where hardly any is heard: they are composed. */
  readonly chords: readonly GivenChord[] | undefined;
  readonly tune: readonly GivenNote[];
  readonly beats_per_bar: number;
  readonly bar_seconds: number;
}

type Kind = GivenSection["kind"];

/** Bars of what nobody sings in, at most. */
const UNSUNG_BARS = 8;
/** Seconds that a line takes with comfort: some eight syllables and a breath. */
const [LINE_MIN, LINE_MAX] = [2.6, 6.5];
const ENERGY: Readonly<Record<Kind, number>> = {
  intro: 0.35,
  verse: 0.6,
  prechorus: 0.7,
  chorus: 0.92,
  bridge: 0.55,
  solo: 0.8,
  break: 0.4,
  build: 0.6,
  drop: 0.95,
  theme: 0.65,
  outro: 0.4,
  loop: 0.65,
};

export interface SungForm extends Given {
  /** The source's bar for each bar. */
  readonly bars: readonly number[];
}

interface Donor {
  readonly section: GivenSection;
  /** Its first bar in the source. */
  readonly from: number;
}

/**
 * Each section of the lyrics takes a section of the source that suits it, the same for equal labels, and goes round in its bars as often as the lines need.
 *
 * @param outline at least one section
 */
export function sungForm(outline: readonly OutlineSection[], origin: Origin): SungForm {
  const { beats_per_bar, bar_seconds } = origin;
  const donors = donorsOf(origin.sections);
  const chosen = new Map<string, Donor>();
  const line_bars = 2 * bar_seconds < LINE_MIN ? 4 : 2 * bar_seconds > LINE_MAX ? 1 : 2;
  const sections: GivenSection[] = [];
  const chords: GivenChord[] = [];
  const tune: GivenNote[] = [];
  const origins: number[] = [];
  let bar = 0;
  for (const { kind, label, lines } of outline) {
    const donor = chosen.get(label) ?? choose(kind, donors, [...chosen.values()]);
    chosen.set(label, donor);
    const bars =
      lines > 0
        ? Math.max(2, 2 * Math.ceil((lines * line_bars) / 2))
        : Math.min(UNSUNG_BARS, Math.max(2, donor.section.bars));
    sections.push({
      kind,
      label,
      bars,
      energy: 0.5 * (ENERGY[kind] + donor.section.energy),
      ...(lines > 0 ? { lines, line_bars } : {}),
    });
    for (let k = 0; k < bars; k++) {
      origins.push(donor.from + (k % donor.section.bars));
      const source = (donor.from + (k % donor.section.bars)) * beats_per_bar;
      const shift = (bar + k) * beats_per_bar - source;
      const end = source + beats_per_bar;
      for (const chord of origin.chords ?? []) push(chords, within(chord, source, end, shift));
      for (const note of origin.tune)
        if (note.beat >= source && note.beat < end)
          tune.push({ ...note, beat: note.beat + shift, beats: Math.min(note.beats, end - note.beat) });
    }
    bar += bars;
  }
  return { bars: origins, sections, tune, ...(origin.chords === undefined ? {} : { chords }) };
}

function donorsOf(sections: readonly GivenSection[]): Donor[] {
  let from = 0;
  return sections.map((section) => {
    const donor = { section, from };
    from += section.bars;
    return donor;
  });
}

/** By kind where the source has it; else by energy: the strongest for a chorus, the others in turn, the ends for what opens and closes. */
function choose(kind: Kind, donors: readonly Donor[], taken: readonly Donor[]): Donor {
  const first = donors[0]!;
  const last = donors.at(-1)!;
  if (kind === "intro") return first;
  if (kind === "outro") return last;
  const free = donors.filter((donor) => !taken.some(({ section }) => section.label === donor.section.label));
  const pool = free.length > 0 ? free : donors;
  const same = pool.find(({ section }) => section.kind === kind);
  if (same !== undefined) return same;
  const inner = pool.filter(({ section }) => section.kind !== "intro" && section.kind !== "outro");
  const ranked = [...(inner.length > 0 ? inner : pool)].sort((a, b) => b.section.energy - a.section.energy);
  if (kind === "chorus" || kind === "drop") return ranked[0]!;
  return ranked[ranked.length > 1 ? 1 : 0]!;
}

function within(chord: GivenChord, from: number, to: number, shift: number): GivenChord | null {
  const begin = Math.max(from, chord.beat);
  const end = Math.min(to, chord.beat + chord.beats);
  return end > begin ? { ...chord, beat: begin + shift, beats: end - begin } : null;
}

/** Adds a chord, or lengthens the last where it goes on. */
function push(chords: GivenChord[], chord: GivenChord | null): void {
  if (chord === null) return;
  const before = chords.at(-1);
  if (before !== undefined && before.root === chord.root && before.suffix === chord.suffix)
    chords[chords.length - 1] = { ...before, beats: before.beats + chord.beats };
  else chords.push(chord);
}
