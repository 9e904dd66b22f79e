/** When each sound of a phrase begins and ends. */
import { isVowel, type Phoneme } from "../phonemes.ts";
import type { SungPhrase } from "./notes.ts";
import { CONSONANT_TARGETS, type ConsonantTarget } from "./targets.ts";

export interface Segment {
  readonly phoneme: Phoneme;
  /** Index of the note. */
  readonly note: number;
  /** Held sounds are nuclei, also where they are consonants. */
  readonly part: "onset" | "nucleus" | "coda";
  /** Frames, in the caller's count. */
  readonly from: number;
  readonly to: number;
  /** Where a stop or an affricate opens; `to` elsewhere. */
  readonly release: number;
}

/** Of the time between two vowels, what their consonants may take at most. */
const CONSONANTS_MAX = 0.52;
/** Seconds; below this a sound is lost. */
const VOWEL_MIN = 0.05;
/** Notes that are further apart than this have silence between them. Seconds. */
const GAP = 0.12;

/** Segments in order without overlap; where notes touch, without gaps. */
export function segmentsOf(phrase: SungPhrase, rate: number): Segment[] {
  const segments: Segment[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < phrase.length; n++) {
    const note = phrase[n]!;
    const { phonemes, nucleus } = note;
    const next = phrase[n + 1];
    const onset = piecesOf(phonemes.slice(0, nucleus), "onset", n, phonemes[nucleus]!);
    if (n === 0) end = note.frame - total(onset) * rate;
    // The onset was made room for when the note before it was laid out.
    const room = (note.frame - end) / rate;
    place(segments, onset, end, Math.min(1, room / Math.max(1e-6, total(onset))) * rate, note.frame);
    const coda = piecesOf(phonemes.slice(nucleus + 1), "coda", n, null);
    const note_end = note.frame + note.frames;
    const following =
      next === undefined
        ? []
        : piecesOf(next.phonemes.slice(0, next.nucleus), "onset", n + 1, next.phonemes[next.nucleus]!);
    const joined = next !== undefined && next.frame - note_end < GAP * rate;
    // Where notes touch, coda and next onset share the end of this note; else the coda closes this note and the onset has the gap as well.
    const wanted =
      total(coda) +
      (joined
        ? total(following)
        : Math.max(0, total(following) - (next === undefined ? 0 : (next.frame - note_end) / rate)));
    const span = ((joined ? next.frame : note_end) - note.frame) / rate;
    const allowed = Math.max(0, Math.min(span - VOWEL_MIN, span * CONSONANTS_MAX));
    const scale = wanted > allowed ? allowed / wanted : 1;
    const stop = joined
      ? next.frame - total(following) * scale * rate
      : Math.min(note_end, next === undefined ? note_end : next.frame - total(following) * scale * rate);
    const vowel_end = Math.max(note.frame + 1, Math.round(stop - total(coda) * scale * rate));
    segments.push({
      phoneme: phonemes[nucleus]!,
      note: n,
      part: "nucleus",
      from: note.frame,
      to: vowel_end,
      release: vowel_end,
    });
    place(segments, coda, vowel_end, scale * rate, Math.round(stop));
    end = joined
      ? Math.round(stop)
      : next === undefined
        ? stop
        : Math.max(Math.round(stop), Math.round(next.frame - total(following) * rate));
  }
  return segments;
}

interface Piece {
  readonly phoneme: Phoneme;
  readonly note: number;
  readonly part: "onset" | "coda";
  /** Seconds. */
  readonly closed: number;
  readonly open: number;
}

function piecesOf(
  phonemes: readonly Phoneme[],
  part: "onset" | "coda",
  note: number,
  nucleus: Phoneme | null,
): Piece[] {
  return phonemes.map((phoneme, k) => {
    // A second vowel in a syllable would be a diphthong of two letters; as a margin it is short.
    if (isVowel(phoneme)) return { phoneme, note, part, closed: 0.08, open: 0 };
    const target: ConsonantTarget = CONSONANT_TARGETS[phoneme];
    const before = phonemes[k - 1];
    const after = phonemes[k + 1] ?? nucleus;
    const clustered = phonemes.length > 1 ? 0.82 : 1;
    let closed = target.seconds[part === "onset" ? 0 : 1] * clustered;
    let open = target.release ?? 0;
    if (target.manner === "stop") {
      if (part === "onset" && before === "S") open = Math.min(open, 0.018);
      // Before another stop or fricative a closure is held and hardly let go; at the end of a word it is let go softly.
      else if (part === "coda")
        open = after !== null && !isVowel(after) && isObstruent(after) ? 0.012 : target.voiced ? 0.02 : 0.04;
      else if (after !== null && !isVowel(after)) open *= 0.9;
      if (before !== undefined && before === "S") closed *= 0.8;
    }
    // A vowel is cut short before a voiceless stop, and goes on long before a voiced one: that is how the two are told apart.
    if (part === "coda" && target.manner === "stop") closed *= target.voiced ? 0.8 : 1.25;
    return { phoneme, note, part, closed, open };
  });
}

function isObstruent(phoneme: Phoneme): boolean {
  if (isVowel(phoneme)) return false;
  const { manner } = CONSONANT_TARGETS[phoneme];
  return manner === "stop" || manner === "affricate" || manner === "fricative";
}

function total(pieces: readonly Piece[]): number {
  let sum = 0;
  for (const { closed, open } of pieces) sum += closed + open;
  return sum;
}

/** Lays pieces out so that the last ends exactly at `to`. */
function place(segments: Segment[], pieces: readonly Piece[], from: number, rate: number, to: number): void {
  if (pieces.length === 0) return;
  let at = to - total(pieces) * rate;
  if (at < from) at = from;
  for (let k = 0; k < pieces.length; k++) {
    const { phoneme, note, part, closed, open } = pieces[k]!;
    const release = at + closed * rate;
    const end = k === pieces.length - 1 ? to : release + open * rate;
    segments.push({
      phoneme,
      note,
      part,
      from: Math.round(at),
      to: Math.round(end),
      release: Math.round(open > 0 ? Math.min(release, end) : end),
    });
    at = end;
  }
}
