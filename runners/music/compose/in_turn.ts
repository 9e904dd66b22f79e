/** One kind of music after another in one score: each half is composed by itself, in one key. */
import type { Where } from "../../language/mod.ts";
import type { Brief } from "./brief.ts";
import { clockOf } from "./clock.ts";
import type { Cue } from "./cues.ts";
import { customsOf } from "./form/customs.ts";
import { measured } from "./form/plan.ts";
import { genreName } from "./genres.ts";
import type { Outline, OutlineSection } from "./plan.ts";
import type { Move, Part, Score, TempoPoint } from "./score.ts";

type Compose = (brief: Brief, outline: Outline, seed: number, goes_on?: boolean) => Score;

/** Seconds that each half lasts at least. */
const SHORTEST_S = 8;
/** An intro of another kind has time to be one: so many times as long as a usual one. */
const INTROS = 2;

/**
 * @param brief says what the music turns into
 * @param outline neither a ring nor a clip, nor a piece that exists
 * @param compose writes one half
 */
export function inTurn(brief: Brief, outline: Outline, seed: number, compose: Compose): Score {
  const { turn, ...before } = brief;
  const { brief: after, where } = turn!;
  const [first, second] = divided(outline, brief, where, seed);
  const opening = compose({ ...before, cues: [...(before.cues ?? []), lacking("outro")] }, first, seed, true);
  const { key } = opening.key_change ?? opening;
  const cues = [...(after.cues ?? []), lacking("intro")];
  const closing = compose({ ...after, key, cues, explicit: [...after.explicit, "key"] }, second, seed);
  return joined(opening, closing, genreName(after.genre));
}

function lacking(what: string): Cue {
  return { event: "lacks", what, where: null, bars: null, players: [] };
}

/** What each half is told: its share of the sections that there are, and of the length. */
function divided(outline: Outline, brief: Brief, where: Where | null, seed: number): readonly [Outline, Outline] {
  const { secondsOf } = measured(brief, seed);
  const { sections = [], seconds: asked, ...rest } = outline;
  const lengths = sections.map(secondsOf);
  const own = sections.length > 0 ? lengths.reduce((sum, one) => sum + one, 0) : customsOf(brief, seed).seconds;
  const seconds = asked ?? own;
  const opens = where?.section === "intro" && sections.length === 0;
  const wanted = opens ? INTROS * customsOf(brief, seed).intro_s : placeIn(sections, lengths, where, seconds, own);
  if (sections.length < 2) {
    const place = Math.min(Math.max(wanted, SHORTEST_S, seconds / 8), seconds - Math.min(SHORTEST_S, seconds / 2));
    return [
      { ...outline, seconds: place },
      { ...rest, seconds: seconds - place },
    ];
  }
  const edges = lengths.map((_, at) => (lengths.slice(0, at).reduce((sum, one) => sum + one, 0) * seconds) / own);
  const nearest = edges.reduce((best, edge, at) => {
    return at > 0 && Math.abs(edge - wanted) < Math.abs(edges[best]! - wanted) ? at : best;
  }, 1);
  const half = (some: readonly OutlineSection[], length: number): Outline => {
    return { ...rest, sections: some, ...(asked === undefined ? {} : { seconds: length }) };
  };
  return [half(sections.slice(0, nearest), edges[nearest]!), half(sections.slice(nearest), seconds - edges[nearest]!)];
}

/** Where it turns, seconds. */
function placeIn(
  sections: readonly OutlineSection[],
  lengths: readonly number[],
  where: Where | null,
  seconds: number,
  own: number,
): number {
  if (where?.seconds !== undefined) return where.seconds;
  if (where?.section !== undefined) {
    const found = sections.flatMap(({ kind }, at) => (kind === where.section ? [at] : []));
    const at = where.nth === -1 ? found.at(-1) : found[Math.max(1, where.nth ?? 1) - 1];
    if (at !== undefined) {
      const until = lengths.slice(0, where.edge === "after" ? at + 1 : at);
      return (until.reduce((sum, one) => sum + one, 0) * seconds) / own;
    }
  }
  return (where?.share ?? 0.5) * seconds;
}

/** The second score behind the first: beats are counted on, and the tempo steps from the one's to the other's. */
function joined(first: Score, second: Score, called: string): Score {
  const by = first.beats;
  const later = <T extends { readonly beat: number }>(one: T): T => ({ ...one, beat: one.beat + by });
  const rename = (name: string): string => `${name} (${called})`;
  const parts = second.parts.map((part): Part => ({ ...part, name: rename(part.name), notes: part.notes.map(later) }));
  const moves = second.moves.map((move): Move => ({ ...later(move), parts: move.parts.map(rename) }));
  const sections = first.sections.length;
  const voice = (second.voice ?? []).map((line) => ({
    ...line,
    section: line.section + sections,
    notes: line.notes.map(later),
  }));
  // The desk is set up for what lasts longer.
  const longer = clockOf(first).seconds(by) >= clockOf(second).seconds(second.beats) ? first : second;
  const voices = [...(first.voice ?? []), ...voice];
  const change = second.key_change ?? null;
  return {
    ...first,
    bpm: longer.bpm,
    metre: longer.metre,
    swing: longer.swing,
    mix: longer.mix,
    tempo: [...tempoOf(first), { beat: by, bpm: clockOf(first).bpm(by) }, ...tempoOf(second).map(later)],
    beats: by + second.beats,
    sections: [...first.sections, ...second.sections.map(later)],
    chords: [...first.chords, ...second.chords.map(later)],
    parts: [...first.parts.map((part) => ended(part, by)), ...parts],
    moves: [...first.moves, ...moves].sort((a, b) => a.beat - b.beat),
    ...(change === null ? {} : { key_change: later(change) }),
    ...(voices.length === 0 ? {} : { voice: voices }),
  };
}

function tempoOf({ tempo, bpm }: Score): readonly TempoPoint[] {
  return tempo === undefined || tempo.length === 0 ? [{ beat: 0, bpm }] : tempo;
}

/** What is held beyond the turn ends there. */
function ended(part: Part, beats: number): Part {
  const notes = part.notes.map((note) =>
    note.beat + note.beats > beats ? { ...note, beats: Math.max(0.05, beats - note.beat) } : note,
  );
  return { ...part, notes };
}
