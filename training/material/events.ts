/** Notes of parts as what a General-MIDI synthesiser is told, and when. */
import { fromDecibel } from "../../runners/signal/dsp/decibel.ts";
import type { Part } from "./compose.ts";

export interface Event {
  readonly frame: number;
  readonly channel: number;
  readonly key: number;
  /** 0: off. */
  readonly velocity: number;
}

export interface Channel {
  readonly channel: number;
  /** -1: drums, on channel 9. */
  readonly program: number;
  /** Controllers 7 and 10, 0 to 127. */
  readonly level: number;
  readonly pan: number;
}

/** Events in order, those that end notes first; up to nine parts beside drums have channels of their own. */
export function eventsOf(
  parts: readonly Part[],
  rate: number,
): { readonly events: readonly Event[]; readonly channels: readonly Channel[] } {
  const events: Event[] = [];
  const channels: Channel[] = [];
  let free = 0;
  for (const { program, level_db, pan, notes } of parts) {
    const channel = program === -1 ? 9 : free++ % 9;
    const level = Math.max(0, Math.min(127, Math.round(100 * fromDecibel(level_db / 2))));
    channels.push({ channel, program, level, pan: Math.round(64 + 63 * pan) });
    for (const { at, until, key, velocity } of notes) {
      events.push({ frame: Math.round(at * rate), channel, key, velocity });
      events.push({ frame: Math.round(until * rate), channel, key, velocity: 0 });
    }
  }
  events.sort((a, b) => a.frame - b.frame || a.velocity - b.velocity);
  return { events, channels };
}
