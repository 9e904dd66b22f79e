/**
 * Sections of a remix, filled with the chords and the tune of a source: those that new lyrics ask for, or the source's
 * own in another length.
 */
import type { Given, GivenChord, GivenNote, GivenSection } from "../compose/mod.ts";

export interface Origin {
  readonly sections: readonly GivenSection[];
  /** Undefined where hardly any is heard: they are composed. */
  readonly chords: readonly GivenChord[] | undefined;
  readonly tune: readonly GivenNote[];
  readonly beats_per_bar: number;
}

type Kind = GivenSection["kind"];

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

export interface Laid extends Given {
  /** The source's bar for each bar. */
  readonly bars: readonly number[];
}

interface Donor {
  readonly section: GivenSection;
  /** Its first bar in the source. */
  readonly from: number;
}

/** A section of the remix, and what of the source it is made of. */
interface Span {
  readonly section: Omit<GivenSection, "energy">;
  readonly donor: Donor;
  readonly energy: number;
}

/**
 * Each section of the lyrics takes a section of the source that suits it, the same for equal labels, and goes round in
 * its bars as often as it needs.
 *
 * @param wanted at least one section, with its bars
 */
export function sungForm(wanted: readonly Omit<GivenSection, "energy">[], origin: Origin): Laid {
  const donors = donorsOf(origin.sections);
  const chosen = new Map<string, Donor>();
  return laid(
    wanted.map((section): Span => {
      const donor = chosen.get(section.label) ?? choose(section.kind, donors, [...chosen.values()]);
      chosen.set(section.label, donor);
      return { section, donor, energy: 0.5 * (ENERGY[section.kind] + donor.section.energy) };
    }),
    origin,
  );
}

/**
 * The source's sections in so many bars: what it can spare is left out, and what is its strongest comes again.
 *
 * @param fit as the composer's `fitted`
 */
export function resized(
  origin: Origin,
  bars: number,
  fit: (slots: readonly (Span & Slot)[], bars: number) => readonly (Span & Slot)[],
): Laid {
  const labels = origin.sections.map(({ label }) => label);
  const slots = donorsOf(origin.sections).map((donor, at): Span & Slot => {
    const { kind, label, bars: own, energy } = donor.section;
    const edge = kind === "intro" || kind === "outro";
    return {
      ...{ kind, label, bars: own, donor, energy, section: donor.section },
      // What is heard elsewhere too is missed least.
      spare: edge ? 1 : labels.indexOf(label) === at ? 0 : 2,
    };
  });
  return laid(
    fit(slots, bars).map((slot) => ({ ...slot, section: { ...slot.section, bars: slot.bars } })),
    origin,
  );
}

/** The form of so many bars, or of one less where its ending takes a bar of its own. */
export function endedWithin(bars: number, formOf: (bars: number) => Laid, ended: (form: Laid) => Given): Laid {
  const form = formOf(Math.max(1, bars));
  const all = ended(form).sections.reduce((sum, section) => sum + section.bars, 0);
  return all > form.bars.length && bars > 1 ? formOf(bars - 1) : form;
}

/** As the composer fits sections to a length. */
interface Slot {
  readonly kind: Kind;
  readonly label: string;
  readonly bars: number;
  readonly spare: number;
  readonly energy: number;
}

function laid(spans: readonly Span[], origin: Origin): Laid {
  const { beats_per_bar } = origin;
  const sections: GivenSection[] = [];
  const chords: GivenChord[] = [];
  const tune: GivenNote[] = [];
  const origins: number[] = [];
  let bar = 0;
  for (const { section, donor, energy } of spans) {
    sections.push({ ...section, energy });
    for (let k = 0; k < section.bars; k++) {
      const from = donor.from + (k % donor.section.bars);
      origins.push(from);
      const source = from * beats_per_bar;
      const shift = (bar + k) * beats_per_bar - source;
      const end = source + beats_per_bar;
      for (const chord of origin.chords ?? []) push(chords, within(chord, source, end, shift));
      for (const note of origin.tune)
        if (note.beat >= source && note.beat < end)
          tune.push({ ...note, beat: note.beat + shift, beats: Math.min(note.beats, end - note.beat) });
    }
    bar += section.bars;
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
