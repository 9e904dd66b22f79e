/** From notes with articulations to single strokes: ties, slides, short notes, repeated ones. */
import { hash32 } from "../../signal/dsp/random.ts";
import type { Patch } from "./patches.ts";
import { type Performance, type PlayedNote, RATE } from "./performance.ts";

/** One attack of the instrument. */
export interface Stroke extends PlayedNote {
  /** Goes on from the note before without a new attack. */
  readonly tied: boolean;
  /** The next note goes on from it. */
  readonly tying: boolean;
  readonly slide: { readonly cents: number; readonly seconds: number };
  /** By the palm of the hand, where there is no sound of its own for it. */
  readonly damped: boolean;
  readonly db: number;
}

/** Repetitions a second of a drum roll and of a tremolo on one string. */
const ROLL_HERTZ = 17;
const TREMOLO_HERTZ = 11.5;

/** Notes closer than this are one line. Seconds. */
const GAP = 0.07;

const STILL = { cents: 0, seconds: 0 };

export function strokes({ events, seed }: Performance, patch: Patch): Stroke[] {
  const out: Stroke[] = [];
  const ends = new Map<number, number>();
  for (const [index, event] of events.entries()) {
    const before = previous(events, index);
    const joins = before !== undefined && event.frame - (before.frame + before.frames) < GAP * RATE;
    const tied = event.articulation === "legato" && joins && patch.action === "blown";
    const stroke = articulated(event, patch, tied, joins ? before : undefined);
    if (tied) {
      const last = out.findLast(({ frame, pitch }) => frame === before?.frame && pitch === before.pitch);
      const at = last === undefined ? -1 : out.indexOf(last);
      if (last !== undefined && at >= 0) {
        out[at] = { ...last, tying: true, frames: Math.max(1, event.frame + Math.round(0.02 * RATE) - last.frame) };
      }
    }
    // A string or a key that is struck again does not sound twice.
    const earlier = ends.get(event.pitch);
    if (earlier !== undefined && patch.action !== "kit") {
      const last = out[earlier]!;
      if (last.frame < stroke.frame)
        out[earlier] = { ...last, frames: Math.min(last.frames, stroke.frame - last.frame) };
    }
    const hertz = repeats(event, patch);
    if (hertz === 0) {
      ends.set(event.pitch, out.length);
      out.push(stroke);
    } else repeated(out, stroke, hertz, patch, hash32(seed, index));
  }
  return out.sort((a, b) => a.frame - b.frame);
}

/** The latest note that began clearly before. */
function previous(events: readonly PlayedNote[], index: number): PlayedNote | undefined {
  const { frame } = events[index]!;
  for (let at = index - 1; at >= 0 && at > index - 8; at--) {
    if (events[at]!.frame < frame - 0.03 * RATE) return events[at];
  }
  return undefined;
}

function articulated(event: PlayedNote, patch: Patch, tied: boolean, before: PlayedNote | undefined): Stroke {
  const { articulation } = event;
  let { frames, velocity } = event;
  const damped = articulation === "mute" && patch.muted === undefined && patch.action !== "kit";
  if (articulation === "staccato") frames = Math.max(Math.min(frames, 0.06 * RATE), 0.5 * frames);
  if (damped) frames = Math.min(frames, 0.07 * RATE);
  if (articulation === "accent") velocity = Math.min(1, velocity * 1.12 + 0.04);
  let slide = STILL;
  if (articulation === "slide") {
    const from = before !== undefined && Math.abs(before.pitch - event.pitch) <= 12 ? before.pitch : event.pitch - 2;
    slide = { cents: 100 * (from - event.pitch), seconds: Math.min(0.14, (0.5 * frames) / RATE) };
  }
  return { ...event, frames: Math.max(1, Math.round(frames)), velocity, tied, tying: false, slide, damped, db: 0 };
}

/** Repetitions a second; 0 where the note is struck once. */
function repeats({ articulation, frames }: PlayedNote, patch: Patch): number {
  if (frames < 0.2 * RATE || patch.action === "held" || patch.action === "blown") return 0;
  if (articulation === "roll") return patch.action === "kit" || patch.reach[1] < 60 ? ROLL_HERTZ : 0;
  return articulation === "tremolo" && patch.trembling === undefined ? TREMOLO_HERTZ : 0;
}

/** Both hands in turn, never quite even; a roll grows. */
function repeated(out: Stroke[], stroke: Stroke, hertz: number, patch: Patch, seed: number): void {
  const count = Math.max(2, Math.round((stroke.frames / RATE) * hertz));
  const period = stroke.frames / count;
  const grows = stroke.articulation === "roll";
  for (let n = 0; n < count; n++) {
    const chance = hash32(seed, n) / 0x1_0000_0000 - 0.5;
    const frame = Math.round(stroke.frame + n * period + (n === 0 ? 0 : 0.16 * chance * period));
    const hand = n % 2 === 0 ? 1 : 0.9;
    const growth = grows ? 0.55 + (0.45 * n) / (count - 1) : 0.92;
    out.push({
      ...stroke,
      frame,
      frames:
        patch.action === "plucked"
          ? Math.max(1, Math.round(period))
          : Math.max(1, stroke.frame + stroke.frames - frame),
      velocity: stroke.velocity * hand * growth * (1 + 0.1 * chance),
      turn: stroke.turn + n,
    });
  }
}
