import { clamp } from "../../../signal/dsp/numbers.ts";
import { instrumentOf } from "../instruments.ts";
import type { Seat } from "../plan.ts";
import type { Note } from "../score.ts";
import { chordIndexAt } from "./frame.ts";
import type { Setting } from "./player.ts";

/** Gestures between sections: what rises leads into more, what falls away leaves less, an impact stands on the arrival. */
export function transition(setting: Setting, seat: Seat): Note[] {
  const { plan, bars } = setting;
  const { sections } = plan;
  const { gesture } = instrumentOf(seat.instrument);
  const notes: Note[] = [];
  const bar_beats = plan.brief.metre.beats_per_bar;
  const dance = setting.style.scene === "dance";
  sections.forEach((section, index) => {
    const before = sections[index - 1];
    const rise = section.energy - (before?.energy ?? section.energy);
    const arrives = section.kind === "drop" || section.kind === "chorus";
    const pitch = rootAt(setting, section.beat);
    const at = (beat: number, beats: number, velocity: number): void => {
      const start = Math.max(0, beat);
      const length = Math.min(beat + beats, plan.beats) - start;
      if (length > 0.2) notes.push({ beat: start, beats: length, pitch, velocity: clamp(velocity, 0.1, 1), shift: 0 });
    };
    switch (gesture) {
      case "rise": {
        if (!before || (rise < 0.08 && !(arrives && before.kind === "build"))) return;
        const room = before.kind === "build" ? before.beats : Math.min(before.beats, (dance ? 4 : 2) * bar_beats);
        const beats = Math.min(room, bar_beats * 8);
        at(section.beat - beats, beats, 0.5 + 0.4 * section.energy);
        return;
      }
      case "swell": {
        if (!before || rise < 0) return;
        const beats = Math.min(before.beats, bar_beats >= 4 ? 2 : bar_beats);
        at(section.beat - beats, beats, 0.45 + 0.35 * section.energy);
        return;
      }
      case "fall":
        if (before && (rise < -0.08 || arrives))
          at(section.beat, Math.min(section.beats, 2 * bar_beats), 0.5 + 0.3 * (before?.energy ?? 0.5));
        return;
      case "drop":
        if (before && arrives && rise > 0)
          at(section.beat, Math.min(section.beats, bar_beats), 0.6 + 0.3 * section.energy);
        return;
      default: {
        // Impacts: on arrivals, and in slow dark pieces at every section.
        const slow = setting.style.scene === "floating" || setting.style.scene === "orchestral";
        if (arrives || rise > 0.12 || (slow && index > 0))
          at(section.beat, Math.min(section.beats, bar_beats), 0.5 + 0.4 * section.energy);
      }
    }
  });
  // Asked for, or the only section: once in the middle at least, at the head of a phrase.
  if (notes.length === 0 && bars.length > 1) {
    const heads = bars.filter((bar) => bar.phrase_index === 0 && bar.beat > 0);
    const head = heads[heads.length >> 1] ?? bars[bars.length >> 1]!;
    const rising = gesture === "rise" || gesture === "swell";
    const beats = Math.min(bar_beats * 2, rising ? head.beat : plan.beats - head.beat);
    notes.push({
      beat: rising ? head.beat - beats : head.beat,
      beats,
      pitch: rootAt(setting, head.beat),
      velocity: 0.6,
      shift: 0,
    });
  }
  return notes;
}

function rootAt({ plan }: Setting, beat: number): number {
  const chord = plan.chords[chordIndexAt(plan.chords, beat)];
  return 48 + ((chord?.root ?? plan.brief.key.tonic) % 12);
}

/** What has no beginning: one note over each run of sections that follow each other. */
export function texture(setting: Setting, seat: Seat): Note[] {
  const { plan } = setting;
  const notes: Note[] = [];
  const pitch = 48 + plan.brief.key.tonic;
  for (const index of seat.sections) {
    const section = plan.sections[index]!;
    const before = notes.at(-1);
    if (before && Math.abs(before.beat + before.beats - section.beat) < 1e-6)
      notes[notes.length - 1] = { ...before, beats: before.beats + section.beats };
    else notes.push({ beat: section.beat, beats: section.beats, pitch, velocity: 0.6, shift: 0 });
  }
  return notes;
}
