/** What players of tunes make of them beyond the written: how loud by pitch and by harmony, how far behind the ride, which hand first. */
import { musicOf } from "../../packs/mod.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import { chordIndexAt } from "./band/frame.ts";
import type { Brief } from "./brief.ts";
import { beatSeconds } from "./clock.ts";
import { instrumentOf } from "./instruments.ts";
import type { Note, Part, Score } from "./score.ts";
import { rideDelay } from "./swing.ts";

/**
 * dB a semitone and dB a unit of melodic charge: rules High-loud and Melodic-charge of Friberg, Bresin and Sundberg
 * (2006), "Overview of the KTH rule system for musical performance", Advances in Cognitive Psychology 2, at this share
 * of their usual size, which is for a player alone.
 */
const [HIGH_LOUD_DB, CHARGE_DB, SHARE] = [0.25, 0.2, 0.6];
/** Melodic charge by semitones over the root of the chord: how remarkable a note is. */
const CHARGE = [0, 6.5, 2, 4.5, 4, 2.5, 6, 1, 5.5, 3, 3.5, 5];
/** dB to half the velocity: as the sampler's players have it. */
const HALF_DB = 7;
/**
 * Where one player has tune and accompaniment in two hands, the tune comes first, struck harder: Goebl (2001), "Melody
 * lead in piano performance", J. Acoust. Soc. Am. 110(1), finds about 30 ms. Seconds; what velocity does not explain is
 * less.
 */
const MELODY_LEAD = 0.02;
/** A groove moves nobody further than this. Seconds. */
const LATEST = 0.075;

export function withExpression(score: Score, { genre }: Brief): Score {
  const { sequenced, ride_swing } = musicOf(genre).styles;
  if (sequenced) return score;
  const hands = new Set(score.parts.filter(({ role }) => role === "chords" || role === "arpeggio").map(instrumentFor));
  const rides = ride_swing === true && score.metre.division === 2 && score.swing > 0.5;
  const parts = score.parts.map((part) => {
    if (part.role !== "lead" && part.role !== "counter") return part;
    if (instrumentOf(part.instrument).sequenced === true) return part;
    const both =
      !rides && part.role === "lead" && instrumentOf(part.instrument).family === "keys" && hands.has(part.instrument);
    const louder = loudnessOf(part, score);
    const notes = part.notes.map((note, n): Note => {
      const later = (rides ? rideDelay(note.beat, score.swing, beatSeconds(score.bpm)) : 0) - (both ? MELODY_LEAD : 0);
      return {
        ...note,
        velocity: Math.min(1, Math.max(0.05, note.velocity * exp2(louder[n]! / HALF_DB))),
        shift: Math.min(LATEST, note.shift + later),
      };
    });
    return { ...part, notes };
  });
  return { ...score, parts };
}

const instrumentFor = ({ instrument }: Part): Part["instrument"] => instrument;

/** dB that each note is louder than the part in the mean. */
function loudnessOf({ notes }: Part, { chords }: Score): number[] {
  const all = notes.map(({ beat, pitch }) => {
    const root = chords[chordIndexAt(chords, beat)]?.root ?? 0;
    const over = (((Math.round(pitch) - root) % 12) + 12) % 12;
    return SHARE * (HIGH_LOUD_DB * pitch + CHARGE_DB * CHARGE[over]!);
  });
  const mean = all.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length);
  return all.map((value) => value - mean);
}
