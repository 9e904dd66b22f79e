/** Patterns of named drums, taken out of a groove that the composer wrote. */

import { DRUM_KEYS } from "../../../packs/mod.ts";
import { type Brief, beatsIn, type Instrument, instrumentOf, type Note, type Score } from "../../compose/mod.ts";
import type { Clip } from "./clip.ts";
import { type DrumWord, rhythmOf } from "./drum_words.ts";
import { drumPart, type Room, strike } from "./write.ts";

/**
 * Of a groove the named pieces alone; where it has hardly any of one of them, that piece's plainest rhythm in its place.
 *
 * @param longer what the composer wrote for `grooved`; unless it is a ring, longer than the clip by `LONGER`, since
 *   music ends and a pattern goes on
 */
export function piecesOf(
  { pieces, kit, every, places = {}, whole = false }: Extract<Clip, { kind: "drums" }>,
  { seconds, ring }: Room,
  longer: Score,
): Score {
  const groove = ring ? longer : cut(longer, beatsIn(longer.bpm, seconds));
  const drummed = groove.parts.filter(({ role }) => role === "drums" || role === "percussion");
  const bars = Math.max(1, groove.beats / groove.metre.beats_per_bar);
  const players = new Map<Instrument, number>();
  const notesOf = ({ key, keys, name }: DrumWord): readonly Note[] => {
    const beats = places[name];
    if (beats !== undefined) return placedOn(key, beats, groove);
    if (every !== undefined) return even(key, every, groove);
    const own = drummed.flatMap(({ instrument, notes }) => {
      const some = notes.filter(({ pitch }) => keys.includes(pitch));
      players.set(instrument, (players.get(instrument) ?? 0) + some.length);
      return some;
    });
    return own.length >= bars ? own : plain(key, groove);
  };
  const sorted = (some: readonly DrumWord[], more: readonly Note[] = []): Note[] =>
    closed([...some.flatMap(notesOf), ...more]).sort((a, b) => a.beat - b.beat || a.pitch - b.pitch);
  const named_keys = new Set(pieces.flatMap(({ keys }) => keys));
  const rest = whole ? drummed.flatMap(({ notes }) => notes.filter(({ pitch }) => !named_keys.has(pitch))) : [];
  const shared = sorted(
    pieces.filter((piece) => piece.kit === undefined || piece.kit === kit),
    rest,
  );
  const [named, count] = [...players].sort(([, a], [, b]) => b - a)[0] ?? [kit, 0];
  // Fingers snap beside whatever kit.
  const others = pieces.filter((piece) => piece.kit !== undefined && piece.kit !== kit);
  const parts = [
    ...(shared.length === 0 ? [] : [drumPart(count > 0 ? named : kit, shared)]),
    ...others.map((piece) => ({ ...drumPart(piece.kit!, sorted([piece])), name: piece.name })),
  ];
  return { ...groove, parts, moves: [] };
}

/** Hats that are struck open are not struck closed as well. */
function closed(notes: readonly Note[]): Note[] {
  const open = new Set(notes.flatMap(({ pitch, beat }) => (pitch === DRUM_KEYS.open_hat ? [beat] : [])));
  return notes.filter(({ pitch, beat }) => pitch !== DRUM_KEYS.closed_hat || !open.has(beat));
}

/** The brief for a groove of drums alone: a genre that was only guessed for them would choose a strange one. */
export function grooved(brief: Brief, { kit }: { readonly kit: Instrument }): Brief {
  if (brief.explicit.includes("genre")) return brief;
  const genre = instrumentOf(kit).groove_genre ?? brief.genre;
  const wanted = brief.wanted.map((one) => (instrumentOf(one).family === "kit" ? kit : one));
  return { ...brief, genre, second_genre: null, wanted };
}

/** Seconds more to compose for a pattern: an ending of two slow bars. */
export const LONGER = 9;

function cut(score: Score, beats: number): Score {
  const within = <T extends { readonly beat: number; readonly beats: number }>(all: readonly T[]): T[] =>
    all
      .filter(({ beat }) => beat < beats - 1e-6)
      .map((one) => ({ ...one, beats: Math.min(one.beats, beats - one.beat) }));
  const parts = score.parts.map((part) => ({ ...part, notes: within(part.notes) }));
  return { ...score, beats, parts, sections: within(score.sections), chords: within(score.chords) };
}

const FORCE: Readonly<Record<string, number>> = { X: 0.9, x: 0.72, s: 0.45 };

function plain(key: number, { beats, metre }: Score): Note[] {
  const signs = rhythmOf(key);
  const steps = metre.division === 3 ? 3 : 4;
  const bar = metre.beats_per_bar * steps;
  const notes: Note[] = [];
  for (let step = 0; step < Math.floor(beats * steps + 1e-6); step++) {
    const force = FORCE[signs[(step % bar) % signs.length]!];
    if (force !== undefined) notes.push(strike(step / steps, 1 / steps, key, force));
  }
  // A loop of one beat has no backbeat.
  return notes.length > 0 ? notes : [strike(0, beats, key, 0.9)];
}

/** In every bar on these beats, counted from 1. */
function placedOn(key: number, on: readonly number[], { beats, metre }: Score): Note[] {
  const notes: Note[] = [];
  for (let bar = 0; bar < beats - 1e-6; bar += metre.beats_per_bar)
    for (const beat of on)
      if (beat - 1 < metre.beats_per_bar && bar + beat - 1 < beats - 1e-6)
        notes.push(strike(bar + beat - 1, 0.25, key, beat === 1 ? 0.9 : 0.84));
  return notes;
}

function even(key: number, every: number, { beats }: Score): Note[] {
  return Array.from({ length: Math.floor(beats * every + 1e-6) }, (_, n) => {
    const place = n % every;
    return strike(n / every, 1 / every, key, place === 0 ? 0.88 : 2 * place === every ? 0.7 : 0.55);
  });
}
