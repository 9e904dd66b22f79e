/** Anticipations: the whole band strikes the first chord of a phrase a quaver before its bar. */
import { DRUM_KEYS, musicOf } from "../../../packs/mod.ts";
import type { Plan } from "../plan.ts";
import type { Note, Part, Role } from "../score.ts";
import { swung } from "../swing.ts";
import { stream } from "./frame.ts";

/** Who goes along; arpeggios, hats and percussion keep the time. */
const STRUCK: ReadonlySet<Role> = new Set(["drums", "bass", "chords"]);
const ACCENTS: ReadonlySet<number> = new Set([DRUM_KEYS.kick, DRUM_KEYS.crash]);
/** Sections of less energy go by the beat. */
const STRONG = 0.6;
/** Seconds and beats that a stroke on the bar may be beside it. */
const NEAR = 0.06;

/** The parts with the pushes that the genre has; sections of equal label have the same. */
export function pushed(plan: Plan, parts: readonly Part[]): Part[] {
  const { brief, ring } = plan;
  const share = musicOf(brief.genre).styles.pushes ?? 0;
  if (share === 0 || ring || brief.metre.division === 3 || plan.known_chords === true) return [...parts];
  const beats = placesOf(plan, share);
  return beats.length === 0
    ? [...parts]
    : parts.map((part) => (STRUCK.has(part.role) ? { ...part, notes: early(part, beats, brief.swing) } : part));
}

/** First beats of phrases that are pushed. */
function placesOf(plan: Plan, share: number): number[] {
  const bar = plan.brief.metre.beats_per_bar;
  return plan.sections.flatMap((section, at) => {
    const before = plan.sections[at - 1];
    if (section.energy < STRONG || section.kind === "outro" || section.kind === "break") return [];
    const next = stream(plan, `pushes ${section.label}`);
    const phrase = section.phrase_bars * bar;
    return Array.from({ length: Math.floor(section.beats / phrase) }, (_, n) => section.beat + n * phrase).filter(
      (beat, n) => next() < share && (n > 0 || (before !== undefined && before.energy >= STRONG && beat > 0)),
    );
  });
}

function early({ role, notes }: Part, places: readonly number[], swing: number): Note[] {
  const moves = (note: Note): boolean => role !== "drums" || ACCENTS.has(Math.round(note.pitch));
  let out = [...notes];
  for (const beat of places) {
    const from = swung(beat - 0.5, swing);
    if (!out.some((note) => moves(note) && Math.abs(note.beat - beat) < NEAR)) continue;
    out = out.flatMap((note): Note[] => {
      if (!moves(note)) return [note];
      const off = note.beat - beat;
      if (Math.abs(off) < NEAR)
        return [{ ...note, beat: from, beats: note.beats + beat - from, articulation: "accent" }];
      // Nobody strikes between the push and the bar, and the chord before makes way.
      if (off < 0 && note.beat > from - NEAR) return [];
      const over = note.beat + note.beats - from;
      return off < 0 && over > 0 && role !== "drums" ? [{ ...note, beats: note.beats - over }] : [note];
    });
  }
  return out.sort((a, b) => a.beat - b.beat || a.pitch - b.pitch);
}
