import type { Span } from "../analyse/mod.ts";

/** Seconds before speech at which the music begins to fall, and at which it has fallen: before the first phoneme, however soft. */
const FALL = [0.3, 0.1] as const;

/** Seconds after speech at which the music begins to rise, and at which it is back: a release of 0.7 s. */
const RISE = [0.15, 0.85] as const;

/** Pauses shorter than this are bridged: in less there would be no time to stay up, and the music would pump. */
const BRIDGE_SECONDS = 1.4;

export interface Corner {
  readonly time: number;
  readonly db: number;
}

/**
 * Gain of the music over time: corners, ascending, with a raised cosine in decibels from each to the next, and constant
 * beyond the outermost.
 *
 * @param base_db gain where nobody speaks
 */
export function gainCorners(speech: readonly Span[], depth_db: number, base_db: number): Corner[] {
  const down_db = base_db - depth_db;
  const corners: Corner[] = [];
  const push = (time: number, db: number): void => {
    if (time > 0) corners.push({ time, db });
  };
  const passages = depth_db === 0 ? [] : bridged(speech);
  const starts_down = passages.length > 0 && passages[0]!.start <= FALL[1];
  corners.push({ time: 0, db: starts_down ? down_db : gainAtStart(passages[0], base_db, down_db) });
  for (const { start, end } of passages) {
    push(start - FALL[0], base_db);
    push(start - FALL[1], down_db);
    push(end + RISE[0], down_db);
    push(end + RISE[1], base_db);
  }
  return corners;
}

/** Speech that begins before the music could have fallen in full: the fall begins with the mix, from as far down as leaves no less time. */
function gainAtStart(first: Span | undefined, base_db: number, down_db: number): number {
  if (first === undefined || first.start >= FALL[0]) return base_db;
  const passed = (FALL[0] - first.start) / (FALL[0] - FALL[1]);
  return base_db + (down_db - base_db) * raisedCosine(passed);
}

/** 0 at 0, 1 at 1, level at both ends. */
export function raisedCosine(x: number): number {
  return 0.5 - 0.5 * Math.cos(Math.PI * x);
}

function bridged(speech: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of speech) {
    const last = out[out.length - 1];
    if (last !== undefined && span.start - last.end < BRIDGE_SECONDS) {
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    } else out.push(span);
  }
  return out;
}
