import { type Edges, LEVEL_SECONDS } from "./edges.ts";

/** One way to begin and end the output: how much longer it makes it than playing the whole source, and what it costs. */
export interface Frame {
  /** Seconds from which the source is played. */
  readonly start: number;
  /** Seconds at which the source is left for good; above the source's length where silence is added. */
  readonly end: number;
  /** Length of the fade before `end`, seconds, 0 for none. */
  readonly fade: number;
  readonly cost: number;
}

/** Grid of `end`, seconds. */
const STEP = 0.02;
/** A little silence after the last sound is part of an ending; more of it is empty. Seconds. */
const SILENCE_KEPT = 1;
/** The most silence that is added after an ending that has died away, seconds. */
const SILENCE_ADDED = 0.5;
/** Any change to how the piece begins or ends costs this much, so that a quarter of a second is no reason for one. */
const CHANGED = 0.04;

/**
 * Every way that is worth a thought, the source's own beginning and ending first, at cost 0.
 *
 * @param bar_seconds length of a bar, or of a phrase's worth of sound where there are none
 */
export function framesOf(edges: Edges, bar_seconds: number, target: number): readonly Frame[] {
  const ends = edges.abrupt ? endsOfCut(edges, bar_seconds, target) : endsOfDecay(edges);
  const starts = startsOf(edges);
  const frames: Frame[] = [];
  for (const start of starts) {
    for (const end of ends) frames.push({ ...end, start: start.time, cost: start.cost + end.cost });
  }
  return frames;
}

/** Leading silence may go, all but 50 ms of it. */
function startsOf({ sound_start }: Edges): { time: number; cost: number }[] {
  const starts = [{ time: 0, cost: 0 }];
  const room = sound_start - 0.05;
  for (let cut = 0.1; cut <= room; cut += 0.1) starts.push({ time: cut, cost: CHANGED + 0.02 * Math.min(1, cut) });
  // Minutes of silence need no finer grid than these.
  return starts.length <= 24 ? starts : starts.filter((_, n) => n % Math.ceil(starts.length / 24) === 0);
}

type End = Omit<Frame, "start">;

/** Music that was cut off: it ends under a fade, at the file's end or up to a bar before it. */
function endsOfCut({ seconds }: Edges, bar_seconds: number, target: number): End[] {
  const fade = Math.min(2.5, Math.max(0.5, bar_seconds), 0.15 * target);
  const room = Math.min(Math.max(1.6, bar_seconds), 3, 0.3 * target, 0.4 * seconds);
  const ends: End[] = [{ end: seconds, fade, cost: 0 }];
  for (let cut = STEP; cut <= room; cut += STEP) ends.push({ end: seconds - cut, fade, cost: 3 * CHANGED + 0.1 * cut });
  return ends;
}

/** An ending that dies away: silence after it may go or be added to, and the last of the decay may go under a fade. */
function endsOfDecay({ seconds, sound_end, decay_start, loud_db, levels_db }: Edges): End[] {
  const silence = seconds - sound_end;
  const kept = sound_end + Math.min(silence, SILENCE_KEPT);
  const ends: End[] = [{ end: kept, fade: 0, cost: 0 }];
  for (let end = kept + STEP; end <= seconds; end += STEP * Math.max(1, Math.round(silence / 10))) {
    ends.push({ end, fade: 0, cost: CHANGED + 0.02 * (end - kept) });
  }
  for (let end = kept - STEP; end > sound_end + 0.05; end -= STEP)
    ends.push({ end, fade: 0, cost: CHANGED + 0.03 * (kept - end) });
  const tail = sound_end - decay_start;
  for (let end = Math.min(kept - STEP, sound_end); end > decay_start + 0.15; end -= STEP) {
    const level = levels_db[Math.min(levels_db.length - 1, Math.floor(end / LEVEL_SECONDS))]! - loud_db;
    // 0.14 where what goes is 50 dB down, which is more than a duration within half a second of the wanted one costs;
    // 0.84 where it is 15 dB down.
    const cost = 0.14 + 0.7 * Math.max(0, Math.min(1.3, (level + 50) / 35));
    ends.push({ end, fade: Math.min(1.5, Math.max(0.12, 0.6 * (end - decay_start)), tail), cost });
  }
  const closing_db = levels_db[Math.min(levels_db.length - 1, Math.floor(sound_end / LEVEL_SECONDS))]! - loud_db;
  if (silence > 0.05 || closing_db < -40) {
    for (let added = STEP; added <= SILENCE_ADDED; added += STEP) {
      ends.push({ end: seconds + added, fade: 0, cost: CHANGED + 0.02 + 0.16 * added + 0.02 * (seconds - kept) });
    }
  }
  return ends;
}
