import { accompany, cast, character, moves } from "./band/band.ts";
import { staged } from "./band/entrances.ts";
import { vary } from "./brief/vary.ts";
import type { Brief } from "./brief.ts";
import { carrying } from "./carry.ts";
import { beatsIn } from "./clock.ts";
import { type DrumPiece, keysOfPiece } from "./drum_pieces.ts";
import { withEnding } from "./ending.ts";
import { withExpression } from "./expression.ts";
import { customsOf } from "./form/customs.ts";
import { endingOf } from "./form/endings.ts";
import { plan } from "./form/plan.ts";
import { inTurn } from "./in_turn.ts";
import { calledOn } from "./instruments.ts";
import { lifted } from "./lift.ts";
import { levelAsked, withTouch } from "./loudness.ts";
import { melodies, withVoice } from "./melody/melodies.ts";
import type { Outline, Plan } from "./plan.ts";
import type { Part, Score, VoiceLine } from "./score.ts";
import { withSoloists, withTurns } from "./soloists.ts";
import { swung } from "./swing.ts";
import { withTempo } from "./tempo.ts";

/**
 * A brief to a score: what the prompt left open is settled by the seed, form and harmony are planned, seats are cast,
 * tunes and accompaniment are written.
 *
 * @param outline what must be so whatever the brief says: length, loop or clip, sections
 * @param seed any whole number; equal seeds give equal scores
 */
export function compose(brief: Brief, outline: Outline, seed: number): Score {
  const whole = outline.ring === true || outline.clip === true || outline.given !== undefined;
  return brief.turn === undefined || whole ? composed(brief, outline, seed) : inTurn(brief, outline, seed, composed);
}

/** @param goes_on something else follows: it comes to no end */
function composed(brief: Brief, outline: Outline, seed: number, goes_on = false): Score {
  const usual = outline.singer !== undefined && customsOf(brief, seed).lifts;
  const lifts = (brief.traits.includes("key change") || usual) && outline.given === undefined;
  const planned = withVoice(plan(vary(brief, seed), lifts ? withHeadroom(outline) : outline, seed));
  const band = carrying(cast(planned), planned);
  const drawn = withTurns(planned, band);
  const seated = withSoloists(band, drawn);
  const written = [...accompany(drawn, seated), ...melodies(drawn, seated)].map((part) => staged(drawn, part));
  const parts = withTouch(written, brief);
  const voice_db = levelAsked(brief, { role: "vocal", instrument: calledOn("sing")[0]! });
  const sung = swungVoice(drawn);
  const score: Score = {
    bpm: drawn.bpm,
    metre: drawn.brief.metre,
    key: drawn.brief.key,
    beats: drawn.beats,
    // Who sings at once has room to breathe in, and for a pick-up.
    lead_in: sung[0]?.section === 0 ? Math.max(0, beatsIn(drawn.bpm, BREATH_S) - sung[0].notes[0]!.beat) : 0,
    ring: drawn.ring,
    sections: drawn.sections.map(({ kind, label, beat, beats, energy, lines }) => ({
      kind,
      label,
      beat,
      beats,
      energy,
      ...(lines > 0 ? { lines } : {}),
    })),
    swing: drawn.brief.swing,
    chords: drawn.chords,
    ...(sung.length === 0 ? {} : { voice: sung }),
    parts: without(parts, brief.unwanted.drum_pieces ?? []).filter(({ notes }) => notes.length > 0),
    moves: moves(drawn, seated),
    mix: character(drawn),
    ...(voice_db === 0 ? {} : { voice_db }),
  };
  // What is to last so long loses nothing of its last bar.
  const open = outline.given === undefined && outline.seconds === undefined && brief.bars === undefined;
  const higher = lifts ? lifted(score, seed) : score;
  const closed = goes_on ? higher : withEnding(higher, brief, open ? endingOf(brief, seed) : {});
  const ended = withExpression(closed, drawn.brief);
  // A clip is too short to breathe, and what is remixed keeps the time of what it was made of.
  return outline.clip === true || outline.given !== undefined
    ? ended
    : withTempo(ended, drawn.brief, outline.seconds !== undefined, goes_on);
}

/** Before the first sung line, seconds: what would sound before the file is cut. */
const BREATH_S = 0.4;
/** Semitones that a key is lifted by at most. */
const LIFT_MAX = 2;

/** The singer stays low enough to follow the key up. */
function withHeadroom(outline: Outline): Outline {
  if (outline.singer === undefined) return outline;
  const [low, high] = outline.singer.range;
  return { ...outline, singer: { range: [low, high - LIFT_MAX] } };
}

/** What is sung, with its off-beats where the band has them. */
function swungVoice({ voice = [], brief }: Plan): VoiceLine[] {
  const swing = brief.metre.division === 3 ? 0.5 : brief.swing;
  if (swing === 0.5) return [...voice];
  return voice.map((line) => ({
    ...line,
    notes: line.notes.map(({ beat, beats, ...note }) => {
      const begin = swung(beat, swing);
      return { ...note, beat: begin, beats: swung(beat + beats, swing) - begin };
    }),
  }));
}

/** The parts without strokes on pieces of the kit that nobody wants to hear. */
function without(parts: readonly Part[], pieces: readonly DrumPiece[]): readonly Part[] {
  if (pieces.length === 0) return parts;
  const keys = new Set(pieces.flatMap((piece) => keysOfPiece(piece)));
  return parts.map((part) =>
    part.role === "drums" ? { ...part, notes: part.notes.filter(({ pitch }) => !keys.has(Math.round(pitch))) } : part,
  );
}
