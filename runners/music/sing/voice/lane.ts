/** A quantity of the throat over a phrase, drawn point by point in order of time. */
import { type Control, STEP } from "../../../signal/dsp/control.ts";

export interface Lane {
  readonly frames: number[];
  readonly values: number[];
}

export function lane(first: number): Lane {
  return { frames: [0], values: [first] };
}

/**
 * The quantity moves to `value` from where it was, arriving at `frame`; a point that would come before the last takes
 * the last's place in time.
 */
export function reach(lane: Lane, frame: number, value: number): void {
  const last = lane.frames[lane.frames.length - 1]!;
  lane.frames.push(Math.max(frame, last));
  lane.values.push(value);
}

/** Holds what it was until `width` / 2 before `frame`, is at `value` as long after it. */
export function change(lane: Lane, frame: number, value: number, width: number): void {
  reach(lane, frame - width / 2, lane.values[lane.values.length - 1]!);
  reach(lane, frame + width / 2, value);
}

/** Holds what it was until `frame`. */
export function hold(lane: Lane, frame: number): void {
  reach(lane, frame, lane.values[lane.values.length - 1]!);
}

/** Control values of it, joined smoothly (the cubic smoothstep) where `round`, else by straight lines. */
export function drawn(lane: Lane, out: Control, round: boolean): Control {
  const { frames, values } = lane;
  let next = 0;
  for (let n = 0; n < out.length; n++) {
    const frame = n * STEP;
    while (next < frames.length && frames[next]! <= frame) next++;
    const before = Math.max(0, next - 1);
    const after = Math.min(frames.length - 1, next);
    const span = frames[after]! - frames[before]!;
    let share = span > 0 ? (frame - frames[before]!) / span : 0;
    if (round) share = share * share * (3 - 2 * share);
    out[n] = values[before]! + share * (values[after]! - values[before]!);
  }
  return out;
}
