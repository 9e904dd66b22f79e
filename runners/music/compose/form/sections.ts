import type { Brief } from "../brief.ts";
import type { OutlineSection } from "../plan.ts";
import { energyAsked } from "./course.ts";
import kinds from "./kinds.json" with { type: "json" };
import { type Draft, ENERGY } from "./templates.ts";

/** Bars of sections that nobody sings in and nothing else decides. */
const USUAL: Readonly<Record<OutlineSection["kind"], number>> = kinds.bars;

/** Where the bars of a line are not a genre's own. */
interface Bar {
  readonly seconds: number;
  readonly beats: number;
}

/** Syllables a second that are sung with ease, breaths included; more of them are told than sung. */
const SYLLABLES_PER_S = 3.6;
const LINE_BARS_MAX = 4;

/**
 * Bars of a line: two where that is 2.6 to 6.5 s, one at slow tempi and four at fast ones; twice as many where its
 * words would be too fast, or would have more stresses than there are beats.
 */
function lineBars({ words = [] }: OutlineSection, { seconds, beats }: Bar): number {
  const usual = 2 * seconds < 2.6 ? 4 : 2 * seconds > 6.5 ? 1 : 2;
  const syllables = words.flatMap((line) => line.syllables);
  const each = syllables.length / Math.max(1, words.length);
  const stressed = syllables.filter(({ stress }) => stress === 1).length / Math.max(1, words.length);
  let bars = usual;
  while (bars < LINE_BARS_MAX && (each > SYLLABLES_PER_S * bars * seconds || stressed > bars * beats - 1)) bars *= 2;
  return bars;
}

/**
 * Sections as an outline gives them. Genres may have bars of their own for a line (`usual_line`). A section is rounded
 * up to whole pairs of lines' bars, so that a band answers an odd last line.
 */
export function drafts(sections: readonly OutlineSection[], bar: Bar, usual_line?: number): Draft[] {
  return sections.map((section) => {
    const line_bars = usual_line ?? lineBars(section, bar);
    const lines = Math.max(0, Math.floor(section.lines));
    const needed = lines * line_bars;
    const rounded = 2 * Math.ceil(needed / 2);
    const filled =
      section.elides === true ? needed : rounded % 4 !== 0 && lines > 2 && line_bars < 4 ? rounded + 2 : rounded;
    const asked = section.bars !== undefined && section.bars >= 1 ? Math.round(section.bars) : 0;
    // Twice as fast as is comfortable lines can still be sung.
    const exact = section.exact === true && asked > 0 && asked >= (lines * line_bars) / 2;
    const named = exact ? asked : 2 * Math.ceil(asked / 2);
    const unsung = named > 0 ? named : (section.usual_bars ?? USUAL[section.kind]);
    const bars = exact ? asked : Math.max(named, lines > 0 ? Math.max(2, filled) : unsung);
    return {
      kind: section.kind,
      label: section.label,
      bars,
      spare: 0,
      lines,
      fixed: named > 0,
      ...(lines > 0 && line_bars > 1 && bars >= needed ? { line_bars } : {}),
      ...(section.words === undefined ? {} : { words: section.words }),
      ...(section.chords === undefined ? {} : { chords: section.chords }),
      ...(section.lead === undefined ? {} : { lead: section.lead }),
      ...(section.energy === undefined ? {} : { energy: Math.min(1, Math.max(0, section.energy)) }),
    };
  });
}

/**
 * Given sections keep their order and their lines; those without lines give and take bars.
 *
 * @param bars whole or not: what comes out is near
 */
export function stretched(given: readonly Draft[], bars: number): Draft[] {
  const sung = given.reduce((sum, slot) => sum + ((slot.lines ?? 0) > 0 || slot.fixed ? slot.bars : 0), 0);
  const free = given.filter((slot) => (slot.lines ?? 0) === 0 && !slot.fixed);
  const slots = given.map((slot) => ({ ...slot }));
  if (free.length === 0) {
    // Whatever is missing by four bars or more is played before and after.
    const spare = bars - sung;
    if (spare < 4) return slots;
    const outro = 2 * Math.floor(spare / 4);
    return [
      { kind: "intro", label: "intro", bars: Math.round(spare) - outro, spare: 0 },
      ...slots,
      { kind: "outro", label: "outro", bars: outro, spare: 0 },
    ];
  }
  const had = free.reduce((sum, slot) => sum + slot.bars, 0);
  let left = Math.max(2 * free.length, bars - sung);
  const open = slots.filter((slot) => (slot.lines ?? 0) === 0 && !slot.fixed);
  for (const [at, slot] of open.entries()) {
    const rest = open.length - at - 1;
    const share =
      rest === 0 ? left : Math.min(left - 2 * rest, Math.max(2, 2 * Math.round(((bars - sung) * slot.bars) / had / 2)));
    slot.bars = slots.at(-1) === slot ? Math.max(2, Math.round(share)) : Math.max(2, 2 * Math.round(share / 2));
    left -= slot.bars;
  }
  return slots;
}

/** Sections of lyrics in a piece of so many bars. */
export function draftsWithin(
  sections: readonly OutlineSection[],
  bar: Bar,
  bars: number,
  usual_line?: number,
): Draft[] {
  return stretched(drafts(sections, bar, usual_line), bars);
}

/** Kinds whose later turns carry more than the first. */
const GROWING = 0.06;

const soloEnergy = (way: number): number => kinds.solos.first + (kinds.solos.last - kinds.solos.first) * way;

/** Every section its energy, the strongest 1: by kind, rising from turn to turn, the last climax highest. */
export function withEnergy(slots: readonly Draft[], brief: Brief, next: () => number): (Draft & { energy: number })[] {
  const turns = new Map<string, number>();
  const rising = brief.traits.some((trait) => /build|cresc/u.test(trait));
  const solos = slots.flatMap(({ kind }, at) => (kind === "solo" ? [at] : []));
  const raw = slots.map((slot, at) => {
    const turn = turns.get(slot.label) ?? 0;
    turns.set(slot.label, turn + 1);
    const named = slot.energy;
    const usual = ENERGY[slot.kind] + GROWING * Math.min(turn, 3);
    // The first soloist begins low, and the last is where the others led to.
    const own = solos.length > 1 && slot.kind === "solo" ? soloEnergy(solos.indexOf(at) / (solos.length - 1)) : usual;
    let energy = named ?? own + 0.06 * (next() - 0.5);
    if (named === undefined && slot.kind === "theme") energy += /^[B-Z]$/u.test(slot.label) ? 0.14 : 0;
    energy = energyAsked(brief, slots, at, energy) ?? energy;
    if (rising && slot.kind !== "outro") energy = 0.4 * energy + 0.6 * ((at + 1) / slots.length);
    return energy;
  });
  // The last section that comes near the top is the climax; what comes after it, however loud, is its end.
  const inner = raw.map((energy, at) => (slots[at]!.kind === "outro" && slots.length > 1 ? 0 : energy));
  const top = Math.max(...inner);
  const climax = inner.findLastIndex((energy) => energy > top - 0.12);
  const peak = Math.max(top, (raw[climax] ?? top) + 0.03);
  return slots.map((slot, at) => ({
    ...slot,
    energy: at === climax ? 1 : Math.max(0.08, Math.min(0.97, raw[at]! / peak)),
  }));
}
