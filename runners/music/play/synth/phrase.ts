/** Notes as a keyboard hands them to a monophonic instrument: in connected phrases. */
import type { PlayedNote } from "../performance.ts";

export interface Phrase {
  /** Where it begins, and where its voice must be silent again because the next phrase takes it. */
  readonly frame: number;
  readonly cut: number;
  /** Frames from its beginning to the last release of a key. */
  readonly held: number;
  readonly notes: readonly PhraseNote[];
}

interface PhraseNote {
  /** Frames from the beginning of the phrase. */
  readonly at: number;
  readonly pitch: number;
  readonly velocity: number;
  readonly accent: boolean;
  readonly staccato: boolean;
  readonly slide: boolean;
}

/** Notes that begin within this many seconds of one another are a chord even to a monophonic instrument: each gets a voice. */
const CHORD = 0.035;
/** An overlap shorter than this is a player's haste, not legato. */
const OVERLAP = 0.012;
/** A gap that a slide or a legato may bridge. */
const BRIDGE = 0.05;

/** Connected notes, monophonic: a note that begins while another is held takes its voice over without a new attack. */
export function connected(events: readonly PlayedNote[], frames: number, rate: number): Phrase[] {
  const lanes: { notes: PhraseNote[]; frame: number; start: number; end: number }[] = [];
  const done: Phrase[] = [];
  const close = (lane: (typeof lanes)[number], cut: number): void => {
    done.push({ frame: lane.frame, cut, held: Math.max(1, lane.end - lane.frame), notes: lane.notes });
  };
  for (const event of events) {
    if (event.frame >= frames || !(event.velocity > 0)) continue;
    const frame = Math.max(0, Math.round(event.frame));
    const end = frame + Math.max(1, Math.round(event.articulation === "staccato" ? event.frames * 0.6 : event.frames));
    let lane = lanes.find(({ start, end: last }) => frame - start > CHORD * rate || last <= frame);
    if (lane === undefined) {
      lane = { notes: [noteOf(event, 0)], frame, start: frame, end };
      lanes.push(lane);
      continue;
    }
    const gap = frame - lane.end;
    const asked = event.articulation === "slide" || event.articulation === "legato";
    if (gap < -OVERLAP * rate || (asked && gap <= BRIDGE * rate)) {
      lane.notes.push(noteOf(event, frame - lane.frame));
      lane.start = frame;
      lane.end = end;
      continue;
    }
    close(lane, frame);
    lane.notes = [noteOf(event, 0)];
    lane.frame = frame;
    lane.start = frame;
    lane.end = end;
  }
  for (const lane of lanes) close(lane, frames);
  return done;
}

function noteOf(event: PlayedNote, at: number): PhraseNote {
  const velocity = Math.min(1, event.velocity);
  return {
    at,
    pitch: Math.min(127, Math.max(0, event.pitch)),
    velocity:
      event.articulation === "accent"
        ? Math.min(1, velocity * 1.15)
        : event.articulation === "mute"
          ? velocity * 0.8
          : velocity,
    accent: event.articulation === "accent" || velocity > 0.9,
    staccato: event.articulation === "staccato" || event.articulation === "mute",
    slide: event.articulation === "slide",
  };
}
