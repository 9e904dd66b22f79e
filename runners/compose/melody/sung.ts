import { isBright } from "../form/scales.ts";
import type { Plan } from "../plan.ts";
import { stream } from "../stream.ts";
import { swung } from "../swing.ts";
import { LIFT, Themes } from "./lead.ts";
import type { Sketch } from "./phrase.ts";
import { pitched, strengthOf } from "./pitch.ts";

/** A line of lyrics with its place. */
export interface SungPhrase {
  /** Index into `Plan.sections`. */
  readonly section: number;
  /** Which line of the section, from 0. Lines of one number and one label have one tune, as far as their syllables let them. */
  readonly line: number;
  /** Where its bars begin. */
  readonly beat: number;
  readonly beats: number;
  /** One for each syllable: 0 unstressed, 1 stressed, 2 stressed and carrying the sense. */
  readonly stresses: readonly number[];
}

export interface SungNote {
  readonly beat: number;
  readonly beats: number;
  /** MIDI number. */
  readonly pitch: number;
}

/** Seconds: a syllable needs this long to be understood. */
const SHORTEST = 0.16;
/** Cost of a stressed syllable off the beat, of an unstressed one on the bar's strong beats, and of gaps unlike their neighbours. */
const COST = { weak: 1.4, heavy: 0.5, gap: 0.9, last: 0.6 };

/**
 * A melody for lines to be sung: every syllable one note, stressed ones on the beat where there is room, the last one held, a breath after it.
 * The tune is made of the piece's motifs, lies as high as the section's kind asks for, and comes to rest on every second line.
 *
 * @param range MIDI numbers of the voice, inclusive
 * @returns for each phrase as many notes as it has syllables, in order, within its beats, swing included
 */
export function melodyFor(
  plan: Plan,
  phrases: readonly SungPhrase[],
  range: readonly [low: number, high: number],
): SungNote[][] {
  const themes = new Themes(plan);
  const { brief } = plan;
  const beats_per_bar = brief.metre.beats_per_bar;
  return phrases.map((phrase) => {
    const section = plan.sections[phrase.section]!;
    if (phrase.stresses.length === 0) return [];
    const places = placed(phrase, beats_per_bar, 60 / plan.bpm, brief.metre.division === 3 ? 3 : 4);
    const { main, second } = themes.of(section);
    const motif = phrase.line % 4 === 2 ? second : main;
    const closes = phrase.line % 2 === 1 || phrase.line === section.lines - 1;
    const arch = section.lines > 1 ? phrase.line / (section.lines - 1) : 0.5;
    const sketch: Sketch[] = places.map(({ at, beats }, n) => ({
      beat: phrase.beat + at,
      beats,
      want: n === 0 ? null : (motif.steps[1 + ((n - 1) % Math.max(1, motif.steps.length - 1))] ?? 0),
      height: 2 * (4 * arch * (1 - arch)) - 0.7,
      cadence: n === places.length - 1 ? (closes ? "full" : "half") : null,
    }));
    const middle = (range[0] + range[1]) / 2;
    const room = Math.max(0, (range[1] - range[0]) / 2 - 5);
    const centre = middle + Math.max(-room, Math.min(room, LIFT[section.kind] + (isBright(brief.key.mode) ? 0.3 : 0)));
    const pitches = pitched(sketch, {
      chords: plan.chords,
      key: brief.key,
      scale: themes.idiom.scale,
      leap: 0.25,
      range,
      centre,
      beats_per_bar,
      motif: 0.8,
      next: stream(plan.seed ^ brief.colour, `sung ${section.label} ${phrase.line % 4}`),
    });
    return sketch.map(({ beat, beats }, n) => {
      const begin = swung(beat, brief.swing);
      return { beat: begin, beats: swung(beat + beats, brief.swing) - begin, pitch: pitches[n]! };
    });
  });
}

/** Where each syllable begins and how long it lasts, in beats of the phrase: the cheapest way through a grid of half and quarter beats. */
function placed(
  { beats, stresses }: SungPhrase,
  beats_per_bar: number,
  beat_seconds: number,
  fine: number,
): { at: number; beats: number }[] {
  const count = stresses.length;
  // The last quarter is for the held syllable and the breath, where there are not too many words.
  const usable = beats * 0.8;
  const coarse = fine === 3 ? 3 : 2;
  const grid = usable * coarse >= count * 1.15 ? coarse : fine;
  const slots = Math.max(1, Math.floor(usable * grid));
  if (slots < count) {
    // More words than the grid has room for: evenly, as fast as it takes.
    const each = (beats * 0.92) / count;
    return stresses.map((_, n) => ({ at: n * each, beats: each }));
  }
  const least = Math.max(1, Math.min(Math.floor(slots / count), Math.ceil((SHORTEST / beat_seconds) * grid)));
  const ideal = Math.max(least, Math.min(grid, slots / count));
  const most = Math.max(Math.ceil(2 * ideal), Math.ceil(slots / count) + 1);
  const heavy = stresses.map((stress) => Math.min(2, Math.max(0, stress)));
  let costs = Array.from({ length: slots }, (_, slot) => own(0, slot) + (slot > grid ? 9 : 0.1 * slot));
  const back: Int32Array[] = [];
  for (let n = 1; n < count; n++) {
    const next = new Array<number>(slots).fill(Number.POSITIVE_INFINITY);
    const from = new Int32Array(slots);
    for (let slot = n; slot < slots; slot++) {
      for (let before = Math.max(0, slot - most); before <= slot - least; before++) {
        const off = (slot - before) / ideal - 1;
        const cost = costs[before]! + COST.gap * off * off;
        if (cost < next[slot]!) {
          next[slot] = cost;
          from[slot] = before;
        }
      }
      next[slot]! += own(n, slot);
    }
    back.push(from);
    costs = next;
  }
  let slot = costs.indexOf(Math.min(...costs));
  const at = [slot];
  for (let n = count - 1; n > 0; n--) {
    slot = back[n - 1]![slot]!;
    at.push(slot);
  }
  const begins = at.reverse().map((one) => one / grid);
  const end = Math.min(beats - 0.25, begins.at(-1)! + Math.max(1, beats * 0.2));
  return begins.map((begin, n) => ({
    at: begin,
    beats: Math.max(0.1, Math.min((begins[n + 1] ?? end) - begin, n === count - 1 ? 4 : 2)),
  }));

  function own(n: number, slot: number): number {
    const strength = strengthOf(slot / grid, beats_per_bar);
    if (heavy[n]! > 0) return strength === 0 ? COST.weak * heavy[n]! : strength === 1 ? 0.15 : 0;
    return (strength === 2 ? COST.heavy : 0) + (n === count - 1 && strength === 0 ? COST.last : 0);
  }
}
