/** Ways to harm a score that any listener would name, each by chance that is given. */

import type { Note, Part, Role, Score, ScoreSection } from "../../runners/music/compose/mod.ts";
import { MODES, pitchClass } from "../../runners/notes.ts";

/** The harmed score; undefined where the piece lacks what is to be harmed. `other`: the same prompt by another seed. */
export type Harm = (score: Score, next: () => number, other: (turn: number) => Score) => Score | undefined;

const ACCOMPANYING: ReadonlySet<Role> = new Set<Role>(["bass", "chords", "pad", "arpeggio", "counter"]);
/** Fewer notes are no part. */
const NOTES_MIN = 16;

const leads = (score: Score): readonly Part[] => score.parts.filter(({ role }) => role === "lead");
const total = (parts: readonly Part[]): number => parts.reduce((sum, { notes }) => sum + notes.length, 0);
const among = <T>(items: readonly T[], next: () => number): T => items[Math.floor(next() * items.length)]!;
const within = ({ beat, beats }: ScoreSection, note: Note): boolean =>
  note.beat >= beat - 1e-6 && note.beat < beat + beats;

function withParts(score: Score, change: (part: Part) => Part): Score {
  return { ...score, parts: score.parts.map(change) };
}

export const HARMS: Readonly<Record<string, Harm>> = {
  "tune shuffled": (score, next) => {
    if (total(leads(score)) < NOTES_MIN) return undefined;
    return withParts(score, (part) => {
      if (part.role !== "lead") return part;
      const pitches = part.notes.map(({ pitch }) => pitch);
      for (let n = pitches.length - 1; n > 0; n--) {
        const m = Math.floor(next() * (n + 1));
        [pitches[n], pitches[m]] = [pitches[m]!, pitches[n]!];
      }
      return { ...part, notes: part.notes.map((note, n) => ({ ...note, pitch: pitches[n]! })) };
    });
  },
  "tune a random walk": (score, next) => {
    if (total(leads(score)) < NOTES_MIN) return undefined;
    const scale = MODES[score.key.mode].map((step) => pitchClass(step + score.key.tonic));
    return withParts(score, (part) => {
      if (part.role !== "lead" || part.notes.length === 0) return part;
      const pitches = part.notes.map(({ pitch }) => Math.round(pitch));
      const [low, high] = [Math.min(...pitches), Math.max(...pitches)];
      const steps = Array.from({ length: high - low + 1 }, (_, n) => low + n).filter((pitch) =>
        scale.includes(pitchClass(pitch)),
      );
      let at = Math.floor(steps.length / 2);
      const notes = part.notes.map((note) => {
        at = Math.max(0, Math.min(steps.length - 1, at + Math.floor(7 * next()) - 3));
        return { ...note, pitch: steps[at] ?? note.pitch };
      });
      return { ...part, notes };
    });
  },
  "a part a semitone up": (score, next) => {
    const parts = score.parts.filter(({ role, notes }) => ACCOMPANYING.has(role) && notes.length >= NOTES_MIN);
    if (parts.length === 0) return undefined;
    const harmed = among(parts, next);
    return withParts(score, (part) =>
      part === harmed ? { ...part, notes: part.notes.map((note) => ({ ...note, pitch: note.pitch + 1 })) } : part,
    );
  },
  "hook removed": (score, _next, other) => {
    const peak =
      score.sections.find(({ kind }) => kind === "chorus" || kind === "drop") ??
      score.sections.find(({ kind }) => kind === "theme" || kind === "verse");
    if (peak === undefined || total(leads(score)) < NOTES_MIN) return undefined;
    const places = score.sections.filter(({ label }) => label === peak.label);
    if (places.length < 2) return undefined;
    return withParts(score, (part) => {
      if (part.role !== "lead") return part;
      const kept = part.notes.filter((note) => !places.some((place) => within(place, note)));
      // Each return has the tune of another piece of the same prompt, in this piece's key.
      const strange = places.flatMap((place, turn) => {
        const from = other(turn);
        const up = ((score.key.tonic - from.key.tonic + 18) % 12) - 6;
        const notes = leads(from)[0]?.notes ?? [];
        return notes.filter((note) => within(place, note)).map((note) => ({ ...note, pitch: note.pitch + up }));
      });
      return { ...part, notes: [...kept, ...strange].sort((a, b) => a.beat - b.beat) };
    });
  },
  "drums shifted": (score, next) => {
    const drums = score.parts.filter(({ role, notes }) => role === "drums" && notes.length >= NOTES_MIN);
    if (drums.length === 0) return undefined;
    const late = next() < 0.5 ? 0.25 : 0.5;
    return withParts(score, (part) =>
      part.role === "drums"
        ? { ...part, notes: part.notes.map((note) => ({ ...note, beat: note.beat + late })) }
        : part,
    );
  },
  "sections swapped": (score, next) => {
    const pairs = score.sections.flatMap((a, n) =>
      score.sections.slice(n + 1).flatMap((b) => (a.label === b.label || a.kind === b.kind ? [] : [[a, b] as const])),
    );
    if (pairs.length === 0) return undefined;
    const [a, b] = among(pairs, next);
    return withParts(score, (part) => ({
      ...part,
      notes: part.notes
        .flatMap((note) => {
          const [from, to] = within(a, note) ? [a, b] : within(b, note) ? [b, a] : [undefined, undefined];
          if (from === undefined || to === undefined) return [note];
          return note.beat - from.beat >= to.beats ? [] : [{ ...note, beat: note.beat - from.beat + to.beat }];
        })
        .sort((one, two) => one.beat - two.beat),
    }));
  },
  "accompaniment on other chords": (score, next) => {
    const { beats_per_bar } = score.metre;
    const bars = Math.floor(score.beats / beats_per_bar);
    const parts = score.parts.filter(
      ({ role, notes }) => (role === "chords" || role === "bass" || role === "arpeggio") && notes.length >= NOTES_MIN,
    );
    if (parts.length === 0 || bars < 8) return undefined;
    const to = Array.from({ length: bars }, (_, bar) => bar);
    for (let n = bars - 1; n > 0; n--) {
      const m = Math.floor(next() * (n + 1));
      [to[n], to[m]] = [to[m]!, to[n]!];
    }
    const harmed = among(parts, next);
    return withParts(score, (part) =>
      part === harmed
        ? {
            ...part,
            notes: part.notes
              .map((note) => {
                const bar = Math.floor(note.beat / beats_per_bar);
                return bar < 0 || bar >= bars ? note : { ...note, beat: note.beat + (to[bar]! - bar) * beats_per_bar };
              })
              .sort((one, two) => one.beat - two.beat),
          }
        : part,
    );
  },
};
